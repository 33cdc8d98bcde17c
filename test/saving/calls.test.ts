import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { captureAfter, capturesOf } from '../../src/saving/before.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { closeCall, openCall } from '../../src/saving/calls.ts';
import { beginLine } from '../../src/saving/line.ts';
import { endRules, endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { runtimeOf, type World } from '../../src/saving/world.ts';
import { pendingTurns } from '../../src/turns/pending.ts';
import { before, changeOf, plan, records, type Scene, scene, target } from './given.ts';

const SESSION = '20250101_000000_abcdef';

function project(files: Record<string, string>): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(join(s.root, name), text);
  return s;
}

const opaque = (s: Scene, why: 'opaque' | 'unknown' = 'opaque') =>
  plan([], { captures: [{ folder: s.root, why, verb: 'make' }] });

/** Waits until the file system's clock, which goes in steps, is past now: before that, nobody could tell two writes apart. */
function nextTick(folder: string, file: string): void {
  const probe = join(folder, 'tick');
  const now = Math.max(Date.now() + 1, fs.statSync(file).ctimeMs);
  do fs.writeFileSync(probe, '');
  while (fs.statSync(probe).mtimeMs <= now);
}

/** A tool call of which nobody knows what it does; `work` is what it does. */
async function call(s: Scene, id: string, work: () => void, given: { world?: World } = {}) {
  const done = await beginPlanned(s.turn('1'), opaque(s), s.world, { id, start: [] });
  if (done.kind !== 'saved') throw new Error(done.kind);
  openCall(done.turnFolder, id, false);
  work();
  await captureAfter(done.turnFolder, id, given.world ?? s.world);
  closeCall(done.turnFolder, id, endRules(s.world, s.home));
  return done.turnFolder;
}

/** A call that names what it does. */
async function named(s: Scene, id: string, path: string, work: () => void) {
  const done = await beginPlanned(s.turn('1'), plan([target(path, { exposed: true })]), s.world, { id, start: [] });
  if (done.kind !== 'saved') throw new Error(done.kind);
  openCall(done.turnFolder, id, false);
  work();
  closeCall(done.turnFolder, id, endRules(s.world, s.home));
}

async function settled(s: Scene) {
  endTurn(s.world, SESSION, '1', Date.now() + 1);
  await settleAll(s.world, { wait: 20_000 });
  return records(s);
}

/** A budget below 0 is over before it begins; a capture of nothing much takes no whole millisecond. */
const withBudget = (s: Scene, budget_ms: number): World => ({
  ...s.world,
  config: { ...s.world.config, checkpoints: { ...s.world.config.checkpoints, budget_ms } },
});

test('a file that one call rewrites and a later one edits is as before the first; what was in between is kept', async () => {
  const s = project({ f: 'begin' });
  const f = join(s.root, 'f');
  await call(s, 'one', () => fs.writeFileSync(f, 'built'));
  await named(s, 'two', f, () => fs.writeFileSync(f, 'edited'));
  const [record] = await settled(s);
  const change = changeOf(record, 'f');
  assert.ok(record);
  assert.equal(before(s, record, change)?.toString(), 'begin');
  assert.equal(change?.later?.length, 1);
});

test('a file that one call makes and a later one edits was not there before the turn', async () => {
  const s = project({ other: 'o' });
  const [f, g] = [join(s.root, 'f'), join(s.root, 'g')];
  await call(s, 'one', () => {
    fs.writeFileSync(f, 'built');
    fs.writeFileSync(g, 'built');
  });
  await named(s, 'two', f, () => fs.writeFileSync(f, 'edited'));
  await named(s, 'three', g, () => fs.rmSync(g));
  const [record] = await settled(s);
  assert.deepEqual([changeOf(record, 'f')?.before.kind, changeOf(record, 'f')?.after.kind], ['absent', 'file']);
  assert.equal(changeOf(record, 'g')?.before.kind, 'absent');
  assert.equal(changeOf(record, 'g')?.later?.length, 1, 'what was in between is lost to nobody');
});

test('a file that a later call names and leaves alone is still the work of the one before', async () => {
  const s = project({ f: 'begin' });
  const f = join(s.root, 'f');
  await call(s, 'one', () => fs.writeFileSync(f, 'built'));
  await named(s, 'two', f, () => undefined);
  const [record] = await settled(s);
  assert.ok(record);
  assert.equal(before(s, record, changeOf(record, 'f'))?.toString(), 'begin');
});

test('a call that only read ends nothing: an edit by hand before it is no work of the turn', async () => {
  const s = project({ f: 'begin' });
  const f = join(s.root, 'f');
  await named(s, 'one', f, () => fs.writeFileSync(f, 'by the agent'));
  nextTick(s.top, f);
  fs.writeFileSync(f, 'by hand, afterwards');
  const pending = join(s.home, 'checkpoints/pending', SESSION, '1');
  closeCall(pending, 'ls', endRules(s.world, s.home));
  const [record] = await settled(s);
  const after = changeOf(record, 'f')?.after;
  assert.equal(after?.kind === 'file' && after.size, 'by the agent'.length);
});

test('where a call could not be captured when it was over, what is otherwise later is not certain', async () => {
  const s = project({ f: 'begin', g: 'begin' });
  await call(s, 'one', () => fs.writeFileSync(join(s.root, 'f'), 'by the agent'), { world: withBudget(s, -1) });
  fs.writeFileSync(join(s.root, 'g'), 'by hand');
  const [record] = await settled(s);
  assert.equal(changeOf(record, 'g')?.uncertain, true);
});

