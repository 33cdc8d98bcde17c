import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore, type Store } from '../../src/checkpoint/store.ts';
import { checkpoint } from '../../src/cli/checkpoint.ts';
import type { Answer, Call, Command } from '../../src/cli/command.ts';
import { redo } from '../../src/cli/redo.ts';
import { rollback } from '../../src/cli/rollback.ts';
import { undo } from '../../src/cli/undo.ts';
import {
  act,
  differences,
  nest,
  nestedIn,
  type Random,
  randomFrom,
  readTree,
  record,
  sameNode,
  type Tree,
} from '../checkpoint/model.ts';
import { type Home, inOwnHome } from './home.ts';

/**
 * Random trees, turns, edits by hand, undos, redos and rollbacks, compared with what a simple model knows. A failure prints
 * the seed: `BELAY_MODEL_SEED=… BELAY_MODEL_RUNS=1 tsx test/cli/model-1.test.ts`.
 */
const RUNS = Number(process.env['BELAY_MODEL_RUNS'] ?? 520);
const LIMIT_MS = Number(process.env['BELAY_MODEL_MS'] ?? 200_000);
const GIVEN_SEED = process.env['BELAY_MODEL_SEED'];

let at: Home;
let store: Store;

async function run(command: Command, root: string, words: string[], values: Call['values'] = {}): Promise<Answer> {
  const answer = await command.run({ words, values, json: true, yes: false, cwd: root, install: '/' });
  if (typeof answer === 'number') throw new Error('a document is expected');
  return answer;
}

interface Restored {
  readonly restored: string[];
  readonly kept: { path: string; why: string; reason: string }[];
  readonly safety: number | null;
}

/** The name that git ignores, where there is a `.gitignore`. */
const IGNORED = 'e';

class Story {
  readonly root: string;
  readonly random: Random;
  readonly told: string[] = [];
  /** Turn number → tree before it. */
  readonly before: { n: number; tree: Tree; after: Tree; turn: string }[] = [];
  turns = 0;
  /** Somebody has edited by hand since the first turn. */
  edited = false;

  constructor(seed: number, root: string) {
    this.root = root;
    this.random = randomFrom(seed);
    fs.mkdirSync(root, { recursive: true });
    fs.writeFileSync(join(root, 'package.json'), '{}');
    if (this.random() < 0.5) fs.writeFileSync(join(root, '.gitignore'), `${IGNORED}\n`);
    if (this.random() < 0.4) nest(this.random, root);
    for (let i = 0; i < 4; i++) act(this.random, root);
  }

  /** What came before is behind us: only the turns from here on are gone back over. */
  begin(): void {
    this.before.length = 0;
    this.told.push('---');
  }

  turn(): void {
    const before = readTree(this.root);
    const said: string[] = [];
    for (let i = 0; i < 1 + Math.floor(this.random() * 3); i++) said.push(act(this.random, this.root) ?? 'nothing');
    const after = readTree(this.root);
    this.turns++;
    const id = `t${this.turns}-${this.root.slice(-12)}`;
    const order = nextOrder();
    const n = record(
      store,
      this.root,
      before,
      after,
      { session: '20250101_000000_abcdef', turn: id, order, line: said.join('; ') },
      this.random,
    );
    this.before.push({ n, tree: before, after, turn: id });
    this.told.push(`turn ${n}: ${said.join('; ')}`);
  }

  edit(): Set<string> {
    const before = readTree(this.root);
    const said = act(this.random, this.root);
    if (said === undefined) return new Set();
    this.told.push(`by hand: ${said}`);
    this.edited = true;
    const after = readTree(this.root);
    return new Set(
      [...new Set([...before.keys(), ...after.keys()])].filter((path) => !sameNode(before.get(path), after.get(path))),
    );
  }
}

function nextOrder(): number {
  fs.appendFileSync(join(store.base, 'order'), '.');
  return fs.statSync(join(store.base, 'order')).size;
}

function same(a: Tree, b: Tree, what: string): void {
  const found = differences(a, b);
  if (found.length > 0) throw new Error(`${what}:\n${found.join('\n')}`);
}

