import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { spoken } from '../../src/checkpoint/spoken.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { commands } from '../../src/cli/commands.ts';
import { builtBelay } from '../built.ts';
import { absent, turn as draft, file } from '../checkpoint/given.ts';
import { belay, project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn as did, nextOrder } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const turn = (root: string, line: string, act: () => void): number => did(at.home, root, line, act);

interface List {
  readonly project: { root: string; key: string };
  readonly checkpoints: {
    n: number;
    id: string;
    reason: string;
    kind: string;
    stats: object;
    time: string;
    state: string;
  }[];
}

const three = (): string => {
  const root = project(at, { a: '1\n' });
  for (const text of ['2\n', '3\n', '4\n']) turn(root, `echo ${text.trim()} > a`, () => put(root, { a: text }));
  return root;
};

test('the list begins with the project and its count, newest first, and ends with the commands to go on with', async () => {
  const root = three();
  const { text, json } = await belay<List>(root, 'list');
  const lines = text.split('\n');
  assert.is(lines[0], `${root}  3 checkpoints`);
  assert.match(
    lines[2] ?? '',
    /^3 {2}[0-9a-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}before rm: echo 4 > a {2}1 file \+1 -1$/,
  );
  assert.match(text, 'belay rollback N back to before N (numbers stay)');
  assert.equal(
    json.checkpoints.map(({ n }) => n),
    [3, 2, 1],
  );
  assert.equal(Object.keys(json.project), ['root', 'key']);
  const first = json.checkpoints[2];
  assert.equal(
    [first?.reason, first?.kind, first?.stats],
    ['before rm: echo 2 > a', 'turn', { files: 1, insertions: 1, deletions: 1 }],
  );
  assert.match(first?.time ?? '', /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal((await belay(root, 'rollback')).text, text);
  assert.equal((await belay(root, 'rollback', 'list')).text, text);
});

test('lines that changed nothing are counted, not shown, and --all shows them; a checkpoint by hand says what is new since the last', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  await belay(root, 'checkpoint', '-m', 'first');
  turn(root, 'make', () => {});
  turn(root, 'mkdir d', () => fs.mkdirSync(join(root, 'd')));
  put(root, { a: '2\n3\n' });
  fs.writeFileSync(join(root, 'b'), Buffer.from([0, 1]));
  await belay(root, 'checkpoint', '-m', 'second');
  await belay(root, 'checkpoint', '-m', 'third');
  const columns = (text: string): string[] =>
    text
      .split('\n')
      .flatMap((line) => /^\d {2}[0-9a-f]{8} {2}\S+ \S+ {2}(.*?) {2,}(.*)$/.exec(line)?.slice(1).join(': ') ?? []);
  const { text, json } = await belay<List>(root, 'list');
  assert.equal(columns(text), [
    'checkpoint: third: nothing new',
    'checkpoint: second: 2 files +2 -1',
    'before rm: mkdir d: folders only',
    'checkpoint: first: the whole project',
  ]);
  assert.match(text, /^1 that changed nothing is not shown: belay list --all$/m);
  assert.match(text, `${root}  5 checkpoints`);
  assert.is(json.checkpoints.length, 5);
  const whole = await belay<List>(root, 'list', '--all');
  assert.match(whole.text, /before rm: make +nothing changed/);
  assert.not.match(whole.text, 'not shown');
});

test('a shell that was given its text is told by that text', () => {
  for (const [line, said] of [
    ['bash -c rm\\ -rf\\ x', 'rm -rf x'],
    ["/bin/sh -e -lc $'rm a\\nrm \\'b\\''", "rm a\nrm 'b'"],
    ["zsh -c 'rm *'", 'rm *'],
    ['bash -c rm\\ x name', 'bash -c rm\\ x name'],
    ['bash -c "rm $x"', 'bash -c "rm $x"'],
    ['rm my\\ file', 'rm my\\ file'],
    ["bash -c ''", "bash -c ''"],
  ] as const)
    assert.is(spoken(line), said);
});