test('a call of the same name is captured again after one that could not be captured when it was over', async () => {
  const s = project({ f: 'begin' });
  const once = () => fs.writeFileSync(join(s.root, 'f'), String(Math.random()));
  await call(s, 'same', once, { world: withBudget(s, -1) });
  const folder = await call(s, 'same', once);
  assert.equal(capturesOf(folder).length, 2);
});

test('a capture left to the background is no reason to go without one where a line may destroy what nobody knows', async () => {
  const s = project({ f: 'begin' });
  const { checkpoints } = s.world.config;
  const slow: World = {
    ...s.world,
    config: { ...s.world.config, checkpoints: { ...checkpoints, opaque_budget_ms: -1 } },
  };
  for (let i = 0; i < 3100; i++) fs.writeFileSync(join(s.root, `n${i}`), '');
  spawnSync('git', ['-C', s.root, 'add', '-A']);
  const kindsAfter = async (why: 'opaque' | 'unknown') => {
    const done = await beginPlanned(s.turn('1'), opaque(s, why), slow);
    return done.kind === 'saved' ? capturesOf(done.turnFolder).map(({ kind }) => kind) : [];
  };
  assert.deepEqual(await kindsAfter('opaque'), ['left out']);
  assert.deepEqual((await kindsAfter('unknown')).sort(), ['captured', 'left out']);
  assert.equal((await kindsAfter('unknown')).length, 2, 'once');
});

test('a capture that a repair has dropped is no capture: the next line of the turn that needs one takes it again', async () => {
  const s = project({ f: 'begin' });
  const numbers = async (): Promise<number[]> => {
    const done = await beginPlanned(s.turn('1'), opaque(s, 'unknown'), s.world);
    const notes = done.kind === 'saved' ? capturesOf(done.turnFolder) : [];
    return notes.flatMap((note) => (note.kind === 'captured' ? [note.m] : []));
  };
  assert.deepEqual([await numbers(), await numbers()], [[1], [1]]);
  const captures = join(s.home, 'checkpoints/store/refs/belay');
  for (const key of fs.readdirSync(captures)) fs.rmSync(join(captures, key, 'captures'), { recursive: true });
  assert.deepEqual(await numbers(), [1, 2]);
});

test('a line that destroys something later is not whole: its wrappers hold what is there by then', async () => {
  const s = project({ x: 'x' });
  const env = s.world.env;
  const line = { shell: 'bash' as const, cwd: s.root, variables: env, aliases: new Map(), functions: new Map() };
  const isWhole = async (turn: string, text: string): Promise<boolean> => {
    await beginLine(s.turn(turn), { ...line, text, options: new Set() }, s.world, true);
    const marker = join(runtimeOf(s.world, true) ?? '', SESSION, 'whole');
    return fs.existsSync(marker) && fs.readFileSync(marker, 'utf8') === `${turn}\n`;
  };
  assert.equal(await isWhole('1', 'rm x'), true);
  assert.equal(await isWhole('2', '(sleep 100; rm x) &'), false);
});

test('what captures saw is recorded once, though the turn goes on', async () => {
  const s = project({ f: 'begin', x: 'x' });
  const x = join(s.root, 'x');
  const both = plan([target(x, { deferred: true })], { captures: opaque(s).captures });
  await beginPlanned(s.turn('1'), both, s.world);
  fs.writeFileSync(join(s.root, 'f'), 'by the program');
  fs.rmSync(x);
  endTurn(s.world, SESSION, '1', Date.now() + 1);
  await settleAll(s.world, { wait: 20_000, reader: true });
  assert.equal(records(s).filter((record) => changeOf(record, 'f') !== undefined).length, 1);
  const [next, ...others] = pendingTurns(s.home);
  assert.equal(others.length, 0);
  assert.ok(next !== undefined, 'the turn goes on as its next part');
  // A day later nobody waits for it any more.
  const file = join(next.folder, 'turn.json');
  const pending = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...pending, started: 0 }));
  await settleAll(s.world, { wait: 20_000 });
  assert.equal(records(s).filter((record) => changeOf(record, 'f') !== undefined).length, 1);
});

test('lines that follow each other at once: what the next one took away is its own work alone, whoever is captured when', async () => {
  const s = project({ a: 'a\n', b: 'b\n' });
  fs.mkdirSync(join(s.root, 'd'));
  fs.writeFileSync(join(s.root, 'd/x'), 'x\n');
  for (const name of ['a', 'b', 'd/x']) nextTick(s.top, join(s.root, name));
  await beginPlanned(s.turn('1'), opaque(s), s.world);
  fs.writeFileSync(join(s.root, 'made'), 'made\n');
  fs.writeFileSync(join(s.root, 'b'), 'changed\n');
  endTurn(s.world, SESSION, '1', Date.now() + 1);
  const next = [target(join(s.root, 'a')), target(join(s.root, 'b')), target(join(s.root, 'd'), { recursive: true })];
  await beginPlanned(s.turn('2'), plan(next), s.world);
  for (const name of ['a', 'b', 'd']) fs.rmSync(join(s.root, name), { recursive: true });
  endTurn(s.world, SESSION, '2', Date.now() + 1);
  await settleAll(s.world, { wait: 20_000 });
  const changed = Object.fromEntries(
    records(s).map(({ turn, changes }) => [turn, changes.map(({ path }) => path).sort()]),
  );
  assert.deepEqual(changed, { 1: ['b', 'made'], 2: ['a', 'b', 'd', 'd/x'] });
});

test.run();
