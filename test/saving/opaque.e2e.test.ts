import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import { type Scene, scene } from './given.ts';
import { lines } from './lines.ts';

interface Done {
  readonly restored: string[];
  readonly removed: string[];
  readonly kept: { path: string; reason: string }[];
  readonly notes?: string[];
}

function project(files: Record<string, string>, config?: object): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  for (const [name, text] of Object.entries(files)) put(s.root, name, text);
  if (config !== undefined) put(join(s.top, 'user'), '.config/belay/config.json', JSON.stringify(config));
  return s;
}

function put(root: string, name: string, text: string): void {
  fs.mkdirSync(dirname(join(root, name)), { recursive: true });
  fs.writeFileSync(join(root, name), text);
}

/** Every file of the project with its bytes and mode, `.git` left aside. */
function stateOf(root: string): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name of fs.readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (name === '.git' || name.startsWith('.git/')) continue;
    const stat = fs.lstatSync(join(root, name));
    out[name] = `${stat.mode.toString(8)} ${stat.isFile() ? fs.readFileSync(join(root, name), 'latin1') : ''}`;
  }
  return out;
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** An x86-64 program without any library: it empties `src/main` and removes `data`, by system calls alone. */
function staticProgram(): Buffer {
  const code = Buffer.from([
    ...[0xb8, 2, 0, 0, 0], // mov eax, open
    ...[0x48, 0x8d, 0x3d, 0x27, 0, 0, 0], // lea rdi, [rip + first name]
    ...[0xbe, 0x01, 0x02, 0, 0], // mov esi, O_WRONLY | O_TRUNC
    ...[0x0f, 0x05],
    ...[0xb8, 87, 0, 0, 0], // mov eax, unlink
    ...[0x48, 0x8d, 0x3d, 0x1d, 0, 0, 0], // lea rdi, [rip + second name]
    ...[0x0f, 0x05],
    ...[0xb8, 60, 0, 0, 0], // mov eax, exit
    ...[0x31, 0xff, 0x0f, 0x05],
  ]);
  const names = Buffer.from('src/main\0data\0', 'latin1');
  // The displacements count from the end of their own instruction.
  code.writeInt32LE(code.length - 12, 8);
  code.writeInt32LE(code.length + 'src/main\0'.length - 31, 27);
  const size = 64 + 56 + code.length + names.length;
  const base = 0x400000;
  const head = Buffer.alloc(64 + 56);
  head.write('\x7fELF\x02\x01\x01', 0, 'latin1');
  head.writeUInt16LE(2, 16); // an executable
  head.writeUInt16LE(62, 18); // x86-64
  head.writeUInt32LE(1, 20);
  head.writeBigUInt64LE(BigInt(base + 120), 24); // where it begins
  head.writeBigUInt64LE(64n, 32);
  head.writeUInt16LE(64, 52);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(1, 56);
  head.writeUInt32LE(1, 64); // one segment, loaded whole
  head.writeUInt32LE(5, 68);
  head.writeBigUInt64LE(BigInt(base), 80);
  head.writeBigUInt64LE(BigInt(base), 88);
  head.writeBigUInt64LE(BigInt(size), 96);
  head.writeBigUInt64LE(BigInt(size), 104);
  head.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([head, code, names]);
}

const MAKEFILE = 'clean:\n\trm -f *.o\n\techo gone > src/main\n\trm -rf out\n';

for (const { what, line, needs, prepare } of [
  { what: 'make clean', line: 'make clean', needs: 'make', prepare: () => undefined },
  {
    what: 'a python script',
    line: 'python3 x.py',
    needs: 'python3',
    prepare: (root: string) =>
      put(
        root,
        'x.py',
        'import os, shutil\nshutil.rmtree("out")\nopen("src/main", "w").write("x")\nos.rename("data", "data.old")\nopen("made", "w").write("made")\n',
      ),
  },
  {
    what: 'a static program without any library',
    line: './tool',
    needs: 'sh',
    prepare: (root: string) => {
      fs.writeFileSync(join(root, 'tool'), staticProgram(), { mode: 0o755 });
    },
  },
])
  test(`no guess needed: ${what} is undone to the state before it`, () => {
    if (!has(needs)) return console.log(`no ${needs} here: skipped`);
    if (line === './tool' && process.arch !== 'x64') return console.log('another processor: skipped');
    const s = project({ Makefile: MAKEFILE, 'a.o': 'object', 'src/main': 'source', 'out/x': 'built', data: 'mine' });
    prepare(s.root);
    fs.chmodSync(join(s.root, 'src/main'), 0o640);
    fs.mkdirSync(join(s.root, 'empty'));
    const was = stateOf(s.root);
    const { run, belay } = lines(s);
    run(line);
    assert.notDeepEqual(stateOf(s.root), was, 'the program did nothing');
    const { status, json } = belay<Done>('undo');
    assert.deepEqual([status, json.kept], [0, []], JSON.stringify(json));
    assert.deepEqual(stateOf(s.root), was);
  });

