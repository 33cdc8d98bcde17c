import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { readCaptures, readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { take } from './captures.ts';
import { repository, type Scene } from './given.ts';
import { lines } from './lines.ts';

const IS_ROOT = process.getuid?.() === 0;

/** A project of which some entries are other users', one of them setuid. */
function shared(): Scene {
  const s = repository();
  for (const folder of ['d/deep', 'shut', 'empty']) fs.mkdirSync(join(s.root, folder), { recursive: true });
  for (const name of ['mine', 'd/theirs', 'd/deep/prog', 'shut/key']) fs.writeFileSync(join(s.root, name), name);
  fs.symlinkSync('nowhere', join(s.root, 'd/link'));
  for (const [i, name] of ['d', 'd/theirs', 'd/deep/prog', 'd/link', 'shut', 'shut/key', 'empty'].entries())
    fs.lchownSync(join(s.root, name), 1234 + i, 567);
  fs.chmodSync(join(s.root, 'd/deep/prog'), 0o6711);
  fs.chmodSync(join(s.root, 'shut'), 0o700);
  fs.chmodSync(join(s.root, 'shut/key'), 0o400);
  return s;
}

const NAMES = ['mine', 'd', 'd/theirs', 'd/deep', 'd/deep/prog', 'd/link', 'shut', 'shut/key', 'empty'];

const state = (s: Scene): string[] =>
  NAMES.map((name) => {
    const stat = fs.lstatSync(join(s.root, name), { throwIfNoEntry: false });
    return stat === undefined ? `${name} gone` : `${name} ${stat.uid}:${stat.gid} ${(stat.mode & 0o7777).toString(8)}`;
  });

const sh = (s: Scene, line: string): void => {
  const done = spawnSync('/bin/sh', ['-c', line], { cwd: s.root, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
};

/** What takes rights, owners and entries away. */
const HARM = [
  'chown -hR 7:7 d shut',
  'chmod -R 777 d shut empty',
  'chown 7 mine; chmod 600 mine',
  'rm -rf d shut empty',
];

test('owners, modes and setuid that an opaque program took away come back with undo', () => {
  if (!IS_ROOT) return console.log('not root: skipped');
  const s = shared();
  for (const [i, harm] of HARM.entries())
    fs.writeFileSync(join(s.root, `harm${i}`), `#!/bin/sh\n${harm}\n`, { mode: 0o755 });
  fs.copyFileSync('/bin/sh', join(s.root, 'tool'));
  fs.chmodSync(join(s.root, 'tool'), 0o755);
  const { run, belay } = lines(s);
  const was = state(s);
  for (const [i, harm] of HARM.entries()) {
    assert.equal(run(`./tool harm${i}`), '');
    assert.notDeepEqual(state(s), was, harm);
    const { status, json } = belay<{ kept: unknown[] }>('undo');
    assert.deepEqual([harm, status, json.kept, state(s)], [harm, 0, [], was]);
  }
});

test('a line that changes nothing but owners is a turn: undo takes it back, show and list say it', () => {
  if (!IS_ROOT) return console.log('not root: skipped');
  const s = shared();
  const { run, belay } = lines(s);
  const was = state(s);
  for (const line of ['chown 5 mine', 'chgrp 6 d/theirs', 'chown -hR 8:8 shut']) {
    run(line);
    const shown = belay<{ files: { owner?: string }[] }>('show').json;
    assert.ok(
      shown.files.some(({ owner }) => owner !== undefined),
      JSON.stringify(shown),
    );
    assert.equal(belay('undo').status, 0, line);
    assert.deepEqual(state(s), was, line);
  }
});

test('owners, modes and setuid that nobody saw go come back by pathspec and --all from the capture', () => {
  if (!IS_ROOT) return console.log('not root: skipped');
  const s = shared();
  const { belay } = lines(s);
  assert.equal(belay('checkpoint').status, 0);
  const was = state(s);
  for (const harm of HARM)
    for (const words of [['--all'], ['d', 'shut', 'empty', 'mine']]) {
      sh(s, harm);
      assert.notDeepEqual(state(s), was, harm);
      const { status, json } = belay<{ kept: unknown[] }>('rollback', '1', ...words);
      assert.deepEqual([harm, words, status, json.kept, state(s)], [harm, words, 0, [], was]);
    }
  sh(s, 'rm -rf shut');
  assert.equal(belay('rollback', '1', 'shut/key').status, 0);
  assert.deepEqual(state(s), was, 'the folder that nobody chose is as closed as it was');
});

test('a warm capture notes a new owner of bytes that are the same, and forgets what is gone', async () => {
  if (!IS_ROOT) return console.log('not root: skipped');
  const s = repository();
  for (let i = 0; i < 600; i++) {
    fs.writeFileSync(join(s.root, `f${i}`), 'x');
    fs.chownSync(join(s.root, `f${i}`), 5, 5);
  }
  fs.writeFileSync(join(s.root, 'own'), 'x');
  const owners = async (): Promise<number> => {
    const done = await take(s);
    assert.ok(done.kind === 'captured', JSON.stringify(done));
    const store = openStore(s.home);
    const found = readCaptures(store, readHistory(store, done.key).captures);
    return found.get(done.m)?.record.owners?.length ?? -1;
  };
  assert.equal(await owners(), 600);
  fs.chownSync(join(s.root, 'own'), 6, 6);
  assert.equal(await owners(), 601);
  fs.chownSync(join(s.root, 'own'), 0, 0);
  fs.rmSync(join(s.root, 'f0'));
  assert.equal(await owners(), 599);
  fs.chownSync(s.root, 5, 5);
  assert.equal(await owners(), 1, 'those are the folder’s owner’s now, and `own` is not');
  assert.deepEqual((await take(s)).kind, 'unchanged');
});

test.run();
