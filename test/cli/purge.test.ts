import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findStore, openStore } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { purge, purgeProfile, whyNotPurged } from '../../src/cli/purge.ts';
import { acquire } from '../../src/platform/lock.ts';
import { farMark } from '../../src/saving/hold/far.ts';
import { turn } from '../checkpoint/given.ts';

function room(): { top: string; home: string; env: Map<string, string> } {
  const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-purge-')));
  process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));
  fs.mkdirSync(join(top, 'run'), { mode: 0o700 });
  return { top, home: join(top, 'home'), env: new Map([['XDG_RUNTIME_DIR', join(top, 'run')]]) };
}

test('a folder that belay did not make is not purged, whatever BELAY_HOME says', () => {
  const { top, home } = room();
  fs.mkdirSync(join(home, 'archive'), { recursive: true });
  fs.mkdirSync(join(home, 'checkpoints'));
  fs.writeFileSync(join(home, 'letter'), 'x');
  assert.match(whyNotPurged(home) ?? '', 'nothing in it was made by belay');
  assert.match(whyNotPurged(top) ?? '', 'nothing in it was made by belay');
  fs.writeFileSync(join(top, 'file'), '');
  assert.match(whyNotPurged(join(top, 'file')) ?? '', 'no folder');
});

test('purging takes what belay made, also on other file systems, and nothing else', () => {
  const { top, home, env } = room();
  const store = openStore(home);
  fs.mkdirSync(join(top, 'project'));
  writeRecord(store, join(top, 'project'), turn({}), new Map());
  const far = join(top, `.belay-${process.getuid?.() ?? 0}`);
  for (const name of [`${farMark(home)}1`, 'ffffffff-1'])
    fs.mkdirSync(join(far, name), { recursive: true, mode: 0o700 });
  fs.mkdirSync(join(top, 'run/belay/session'), { recursive: true, mode: 0o700 });
  fs.mkdirSync(join(home, 'logs'));
  for (const name of ['letter', 'logs/belay.log', 'logs/mine.log', 'state.db', 'checkpoints/mine'])
    fs.writeFileSync(join(home, name), 'x');
  assert.is(whyNotPurged(home), undefined);
  assert.equal([...purge(home, env).left], ['checkpoints', 'letter', 'logs']);
  assert.equal(fs.readdirSync(home, { recursive: true, encoding: 'utf8' }).sort(), [
    'checkpoints',
    'checkpoints/mine',
    'letter',
    'logs',
    'logs/mine.log',
  ]);
  assert.equal([fs.readdirSync(far), fs.readdirSync(join(top, 'run'))], [['ffffffff-1'], []]);
});

test('a store that has lost its refs goes like any other, with what it held on other file systems', () => {
  const { top, home, env } = room();
  const store = openStore(home);
  fs.mkdirSync(join(top, 'project'));
  writeRecord(store, join(top, 'project'), turn({}), new Map());
  const far = join(top, `.belay-${process.getuid?.() ?? 0}`);
  fs.mkdirSync(join(far, `${farMark(home)}1`), { recursive: true, mode: 0o700 });
  fs.rmSync(join(store.gitDir, 'refs'), { recursive: true });
  fs.rmSync(join(store.gitDir, 'packed-refs'), { force: true });
  assert.throws(() => findStore(home), 'has lost its refs');
  assert.equal([...purge(home, env).left], []);
  assert.equal([fs.existsSync(home), fs.existsSync(far)], [false, false]);
});

test('while somebody writes nothing is deleted: no profile, and no configuration', () => {
  const { home, env } = room();
  openStore(home);
  const [one, two] = ['one', 'two'].map((name) => join(home, 'profiles', name)) as [string, string];
  for (const profile of [one, two]) {
    openStore(profile);
    fs.writeFileSync(join(profile, 'config.yaml'), 'sessions: { record: false }\n');
  }
  // All but the locks that a purge itself takes.
  const lasting = (): string[] =>
    fs
      .readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/checkpoints\/\.(?:restore|settle|capture)\.lock[^/]*$/.test(name));
  const before = lasting();
  const lock = acquire(join(two, 'checkpoints/.capture.lock'), 0);
  assert.throws(() => purgeProfile(two, 0), 'nothing was deleted');
  assert.throws(() => purge(home, env, 0), 'nothing was deleted');
  assert.equal(lasting(), before);
  lock?.release();
  fs.writeFileSync(join(one, 'letter'), '');
  assert.equal([...purge(home, env, 0).left], ['profiles/one']);
  assert.equal(fs.readdirSync(home, { recursive: true, encoding: 'utf8' }).sort(), [
    'profiles',
    'profiles/one',
    'profiles/one/letter',
  ]);
});

