import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { Change } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import type { Failure } from '../../src/cli/command.ts';
import { redo } from '../../src/cli/redo.ts';
import { builtBelay } from '../built.ts';
import { absent, turn as draft, file } from '../checkpoint/given.ts';
import { has } from '../pty/programs.ts';
import { belay, project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { Screen } from './screen.ts';
import { nextOrder, turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const SESSION = '20250101_000000_abcdef';
const [node, main] = builtBelay();
const read = (root: string, path: string): string => fs.readFileSync(join(root, path), 'utf8');

/** A long turn that changed `a` for certain, and during which `log` changed. */
function longTurn(): string {
  const root = project(at, { a: 'old\n', log: 'old\n' });
  const [old, now] = [Buffer.from('old\n'), Buffer.from('new\n')];
  const common = { before: file(old), after: file(now) };
  const changes: Change[] = [
    { path: 'a', ...common, by: 'named' },
    { path: 'log', ...common, by: 'seen', uncertain: true },
  ];
  put(root, { a: 'new\n', log: 'new\n' });
  const order = nextOrder(at.home);
  const record = { session: SESSION, turn: `u${order}`, order, line: 'npm run dev', changes };
  writeRecord(
    openStore(at.home),
    root,
    draft(record),
    new Map([old, now].map((content) => [blobOid(content), content])),
  );
  return root;
}

test('what changed while a long line ran is kept and listed without a terminal, restored with --yes', async () => {
  const kept = longTurn();
  const done = await belay(kept, 'undo');
  assert.match(done.text, /not certain that this turn changed them: log/);
  assert.equal([read(kept, 'a'), read(kept, 'log')], ['old\n', 'new\n']);
  const whole = longTurn();
  await belay(whole, 'undo', '--yes');
  assert.equal([read(whole, 'a'), read(whole, 'log')], ['old\n', 'old\n']);
});

test('going back to before a turn that changed nothing leaves alone what an older capture had otherwise', async () => {
  const root = project(at, { b: 'old\n' });
  await belay(root, 'checkpoint', '-m', 'by hand');
  put(root, { b: 'edited since\n' });
  const n = turn(at.home, root, 'cp nothing nowhere', () => undefined);
  const done = await belay(root, 'rollback', `${n}`, '--yes');
  assert.equal([done.exit, read(root, 'b')], [0, 'edited since\n'], done.text);
});

if (has('tmux')) {
  const env = Object.fromEntries(
    ['BELAY_HOME', 'HOME', 'XDG_RUNTIME_DIR', 'BELAY_SESSION', 'BELAY_TURN'].map((name) => [
      name,
      process.env[name] ?? '',
    ]),
  );
  const open = (root: string): Screen => {
    const screen = new Screen(at.top, env, 100, 20, root);
    screen.type(`belay() { '${node}' '${main}' "$@"; }; clear`);
    return screen;
  };

  test('on a terminal it is listed and asked for', async () => {
    for (const [answer, wanted] of [
      ['y', 'old\n'],
      ['n', 'new\n'],
    ] as const) {
      const root = longTurn();
      const screen = open(root);
      try {
        screen.type('belay undo');
        await screen.shows(/perhaps not by it:\n +log\nRestore 1 path of them too\? \[y\/N\]/);
        assert.is(read(root, 'a'), 'new\n');
        screen.type(answer);
        await screen.shows(/Saved before it[\s\S]*ready\$\s*$/);
        assert.equal([read(root, 'a'), read(root, 'log')], ['old\n', wanted]);
      } finally {
        screen.close();
      }
    }
  });

  test('a long difference goes through the pager on a terminal', async () => {
    const root = project(at, { a: 'x\n'.repeat(100) });
    turn(at.home, root, 'rm a', () => fs.rmSync(join(root, 'a')));
    const screen = open(root);
    try {
      screen.type("PAGER='head -n 3; echo paged' belay show");
      const text = await screen.shows(/^paged$[\s\S]*ready\$\s*$/m);
      assert.not.match(text, /^-x$/m);
    } finally {
      screen.close();
    }
  });
}

if (has('script'))
  test('a restore that takes longer than a second says on the terminal how far it is', async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`d/f${i}`, 'x\n']));
    const root = project(at, files);
    const n = turn(at.home, root, 'rm -r d', () => fs.rmSync(join(root, 'd'), { recursive: true }));
    // git takes its time to lay them down.
    const slow = join(at.top, 'slow');
    fs.mkdirSync(slow);
    const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
    const text = `#!/bin/sh\ncase "$*" in *checkout-index*) sleep 1.1 ;; esac\nexec '${git}' "$@"\n`;
    fs.writeFileSync(join(slow, 'git'), text, { mode: 0o755 });
    const line = `exec '${node}' '${main}' rollback ${n}`;
    const env = { ...process.env, PATH: `${slow}:${process.env['PATH'] ?? ''}` };
    const said = spawnSync('script', ['-qefc', line, '/dev/null'], {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).stdout;
    assert.match(said, /\r\x1b\[Krestoring \[#*-*\] \d+ of 300\d/);
    assert.match(said.slice(said.lastIndexOf('restoring')), /\r\x1b\[K[\s\S]*3000 files and 1 folder written/);
  });

test('a file that a checkpoint lists as left out is skipped and named, and the rest comes back', async () => {
  const root = project(at, { a: '1\n' });
  const leftOut = [{ path: 'huge.iso', reason: 'larger than what may be held' }];
  turn(at.home, root, 'rm a huge.iso', () => fs.rmSync(join(root, 'a')), SESSION, { leftOut });
  const done = await belay(root, 'rollback', '1');
  assert.is(done.exit, 0);
  assert.match(done.text, /Could not be brought back:\n +huge\.iso: larger than what may be held/);
  assert.is(read(root, 'a'), '1\n');
});

test('a folder that is no project is one for its lines: undo, list and rollback work in it', async () => {
  const root = join(at.top, 'loose');
  put(root, { a: '1\n', 'd/b': '1\n' });
  turn(at.home, root, 'rm a', () => fs.rmSync(join(root, 'a')));
  turn(at.home, root, 'rm -r d', () => fs.rmSync(join(root, 'd'), { recursive: true }));
  assert.is((await belay<{ checkpoints: unknown[] }>(root, 'list')).json.checkpoints.length, 2);
  assert.is((await belay(root, 'undo')).exit, 0);
  assert.is(read(root, 'd/b'), '1\n');
  assert.is((await belay(root, 'rollback', '1')).exit, 0);
  assert.is(read(root, 'a'), '1\n');
});

test('--literal takes names that look like magic, wildcards or exclusions for what they are', async () => {
  const names = [':(top)x', '*.txt', ':!y', '[a]'];
  const root = project(at, { ...Object.fromEntries(names.map((name) => [name, '1\n'])), 'b.txt': '1\n', a: '1\n' });
  turn(at.home, root, 'rm ./*', () => {
    for (const name of [...names, 'b.txt', 'a']) fs.rmSync(join(root, name));
  });
  for (const name of names) assert.is((await belay(root, 'rollback', '1', '--literal', name)).exit, 0, name);
  for (const name of names) assert.is(read(root, name), '1\n');
  assert.not(fs.existsSync(join(root, 'b.txt')));
  assert.not(fs.existsSync(join(root, 'a')));
});

test('undo --session takes back the turns of that session only, newest first', async () => {
  const root = project(at, { a: '1\n', b: '1\n', c: '1\n' });
  const other = '20250101_000000_0ther1';
  turn(at.home, root, 'rm a', () => fs.rmSync(join(root, 'a')), other);
  turn(at.home, root, 'rm b', () => fs.rmSync(join(root, 'b')), other);
  turn(at.home, root, 'rm c', () => fs.rmSync(join(root, 'c')));
  const there = (): boolean[] => ['a', 'b', 'c'].map((name) => fs.existsSync(join(root, name)));
  assert.match((await belay(root, 'undo', '--session', other)).text, new RegExp(`of session ${other}`));
  assert.equal(there(), [false, true, false]);
  await belay(root, 'undo', '--session', other);
  assert.equal(there(), [true, true, false]);
  const none = await belay(root, 'undo', '--session', other);
  assert.equal([none.exit, none.code], [4, 'no_checkpoint']);
  assert.is((await belay(root, 'undo', '--session', '20250101_000000_nobody')).code, 'no_session');
});

test('list, show and diff take --session: what turns of that session did, from N on, too', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  const files = async (...words: string[]): Promise<string[]> =>
    (await belay<{ files: { path: string }[] }>(root, ...words)).json.files.map(({ path }) => path);
  turn(at.home, root, 'first', () => put(root, { a: '2\n' }), 'other');
  turn(at.home, root, 'second', () => put(root, { b: '2\n' }));
  turn(at.home, root, 'third', () => put(root, { c: '2\n' }), 'other');
  turn(at.home, root, 'fourth', () => put(root, { d: '2\n' }));
  assert.equal(await files('show', '--session', 'other'), ['c']);
  assert.is((await belay(root, 'show', '2', '--session', 'other')).exit, 4);
  assert.is((await belay(root, 'show', '--session', 'nobody')).code, 'no_session');
  assert.equal(await files('diff', '--session', 'other'), ['a', 'c']);
  assert.equal(await files('diff', '2', '--session', 'other'), ['c']);
  const listed = (await belay<{ checkpoints: { n: number }[] }>(root, 'list', '--session', 'other')).json.checkpoints;
  assert.equal(
    listed.map(({ n }) => n),
    [3, 1],
  );
});

test('--tool gives both states to the person’s own program', () => {
  const root = project(at, { 'd/a': 'before\n' });
  turn(at.home, root, 'echo after > d/a', () => put(root, { 'd/a': 'after\n' }));
  const tool = 'cat "$1"/d/a "$2"/d/a; true';
  const done = spawnBelay(root, ['show', '1', '--tool'], { BELAY_DIFF: `f() { ${tool}; }; f` });
  assert.is(done.status, 0);
  assert.is(done.stdout, 'before\nafter\n');
  const none = spawnBelay(root, ['show', '1', '--tool'], { BELAY_DIFF: 'no-such-tool' });
  assert.is(none.status, 1);
  assert.match(none.stderr, /Set BELAY_DIFF/);
  const config = '[diff]\n\ttool = mine\n[difftool "mine"]\n\tcmd = cat $LOCAL $REMOTE\n';
  fs.writeFileSync(join(at.top, 'person/.gitconfig'), config);
  const git = spawnBelay(root, ['show', '1', '--tool']);
  fs.rmSync(join(at.top, 'person/.gitconfig'));
  assert.equal([git.status, git.stdout], [0, 'before\nafter\n'], git.stderr);
});

test('undo says first where its turn was, when nothing of it is in this project; and what is undone already is no deed', async () => {
  const [here, there] = [project(at, { a: '1\n' }), project(at, { b: '1\n' })];
  turn(at.home, here, 'rm a', () => fs.rmSync(join(here, 'a')), 'wanderer', { cwd: here });
  turn(at.home, there, 'rm b', () => fs.rmSync(join(there, 'b')), 'wanderer', { cwd: there });
  const undo = (...words: string[]) => spawnBelay(here, ['undo', ...words], { BELAY_SESSION: 'wanderer' }).stdout;
  const where = `This session's newest turn was in ${there}, nothing of it in ${here}. The newest turn here: belay undo 1\n`;
  assert.ok(undo('--dry-run').startsWith(`${where}Would do (nothing was changed): undo turn `));
  put(there, { b: '1\n' });
  assert.ok(undo().startsWith(`${where}Everything is as before turn `));
  put(here, { a: 'by hand\n' });
  assert.match(undo(), /^Nothing of checkpoint 1 was undone: rm a\nKept your hand-edits: a\n/);
  assert.match((await belay(project(at), 'diff')).message, /no checkpoints yet/);
});

test('where an undo has taken the folder that one is in, that is said, and redo brings it back from there', async () => {
  const root = project(at, { keep: 'x' });
  turn(at.home, root, 'mkdir d && echo 1 > d/a', () => put(root, { 'd/a': '1\n' }));
  assert.match(
    (await belay(join(root, 'd'), 'undo')).text,
    /The folder you are in is gone with it\. `belay redo` brings/,
  );
  const call = { words: [], values: {}, json: false, yes: true, install: root, cwd: undefined };
  const refused = await Promise.resolve(redo.run(call)).catch((error: Failure) => error.code);
  assert.is(refused, 'no_folder');
  await redo.run({ ...call, left: join(root, 'd') });
  assert.is(read(root, 'd/a'), '1\n');
});

test('a difference that is too long is cut, and says so', async () => {
  const root = project(at, { a: 'x\n', b: 'y\n' });
  const long = (letter: string): string => `${letter.repeat(79)}\n`.repeat(40_000);
  turn(at.home, root, 'make it long', () => put(root, { a: long('a'), b: 'short\n' }));
  const done = await belay(root, 'show', '1');
  assert.match(done.text, /1 file not shown: the difference is longer than 2\.1 MB; --path shows one\./);
  assert.match(done.text, /^\+short$/m);
  assert.ok(done.text.length < 3 << 20);
});

test('where a project was deleted, list says from the folder above what undo brings back, and -C lists what is kept of it', async () => {
  const above = join(at.top, 'above');
  const root = join(above, 'shop');
  put(root, { 'package.json': '{}', a: 'one\n' });
  const line = 'cd .. && rm -rf shop';
  turn(at.home, root, 'echo two > a', () => put(root, { a: 'two\n' }), SESSION, { cwd: root });
  turn(at.home, root, line, () => fs.rmSync(join(root, 'a')), SESSION, { cwd: root });
  fs.rmSync(root, { recursive: true });
  const told = await belay(above, 'list');
  assert.match(told.text, `belay undo takes back: ${line}\n  in ${root}\n`);
  assert.match(told.text, `belay list -C ${root}`);
  const kept = await belay<{ checkpoints: { n: number }[] }>(root, 'list');
  assert.equal(
    kept.json.checkpoints.map(({ n }) => n),
    [2, 1],
  );
  assert.is((await belay(join(at.top, 'never'), 'list')).code, 'no_folder');
});

test('undo refuses where a newer line was not saved, and names it; --force takes back the older one', async () => {
  const root = join(at.top, 'no-project');
  put(root, { a: 'one\n', big: 'x' });
  turn(at.home, root, 'echo two > a', () => put(root, { a: 'two\n' }), 'lonely', { cwd: root });
  const leftOut = [{ path: 'big', reason: 'it is larger than hold.max_mb' }];
  turn(at.home, root, 'truncate -s 0 big', () => {}, 'lonely', { cwd: root, leftOut });
  const undo = (...more: string[]) => belay(root, 'undo', '--session', 'lonely', ...more);
  const refusal = await undo();
  assert.equal([refusal.exit, refusal.code, read(root, 'a')], [3, 'not_saved', 'two\n']);
  assert.match(refusal.message, 'truncate -s 0 big (big: it is larger than hold.max_mb)');
  const done = await undo('--force');
  assert.match(
    done.text,
    /^A newer line was not saved and is not taken back: truncate -s 0 big \(big: it is larger than hold\.max_mb\)\nUndid checkpoint 1 of session lonely/,
  );
  assert.is(read(root, 'a'), 'one\n');
  assert.match((await undo()).hint, 'truncate -s 0 big');
});

test('undo refuses where a newer line ran unprotected; --force, or a restore since, goes on', async () => {
  const root = join(at.top, 'unprotected');
  put(root, { a: 'one\n', b: 'one\n' });
  const more = { cwd: root, turn: '3' };
  turn(at.home, root, 'echo two > b', () => put(root, { b: 'two\n' }), SESSION, { ...more, turn: '2' });
  turn(at.home, root, 'echo two > a', () => put(root, { a: 'two\n' }), SESSION, more);
  const folder = join(at.top, 'run/belay', SESSION);
  fs.mkdirSync(folder, { recursive: true });
  for (const newest of ['3', '4']) {
    fs.writeFileSync(join(folder, 'unprotected'), `${newest}\n`);
    const dry = await belay(root, 'undo', '--dry-run');
    assert.equal([newest, dry.code], newest === '3' ? ['3', ''] : ['4', 'not_saved'], dry.message);
  }
  assert.is((await belay(root, 'undo', '--force')).exit, 0);
  assert.equal([read(root, 'a'), read(root, 'b')], ['one\n', 'two\n']);
  assert.is((await belay(root, 'undo')).exit, 0);
  assert.is(read(root, 'b'), 'one\n');
  fs.rmSync(join(folder, 'unprotected'));
});

test('past lines that ran while belay was off, undo says so; where it would take more away than it brings, it asks', async () => {
  const root = project(at, { kept: '1\n' });
  const more = (n: string) => ({ cwd: root, turn: n });
  turn(at.home, root, 'rm kept', () => fs.rmSync(join(root, 'kept')), 'offline', more('1'));
  turn(at.home, root, 'echo x > made', () => put(root, { made: 'x\n' }), 'offline', more('2'));
  const folder = join(at.top, 'run/belay/offline');
  fs.mkdirSync(folder, { recursive: true });
  const undo = (...words: string[]) => spawnBelay(root, ['undo', ...words], { BELAY_SESSION: 'offline' });
  fs.writeFileSync(join(folder, 'off'), '2\n');
  const refused = undo();
  assert.is(refused.status, 3, refused.stdout);
  assert.match(refused.stderr, 'belay was off in this shell since');
  assert.match(refused.stderr, /Undo checkpoint 2: echo x > made: 1 path removed, none written\?/);
  assert.ok(fs.existsSync(join(root, 'made')));
  assert.match(undo('--dry-run').stdout, /^belay was off in this shell since.*\nWould do/);
  fs.writeFileSync(join(folder, 'off'), '1\n');
  assert.is(undo().status, 0);
  const brought = undo();
  assert.match(brought.stdout, /^belay was off in this shell since.*\nUndid checkpoint 1: rm kept\n/);
  assert.is(read(root, 'kept'), '1\n');
});

test('undo goes on to an older turn of another folder, which made the project one is in, only when asked', async () => {
  const above = project(at);
  const below = join(above, 'made');
  const session = 'maker';
  const make = () => put(below, { 'package.json': '{}', a: '1\n', b: '1\n' });
  turn(at.home, above, 'sh set-up.sh made && cd made', make, session, { cwd: above });
  const undo = (...words: string[]) => spawnBelay(below, ['undo', ...words], { BELAY_SESSION: session });
  const first = `This session's newest turn was in ${above}, not in ${below}.\n`;
  assert.ok(undo('--dry-run').stdout.startsWith(`${first}Would do`));
  turn(at.home, below, 'rm a', () => fs.rmSync(join(below, 'a')), session, { cwd: below });
  assert.is(undo().status, 0);
  const refused = undo();
  assert.is(refused.status, 3, refused.stdout);
  assert.match(refused.stderr, first.trim());
  assert.equal([read(below, 'a'), read(below, 'b')], ['1\n', '1\n']);
  assert.is(undo('--yes').status, 0);
  assert.not.ok(fs.existsSync(join(below, 'b')));
});

test('the line that takes a restore back names the project, where -C has named it from another one', () => {
  const [here, there] = [project(at), join(at.top, "it's there")];
  fs.renameSync(project(at, { a: '1\n', b: '1\n' }), there);
  const n = turn(at.home, there, 'rm a', () => fs.rmSync(join(there, 'a')));
  turn(at.home, there, 'rm b', () => fs.rmSync(join(there, 'b')));
  put(there, { b: 'by hand\n' });
  const far = spawnBelay(here, ['rollback', String(n), '-C', there]).stdout;
  const word = `'${there.replace("'", "'\\''")}'`;
  assert.match(far, `To take this back: belay rollback 3 -C ${word}\n`);
  assert.match(far, `To restore those too: belay rollback 1 --all -C ${word}\n`);
  const near = spawnBelay(there, ['rollback', String(n), '--all', '-C', join(there, '.')]).stdout;
  assert.match(near, /To take this back: belay rollback 4\n/);
});

test('undo N takes back the turn that the list calls N, and says the same number', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  const n = turn(at.home, root, 'first', () => put(root, { a: '2\n' }));
  turn(at.home, root, 'second', () => put(root, { b: '2\n' }));
  const done = await belay(root, 'undo', String(n));
  assert.equal([read(root, 'a'), read(root, 'b')], ['1\n', '2\n']);
  assert.match(done.text, `Undid checkpoint ${n}: first`);
  assert.is((await belay(root, 'undo', String(done.json.safety))).exit, 2);
  assert.is((await belay(root, 'undo', '99')).exit, 4);
});

test('retry takes the line back and runs it again, in its own folder and with its own shell', () => {
  const root = project(at, { 'sub/a': 'one\n' });
  const line = 'echo "$BASH_VERSION" | grep -q . && pwd > where; cat a >> a.twice';
  const cwd = join(root, 'sub');
  const act = (): void => put(root, { 'sub/where': 'elsewhere\n', 'sub/a.twice': 'wrong\n' });
  turn(at.home, root, line, act, SESSION, { cwd, shell: 'bash' });
  const done = spawnBelay(root, ['retry', '--yes']);
  assert.is(done.status, 0, done.stderr);
  assert.is(read(root, 'sub/where'), `${cwd}\n`);
  assert.is(read(root, 'sub/a.twice'), 'one\n');
});

test('retry runs exactly the recorded line, by the rules of its own shell', () => {
  const root = project(at, { names: 'x\n', x: '1\n', a: '1\n' });
  const lines = [
    'bash -c "printf %s \\`cat names\\` > told"',
    "bash -c 'printf %s \\{a,b\\} > told'",
    'bash -c printf\\ %s\\ \\\\\\`x\\ \\>\\ told',
  ];
  for (const line of lines) {
    fs.rmSync(join(root, 'told'), { force: true });
    spawnSync('bash', ['-c', line], { cwd: root });
    const first = read(root, 'told');
    turn(at.home, root, line, () => put(root, { a: `${line}\n` }), SESSION, { cwd: root, shell: 'bash' });
    const done = spawnBelay(root, ['retry', '--yes']);
    assert.equal([done.status, read(root, 'told')], [0, first], line + done.stderr);
  }
  turn(at.home, root, 'rm x', () => put(root, { a: '2\n' }), SESSION, { cwd: root, shell: 'ksh' });
  const done = spawnBelay(root, ['retry', '--yes']);
  assert.equal([done.status, read(root, 'a')], [3, '2\n'], done.stderr);
});

test('retry refuses a hidden line and one that is not text, and takes a line of verbs alone for what it is', async () => {
  const root = project(at, { a: 'one\n' });
  const act = (text: string) => (): void => put(root, { a: text });
  turn(at.home, root, 'true', act('1\n'), SESSION, { cwd: root, shell: 'bash', verbs: ['true'] });
  const plain = spawnBelay(root, ['retry', '--yes']);
  assert.is(plain.status, 0, plain.stderr);
  turn(at.home, root, 'true', act('2\n'), SESSION, { cwd: root, shell: 'bash', verbs: ['true'], hidden: true });
  const hidden = await belay(root, 'retry', '--yes');
  assert.equal([hidden.exit, hidden.code, read(root, 'a')], [3, 'line_unknown', '2\n']);
  turn(at.home, root, 'echo \xff', act('3\n'), SESSION, { cwd: root, shell: 'bash' });
  const bytes = await belay(root, 'retry', '--yes');
  assert.equal([bytes.exit, bytes.code, read(root, 'a')], [3, 'line_not_text', '3\n']);
});

test('a list of a hundred checkpoints takes three git processes at most', () => {
  const root = project(at, { a: '0\n' });
  for (let i = 0; i < 100; i++) {
    const [before, after] = [Buffer.from(`${i}\n`), Buffer.from(`${i + 1}\n`)];
    const hashOnly = { ...file(after), content: { at: 'hash' as const, oid: blobOid(after) } };
    const changes: Change[] = [{ path: 'a', before: file(before), after: i % 2 ? file(after) : hashOnly, by: 'named' }];
    const order = nextOrder(at.home);
    const given = draft({ session: SESSION, turn: `h${order}`, order, line: `echo ${i}`, changes });
    writeRecord(openStore(at.home), root, given, new Map([before, after].map((one) => [blobOid(one), one])));
  }
  const bin = join(at.top, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  const count = join(at.top, 'started');
  fs.writeFileSync(join(bin, 'git'), `#!/bin/sh\necho git >> '${count}'\nexec '${git}' "$@"\n`, { mode: 0o755 });
  const done = spawnBelay(root, ['list'], { PATH: `${bin}:${process.env['PATH']}` });
  assert.match(done.stdout, /100 checkpoints/);
  assert.ok(fs.readFileSync(count, 'utf8').split('\n').length - 1 <= 3);
});

test('bringing one file back looks at as many paths in a large tree as in a small one', () => {
  if (spawnSync('strace', ['-V']).status !== 0) return; // said by scripts/test-needs.sh
  const calls = (files: number): number => {
    const root = project(at, { target: '1\n' });
    const content = Object.fromEntries(Array.from({ length: files }, (_, i) => [`d${i % 20}/f${i}`, 'x\n']));
    put(root, content);
    const bytes = Buffer.from('1\n');
    const changes: Change[] = [{ path: 'target', before: file(bytes), after: absent, by: 'named' }];
    const order = nextOrder(at.home);
    const given = draft({ session: SESSION, turn: `s${order}`, order, line: 'rm target', changes });
    writeRecord(openStore(at.home), root, given, new Map([[blobOid(bytes), bytes]]));
    fs.rmSync(join(root, 'target'));
    const trace = join(at.top, 'trace');
    const words = ['-f', '-e', 'trace=file', '-o', trace, node, main, 'undo'];
    assert.is(spawnSync('strace', words, { cwd: root, env: process.env }).status, 0);
    assert.ok(fs.existsSync(join(root, 'target')));
    return fs
      .readFileSync(trace, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"${root}`)).length;
  };
  const [small, large] = [calls(20), calls(2000)];
  assert.ok(large <= small * 1.5, `${small} in the small tree, ${large} in the large one`);
});

test.run();