test('the list goes by the order of turns, not by when their records were written, and so do last and @K', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  const early = nextOrder(at.home);
  turn(root, 'rm a', () => fs.rmSync(join(root, 'a')));
  fs.rmSync(join(root, 'b'));
  // A turn that was begun first and settled last (a shell that was killed).
  const b = Buffer.from('1\n');
  const changes = [{ path: 'b', before: file(b), after: absent, by: 'named' as const }];
  writeRecord(openStore(at.home), root, draft({ order: early, line: 'rm b', changes }), new Map([[blobOid(b), b]]));
  const numbers = (await belay<List>(root, 'list')).json.checkpoints.map(({ n }) => n);
  assert.equal(numbers, [1, 2]);
  assert.match((await belay(root, 'show', 'last')).text, /^checkpoint 1 /);
  assert.match((await belay(root, 'show', '@2')).text, /^checkpoint 2 /);
});

test('what a restore did is told in files and folders, those that no line named included', async () => {
  const root = project(at, { 'src/img/logo': 'x', 'src/main': 'x', 'src/b': 'x', 'src/c': 'x' });
  fs.mkdirSync(join(root, 'src/empty'));
  turn(root, 'rm -r src', () => fs.rmSync(join(root, 'src'), { recursive: true }));
  const { text } = await belay(root, 'undo');
  assert.match(text, /^ {2}4 files and 3 folders written \(src\/b, src\/c, src\/img\/logo, and 4 more\)$/m);
  assert.match((await belay(root, 'redo')).text, /^ {2}4 files and 3 folders removed \(/m);
  turn(root, 'mkdir d', () => fs.mkdirSync(join(root, 'd')));
  assert.match((await belay(root, 'undo')).text, /^ {2}1 folder removed \(d\/\)$/m);
});

test('a line of 100 KB is cut wherever it is told', async () => {
  const root = project(at, { a: '1\n' });
  turn(root, `rm a # ${'x'.repeat(100_000)}`, () => fs.rmSync(join(root, 'a')));
  for (const words of [
    ['list'],
    ['show'],
    ['diff'],
    ['undo', '--dry-run'],
    ['undo'],
    ['rollback', '1', '--dry-run'],
    ['redo'],
  ]) {
    const { text, exit } = await belay(root, ...words);
    assert.is(exit, 0);
    for (const line of text.split('\n')) assert.ok(line.length < 300, `${words.join(' ')}: ${line.length}`);
  }
});

test('lines of a content that only its hash is kept of are counted from the store, or from where it still lies', async () => {
  const root = project(at, { a: '1\n2\n', b: '1\n2\n' });
  const [before, after] = ['1\n2\n', '1\nX\nY\n'].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  const hash = { ...file(after), content: { at: 'hash' as const, oid: blobOid(after) } };
  const changes = [{ path: 'a', before: file(before), after: hash, by: 'named' as const }];
  const record = { order: nextOrder(at.home), line: 'sed -i', changes };
  writeRecord(openStore(at.home), root, draft(record), new Map([[blobOid(before), before]]));
  const stats = async (): Promise<object | undefined> =>
    (await belay<List>(root, 'list')).json.checkpoints.find(({ n }) => n === 1)?.stats;
  assert.equal(await stats(), { files: 1, insertions: 0, deletions: 0 });
  put(root, { a: '1\nX\nY\n' });
  assert.equal(await stats(), { files: 1, insertions: 2, deletions: 1 });
  turn(root, 'rm a', () => fs.rmSync(join(root, 'a')));
  assert.equal(await stats(), { files: 1, insertions: 2, deletions: 1 });
});

test('list, show and the picker say the time in one way', async () => {
  const root = three();
  const time = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
  const listed = time.exec((await belay(root, 'list')).text)?.[0];
  assert.is(time.exec((await belay(root, 'show', '3')).text)?.[0], listed);
});

test('a checkpoint is named by its number, the beginning of its id, last, or @K', async () => {
  const root = three();
  const { json } = await belay<List>(root, 'list');
  const id = json.checkpoints[1]?.id.slice(0, 10) ?? '';
  for (const [word, n] of [
    ['2', 2],
    ['last', 3],
    ['@1', 3],
    ['@3', 1],
    [id, 2],
  ] as const)
    assert.match((await belay(root, 'show', word)).text, `checkpoint ${n} `);
});

test('a number that does not exist is exit 4, with those that do', async () => {
  const root = three();
  for (const words of [
    ['rollback', '99'],
    ['show', '@9'],
    ['diff', 'beef'],
  ]) {
    const done = await belay(root, ...words);
    assert.equal([done.exit, done.code, done.hint], [4, 'no_checkpoint', 'It has checkpoints 3, 2, 1.']);
  }
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), '4\n');
});

