import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { type Place, protectedEnvironment, run, top } from '../place.ts';

/** Of the scripts: the same `rm` again and again; in one of them nobody can know the names before it runs. */
const SCRIPTS = [
  { what: 'that can be planned whole', text: 'for f in d/*; do rm "$f"; done' },
  { what: 'that nobody can plan', text: 'eval ": $(date +%s)"; for f in d/*; do rm "$f"; done' },
];

/** Each call within a turn that has captured its project, after the first few, which are held one by one. */
const CALLS = `eval ": $(date +%s)"
for ((i = -4; i < $1; i++)); do
  begin=\${EPOCHREALTIME/[.,]/}
  rm $2 d/$i
  end=\${EPOCHREALTIME/[.,]/}
  ((i < 0)) || printf '%d.%03d\\n' $(((end - begin) / 1000)) $(((end - begin) % 1000))
done`;

/** Scripts that call wrapped programs many times, as bash runs them in the environment of `--print-env` and without it. */
export function script(place: Place, count: number, rounds: number): readonly Row[] {
  const within = protectedEnvironment(place);
  const without = place.env;
  const whole = SCRIPTS.map(({ what, text }) => {
    const time = (env: typeof within): number[] =>
      Array.from({ length: rounds }, () => {
        const root = project(count, 'file');
        const begin = process.hrtime.bigint();
        run('bash', ['-c', text], { cwd: root, env });
        return Number(process.hrtime.bigint() - begin) / 1e6;
      });
    return {
      what: `script of ${count} rm ${what}`,
      figure: figure(time(within)),
      beside: { what: 'the script without belay', figure: figure(time(without)) },
    };
  });
  const calls = (['file', 'folder'] as const).map((operand) => {
    const time = (env: typeof within): number[] =>
      run('bash', ['-c', CALLS, 'bench', String(count), operand === 'file' ? '-f' : '-r'], {
        cwd: project(count, operand),
        env,
      })
        .trim()
        .split('\n')
        .map(Number);
    return {
      what: `wrapper: rm of a ${operand} in a captured turn`,
      figure: figure(time(within)),
      beside: { what: 'without the wrapper', figure: figure(time(without)) },
    };
  });
  return [...whole, ...calls];
}

let made = 0;

/** Files, or folders with one file each, older than the capture as what was there before is. */
function project(count: number, operand: 'file' | 'folder'): string {
  const root = join(top, `script-${made++}`);
  fs.mkdirSync(join(root, 'd'), { recursive: true });
  run('git', ['init', '-q'], { cwd: root });
  for (let i = -4; i < count; i++) {
    const name = join(root, `d/${i}`);
    if (operand === 'folder') fs.mkdirSync(name);
    fs.writeFileSync(operand === 'folder' ? join(name, 'file') : name, `content ${i}\n`);
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  return root;
}
