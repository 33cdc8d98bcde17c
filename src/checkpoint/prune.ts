import type { Bytes } from '../platform/bytes.ts';
import { readBytesIfAny, removeTree, writeAtomic } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { clearAbandoned } from './abandoned.ts';
import { clearProject, legacyFolders } from './clear.ts';
import { collect, reachableBytes } from './collect.ts';
import { agedHolds, capHolds, freeHolds, heldBytes } from './free.ts';
import { isOlder, letGo, sweepHolds } from './let-go.ts';
import { measure, type Sizes } from './measure.ts';
import { type Place, placeOfProject } from './place.ts';
import { type Project, projects } from './projects.ts';
import { type CaptureRef, type Checkpoint, type History, readCaptures, readHistories } from './read.ts';
import type { Resting } from './resting.ts';
import { expired, keepFor, oldestFirst, type RetentionRules, startOf } from './retention.ts';
import { bytesOnDisk } from './size.ts';
import type { Store } from './store.ts';
import { compactTurns } from './write.ts';

export interface PruneRequest {
  readonly rules: RetentionRules;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly resting: Resting;
  /** What the names of this home's holds on other file systems begin with. */
  readonly farMark: Bytes;
  /** Projects whose folder was deleted go as a whole; only where somebody was asked. */
  readonly orphans?: boolean;
  /** Projects whose folder was removed by the user's own word: they go by age as if it were there. */
  readonly removed?: ReadonlySet<string>;
  readonly dryRun?: boolean;
  /** How long whoever writes just now is waited for, ms. */
  readonly patience?: number;
  /** Said before each part of the work. */
  readonly tell?: (doing: string) => void;
  /** Said before held files go that nothing else keeps and whose time is not over. */
  readonly tellEarly?: (going: Dropped) => void;
}

export interface Dropped {
  readonly key: string;
  readonly n: number;
  /** Bytes of held files that went with it. */
  readonly held: number;
}

export interface Pruned {
  readonly dropped: readonly Dropped[];
  /** Held files that were given back while their checkpoints stay. */
  readonly freedHolds: readonly Dropped[];
  /** Archived stores of an older layout that are older than everything is kept. */
  readonly legacy: readonly Bytes[];
  /** Measured on disk. */
  readonly freed: number;
  /** Of all these, held files that nothing else keeps and whose time was not over: they went for room, or for their number. */
  readonly early: Early;
}

export interface Early {
  readonly checkpoints: number;
  readonly bytes: number;
}

/** One project at the time of pruning. */
interface Row {
  readonly project: Project;
  readonly place: Place;
  history: History;
}

/**
 * Lets old checkpoints go, and the space of what only they held. What a project still lists stays whole: its captures from the
 * nearest before its oldest checkpoint on, and always the newest, whose objects the kept index names. To be called with the locks of
 * all who write holds and records; interrupted anywhere, it has lost nothing that is still listed.
 */
export function prune(store: Store, request: PruneRequest): Pruned {
  const { rules, now, tell } = request;
  // What goes needs room itself: lists of refs are written anew.
  if (!request.dryRun) clearAbandoned(store);
  const before = bytesOnDisk(store.base);
  const dropped: Dropped[] = [];
  const early: number[] = [];
  const histories = readHistories(store);
  const rows: Row[] = projects(store).flatMap((project) => {
    const history = histories.get(project.key);
    return history === undefined ? [] : [{ project, place: placeOfProject(project), history }];
  });
  const drop = (row: Row, going: readonly Checkpoint[], whole: boolean): void => {
    const { key } = row.project;
    const staying = row.history.checkpoints.filter((checkpoint) => !going.includes(checkpoint));
    const captures = spare(store, row, staying, request);
    const all = whole && staying.length === 0 && !request.resting.unknown && !request.resting.captures.has(key);
    if (going.length === 0 && captures.length === 0 && !all) return;
    for (const checkpoint of going) {
      const held = heldBytes(store, key, checkpoint.record);
      const one = { key, n: checkpoint.record.n, held };
      dropped.push(one);
      if (whole || now - startOf(checkpoint, now) > keepFor(checkpoint, rules)) continue;
      early.push(held);
      if (held > 0 && !request.dryRun) request.tellEarly?.(one);
    }
    if (request.dryRun) return;
    if (all) clearProject(store, key, () => request.resting);
    else letGo(store, key, row.history, going, captures);
    const gone = new Set(captures.map(({ m }) => m));
    const listed = numbersOf({ ...row.history, checkpoints: staying });
    row.history = {
      ...row.history,
      checkpoints: staying,
      captures: row.history.captures.filter(({ m }) => !gone.has(m)),
      imported: row.history.imported.filter(({ m }) => listed.has(m)),
      sent: row.history.sent.filter(({ m }) => listed.has(m)),
    };
  };
  tell?.('old checkpoints');
  for (const row of rows) {
    if (row.place === 'orphan' && request.orphans) drop(row, row.history.checkpoints, true);
    const removed = row.place === 'orphan' && (request.removed?.has(row.project.key) ?? false);
    if (row.place !== 'live' && !removed) continue;
    const stale = !removed && now - touchedAt(row.project, row.history, now) > rules.retentionMs;
    drop(row, expired(row.history.checkpoints, rules, now, stale), stale);
  }
  const legacy = legacyFolders(store).filter((name) => isOlder(join(store.base, name), now, rules.retentionMs));
  if (request.dryRun) {
    const going = new Set(dropped.map(({ key, n }) => `${key} ${n}`));
    const freedHolds = agedHolds(histories, rules, now)
      .filter(({ key, record }) => !going.has(`${key} ${record.n}`))
      .map(({ key, record, isGoing }) => ({ key, n: record.n, held: heldBytes(store, key, record, isGoing) }))
      .filter(({ held }) => held > 0);
    return { dropped, freedHolds, legacy, freed: 0, early: earlyOf(early) };
  }
  tell?.('what nothing names any more');
  const most = rules.maxTotalBytes;
  const slack = rules.slack ?? 0;
  const tidy = (): boolean => collect(store, most, request.patience);
  // Packed first: the same text in many versions takes a fraction then, and what nobody names is no history's size. While somebody
  // writes, what was let go still lies there, and more would go for it.
  if (tidy() && measure(store.base).store > most) {
    tell?.('the size of the store');
    // Refs, kept indexes and the lists of packs take their room as well.
    const beside = measure(store.base).store - reachableBytes(store);
    if (shrink(store, rows, Math.max(0, most * (1 - slack) - beside), drop)) tidy();
  }
  const aged = agedHolds(readHistories(store), rules, now)
    .map(({ key, record, isGoing }) => freeHolds(store, key, record, isGoing))
    .filter(({ paths }) => paths.length > 0);
  const limit = rules.maxHoldBytes ?? Number.POSITIVE_INFINITY;
  const capped = capHolds(store, readHistories(store), { limit, slack, tell: request.tellEarly });
  const freedHolds = [...aged, ...capped];
  early.push(...capped.map(({ held }) => held));
  sweepHolds(store, readHistories(store), request.resting, request.farMark, now);
  for (const name of legacy) removeTree(join(store.base, name));
  for (const { project, history } of rows) compactTurns(store, project.key, numbersOf(history), project.next);
  notePruned(store.base, now);
  return {
    dropped,
    freedHolds,
    legacy,
    freed: Math.max(0, before - bytesOnDisk(store.base)),
    early: earlyOf(early),
  };
}