test('an empty list says why', () => {
  const root = project(at);
  const fresh = spawnBelay(root, ['list'], { BELAY_SESSION: '20250101_000000_ffffff' });
  assert.match(fresh.stdout, 'No line has destroyed anything here yet');
  const off = spawnBelay(root, ['list'], { BELAY_DISABLE: '1' });
  assert.match(off.stdout, 'switched off');
  const unloaded = spawnBelay(root, ['list'], { BELAY_SESSION: '' });
  assert.match(unloaded.stdout, 'not loaded in this shell');
});

test('as a program: exit statuses, usage and JSON errors on stdout', () => {
  const root = three();
  const wrong = spawnBelay(root, ['undo', '--no-such']);
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, "Unknown option '--no-such'");
  assert.match(wrong.stderr, 'usage: belay undo');
  assert.is(wrong.stdout, '');
  assert.is(spawnBelay(root, ['no-such-command']).status, 2);
  const json = spawnBelay(root, ['rollback', '99', '--json']);
  assert.is(json.status, 4);
  assert.equal(JSON.parse(json.stdout).error.code, 'no_checkpoint');
  assert.is(json.stderr, '');
  const elsewhere = spawnBelay('/', ['-C', root, 'list', '--json']);
  assert.is(JSON.parse(elsewhere.stdout).project.root, root);
  assert.is(spawnBelay(root, ['list', '-C', '/no/such/folder']).status, 4);
  for (const words of [['--help'], ['undo', '-h'], ['help']])
    assert.match(spawnBelay(root, words).stdout, 'usage: belay');
});

test('wrong usage is exit 2 with the usage, changes nothing, and guesses what was meant', () => {
  const root = three();
  for (const [words, said] of [
    [['list', 'extra'], "'extra' is one word too many"],
    [['rollback', 'list', 'extra'], "'extra' is one word too many"],
    [['undo', '1', '2'], "'2' is one word too many"],
    [['retry', 'now', '--yes'], "'now' is one word too many"],
    [['redo', '1'], "'1' is one word too many"],
    [['checkpoints', 'prune', 'x'], 'x: one word is enough'],
    [['on', 'now'], "'now' is one word too many"],
    [['doctor', 'me'], "'me' is one word too many"],
    [['lits'], "there is no command 'lits'; did you mean 'list'?"],
    [['chekpoint'], "did you mean 'checkpoint'?"],
    [['undo', '--dry-rum'], "did you mean '--dry-run'?"],
    [['rollback', '-1'], 'checkpoints count back as @1'],
    [['--frobnicate'], "'--frobnicate' is no option of belay itself"],
    [['list', '--color', 'sometimes'], '--color is always, never or auto'],
    [['explain'], 'a line to explain is missing'],
  ] as const) {
    const done = spawnBelay(root, [...words]);
    assert.equal([done.status, done.stdout], [2, ''], words.join(' '));
    assert.match(done.stderr, said);
    assert.match(done.stderr, '\nusage: belay');
  }
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), '4\n');
});

test('belay help COMMAND is belay COMMAND -h, and the version has both its names', async () => {
  for (const [name, row] of Object.entries(commands)) {
    const { text } = await belay('/', 'help', name);
    if ((await row.load()).raw) continue; // what stands before such a name is not for it
    assert.is(text, (await belay('/', name, '-h')).text);
    assert.match(text, `usage: belay ${name}`);
    assert.not.match(text, '\n\n\n');
  }
  assert.is(spawnBelay('/', ['-V']).stdout, spawnBelay('/', ['--version']).stdout);
  assert.match((await belay('/', 'help', 'nothing')).message, "there is no command 'nothing'");
});

