import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type AgentState, changeConversation } from '../../src/agents/conversation.ts';
import { nameOf } from '../../src/platform/processes.ts';
import { takeSessionNotice } from '../../src/turns/notice.ts';
import { belay, project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const PERSON = '20250101_000000_abcdef';

/** A conversation of an agent as its hooks leave it. */
function conversation(id: string, cwd: string, state: AgentState, active: boolean, pid?: number): string {
  const who = { agent: 'claude', id, source: 'claude', cwd };
  const process = pid === undefined ? {} : { process: { ...nameOf(pid), sure: true } };
  return changeConversation(at.home, who, (now) => ({ ...now, state, active, turn: 7, ...process })).session;
}

const remove = (root: string, file: string) => (): void => fs.rmSync(join(root, file));

const configure = (restore: 'own' | 'allow' | 'deny'): void => {
  const folder = join(at.top, 'person/.config/belay');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(join(folder, 'config.json'), JSON.stringify({ agents: { restore } }));
};

interface Failed {
  readonly error: { readonly code: string; readonly message: string };
}
const told = (stdout: string): Failed['error'] => (JSON.parse(stdout) as Failed).error ?? { code: 'done', message: '' };

test('while the first turn of an agent goes on there is something to undo, not nothing', async () => {
  const root = project(at, { a: '1\n' });
  conversation('first turn', root, 'working', true);
  const done = await belay(root, 'undo');
  assert.equal([done.exit, done.code], [3, 'turn_active']);
  conversation('first turn', root, 'done', false);
  assert.is((await belay(root, 'undo')).code, 'no_checkpoint');
});

test('an agent is told once, in one line, which turn was rolled back and which files changed', async () => {
  const root = project(at, { a: '1\n', b: '1\n', mine: '1\n' });
  const agent = conversation('told', root, 'done', false);
  turn(at.home, root, 'rm a', remove(root, 'a'), agent, { turn: '3', source: 'claude' });
  turn(at.home, root, 'rm mine', remove(root, 'mine'));
  const first = await belay(root, 'undo', '--session', agent);
  assert.is(first.exit, 0);
  const notice = takeSessionNotice(at.home, agent) ?? '';
  assert.match(notice, /Your turn 3 was rolled back.*: a\. Read/);
  assert.not.match(notice, /\n/);
  assert.is(takeSessionNotice(at.home, agent), undefined);
  await belay(root, 'redo');
  assert.match(takeSessionNotice(at.home, agent) ?? '', /changes of turn 3 were put back.*: a\./);
  await belay(root, 'rollback', '1', 'a');
  assert.match(takeSessionNotice(at.home, agent) ?? '', /restored to an earlier state \(belay rollback 1 a\).*: a\./);
  assert.is(takeSessionNotice(at.home, PERSON), undefined);
});

test('a restore that reaches no turn of an agent tells it nothing, and a dry run neither', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  const agent = conversation('untold', root, 'done', false);
  turn(at.home, root, 'rm a', remove(root, 'a'), agent, { source: 'claude' });
  turn(at.home, root, 'rm b', remove(root, 'b'));
  await belay(root, 'undo');
  await belay(root, 'rollback', '1', '--dry-run');
  assert.is(takeSessionNotice(at.home, agent), undefined);
});

test('a restore under an agent that works or waits for input is refused, says whose turn it is, and --force overrides', async () => {
  for (const [state, words] of [
    ['working', /still active/],
    ['needs_input', /waits for input/],
  ] as const) {
    const root = project(at, { a: '1\n' });
    const agent = conversation(`active ${state}`, root, state, true);
    turn(at.home, root, 'rm a', remove(root, 'a'));
    const before = fs.readdirSync(root);
    for (const command of [['undo'], ['rollback', '1'], ['rollback', '1', 'a']]) {
      const done = await belay(root, ...command);
      assert.equal([done.exit, done.code], [3, 'turn_active']);
      assert.match(done.message, words);
      assert.match(done.message, agent);
    }
    assert.equal(fs.readdirSync(root), before);
    assert.is((await belay<{ checkpoints: unknown[] }>(root, 'list')).json.checkpoints.length, 1);
    assert.is((await belay(root, 'undo', '--force')).exit, 0);
    assert.ok(fs.existsSync(join(root, 'a')));
    const redone = await belay(root, 'redo');
    assert.is(redone.code, 'turn_active');
    conversation(`active ${state}`, root, 'done', false);
    assert.is((await belay(root, 'redo')).exit, 0);
  }
});

test('an agent whose process is gone, or that works elsewhere, keeps nobody from a restore', async () => {
  const root = project(at, { a: '1\n' });
  conversation('dead', root, 'working', true, 1 << 22);
  conversation('elsewhere', join(at.top, 'other'), 'working', true);
  turn(at.home, root, 'rm a', remove(root, 'a'));
  assert.is((await belay(root, 'undo')).exit, 0);
});

