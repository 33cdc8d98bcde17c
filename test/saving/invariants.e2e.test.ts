import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import { readHistories } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { builtSnap } from '../built.ts';
import { type Scene, scene } from './given.ts';
import { lines } from './lines.ts';

interface Done {
  readonly kept: { path: string; reason: string }[];
}

function put(root: string, name: string, text: string | Buffer): void {
  fs.mkdirSync(dirname(join(root, name)), { recursive: true });
  fs.writeFileSync(join(root, name), text);
}

function project(files: Record<string, string>): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  for (const [name, text] of Object.entries(files)) put(s.root, name, text);
  return s;
}

/** A program of a name that nobody knows; it runs the file that it is given. */
function addTool(s: Scene): void {
  fs.copyFileSync(fs.realpathSync('/bin/sh'), join(s.root, 'tool'));
  fs.chmodSync(join(s.root, 'tool'), 0o755);
}

/** Every entry below a folder with mode, kind and bytes; names as bytes. */
function stateOf(root: string): Map<string, string> {
  const out = new Map<string, string>();
  const visit = (folder: Buffer, at: string): void => {
    for (const name of fs.readdirSync(folder, 'buffer')) {
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const below = `${at}/${name.toString('latin1')}`;
      const stat = fs.lstatSync(path);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) out.set(below, `link ${fs.readlinkSync(path, 'latin1')}`);
      else if (stat.isDirectory()) {
        out.set(below, `folder ${mode}`);
        visit(path, below);
      } else out.set(below, `file ${mode} ${stat.isFile() ? fs.readFileSync(path, 'latin1') : ''}`);
    }
  };
  visit(Buffer.from(root), '');
  return out;
}

test('invariant 1, named means saved: tracked, ignored, outside every project, inside .git, large, changed since it was saved', () => {
  const s = project({ a: 'a', 'sub/b': 'b', '.gitignore': 'ignored\n', 'ignored/x': 'ignored', again: 'first' });
  put(s.root, 'large', Buffer.alloc(11 << 20, 'l'));
  put(s.top, 'outside/o', 'outside');
  spawnSync('git', ['-C', s.root, 'branch', '-m', 'kept']);
  const [project0, outside] = [stateOf(s.root), stateOf(join(s.top, 'outside'))];
  const { runTurn, belay } = lines(s);
  const said = runTurn(['rm again', 'echo second > again', 'rm again', `rm -rf a sub ignored large .git ../outside`]);
  assert.equal(said, '');
  for (const name of ['a', 'sub', 'ignored', 'large', '.git', 'again'])
    assert.equal(fs.existsSync(join(s.root, name)), false);
  const { status, json } = belay<Done>('undo');
  assert.deepEqual([status, json.kept], [0, []], JSON.stringify(json));
  assert.deepEqual(stateOf(s.root), project0);
  assert.deepEqual(stateOf(join(s.top, 'outside')), outside);
});