/** A restore, then its own safety checkpoint twice: the tree is as before it, both times. */
async function thereAndBack(
  story: Story,
  command: Command,
  words: string[],
  values: Call['values'],
): Promise<Restored | undefined> {
  const before = readTree(story.root);
  let answer: Restored;
  try {
    answer = (await run(command, story.root, words, values)).json as Restored;
  } catch (error) {
    if ((error as { exit?: number }).exit === 4 || (error as { code?: string }).code === 'later_turn') return undefined;
    throw error;
  }
  const after = readTree(story.root);
  if (answer.safety === null) {
    same(before, after, 'nothing was said to be done');
    return answer;
  }
  if (answer.kept.some(({ why }) => why === 'failed' || why === 'changed-meanwhile'))
    throw new Error(`failed: ${JSON.stringify(answer.kept)}`);
  if (story.random() < 0.25) {
    story.told.push(`  back by ${answer.safety}`);
    const back = (await run(rollback, story.root, [String(answer.safety)])).json as Restored;
    same(
      before,
      readTree(story.root),
      `rollback ${answer.safety} brings back what the restore found (kept ${JSON.stringify(back.kept)})`,
    );
    const again = (await run(rollback, story.root, [String(answer.safety)])).json as Restored;
    same(before, readTree(story.root), `rollback ${answer.safety} twice`);
    assert.is(again.safety, null);
    if (back.safety !== null) await run(rollback, story.root, [String(back.safety)]);
    same(after, readTree(story.root), 'and forward again');
  }
  return answer;
}

/** Several sequences in one project, each resting on what the ones before have left: turns, then restores of one kind. */
async function sequences(seed: number): Promise<number> {
  const root = join(at.top, `p${String(seed).padStart(12, '0')}`);
  const story = new Story(seed, root);
  let done = 0;
  try {
    for (; done < 4; done++) {
      story.begin();
      for (let i = 0; i < 1 + Math.floor(story.random() * 3); i++) story.turn();
      const dice = story.random();
      // A capture starts git several times: few sequences have one.
      if (dice < 0.06 && process.getuid?.() === 0) {
        await captured(story);
        // A turn that changed nothing would lead back to the capture from here on.
        return done + 1;
      }
      if (dice < 0.35) await undoAll(story);
      else if (dice < 0.7) await rollbacks(story);
      else await withEdits(story);
      assert.is(fs.readFileSync(join(at.top, 'outside/keep'), 'utf8'), 'kept');
      assert.equal(fs.readdirSync(join(at.top, 'outside')), ['keep']);
    }
    return done;
  } catch (error) {
    throw new Error(`seed ${seed}\n${story.told.join('\n')}\n${error instanceof Error ? error.stack : error}`);
  } finally {
    openUp(root);
    fs.rmSync(root, { recursive: true, force: true });
  }
}

function openUp(root: string): void {
  for (const [path, node] of readTree(root)) if (node.kind === 'folder') fs.chmodSync(join(root, path), 0o755);
}

/** Without edits by hand, undo after undo leads through every state back to the first, and redo forward again. */
async function undoAll(story: Story): Promise<void> {
  const changed = story.before.filter(({ tree, after }) => differences(tree, after).length > 0);
  for (const { n, tree } of [...changed].reverse()) {
    story.told.push(`undo (${n})`);
    const done = await thereAndBack(story, undo, [], {});
    assert.ok(done);
    same(tree, readTree(story.root), `undo of ${n} (kept ${JSON.stringify(done?.kept)})`);
  }
  const steps = Math.floor(story.random() * (changed.length + 1));
  for (const { n, after } of changed.slice(0, steps)) {
    story.told.push(`redo (${n})`);
    const done = (await run(redo, story.root, [])).json as Restored;
    same(after, readTree(story.root), `redo of ${n} (kept ${JSON.stringify(done.kept)})`);
  }
}

