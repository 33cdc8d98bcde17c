import fs from 'node:fs';
import type { Bytes } from '../../platform/bytes.ts';
import { codeOf } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import type { Kept, Step } from '../plan/steps.ts';
import type { Store } from '../store.ts';
import { setMode } from './content.ts';
import { openDoorway } from './doorway.ts';
import { moveAside, moveHome, movesOf } from './move.ts';
import { joinNames } from './names.ts';
import { changeMode, makeFolder, makeLink, placeBlobs, placeFifo, placeHeld } from './place.ts';
import { placeTogether } from './together.ts';
import { attempt, type FileStep, type MoveStep, meanwhile, messageOf, mustBe, type Work } from './work.ts';

export interface Applied {
  readonly restored: readonly Bytes[];
  readonly removed: readonly Bytes[];
  /** Steps that could not be done; everything else was. */
  readonly kept: readonly Kept[];
  /** Files that are one with belay's copy, because there was no room for another. */
  readonly linked: readonly Bytes[];
}

export interface ApplyRules {
  readonly minFreePercent: number;
  /** Key → root of the projects: what is many is made ready in them, aside. */
  readonly roots: ReadonlyMap<string, Bytes>;
  /** Called after each step. */
  readonly tick: (done: number) => void;
}

/**
 * Does the steps: renames aside, whatever stands in the way, folders, files (each made ready beside its place and renamed
 * there), removals last, folder modes at the very end. Decides nothing; a path that is no longer what the plan saw is left alone.
 */
export function applySteps(store: Store, steps: readonly Step[], order: number, rules: ApplyRules): Applied {
  const door = openDoorway();
  const work: Work = {
    store,
    door,
    order,
    restored: [],
    removed: [],
    kept: [],
    linked: [],
    minFreePercent: rules.minFreePercent,
    modes: new Map(),
    inPlace: new Map(),
    done: 0,
  };
  try {
    run(work, steps, rules);
  } finally {
    setModes(work);
    door.close();
  }
  return work;
}

/** The stages in their order. */
function run(work: Work, steps: readonly Step[], rules: ApplyRules): void {
  const tried = (step: Step, act: () => void): boolean => attempt(work, step, rules.tick, act);
  const asides = new Map(movesOf(steps, work.order).map((move) => [move.to, move.aside]));
  const asideOf = (step: MoveStep): Bytes => asides.get(step.path) ?? '';
  const all = steps.filter((step): step is MoveStep => step.do === 'move');
  const moves = all.filter((step) => tried(step, () => moveAside(work, step, asideOf(step))));
  const movedFrom = new Set(all.map(({ from }) => from));

  const removals = steps.filter((step) => step.do === 'remove').sort((a, b) => (a.path > b.path ? -1 : 1));
  const early = new Set(removals.length === 0 ? [] : removals.filter(inTheWay(steps)));
  for (const step of early) tried(step, () => remove(work, step, movedFrom));

  const rest = afterMoves(steps, moves);
  const aboveMoves = foldersAbove(all);
  // The others wait: with what belongs in them, they may come as one.
  const isFirst = (step: Step): boolean => step.seen !== undefined || aboveMoves.has(step.path);
  for (const step of rest) if (step.do === 'folder' && isFirst(step)) tried(step, () => makeFolder(work, step));
  const moved = new Set(moves.map(({ path }) => path));
  for (const step of rest)
    if (step.do === 'move' && moved.has(step.path)) tried(step, () => moveHome(work, step, asideOf(step)));
  const together = placeTogether(work, rest, (path) => aboveMoves.has(path), rules);
  const single = rest.filter((step) => !together.has(step));
  for (const step of single) if (step.do === 'folder' && !isFirst(step)) tried(step, () => makeFolder(work, step));
  for (const step of single) {
    if (step.do === 'link') tried(step, () => makeLink(work, step));
    if (step.do === 'fifo') tried(step, () => placeFifo(work, step));
    if (step.do === 'mode') tried(step, () => changeMode(work, step));
    if (step.do === 'file' && step.source.at !== 'blob') tried(step, () => placeHeld(work, step));
  }
  const isBlob = (step: Step): step is FileStep => step.do === 'file' && step.source.at === 'blob';
  placeBlobs(work, single.filter(isBlob), tried);
  joinNames(work, rest);

  for (const step of removals) if (!early.has(step)) tried(step, () => remove(work, step, movedFrom));
}

/** Where something was moved away from, nothing is left to be compared with. */
function afterMoves(steps: readonly Step[], moves: readonly MoveStep[]): Step[] {
  const left = new Set(moves.map(({ from }) => from));
  if (left.size === 0) return steps.filter((step) => step.do !== 'remove');
  return steps.flatMap((step): Step[] => {
    if (step.do === 'remove') return [];
    if (!left.has(step.path)) return [step];
    const emptied = { ...step, seen: undefined };
    return [emptied.do === 'file' ? { ...emptied, inPlace: false } : emptied];
  });
}

function remove(work: Work, step: Step, movedFrom: ReadonlySet<Bytes>): void {
  if (movedFrom.has(step.path)) return; // it was moved back: nothing is left to remove
  const at = work.door.entry(step.path);
  if (step.seen?.type === 'folder') {
    if (!fs.lstatSync(at).isDirectory()) throw meanwhile(step.path);
    work.door.forget(step.path);
    fs.rmdirSync(at);
  } else {
    mustBe(work, at, step.seen);
    fs.unlinkSync(at);
  }
  work.removed.push(step.path);
}

/** Deepest first; also the permissions that were widened to get in. A folder that is gone needs none. */
function setModes({ door, modes, kept }: Work): void {
  for (const [path, mode] of door.widened) if (!modes.has(path)) modes.set(path, mode);
  for (const [path, mode] of [...modes].sort(([a], [b]) => (a > b ? -1 : 1))) {
    try {
      setMode(door.entry(path), mode);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
        kept.push({ path, why: 'failed', reason: `its mode: ${messageOf(error)}` });
    }
  }
}

function foldersAbove(steps: readonly Step[]): Set<Bytes> {
  const above = new Set<Bytes>();
  for (const step of steps)
    for (let at = dirname(step.path); at !== '/' && !above.has(at); at = dirname(at)) above.add(at);
  return above;
}

/** What must go before the rest can come: something above a place that is filled, or below one that becomes no folder. */
function inTheWay(steps: readonly Step[]): (removal: Step) => boolean {
  const coming = steps.filter((step) => step.do !== 'remove');
  const above = foldersAbove(coming);
  const solid = new Set(coming.filter(({ becomes }) => becomes.kind !== 'folder').map(({ path }) => path));
  return ({ path, seen }) => {
    if (above.has(path) && seen?.type !== 'folder') return true;
    for (let at = dirname(path); at !== '/'; at = dirname(at)) if (solid.has(at)) return true;
    return false;
  };
}