for (const how of ['named', 'opaque'])
  test(`invariant 2, byte-exact: attributes, line ends, modes, links, empty folders and names of any bytes (${how})`, () => {
    const recipe = 'rm -rf all; mkdir all; echo other > all/crlf';
    const s = project({
      recipe,
      '.gitattributes': '* text=auto eol=crlf ident filter=evil working-tree-encoding=UTF-16\n',
    });
    addTool(s);
    spawnSync('git', ['-C', s.root, 'config', 'filter.evil.clean', `touch ${s.top}/ran; tr a-z A-Z`]);
    const all = join(s.root, 'all');
    for (const [name, text] of Object.entries({
      crlf: 'a\r\nb\r\n',
      lf: 'a\nb\n',
      ident: '$Id$ $Id: x$\n',
      'exec/run': '#!/bin/sh\n',
      'new\nline': 'n',
      '-dash': 'd',
      ' space ': 's',
      ':(top)x': 'literal',
      ['l'.repeat(255)]: 'long',
      'Case/x': '1',
      'case/x': '2',
      empty: '',
    }))
      put(all, name, text);
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${all}/`), Buffer.from([0xff, 0xfe, 0x09])]),
      Buffer.from([0, 255, 10]),
    );
    for (const [name, mode] of [
      ['lf', 0o600],
      ['exec/run', 0o4755],
      ['Case', 0o1770],
      ['empty', 0o444],
    ] as const)
      fs.chmodSync(join(all, name), mode);
    fs.mkdirSync(join(all, 'nothing/inside'), { recursive: true });
    fs.chmodSync(join(all, 'nothing/inside'), 0o700);
    for (const [name, to] of [
      ['dangling', 'nowhere'],
      ['absolute', '/etc'],
      ['folder', 'exec'],
    ] as const)
      fs.symlinkSync(to, join(all, name));
    const was = stateOf(all);
    const { run, belay } = lines(s);
    run(how === 'named' ? 'rm -rf all' : './tool recipe');
    assert.notDeepEqual(fs.existsSync(all) ? stateOf(all) : undefined, was);
    const { status, json } = belay<Done>('undo');
    assert.deepEqual([status, json.kept], [0, []], JSON.stringify(json));
    assert.deepEqual(stateOf(all), was);
    assert.equal(fs.existsSync(join(s.top, 'ran')), false, 'a filter ran');
  });

test('invariant 4, the project’s .git is read, never written, and no GIT_* variable steers the store', () => {
  const s = project({ a: 'a', recipe: 'rm a' });
  addTool(s);
  const git = (...args: string[]): void => {
    spawnSync('git', ['-C', s.root, '-c', 'user.name=n', '-c', 'user.email=e', ...args]);
  };
  git('add', '.');
  git('commit', '-qm', 'one');
  const mine = join(s.top, 'elsewhere');
  const hostile = {
    GIT_DIR: join(mine, 'dir'),
    GIT_OBJECT_DIRECTORY: join(mine, 'objects'),
    GIT_INDEX_FILE: join(mine, 'index'),
    GIT_COMMON_DIR: join(mine, 'common'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: `touch ${mine}`,
    GIT_AUTHOR_DATE: 'nonsense',
    GIT_QUARANTINE_PATH: mine,
  };
  const was = stateOf(join(s.root, '.git'));
  const { runTurn, belay } = lines(s);
  runTurn(['./tool recipe', 'git checkout -q -- a || true'], hostile);
  fs.rmSync(join(s.root, 'a'), { force: true });
  const after = stateOf(join(s.root, '.git'));
  after.delete('/index');
  was.delete('/index'); // the line's own git wrote that one
  assert.deepEqual(after, was);
  assert.equal(fs.existsSync(mine), false);
  assert.equal(belay('undo', '--all').status, 0);
  assert.equal(fs.readFileSync(join(s.root, 'a'), 'utf8'), 'a');
});

test('invariant 5, once per directory per turn: one capture, and no path is held twice unless it changed', () => {
  const s = project({ recipe: 'true', a: 'a', b: 'b' });
  addTool(s);
  const { runTurn } = lines(s);
  const holds = (): string[] => {
    const turn = join(s.home, 'checkpoints/pending/20250101_000000_abcdef/1');
    return fs
      .readdirSync(turn)
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) =>
        fs
          .readFileSync(join(turn, name, 'manifest.jsonl'), 'latin1')
          .trim()
          .split('\n')
          .slice(0, -1),
      );
  };
  const captures = (): number => [...readHistories(openStore(s.home)).values()].flatMap((h) => h.captures).length;
  const seen: [number, number][] = [];
  const [program = '', ...script] = builtSnap();
  for (const line of ['./tool recipe; rm -i a', 'rm -i a; ./tool recipe', 'rm -i a', 'echo changed > a']) {
    const fields = { shell: 'bash', session: '20250101_000000_abcdef', turn: 1, cwd: s.root, pid: process.pid, line };
    const input = Object.entries(fields)
      .map(([key, value]) => `${key}=${value}\0`)
      .join('');
    spawnSync(program, [...script, 'hold'], { cwd: '/', env: Object.fromEntries(s.world.env), input });
    seen.push([captures(), holds().filter((entry) => entry.includes(join(s.root, 'a"'))).length]);
    if (line === 'rm -i a') fs.writeFileSync(join(s.root, 'a'), 'by hand');
  }
  assert.deepEqual(seen, [
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 2],
  ]);
  runTurn([]);
});

test('invariant 8, what is listed stays whole: settling killed at any instant', async () => {
  const s = project({ big: 'x'.repeat(100_000) });
  for (let i = 0; i < 40; i++) put(s.root, `f${i}`, `content ${i}`);
  const { runTurn, belay } = lines(s);
  const [program = '', ...script] = builtSnap();
  for (let i = 0; i < 12; i++) {
    runTurn([`rm f${i} big`, `echo again > f${i}; cp f20 big`]);
    const child = spawn(program, [...script, 'settle', '--now'], {
      cwd: '/',
      env: Object.fromEntries(s.world.env),
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 15 * i))]);
    child.kill('SIGKILL');
    await ended;
    const problems = verify(openStore(s.home));
    assert.deepEqual(problems, [], `after kill ${i}`);
  }
  const { checkpoints } = belay<{ checkpoints: { turn: string }[] }>('list').json;
  assert.equal(new Set(checkpoints.map(({ turn }) => turn)).size, 12);
  assert.deepEqual(verify(openStore(s.home)), []);
});

test('invariant 9, skipped is not failed: nothing changed, left out and could not are three answers', () => {
  const s = project({ a: 'a', 'node_modules/x': 'x', '.gitignore': 'node_modules\n' });
  const { run, belay } = lines(s);
  run('rm -i a'); // nobody answers: it stays
  run('rm -rf node_modules');
  const { checkpoints } = belay<{
    checkpoints: { left_out: { path: string; reason: string }[]; stats: { files: number } }[];
  }>('list').json;
  const [second, first] = checkpoints;
  assert.deepEqual([first?.stats.files, first?.left_out], [0, []]);
  assert.match(second?.left_out[0]?.reason ?? '', /hold\.skip/);
  // Nowhere to write: said as a failure at the next prompt, and the line runs.
  const foul = scene();
  fs.writeFileSync(foul.home, 'a file where the home should be');
  put(foul.root, 'a', 'a');
  lines(foul).run('rm a');
  assert.equal(fs.existsSync(join(foul.root, 'a')), false);
  const notices = fs.readdirSync(join(foul.top, 'run/belay'), { recursive: true, encoding: 'utf8' });
  assert.ok(
    notices.some((name) => name.endsWith('/notice')),
    notices.join(),
  );
});

test.run();