/** Rollbacks to anywhere, over each other and over new turns, lead exactly to the state before the turn. */
async function rollbacks(story: Story): Promise<void> {
  for (let i = 0; i < 1 + Math.floor(story.random() * 2); i++) {
    const to = story.before[Math.floor(story.random() * story.before.length)];
    if (to === undefined) return;
    const after = story.random() < 0.25;
    story.told.push(`rollback ${to.n}${after ? ' --after' : ''}`);
    const done = await thereAndBack(story, rollback, [String(to.n)], after ? { after: true } : {});
    same(
      after ? to.after : to.tree,
      readTree(story.root),
      `rollback ${to.n}${after ? ' --after' : ''} (kept ${JSON.stringify(done?.kept)})`,
    );
    if (story.random() < 0.5) story.turn();
    if (story.random() < 0.3) {
      const before = readTree(story.root);
      story.told.push('undo, redo');
      if (await thereAndBack(story, undo, [], {})) {
        await run(redo, story.root, []);
        same(before, readTree(story.root), 'undo and redo');
      }
    }
  }
}

/** What was edited by hand stays through plain restores; `--all` leads to the state of the turns all the same. */
async function withEdits(story: Story): Promise<void> {
  const edited = new Set<string>();
  for (let i = 0; i < 2; i++) for (const path of story.edit()) edited.add(path);
  const mine = readTree(story.root);
  const dice = story.random();
  const to = story.before[Math.floor(story.random() * story.before.length)];
  if (to === undefined) return;
  story.told.push(dice < 0.5 ? 'undo' : `rollback ${to.n}`);
  const done =
    dice < 0.5 ? await thereAndBack(story, undo, [], {}) : await thereAndBack(story, rollback, [String(to.n)], {});
  const now = readTree(story.root);
  const last = story.before.at(-1)?.after ?? new Map();
  for (const path of edited) {
    // Edited back to what the turn had left: no edit any more.
    if (sameNode(mine.get(path), last.get(path))) continue;
    if (mine.get(path) === undefined) continue;
    if (mine.get(path)?.kind === 'folder') continue;
    // Another name of a file that is put back: the edit gave it the name, not the bytes.
    if ((mine.get(path)?.nlink ?? 1) > 1) continue;
    if (!sameNode(mine.get(path), now.get(path)))
      throw new Error(
        `hand-edit of ${path} is lost (kept ${JSON.stringify(done?.kept)}):\n${differences(mine, now).join('\n')}`,
      );
  }
  story.told.push(`rollback ${to.n} --all`);
  const whole = await thereAndBack(story, rollback, [String(to.n)], { all: true });
  // Moved by a turn, then moved or removed by hand: nobody has its bytes any more.
  const lost = new Set(whole?.kept.filter(({ why }) => why === 'no-content').map(({ path }) => path));
  const all = readTree(story.root);
  const touched = new Set<string>();
  for (const { n, tree, after } of story.before)
    if (n >= to.n)
      for (const path of [...tree.keys(), ...after.keys()])
        if (!sameNode(tree.get(path), after.get(path))) touched.add(path);
  for (const path of touched) {
    const firstTouch = story.before.find(
      ({ n, tree, after }) => n >= to.n && !sameNode(tree.get(path), after.get(path)),
    );
    if (!sameNode(firstTouch?.tree.get(path), all.get(path)) && !under(path, edited) && !lost.has(path))
      throw new Error(
        `--all: ${path} is not as before ${to.n} (kept ${JSON.stringify(whole?.kept)}): ${differences(firstTouch?.tree ?? new Map(), all).join('\n')}`,
      );
  }
}

/**
 * From a checkpoint by hand on, turns and edits; `--all` leads back to what its capture saw, nested repositories included. What no
 * capture sees (ignored files, a nested repository's own folder) is as the turns found it, or as it is.
 */
