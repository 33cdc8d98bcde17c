import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bytes } from '../../src/platform/bytes.ts';
import type { Line } from '../../src/shell/types.ts';
import { line, see } from './lines.ts';

/** A folder with files whose names are hard on shells. */
export function folder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-words-')));
  for (const name of ['sub', 'sub/deep', '.hid', 'A', 'home', 'x y']) mkdirSync(join(root, name));
  for (const name of NAMES) writeFileSync(join(root, name), '');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0xa0, 0x85])]), '');
  symlinkSync('sub', join(root, 'ln'));
  return root;
}

const NAMES = [
  ...[
    'a',
    'b',
    'a.txt',
    'b.txt',
    'c.TXT',
    '.dot',
    '.dot.txt',
    'a b',
    '*',
    '[',
    'é.txt',
    'x1',
    'x2',
    'x10',
    '-f',
    '{a,b}',
  ],
  ...[
    'sub/a.txt',
    'sub/.h',
    'sub/deep/z.txt',
    '.hid/in',
    'A/B',
    '$x',
    '~',
    "q'q",
    'q"q',
    'back\\slash',
    'new\nline',
    'x y/z',
  ],
];

/** The environment that both sides start from. */
export const environment = (root: string): Record<string, string> => ({
  HOME: `${root}/home`,
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
});

export const lineIn = (root: string, text: Bytes, more: Partial<Line> = {}): Line =>
  line(text, { cwd: root, variables: new Map([...Object.entries(environment(root)), ['PWD', root]]), ...more });

export type Probed = 'bash' | 'zsh' | 'fish';

const SCRIPTS: Readonly<Record<Probed, { readonly args: readonly string[]; readonly probe: string }>> = {
  bash: { args: ['--norc', '-O', 'extglob', '-s'], probe: `probe() { (($#)) && printf '%s\\0' "$@"; true; }` },
  zsh: { args: ['-f', '-s'], probe: `setopt interactivecomments; probe() { (($#)) && printf '%s\\0' "$@"; true }` },
  fish: { args: ['--no-config'], probe: `function probe; count $argv >/dev/null; and printf '%s\\0' $argv; true; end` },
};

/** The words that a shell makes of a command's arguments, sorted as bytes. Undefined where it refuses the line. */
export function shellWords(shell: Probed, root: string, before: Bytes, words: Bytes): Bytes[] | undefined {
  const { args, probe } = SCRIPTS[shell];
  const script = Buffer.from(`${probe}\n${before}\nprobe ${words}\n`, 'latin1');
  // fish does not read the socket that is standard input here.
  const [extra, input] = shell === 'fish' ? [['-c', script.toString()], undefined] : [[], script];
  const run = spawnSync(shell, [...args, ...extra], { cwd: root, env: environment(root), input });
  if (run.status !== 0) return undefined;
  return sorted(run.stdout.toString('latin1').split('\0').slice(0, -1));
}

/**
 * The same of several lists of words after one beginning, each in a subshell of its own: one process in place of many. Undefined
 * where a list is refused, then and only then.
 */
export function shellWordsOfAll(
  shell: 'bash' | 'zsh',
  root: string,
  before: Bytes,
  lists: readonly Bytes[],
): (Bytes[] | undefined)[] {
  const { args, probe } = SCRIPTS[shell];
  const parts = lists.map((words) => `( probe ${words}\n)\nprintf '\\1'`).join('\n');
  const script = Buffer.from(`${probe}\n${before}\n${parts}\n`, 'latin1');
  const run = spawnSync(shell, args, { cwd: root, env: environment(root), input: script });
  const answers = run.stdout.toString('latin1').split('\x01').slice(0, -1);
  if (run.status !== 0 || answers.length !== lists.length)
    return lists.map((words) => shellWords(shell, root, before, words));
  return answers.map((answer) => sorted(answer.split('\0').slice(0, -1)));
}

/** The words that the walk makes of them; undefined where some are not known. */
export function walkWords(root: string, before: Bytes, words: Bytes, shell: Probed = 'bash'): Bytes[] | undefined {
  const seen = see(lineIn(root, `${before}\nprobe ${words}`, { options: new Set(['extglob']), shell }));
  const call = seen.calls.at(-1);
  const args = call?.argv.slice(1) ?? [];
  const texts = args.flatMap((arg) => (arg.kind === 'known' ? [arg.text] : []));
  return texts.length === args.length ? sorted(texts) : undefined;
}

const sorted = (words: readonly Bytes[]): Bytes[] => [...words].sort();

export const git = (root: string, ...args: readonly string[]): void => {
  execFileSync('git', args, { cwd: root, stdio: 'ignore' });
};
