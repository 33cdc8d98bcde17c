import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Target } from '../../src/effects/types.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { openWorld } from '../../src/saving/world.ts';
import { isEnded, pendingTurns } from '../../src/turns/pending.ts';
import { differences, readTree } from '../checkpoint/model.ts';
import { plan, target } from '../saving/given.ts';
import { belay, project } from './drive.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const SESSION = '20250101_000000_abcdef';
const world = await openWorld();
const shell = spawn('sleep', ['600'], { stdio: 'ignore' });
test.after(() => void shell.kill());
let turns = 0;

/** A project with a tree of which the look takes a while. */
function large(): { root: string; tree: string; moved: string } {
  const root = project(at, { 'tree/a': 'a', 'tree/deep/b': 'b', x: 'x' });
  const tree = join(root, 'tree');
  fs.writeFileSync(join(tree, 'deep/big'), Buffer.alloc(3 << 20, 'big'));
  fs.mkdirSync(join(tree, 'many'));
  for (let i = 0; i < 1500; i++) fs.writeFileSync(join(tree, 'many', String(i).padEnd(240, 'x')), '');
  return { root, tree, moved: join(root, 'moved') };
}

/** One line typed in the shell: what it names is held, then it runs. Returns its turn and when the prompt came back. */
async function line(
  root: string,
  targets: readonly Target[],
  run: () => void,
): Promise<{ turn: string; ended: number }> {
  const turn = String(++turns);
  const identity = {
    session: SESSION,
    turn,
    source: 'cli',
    shell: 'bash',
    cwd: root,
    line: `line ${turn}`,
    hidden: false,
  };
  await beginPlanned({ ...identity, pid: shell.pid ?? 0 }, plan(targets), world);
  run();
  const ended = Date.now() + 1;
  // What the next line does is later than the prompt before it.
  while (Date.now() <= ended + 2) await new Promise((done) => setTimeout(done, 1));
  return { turn, ended };
}

const isOver = (turn: string): boolean =>
  pendingTurns(at.home).some(({ folder, turn: one }) => one.turn === turn && isEnded(folder));

const LINES: Readonly<
  Record<string, (one: ReturnType<typeof large>) => readonly [targets: Target[], run: () => void]>
> = {
  'rm of files in it': ({ moved }) => {
    const gone = ['a', 'deep/big'].map((name) => join(moved, name));
    return [gone.map((path) => target(path)), () => gone.forEach((path) => void fs.rmSync(path))];
  },
  'a write into one': ({ moved }) => [
    [target(join(moved, 'a'), { way: 'write-in-place', exposed: true })],
    () => fs.writeFileSync(join(moved, 'a'), 'other'),
  ],
  'mv back': ({ tree, moved }) => [[target(moved, { way: 'move', to: tree })], () => fs.renameSync(moved, tree)],
  'rm -r of it': ({ moved }) => [[target(moved)], () => fs.rmSync(moved, { recursive: true })],
  'mv of an old file into it': ({ root, moved }) => [
    [target(join(root, 'x'), { way: 'move', to: join(moved, 'deep/x') })],
    () => fs.renameSync(join(root, 'x'), join(moved, 'deep/x')),
  ],
};

const ENDS: Readonly<Record<string, (turn: string, ended: number) => Promise<unknown>>> = {
  'by the prompt’s process': async (turn, ended) => endTurn(world, SESSION, turn, ended),
  'by nobody, that was killed': async () => undefined,
  'by a reader elsewhere': () => settleAll(world, { wait: 20_000, reader: true, session: '20250101_000000_fedcba' }),
};

Object.entries(LINES).forEach(([what, next], i) => {
  const ends = Object.entries(ENDS);
  for (const [who, end] of i === 0 ? ends : ends.slice(i % 2, (i % 2) + 1))
    test(`the line behind mv of a large tree waits for no look at it (${what}), and both are undone (looked at ${who})`, async () => {
      const one = large();
      const { root, tree, moved } = one;
      const first = readTree(root);
      const mv = await line(root, [target(tree, { way: 'move', to: moved })], () => fs.renameSync(tree, moved));
      const between = readTree(root);
      const [targets, run] = next(one);
      const second = await line(root, targets, run);
      assert.not(isOver(mv.turn));
      endTurn(world, SESSION, second.turn, second.ended);
      await end(mv.turn, mv.ended);
      const last = readTree(root);
      assert.is((await belay(root, 'undo')).exit, 0);
      assert.equal(differences(between, readTree(root)), []);
      assert.is((await belay(root, 'undo')).exit, 0);
      assert.equal(differences(first, readTree(root)), []);
      await belay(root, 'redo');
      assert.equal(differences(between, readTree(root)), []);
      await belay(root, 'redo');
      assert.equal(differences(last, readTree(root)), []);
      assert.is((await belay(root, 'rollback', '1')).exit, 0);
      assert.equal(differences(first, readTree(root)), []);
    });
});

test('a name that a long line removed and the next one made anew in a folder that it names is taken back by both', async () => {
  const { root, tree } = large();
  const first = readTree(root);
  const names = fs.readdirSync(tree).map((name) => join(tree, name));
  const rm = await line(
    root,
    names.map((path) => target(path)),
    () => names.forEach((path) => void fs.rmSync(path, { recursive: true })),
  );
  const between = readTree(root);
  const second = await line(root, [target(tree)], () => {
    fs.rmSync(tree, { recursive: true });
    fs.mkdirSync(join(tree, 'many'), { recursive: true });
    for (const name of ['a', 'c', 'many/new']) fs.writeFileSync(join(tree, name), 'new');
  });
  assert.not(isOver(rm.turn));
  endTurn(world, SESSION, second.turn, second.ended);
  endTurn(world, SESSION, rm.turn, rm.ended);
  assert.is((await belay(root, 'undo')).exit, 0);
  assert.equal(differences(between, readTree(root)), []);
  assert.is((await belay(root, 'undo')).exit, 0);
  assert.equal(differences(first, readTree(root)), []);
});

test.run();