test('an agent takes back its own turns, never those of others, its redo included; allow lets it, deny forbids all', () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  const agent = conversation('caller', root, 'working', true, process.pid);
  const as = (...words: string[]): string => told(spawnBelay(root, [...words, '--json']).stdout).code;
  turn(at.home, root, 'rm a', remove(root, 'a'));
  turn(at.home, root, 'rm b', remove(root, 'b'), agent, { turn: '6', source: 'claude' });
  configure('own');
  assert.is(as('undo', '--session', PERSON), 'not_granted');
  assert.is(as('rollback', '1'), 'not_granted');
  assert.is(as('rollback', '1', 'a'), 'not_granted');
  assert.is(as('list'), 'done');
  assert.is(as('diff', '1'), 'done');
  assert.is(as('undo'), 'done');
  assert.equal([fs.existsSync(join(root, 'a')), fs.existsSync(join(root, 'b'))], [false, true]);
  assert.is(takeSessionNotice(at.home, agent), undefined);
  configure('deny');
  for (const words of [['undo'], ['redo'], ['rollback', '2']]) assert.is(as(...words), 'not_granted');
  assert.is(as('show', '1'), 'done');
  configure('allow');
  assert.is(as('undo', '--session', PERSON), 'done');
  assert.ok(fs.existsSync(join(root, 'a')));
  conversation('caller', root, 'done', false, 1 << 22);
});

test('an agent with own may not redo what a person has undone', async () => {
  const root = project(at, { a: '1\n' });
  turn(at.home, root, 'rm a', remove(root, 'a'));
  await belay(root, 'undo');
  conversation('redoer', root, 'working', true, process.pid);
  configure('own');
  const done = spawnBelay(root, ['redo', '--session', PERSON, '--json']);
  assert.is(told(done.stdout).code, 'not_granted');
  assert.ok(fs.existsSync(join(root, 'a')));
  conversation('redoer', root, 'done', false, 1 << 22);
});

test('a grant of read lists and diffs; a grant of own restores its own session only', () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  turn(at.home, root, 'rm a', remove(root, 'a'), '20250101_000000_0ther0');
  turn(at.home, root, 'rm b', remove(root, 'b'));
  const as = (grant: string, ...words: string[]): string =>
    told(spawnBelay(root, [...words, '--json'], { BELAY_GRANT: grant }).stdout).code;
  for (const words of [
    ['undo'],
    ['redo'],
    ['undo', '--session-only'],
    ['rollback', '1'],
    ['rollback', '1', '--to', join(at.top, 'to')],
  ])
    assert.is(as('read', ...words), 'not_granted');
  for (const words of [['list'], ['diff', '1'], ['show', '1']]) assert.is(as('read', ...words), 'done');
  assert.is(as('own', 'rollback', '1'), 'not_granted');
  assert.is(as('own', 'undo', '--session', '20250101_000000_0ther0'), 'not_granted');
  assert.is(as('own', 'undo'), 'done');
  assert.equal([fs.existsSync(join(root, 'a')), fs.existsSync(join(root, 'b'))], [false, true]);
});

test('what a remote session did is listed, and neither shown nor restored here, whose paths it are being said', async () => {
  for (const source of ['ssh', 'docker', 'ssh:build.example']) {
    const root = project(at, { a: '1\n' });
    turn(at.home, root, 'rm a', remove(root, 'a'), `20250101_000000_0000000${source.length}`, { source });
    assert.is((await belay<{ checkpoints: unknown[] }>(root, 'list')).json.checkpoints.length, 1);
    const session = `20250101_000000_0000000${source.length}`;
    for (const words of [
      ['diff', '1'],
      ['show', '1'],
      ['rollback', '1'],
      ['rollback', '1', 'a'],
      ['rollback', '1', '--to', join(at.top, `to-${source.length}`)],
      ['undo', '--session', session],
      ['diff', '--session', session],
    ]) {
      const done = await belay(root, ...words);
      assert.equal([words.join(' '), done.exit, done.code], [words.join(' '), 3, 'remote_session']);
      assert.match(done.message, session);
    }
    assert.not(fs.existsSync(join(root, 'a')));
  }
});

test('a local turn after a remote one is undone all the same', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  turn(at.home, root, 'rm a', remove(root, 'a'), '20250101_000000_00000001', { source: 'ssh' });
  turn(at.home, root, 'rm b', remove(root, 'b'));
  assert.is((await belay(root, 'undo')).exit, 0);
  assert.ok(fs.existsSync(join(root, 'b')));
  put(root, { c: '1' });
});

test.run();