/** A program of a name that nobody knows: what its second word says is not read. */
function addTool(s: Scene): void {
  fs.copyFileSync(fs.realpathSync('/bin/sh'), join(s.root, 'tool'));
  fs.chmodSync(join(s.root, 'tool'), 0o755);
}

const REWRITES = 'echo theirs > cache.new; mv cache.new cache; echo theirs > .env; rm .gitignore';
const IGNORING = { recipe: REWRITES, '.gitignore': 'cache\n.env\n', cache: 'mine', '.env': 'SECRET=1', a: 'a' };

test('an ignored file that an opaque program rewrote comes back', () => {
  const s = project(IGNORING, { checkpoints: { opaque_budget_ms: 60_000 } });
  addTool(s);
  const { run, belay } = lines(s);
  run('./tool recipe');
  const { status, json } = belay<Done>('undo');
  assert.deepEqual([status, json.kept], [0, []], JSON.stringify(json));
  assert.equal(fs.readFileSync(join(s.root, 'cache'), 'utf8'), 'mine');
});

test('one that there was no time to put aside is not removed by undo, and is named; a precious one comes back', () => {
  const s = project(IGNORING, { checkpoints: { opaque_budget_ms: 1 } });
  addTool(s);
  const { run, belay } = lines(s);
  run('./tool recipe');
  const { status, json } = belay<Done>('undo');
  assert.equal(fs.readFileSync(join(s.root, '.env'), 'utf8'), 'SECRET=1');
  assert.equal(fs.readFileSync(join(s.root, '.gitignore'), 'utf8'), 'cache\n.env\n');
  // A quick machine has the time.
  if (fs.readFileSync(join(s.root, 'cache'), 'utf8') === 'mine') return assert.deepEqual([status, json.kept], [0, []]);
  assert.equal(status, 1, 'not all that the program destroyed is back');
  assert.equal(fs.readFileSync(join(s.root, 'cache'), 'utf8'), 'theirs\n');
  assert.deepEqual(
    json.kept.map(({ path }) => path),
    ['cache'],
  );
  assert.match(json.kept[0]?.reason ?? '', /git ignored it/);
});

test('a program of which nobody can tell what it did is recorded as such, not as one that did nothing', () => {
  const files: Record<string, string> = { recipe: 'rm -f a', a: 'a' };
  for (let i = 0; i < 30; i++) files[`many/${i}`] = '';
  const s = project(files, { checkpoints: { max_files: 10 } });
  addTool(s);
  const { run, belay } = lines(s);
  run('./tool recipe');
  const [newest] = belay<{ checkpoints: { left_out: { reason: string }[] }[] }>('list').json.checkpoints;
  assert.match(newest?.left_out[0]?.reason ?? '', /cannot be told \(more than max_files files\)/);
});

test('in a project over the budget the state of the last prompt is gone back to, and said as such', () => {
  const recipe = 'rm -f *.o; echo gone > src/main; rm -rf out';
  const files: Record<string, string> = { recipe, 'a.o': 'object', 'src/main': 'source', 'out/x': 'built' };
  for (let i = 0; i < 3100; i++) files[`many/${i}`] = '';
  const s = project(files, { checkpoints: { opaque_budget_ms: 0 } });
  addTool(s);
  const was = stateOf(s.root);
  const { run, belay } = lines(s);
  run('touch many/0'); // a turn before: the state at its prompt is captured behind it
  belay('checkpoint');
  run('./tool recipe');
  const [newest] = belay<{ checkpoints: { reason: string; as_of?: string }[] }>('list').json.checkpoints;
  assert.match(newest?.reason ?? '', /tool recipe/);
  assert.ok(Date.parse(newest?.as_of ?? '') < Date.now(), JSON.stringify(newest));
  const { status, json } = belay<Done>('undo', '--all');
  assert.equal(status, 0, JSON.stringify(json));
  assert.match(json.notes?.join() ?? '', /as of the prompt at \d\d:\d\d:\d\d/);
  const now = stateOf(s.root);
  assert.deepEqual(now, was);
});

test.run();