test('colours come on a terminal, and where --color asks for them; --quiet says nothing where all went well', () => {
  const root = three();
  assert.not.match(spawnBelay(root, ['list'], { CI: 'true' }).stdout, '\u001b');
  assert.match(spawnBelay(root, ['list', '--color=always'], { NO_COLOR: '1' }).stdout, '\u001b[');
  assert.match(spawnBelay(root, ['explain', '--color=always', '--', 'rm a']).stdout, '\u001b[');
  assert.not.match(spawnBelay(root, ['explain', '--', 'rm a'], { CI: 'true' }).stdout, '\u001b');
  assert.equal(spawnBelay(root, ['rollback', '1', '--quiet']), { status: 0, stdout: '', stderr: '' });
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), '1\n');
  assert.match(spawnBelay(root, ['rollback', '99', '-q']).stderr, 'there is no checkpoint 99');
});

test('a shell that has not loaded belay is told the line of that shell', () => {
  const root = project(at);
  const told = (shell: string): string => spawnBelay(root, ['list'], { BELAY_SESSION: '', SHELL: shell }).stdout;
  assert.match(told('/usr/bin/fish'), /bin\/belay init fish \| source/);
  assert.match(told('/bin/zsh'), /bin\/belay init zsh\)"/);
});

test('paths that are no UTF-8 reach belay and come back as bytes', () => {
  const root = project(at);
  const name = Buffer.from([0x66, 0xff, 0x0a]);
  const path = Buffer.concat([Buffer.from(`${root}/`), name]);
  fs.writeFileSync(path, 'bytes');
  const before = fs.readdirSync(root, 'buffer').map((one) => one.toString('hex'));
  // The model reads names as text, so this record is made by hand.
  const bytes = Buffer.from('bytes');
  fs.rmSync(path);
  writeRecord(
    openStore(at.home),
    root,
    draft({
      order: nextOrder(at.home),
      changes: [{ path: name.toString('latin1'), before: file(bytes), after: absent, by: 'named' }],
    }),
    new Map([[blobOid(bytes), bytes]]),
  );
  const now = (): string[] => fs.readdirSync(root, 'buffer').map((one) => one.toString('hex'));
  const done = spawnBelay(root, ['undo', '--json']);
  assert.equal([done.status, now()], [0, before]);
  // The shell hands bytes over that node cannot.
  const script = 'exec "$@" "$(printf \'f\\377*\')" "$(printf \':!*\\376\')" --all';
  const rollback = [...builtBelay(), 'rollback', '1'];
  fs.rmSync(path);
  const found = spawnSync('bash', ['-c', script, 'bash', ...rollback], { cwd: root, encoding: 'utf8' });
  assert.equal([found.status, found.stderr, now()], [0, '', before]);
});

test('show is what a turn changed: stat, then the difference; mode, binary and renames told', async () => {
  const root = project(at, { a: 'one\ntwo\n', moved: 'the same\n', gone: 'x\n' });
  fs.writeFileSync(join(root, 'bin'), Buffer.from([0, 1, 2]));
  const n = String(
    turn(root, 'many', () => {
      put(root, { a: 'one\n2\n', new: 'n\n' });
      fs.chmodSync(join(root, 'a'), 0o600);
      fs.renameSync(join(root, 'moved'), join(root, 'to'));
      fs.rmSync(join(root, 'gone'));
      fs.writeFileSync(join(root, 'bin'), Buffer.from([0, 1, 3]));
    }),
  );
  const { text, json } = await belay<{
    files: {
      path: string;
      status: string;
      insertions: number;
      deletions: number;
      binary: boolean;
      mode?: string;
      from?: string;
    }[];
  }>(root, 'show', n);
  const rows = json.files.map(({ path, status, insertions, deletions }) => [path, status, insertions, deletions]);
  assert.equal(rows, [
    ['a', 'modified', 1, 1],
    ['bin', 'modified', 0, 0],
    ['gone', 'deleted', 0, 1],
    ['new', 'added', 1, 0],
    ['to', 'renamed', 0, 0],
  ]);
  assert.equal([json.files[0]?.mode, json.files[1]?.binary, json.files[4]?.from], ['0644 → 0600', true, 'moved']);
  for (const part of [
    '@@ -1,2 +1,2 @@\n one\n-two\n+2',
    'rename from moved\nrename to to',
    'binary: 3 bytes → 3 bytes',
    'deleted file 0644',
    'mode 0644 → 0600',
  ])
    assert.match(text, part);
  assert.not.match((await belay(root, 'show', n, '--stat')).text, '@@');
  assert.match((await belay(root, 'show', n, '--context', '0')).text, '@@ -2 +2 @@');
  assert.not.match((await belay(root, 'show', n, '--path', 'new')).text, 'gone');
  const diff = await belay<{ files: { path: string }[] }>(root, 'diff', n, '*o*');
  assert.equal(
    diff.json.files.map(({ path }) => path),
    ['gone', 'to'],
  );
});