test('a home in which nothing was saved since the installation is purged, too', () => {
  const { home, env } = room();
  fs.mkdirSync(home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(join(home, 'introduce'), '');
  assert.is(whyNotPurged(home), undefined);
  assert.equal([...purge(home, env).left], []);
  assert.not.ok(fs.existsSync(home));
});

test('where there is only what belay made, its folder goes, too', () => {
  const { home, env } = room();
  openStore(home);
  for (const name of [
    `sessions/agents/claude-${'0'.repeat(20)}.json`,
    `sessions/agents/claude-${'0'.repeat(20)}.json.lock.3`,
    'agents/backups/claude-user-20260101000000-settings.json',
    'background/20260101_000000_abcdef',
    'logs/20260101_000000_abcdef.log',
    'worktrees/tools-going/0123456789ab.json',
    'worktrees/.tools.lock.1',
  ]) {
    fs.mkdirSync(dirname(join(home, name)), { recursive: true });
    fs.writeFileSync(join(home, name), '');
  }
  assert.equal([...purge(home, env).left], []);
  assert.not.ok(fs.existsSync(home));
});

/** The names that docs/format.md has for what lies in a home, with something in place of each `<…>`. */
function documented(): readonly string[] {
  const page = fs.readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../docs/format.md'), 'utf8');
  const out: string[] = [];
  let folder = '';
  for (const line of (page.split('```text\n')[1]?.split('\n```')[0] ?? '').split('\n')) {
    const [, indent, names] = /^( {0,2})(\S.*?)(?: {2,}.*)?$/.exec(line) ?? [];
    if (names === undefined) continue;
    if (indent === '') folder = '';
    if (names === 'checkpoints/') folder = names;
    else {
      const [first = '', ...others] = names.split(/[,;] /);
      const beside = /^\./.test(first) ? '' : first.slice(0, first.lastIndexOf('/') + 1);
      out.push(`${folder}${first}`, ...others.map((name) => `${folder}${beside}${name}`));
    }
  }
  const made = (name: string): string =>
    name
      .replace('<lock>', '.capture.lock')
      .replace('<agent>-<name>', `claude-${'0'.repeat(20)}`)
      .replace(/<key>/g, '0123456789abcdef')
      .replace(/<n>|<order>|<turn>|<pid>/g, '3')
      .replace(/<id>|<session>/g, '20260101_000000_abcdef')
      .replace(/<\w+>/g, 'x')
      .replace(/\/$/, '/x');
  return out.map(made);
}

test('every name that docs/format.md has goes, and what beside it is written by the way', () => {
  const { home, env } = room();
  openStore(home);
  const names = documented();
  for (const name of [
    'format',
    'checkpoints/.let_go',
    'checkpoints/locks/0123456789abcdef.3',
    'sessions/notices.lock.3',
  ])
    assert.ok(names.includes(name), `${name} is not among ${names.join(' ')}`);
  for (const name of [
    // The first goes with what it says was changed for that agent; the second is part of the store.
    ...names.filter((name) => !['agents/x.json', 'checkpoints/store/refs-lost'].includes(name)),
    ...names.filter((name) => /\.lock\.3$/.test(name)).map((name) => `${name}.over`),
    'sessions/compact.lock.0',
    'sessions/compact.lock.1.over',
    'sessions/x.jsonl.12.a1b2.tmp',
    'sessions/x.notice.3',
    'format.12.a1b2.tmp',
    'introduce',
  ]) {
    fs.mkdirSync(dirname(join(home, name)), { recursive: true });
    if (!fs.existsSync(join(home, name))) fs.writeFileSync(join(home, name), '');
  }
  assert.equal([...purge(home, env, 0).left], []);
  assert.not.ok(fs.existsSync(home));
});

test.run();
