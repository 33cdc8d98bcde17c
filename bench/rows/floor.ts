import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, top } from '../place.ts';

/** What starting a program costs here at all: `/bin/true`, bare node, belay-snap doing nothing. */
export function floor(places: readonly Place[], rounds: number): readonly Row[] {
  const started = (program: string, args: readonly string[], env: Readonly<Record<string, string>>): number[] =>
    Array.from({ length: rounds }, () => {
      const begin = process.hrtime.bigint();
      const done = spawnSync(program, args, { cwd: '/', env: { ...env }, stdio: 'ignore' });
      if (done.status !== 0) throw new Error(`${program}: status ${done.status}`);
      return Number(process.hrtime.bigint() - begin) / 1e6;
    });
  const bare = bareEnvironment(top);
  const truth = { what: '/bin/true', figure: figure(started('/bin/true', [], bare)) };
  return [
    { what: 'node -e 0', figure: figure(started('node', ['-e', '0'], bare)), beside: truth },
    ...places.map((place) => ({
      what: `belay-snap --version, ${place.snap}`,
      figure: figure(started(join(place.install, 'bin/belay-snap'), ['--version'], place.env)),
      beside: truth,
    })),
  ];
}
