import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { type Place, run } from '../place.ts';

const SESSION = '20250101_000000_bec0de';

/** Lines of a script, each timed in the bash that runs it: `begin` and `end` around the call cost microseconds. */
const SCRIPT = `
rounds=$1 again=$2
shift 2
for ((i = 0; i < rounds; i++)); do
  eval "$again"
  begin=\${EPOCHREALTIME/[.,]/}
  "$@" >/dev/null
  end=\${EPOCHREALTIME/[.,]/}
  printf '%d.%03d\\n' $(((end - begin) / 1000)) $(((end - begin) % 1000))
done`;

/** A PATH wrapper where nothing is left to save, beside the program itself. */
export function wrapper(place: Place, root: string, rounds: number): readonly Row[] {
  const shims = join(place.install, 'shims/bin');
  fs.writeFileSync(join(root, 'wrapped'), '');
  // What a shell leaves when it has saved all that the turn can destroy.
  const markers = join(place.env['XDG_RUNTIME_DIR'] ?? '', 'belay', SESSION);
  fs.mkdirSync(markers, { recursive: true, mode: 0o700 });
  fs.writeFileSync(join(markers, 'whole'), '1\n');
  // git reads files as young as its index anew each time, until it has written one that is a second younger.
  run('sh', ['-c', 'sleep 1.1; git status'], { cwd: root, env: place.env });
  const cases: readonly { readonly what: string; readonly argv: readonly string[]; readonly again: string }[] = [
    { what: 'rm in a turn that is saved', argv: ['rm', '-f', 'wrapped'], again: '[[ -e wrapped ]] || : >wrapped' },
    { what: 'git status', argv: ['git', 'status'], again: ':' },
    { what: 'sed that prints', argv: ['sed', '-n', '1p', 'wrapped'], again: ':' },
  ];
  return cases.map(({ what, argv, again }) => {
    const timed = (path: string): number[] =>
      run('bash', ['-c', SCRIPT, 'bench', String(rounds + 1), again, ...argv], {
        cwd: root,
        env: { ...place.env, PATH: path, BELAY_SESSION: SESSION, BELAY_TURN: '1' },
      })
        .trim()
        .split('\n')
        .slice(1)
        .map(Number);
    const path = process.env['PATH'] ?? '';
    return {
      what: `wrapper: ${what}`,
      figure: figure(timed(`${shims}:${path}`)),
      beside: { what: 'without the wrapper', figure: figure(timed(path)) },
    };
  });
}
