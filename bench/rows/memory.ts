import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { type Place, top } from '../place.ts';

const TELL = "process.on('exit', () => require('fs').writeSync(2, `peak ${process.resourceUsage().maxRSS} KB`))";

/** The most memory that belay-snap on node needs to capture a tree before an opaque line (git's own is not counted). */
export function memory(place: Place, root: string, size: string): Row {
  const home = join(top, `memory of ${size}`);
  fs.mkdirSync(join(home, '.config/belay'), { recursive: true });
  const rules = 'opaque: always, budget_ms: 600000, max_files: 1000000';
  fs.writeFileSync(join(home, '.config/belay/config.yaml'), `checkpoints: { ${rules} }\n`);
  const peak = (line: string): number => {
    const request = `shell=bash\0session=20250101_000000_bec0de\0turn=1\0line=${line}\0cwd=${root}\0`;
    const args = [
      '-e',
      `${TELL}; process.argv.splice(1, 0, 'x'); require('${join(place.install, 'dist/belay-snap.cjs')}')`,
      'hold',
    ];
    const env = { ...place.env, HOME: home, BELAY_HOME: join(home, 'belay') };
    const done = spawnSync(process.execPath, args, { cwd: '/', env, input: request, encoding: 'utf8' });
    const found = /peak (\d+) KB/.exec(done.stderr);
    if (done.status !== 0 || found === null) throw new Error(`belay-snap: ${done.status}: ${done.stderr}`);
    return Number(found[1]) / 1024;
  };
  const small = peak('rm d0/f0.txt');
  const captured = peak('eval "$NOBODY_KNOWS"');
  if (!fs.existsSync(join(home, 'belay/checkpoints/store/refs/belay'))) throw new Error('nothing was captured');
  return {
    what: `memory in MB, not ms: first capture, tree of ${size}`,
    figure: figure([captured]),
    beside: { what: 'hold of 1 file', figure: figure([small]) },
  };
}