function earlyOf(held: readonly number[]): Early {
  const some = held.filter((bytes) => bytes > 0);
  return { checkpoints: some.length, bytes: some.reduce((sum, bytes) => sum + bytes, 0) };
}

const noteOf = (base: Bytes): Bytes => join(base, '.last_prune');

/** It was done, or tried, and this is what the store takes now. */
export const notePruned = (base: Bytes, now: number): void =>
  writeAtomic(noteOf(base), `${new Date(now).toISOString()}\n${JSON.stringify(measure(base))}\n`);

/** What the store took when it was pruned last; nothing where nobody has said. */
export function leftByPrune(base: Bytes): Sizes {
  const text = readBytesIfAny(noteOf(base))?.toString('latin1').split('\n')[1] || '{}';
  try {
    return { store: 0, holds: 0, ...(JSON.parse(text) as Partial<Sizes> | null) };
  } catch (error) {
    if (error instanceof SyntaxError) return { store: 0, holds: 0 };
    throw error;
  }
}

/** A clock that was ahead must not keep a project for ever: what was touched in the future was touched when its newest checkpoint was made. */
function touchedAt({ last_touch }: Project, { checkpoints }: History, now: number): number {
  if (last_touch <= now) return last_touch;
  const ends = checkpoints.map(({ record }) => record.ended).filter((ended) => ended <= now);
  return ends.length === 0 ? now : Math.max(...ends);
}

const numbersOf = ({ checkpoints, broken }: History): Set<number> =>
  new Set([...checkpoints.map(({ record }) => record.n), ...broken.map((ref) => Number(ref.split('/')[1]))]);

/** A share of every project's checkpoints goes in a round. */
const SHARE = 10;

/** Nearer to its size than that, each step is measured: no more goes than must. */
const NEAR = 1.25;

/**
 * The oldest checkpoints go until no more than `most` bytes are named, of one project after the other, the newest of each excepted; first of
 * the project that has the oldest. Whether any went.
 */
function shrink(
  store: Store,
  rows: readonly Row[],
  most: number,
  drop: (row: Row, going: readonly Checkpoint[], whole: boolean) => void,
): boolean {
  const goingOf = ({ history }: Row): readonly Checkpoint[] => oldestFirst(history.checkpoints).slice(0, -1);
  let size = reachableBytes(store);
  let went = false;
  while (size > most) {
    const some = rows.filter((row) => row.place === 'live' && goingOf(row).length > 0);
    if (some.length === 0) return went;
    went = true;
    const age = (row: Row): number => goingOf(row)[0]?.record.order ?? 0;
    for (const row of some.sort((a, b) => age(a) - age(b))) {
      const all = goingOf(row);
      drop(row, all.slice(0, Math.ceil(all.length / SHARE)), false);
      if (size > most * NEAR) continue;
      size = reachableBytes(store);
      if (size <= most) return went;
    }
    size = reachableBytes(store);
  }
  return went;
}

/** Captures older than the one that the oldest staying checkpoint, or the oldest turn that is not settled, rests on. */
function spare(store: Store, row: Row, staying: readonly Checkpoint[], request: PruneRequest): CaptureRef[] {
  const { resting } = request;
  if (resting.unknown) return [];
  const sorted = [...row.history.captures].sort((a, b) => b.m - a.m);
  const own = staying.filter(({ record }) => record.origin === undefined);
  const oldest = Math.min(resting.oldestOrder, ...own.map(({ record }) => record.order));
  const records = readCaptures(store, sorted);
  const named = new Set<number | undefined>(own.flatMap(({ record }) => [record.captureBefore, record.captureAfter]));
  for (const m of resting.captures.get(row.project.key) ?? []) named.add(m);
  let rests = false;
  return sorted.filter(({ m }, i) => {
    const capture = records.get(m);
    // One that cannot be read is for `verify --repair`.
    const goes = rests && i > 0 && !named.has(m) && capture !== undefined;
    if (capture !== undefined && capture.record.order < oldest) rests = true;
    return goes;
  });
}
