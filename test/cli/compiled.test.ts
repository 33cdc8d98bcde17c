import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { wrapped } from '../../src/cli/fold.ts';
import { builtSnap } from '../built.ts';
import { project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
builtSnap();

const told = (cwd: string, program: readonly string[], words: string): readonly unknown[] => {
  // By a shell: a word may be of any bytes.
  const done = spawnSync('sh', ['-c', `exec "$@" ${words}`, 'sh', ...program], { cwd, encoding: 'latin1' });
  return [done.status, done.stdout, done.stderr];
};
const byNode = [process.execPath, join(top, 'dist/belay.cjs')];
const byLauncher = [join(top, 'bin/belay')];

test('what the launcher answers without node is what node answers, to the byte', () => {
  const root = project(at, { a: '1\n', 'ä ö': '1\n' });
  turn(at.home, root, 'echo 2 > a', () => put(root, { a: '2\n3\n' }));
  turn(at.home, root, "rm 'ä ö'", () => fs.rmSync(join(root, 'ä ö')));
  const words = ['', '--help', 'help list', 'list', 'list --all --json', 'list -h', `list -C "$(printf '/no\\377')"`];
  words.push(
    'show 2 --json --patch',
    `show 1 "$(printf '\\377')"`,
    'show 9',
    'diff 1 --color always',
    'list >/dev/full',
  );
  for (const word of words) assert.equal(told(root, byLauncher, word), told(root, byNode, word), word);
});

test("a folder that is gone is node's to answer, and a message that is folded loses none of its blanks and quotes", () => {
  const root = project(at, { a: '1\n' });
  const gone = (program: readonly string[]): readonly unknown[] => {
    const text = 'mkdir gone && cd gone && rmdir ../gone && exec "$@" list 2>&1 | grep -v ^shell-init';
    return [spawnSync('sh', ['-c', text, 'sh', ...program], { cwd: root, encoding: 'utf8' }).stdout];
  };
  assert.equal(gone(byLauncher), gone(byNode));
  const said =
    'the folder /home/me/a  b/c was left out, for `odd name is not `what it  seems`, and no more is to be said';
  for (const width of [20, 60, 90]) assert.is(wrapped(said, width, 2).replace(/\n {2}/g, ' '), said);
});

test('belay works in a folder whose path is longer than the kernel takes', () => {
  const root = project(at, { a: '1\n' });
  const deeper = 'n=$(printf "%0200d" 0); for i in $(seq 22); do mkdir $n && cd $n; done; echo mine >f';
  const text = `${deeper}; "$@" run -- rm f && [ ! -e f ] && "$@" list | tail -n +3 && "$@" undo --all && cat f`;
  const done = spawnSync('bash', ['-c', text, 'bash', ...byLauncher], { cwd: root, encoding: 'utf8' });
  assert.match(done.stdout, /^1 .* before rm: rm f {2}1 file \+0 -1$/m, done.stderr);
  assert.match(done.stdout, /\nmine\n$/);
  spawnSync('rm', ['-rf', root]);
});

test('the last word is no name of a profile that stands before it', () => {
  const done = spawnSync(join(top, 'bin/belay'), ['config', 'get', '-p'], { encoding: 'utf8' });
  assert.match(done.stderr, /^belay: '' is no name of a profile/);
});

test('the help tells the way to the manual where PATH does not', () => {
  const install = join(at.top, 'there/lib/belay');
  fs.mkdirSync(install, { recursive: true });
  for (const name of ['bin', 'dist', 'shims'])
    fs.cpSync(join(top, name), join(install, name), { recursive: true, filter: (one) => !one.endsWith('/belay-snap') });
  const help = (path: string): string =>
    spawnSync(join(install, 'bin/belay'), ['--help'], { env: { ...process.env, PATH: path }, encoding: 'utf8' }).stdout;
  const path = process.env['PATH'] ?? '';
  assert.match(help(`${join(at.top, 'there/bin')}:${path}`), '`man belay`');
  assert.match(help(path).replace(/\s+/g, ' '), `\`man -M ${join(at.top, 'there/share/man')} belay\``);
});

test.run();