async function captured(story: Story): Promise<void> {
  const then = readTree(story.root);
  const { n } = (await run(checkpoint, story.root, [])).json as { n: number };
  story.begin();
  story.told.push(`checkpoint ${n}`);
  for (let i = 0; i < 2; i++)
    if (story.random() < 0.6) story.turn();
    else story.edit();
  const mine = readTree(story.root);
  story.told.push(`rollback ${n} --all`);
  const done = await thereAndBack(story, rollback, [String(n)], { all: true });
  const now = readTree(story.root);
  const lost = new Set(done?.kept.filter(({ why }) => why === 'no-content').map(({ path }) => path));
  const repositories = [...nestedIn(then), ...nestedIn(mine)];
  const isIgnored = (path: string): boolean => then.has('.gitignore') && path.split('/').includes(IGNORED);
  const isSeen = (path: string): boolean =>
    ['file', 'link'].includes(then.get(path)?.kind ?? '') && !/(?:^|\/)\.git(?:\/|$)/.test(path) && !isIgnored(path);
  const wrong: string[] = [];
  for (const path of new Set([...then.keys(), ...mine.keys()])) {
    const [old, had, has] = [then.get(path), mine.get(path), now.get(path)];
    if (lost.has(path) || old?.kind === 'folder' || had?.kind === 'folder') continue;
    // Its own ignore files are the nested repository's: whether it saw the name is another question.
    if (isIgnored(path) && repositories.some((top) => path.startsWith(`${top}/`))) continue;
    if (isSeen(path)) {
      if (!sameNode(old, has)) wrong.push(`${path} is not as captured`);
      continue;
    }
    const above = path.split('/').map((_, i, parts) => parts.slice(0, i).join('/'));
    if (above.some((one) => then.get(one) !== undefined && then.get(one)?.kind !== 'folder')) continue;
    if ([...then.keys()].some((one) => one.startsWith(`${path}/`))) continue;
    const first = story.before.find(({ tree, after }) => !sameNode(tree.get(path), after.get(path)));
    const found = first === undefined ? had : first.tree.get(path);
    // New by hand: gone where that is proved, else still there.
    if (sameNode(found, has) || (first === undefined && old === undefined && !isIgnored(path) && has === undefined))
      continue;
    if ((had?.nlink ?? 1) === 1) wrong.push(`${path} is not as it was found`);
  }
  if (wrong.length > 0) {
    const told = [wrong.join('\n'), `kept ${JSON.stringify(done?.kept)}`, 'then / now:', ...differences(then, now)];
    throw new Error([...told, 'mine / now:', ...differences(mine, now)].join('\n'));
  }
  await plainAfterAll(story);
}

/** What `--all` led to stays so: the plain rollback changes nothing any more, whatever was undone or edited by hand before it. */
async function plainAfterAll(story: Story): Promise<void> {
  const to = story.before[Math.floor(story.random() * story.before.length)];
  for (let i = 0; to !== undefined && i < 2; i++) {
    if (story.random() < 0.7) story.edit();
    if (story.random() < 0.4) {
      story.told.push('undo');
      await thereAndBack(story, undo, [], story.random() < 0.5 ? { all: true } : {});
    }
    story.told.push(`rollback ${to.n} --all, rollback ${to.n}`);
    await thereAndBack(story, rollback, [String(to.n)], { all: true });
    const all = readTree(story.root);
    const again = await thereAndBack(story, rollback, [String(to.n)], {});
    same(all, readTree(story.root), `a plain rollback after --all (restored ${again?.restored})`);
  }
}

const under = (path: string, edited: ReadonlySet<string>): boolean =>
  [...edited].some((other) => other !== path && (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)));

/**
 * One file's share of the sequences, the same ones at every run unless a seed is given; `file` is the test file itself, which is started
 * again in a home of its own.
 */
export function modelTest(file: string, first: number): void {
  const seed = Number(GIVEN_SEED ?? first);
  at = inOwnHome(file, { memory: true });
  store = openStore(at.home);
  test(`undo, redo and rollback agree with a model (seed ${seed})`, async () => {
    fs.mkdirSync(join(at.top, 'outside'));
    fs.writeFileSync(join(at.top, 'outside/keep'), 'kept');
    const until = Date.now() + LIMIT_MS;
    let done = 0;
    for (let i = 0; done < RUNS && Date.now() < until; i++) {
      done += await sequences((seed + i) % 2 ** 31);
      // A fresh store: an undo looks at the session's turns in every project.
      fs.rmSync(at.home, { recursive: true, force: true });
      store = openStore(at.home);
    }
    console.log(`${done} of ${RUNS} sequences`);
    // A slow machine plays fewer; one that plays hardly any has a fault of its own.
    assert.ok(done >= RUNS / 4, `only ${done} of ${RUNS} sequences in ${LIMIT_MS} ms`);
  });
  test.run();
}
