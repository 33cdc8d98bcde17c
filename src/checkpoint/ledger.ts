import type { Bytes } from '../platform/bytes.ts';
import { isAbsolute, isInside, join } from '../platform/paths.ts';
import { partOf } from './part.ts';
import type { Checkpoint } from './read.ts';
import type { Change, CheckpointRecord, SafetyRecord } from './record.ts';
import { differ } from './version.ts';

/**
 * The undo log: every turn and every restore in the order in which they happened, and what each did to which path. A restore
 * is an event like a turn, so that undoing, redoing and rolling back over restores are all the same question: what was
 * this path before that event?
 */
export interface Event {
  readonly key: string;
  readonly checkpoint: Checkpoint;
  readonly record: CheckpointRecord;
  /** Absolute path → what happened to it. Entries that could lead out of their project are not in it. */
  readonly changes: ReadonlyMap<Bytes, Change>;
}

export interface Ledger {
  /** Oldest first. */
  readonly events: readonly Event[];
  /** Absolute path → the events that touched it, oldest first. */
  readonly touched: ReadonlyMap<Bytes, readonly Event[]>;
}

/**
 * The ledger of one or more projects. Records of an older generation of a folder are left away: they are another folder's. So are
 * imported ones: what they tell happened elsewhere, in an order of its own.
 */
export function ledgerOf(
  projects: readonly {
    readonly key: string;
    readonly generation: number;
    readonly checkpoints: readonly Checkpoint[];
  }[],
): Ledger {
  const events: Event[] = [];
  for (const project of projects)
    for (const checkpoint of project.checkpoints)
      if (checkpoint.record.generation === project.generation && checkpoint.record.origin === undefined)
        events.push(eventOf(project.key, checkpoint));
  return ledgerFrom(events);
}

/** The ledger of these events. */
export function ledgerFrom(events: Event[]): Ledger {
  events.sort((a, b) => a.record.order - b.record.order || a.record.n - b.record.n);
  const touched = new Map<Bytes, Event[]>();
  for (const event of events)
    for (const path of event.changes.keys()) {
      const list = touched.get(path);
      if (list) list.push(event);
      else touched.set(path, [event]);
    }
  return { events, touched };
}

export function eventOf(key: string, checkpoint: Checkpoint): Event {
  const changes = new Map<Bytes, Change>();
  for (const change of checkpoint.record.changes) {
    const path = placeOf(checkpoint.record.root, change);
    if (path !== undefined) changes.set(path, change);
  }
  return { key, checkpoint, record: checkpoint.record, changes };
}

/**
 * The absolute path of a change; undefined for one that no saved line can have: with `..` or NUL in it, or outside its project or
 * in a `.git` without having been named. So a damaged or forged record leads nowhere else.
 */
export function placeOf(root: Bytes, change: Pick<Change, 'path' | 'by'>): Bytes | undefined {
  const absolute = absolutePath(root, change.path);
  if (absolute === undefined) return undefined;
  const inside = isInside(absolute, root);
  if (change.by === 'named') return absolute;
  return inside && !change.path.split('/').includes('.git') ? absolute : undefined;
}

/** An empty part, `.` or `..` anywhere but for the slash that an absolute path begins with. */
const NOT_PLAIN = /^\.{1,2}(?:\/|$)|\/(?:\.{1,2})?(?:\/|$)/;

/** `path` as in a record (relative to the root, or absolute) made absolute; undefined where it is not in plain form. */
export function absolutePath(root: Bytes, path: Bytes): Bytes | undefined {
  if (path === '.') return root;
  if (path === '' || path.includes('\0') || (path !== '/' && NOT_PLAIN.test(path))) return undefined;
  return isAbsolute(path) ? path : join(root, path);
}

/** Where a moved path went, absolute. */
export function movedTo(event: Event, change: Change): Bytes | undefined {
  if (change.movedTo === undefined) return undefined;
  return placeOf(event.record.root, { path: change.movedTo, by: change.by });
}

export const isSafety = (event: Event): event is Event & { readonly record: SafetyRecord } =>
  event.record.kind === 'safety';

/** Whether anything is different after it: turns that changed nothing are recorded, and skipped by undo. */
export function changedSomething(record: CheckpointRecord): boolean {
  if (record.changes.some(({ before, after }) => differ(before, after))) return true;
  return JSON.stringify(record.gitBefore) !== JSON.stringify(record.gitAfter);
}

/** Is `a` later than `b`? */
export const isAfter = (a: Event, b: Event): boolean =>
  a.record.order !== b.record.order ? a.record.order > b.record.order : a.record.n > b.record.n;

/** A turn's name across projects; `7~1` is a later part of turn `7`. */
export const turnId = (turn: { readonly session: string; readonly turn: string }): string =>
  `${turn.session}\0${partOf(turn.turn)}`;

/**
 * The turns whose work stands undone now, told by replaying the restores: an undo or rollback takes its turns back, a redo puts
 * them there again, and a whole rollback brings back what stood then.
 */
export function undoneTurns(ledger: Ledger): Undone {
  let undone = new Map<string, number>();
  const before = new Map<Event, Undone>();
  for (const event of ledger.events) {
    before.set(event, new Map(undone));
    if (!isSafety(event)) continue;
    const { did } = event.record;
    const target = did.to === undefined || did.partial ? undefined : find(ledger, event.key, did.to);
    if (target && isSafety(target)) undone = new Map(before.get(target));
    else if (target)
      for (const turn of turnsBefore(ledger, target)) {
        const then = before.get(target)?.get(turn);
        if (then === undefined) undone.delete(turn);
        else undone.set(turn, then);
      }
    for (const turn of did.turns) {
      if (did.what !== 'redo') undone.set(turnId(turn), event.record.order);
      else if (target === undefined) undone.delete(turnId(turn));
    }
  }
  return undone;
}

/** What these did stood before the target: a restore behind it that took them back is taken back with it. */
const turnsBefore = ({ events }: Ledger, target: Event): readonly string[] =>
  events.flatMap((event) =>
    event.key === target.key && event.record.kind === 'turn' && isAfter(target, event) ? [turnId(event.record)] : [],
  );

/** By turn, when it was last undone: what it did later (`7~1`, a job of it) is not. */
export type Undone = ReadonlyMap<string, number>;

export const isUndone = (undone: Undone, record: CheckpointRecord): boolean =>
  record.kind === 'turn' && record.order <= (undone.get(turnId(record)) ?? -1);

export const find = (ledger: Ledger, key: string, n: number): Event | undefined =>
  ledger.events.find((event) => event.key === key && event.record.n === n);
