import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';

const SESSION = '20250101_000000_bec0de';
let turns = 0;

/** Milliseconds of `belay-snap hold` alone, its whole process, for the line `rm NAMES` in `root`; nothing is removed. */
export function timedHold(place: Place, root: string, names: readonly string[]): number {
  const turn = String(++turns);
  const fields = {
    shell: 'bash',
    session: SESSION,
    turn,
    line: `rm ${names.join(' ')}`,
    cwd: root,
    interactive: '1',
  };
  const input = Object.entries(fields)
    .map(([key, value]) => `${key}=${value}\0`)
    .join('');
  const compiled = join(place.install, 'dist/belay-snap');
  const bundle = join(place.install, 'dist/belay-snap.cjs');
  const [program, args]: [string, string[]] =
    place.snap === 'compiled' ? [compiled, ['hold']] : [process.execPath, [bundle, 'hold']];
  const begin = process.hrtime.bigint();
  const done = spawnSync(program, args, {
    cwd: '/',
    env: { ...place.env, BUN_JSC_useJIT: '0' }, // as the shells start it for one plain command
    input,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const took = Number(process.hrtime.bigint() - begin) / 1e6;
  const pending = join(place.env['BELAY_HOME'] ?? '', 'checkpoints/pending', SESSION);
  if (done.status !== 0 || !fs.existsSync(join(pending, turn))) throw new Error(`nothing was held: ${done.status}`);
  fs.rmSync(pending, { recursive: true });
  return took;
}

/** The least that saving files can cost: for each a hard link and one line in a journal. In this process. */
export function leastHold(root: string, names: readonly string[]): number {
  const aside = join(root, '.least');
  const begin = process.hrtime.bigint();
  fs.mkdirSync(aside);
  const journal = fs.openSync(join(aside, 'journal'), 'a');
  names.forEach((name, i) => {
    fs.linkSync(join(root, name), join(aside, String(i)));
    fs.writeSync(journal, `${i} ${name}\n`);
  });
  fs.closeSync(journal);
  const took = Number(process.hrtime.bigint() - begin) / 1e6;
  fs.rmSync(aside, { recursive: true });
  return took;
}
