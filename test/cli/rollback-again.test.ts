import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readStory } from '../../src/sessions/find.ts';
import { appendEvents } from '../../src/turns/journal.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn as did } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const turn = (root: string, line: string, act: () => void): number => did(at.home, root, line, act);
const NAMES = ['named', 'edited', 'gone', 'made', 'x.log'];

/** What each of the files has; a dash where it is not there. */
const state = (root: string): string =>
  NAMES.map((name) => (fs.existsSync(join(root, name)) ? fs.readFileSync(join(root, name), 'utf8') : '-')).join(' ');

function repository(): string {
  const root = project(at, { named: '0', edited: '0', gone: '0', '.gitignore': '*.log\n', 'x.log': '0' });
  execFileSync('git', ['init', '-q', root]);
  return root;
}

/** Edits that no line of belay's knows of. */
function byHand(root: string, text: string): void {
  put(root, { edited: text, made: text });
  fs.rmSync(join(root, 'gone'), { force: true });
}

const back = async (root: string, n: number, ...words: string[]): Promise<number> => {
  const done = await belay<{ safety: number }>(root, 'rollback', String(n), ...words);
  assert.is(done.exit, 0, done.text);
  return done.json.safety;
};

for (const [title, words, isByHand] of [
  ['rollback N --all leads to before N each time it is typed, not to what the one before it found', ['--all'], false],
  ['a rollback to a checkpoint by hand leads to it each time it is typed', [], true],
] as const)
  test(`${title}; and each is taken back by the number that it says`, async () => {
    const root = repository();
    const made = await belay<{ n: number }>(root, 'checkpoint');
    const n = isByHand ? made.json.n : turn(root, 'sed named', () => put(root, { named: '1' }));
    byHand(root, '2');
    const first = state(root);
    const one = await back(root, n, ...words);
    assert.is(state(root), '0 0 0 - 0');
    await belay(root, 'rollback', String(n), ...words);
    assert.is(state(root), '0 0 0 - 0', 'at once again');
    const plain = await belay<{ safety: null }>(root, 'rollback', String(n));
    assert.is(state(root), '0 0 0 - 0', 'a plain one brings no edit back that --all took away');
    assert.is(plain.json.safety, null);
    byHand(root, '3');
    const second = state(root);
    const two = await back(root, n, ...words);
    assert.is(state(root), '0 0 0 - 0', 'after more edits by hand');
    assert.equal((await belay<{ files: unknown[] }>(root, 'diff', String(n))).json.files, []);
    const copy = join(at.top, `copy${n}`);
    assert.is((await belay(root, 'rollback', String(n), '--to', copy)).exit, 0);
    assert.equal(fs.readdirSync(copy).sort(), ['.gitignore', 'edited', 'gone', 'named', 'package.json']);
    await back(root, two, '--all');
    assert.is(state(root), second);
    await back(root, one, '--all');
    assert.is(state(root), first);
    if (!isByHand) {
      await back(root, n);
      assert.is(state(root), '0 2 - 2 0', 'edits that were brought back are edits: a plain one keeps them');
    }
    await back(root, n, ...words);
    assert.is(state(root), '0 0 0 - 0', 'and once more');
  });

/** The session's record has these checkpoints' turns; the answer tells which of them are marked undone there. */
async function marks(root: string, ns: readonly number[]): Promise<() => readonly (boolean | undefined)[]> {
  const { json } = await belay<{ checkpoints: { n: number; turn: string; session: string }[] }>(root, 'list');
  const of = ns.map((n) => json.checkpoints.find((one) => one.n === n));
  const session = of[0]?.session ?? '';
  const t = Date.now();
  appendEvents(at.home, session, [
    { e: 'session', v: 1, t, id: session, source: 'cli', cwd: root },
    ...of.map((one) => ({ e: 'command', t, turn: one?.turn ?? '', line: 'x', cwd: root }) as const),
  ]);
  return () => of.map((one) => readStory(at.home, session).turns.find(({ turn }) => turn === one?.turn)?.undone);
}

test('what a turn did before N is there again, also where a restore has taken it back since', async () => {
  for (const words of [[], ['--all']]) {
    const root = repository();
    await belay(root, 'checkpoint');
    const first = turn(root, 'sed edited', () => put(root, { edited: '1' }));
    const n = turn(root, 'sed named', () => put(root, { named: '1' }));
    const undone = await marks(root, [first, n]);
    await back(root, first);
    assert.is(state(root), '0 0 0 - 0');
    assert.equal(undone(), [true, true]);
    await back(root, n, ...words);
    assert.is(state(root), '0 1 0 - 0', words.join());
    assert.equal(undone(), [false, true]);
    await belay(root, 'undo');
    await belay(root, 'undo');
    assert.is(state(root), '0 0 0 - 0', words.join());
  }
});

test('rollback N --after --all leads to what turn N left each time, and an ignored file that lines changed comes back', async () => {
  const root = repository();
  await belay(root, 'checkpoint');
  const n = turn(root, 'sed edited', () => put(root, { edited: '1' }));
  const log = turn(root, 'sed x.log', () => put(root, { 'x.log': '1' }));
  byHand(root, '2');
  await back(root, n, '--after', '--all');
  byHand(root, '3');
  await back(root, n, '--after', '--all');
  assert.is(state(root).slice(0, 3), '0 1');
  await back(root, log, '--after', '--all');
  assert.is(state(root).at(-1), '1');
});

test.run();