test('diff --session shows everything that a session changed', async () => {
  const root = project(at, { a: '1\n' });
  const mine = 'session-of-its-own';
  for (const text of ['2\n', '3\n']) did(at.home, root, 'echo', () => put(root, { a: text }), mine);
  did(at.home, root, 'other', () => put(root, { b: 'not mine\n' }), 'another');
  const { json, text } = await belay<{ files: { path: string }[] }>(root, 'diff', '--session', mine);
  assert.equal(
    json.files.map(({ path }) => path),
    ['a'],
  );
  assert.match(text, '-1\n+3');
  assert.is((await belay(root, 'diff', '--session', 'nobody')).exit, 4);
});

test('control characters of a hostile name or line do nothing to the terminal', async () => {
  const root = project(at);
  put(root, { 'x\u001b[31mred': '1' });
  turn(root, "rm $'\\e[2J\u001b[2J'", () => fs.rmSync(join(root, 'x\u001b[31mred')));
  for (const words of [['list'], ['show'], ['undo']]) assert.not.match((await belay(root, ...words)).text, '\u001b');
});

test('a caller that may only read changes nothing, and a remote session’s paths are not this machine’s', () => {
  const root = three();
  for (const words of [['undo'], ['rollback', '1']]) {
    const done = spawnBelay(root, [...words, '--json'], { BELAY_GRANT: 'read' });
    assert.equal([done.status, JSON.parse(done.stdout).error.code], [3, 'not_granted']);
    const remote = spawnBelay(root, [...words, '--json'], { BELAY_REMOTE: 'box' });
    assert.equal([remote.status, JSON.parse(remote.stdout).error.code], [3, 'remote_session']);
  }
  for (const words of [['diff'], ['show']]) assert.is(spawnBelay(root, words, { BELAY_REMOTE: 'box' }).status, 3);
  assert.is(spawnBelay(root, ['list'], { BELAY_GRANT: 'read', BELAY_REMOTE: 'box' }).status, 0);
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), '4\n');
});

test('a question without a terminal is refused, --yes answers it', async () => {
  const root = three();
  assert.equal(
    [(await belay(root, 'retry')).code, (await belay(root, 'checkpoints', 'clear')).code],
    ['not_answered', 'not_answered'],
  );
  assert.is((await belay<List>(root, 'list')).json.checkpoints.length, 3);
  assert.is((await belay(root, 'checkpoints', 'clear', '--yes')).exit, 0);
  assert.is((await belay<List>(root, 'list')).json.checkpoints.length, 0);
  assert.is(
    turn(root, 'again', () => put(root, { a: '9' })),
    4,
  );
});

test('checkpoints status, verify and prune tell about the store', async () => {
  const root = three();
  const status = await belay<{
    total_bytes: number;
    projects: { workdir: string; checkpoints: number; bytes: number; state: string }[];
  }>(root, 'checkpoints', 'status');
  const mine = status.json.projects.find(({ workdir }) => workdir === root);
  assert.equal([mine?.checkpoints, mine?.state, (mine?.bytes ?? 0) > 0], [3, 'live', true]);
  assert.equal((await belay(root, 'checkpoints', 'verify')).json, { whole: true, problems: [] });
  const { dropped, freed_bytes } = (await belay(root, 'checkpoints', 'prune')).json as never as {
    dropped: unknown[];
    freed_bytes: number;
  };
  // One pack takes fewer blocks than many objects, although no checkpoint goes.
  assert.equal([dropped, freed_bytes >= 0], [[], true]);
});

test.run();
