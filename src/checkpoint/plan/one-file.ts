import type { Bytes } from '../../platform/bytes.ts';
import { type Event, isAfter, isUndone, type Ledger, type Undone } from '../ledger.ts';
import type { Change, Version } from '../record.ts';
import { oidOf } from '../version.ts';
import type { Goal } from './goals.ts';

type FileVersion = Version & { readonly kind: 'file' };

/** A turn wrote into a file of several names: all of them say something else since, and only this one is in the record. */
interface Written {
  readonly path: Bytes;
  readonly event: Event;
  readonly change: Change;
  readonly before: FileVersion;
  readonly after: FileVersion;
}

/**
 * Names of one file (hard links). A turn that wrote through one of them has changed all: what a later turn found under another name is no
 * state from before the first. Each goal gets the version from before, and what it is to be now, through whichever name that was
 * recorded; and a name that came back since (a removal that was undone) goes along.
 */
export function withEveryName(
  goals: readonly Goal[],
  ledger: Ledger,
  taken: ReadonlySet<Event>,
  undone: Undone,
): Goal[] {
  const written = writtenInPlace(ledger, taken);
  if (written.size === 0) return [...goals];
  const known = new Set(goals.map(({ path }) => path));
  return [...goals.map((goal) => throughNames(goal, written)), ...cameBack(ledger, written, undone, known)];
}

/** By inode, oldest first. */
function writtenInPlace(ledger: Ledger, taken: ReadonlySet<Event>): Map<string, Written[]> {
  const out = new Map<string, Written[]>();
  for (const event of ledger.events) {
    if (!taken.has(event)) continue;
    for (const [path, change] of event.changes) {
      const { before, after } = change;
      if (before.kind !== 'file' || after.kind !== 'file' || before.ino === undefined) continue;
      if (before.ino !== after.ino || (before.names ?? 1) < 2 || isSameFile(before, after)) continue;
      const list = out.get(before.ino) ?? [];
      out.set(before.ino, list);
      list.push({ path, event, change, before, after });
    }
  }
  return out;
}

function throughNames(goal: Goal, written: ReadonlyMap<string, readonly Written[]>): Goal {
  let out = goal;
  for (const { path, event, before, after } of [...writesOf(goal.version, written)].reverse())
    if (path !== goal.path && out.event !== undefined && !isAfter(event, out.event) && isSameFile(after, out.version))
      out = { ...out, version: before, event, ...(out.change ? { change: inPlace(out.change) } : {}) };
  for (const { path, before, after } of writesOf(goal.expected, written))
    if (path !== goal.path && out.expected !== undefined && isSameFile(before, out.expected))
      out = { ...out, expected: after };
  return out;
}

const writesOf = (version: Version | undefined, written: ReadonlyMap<string, readonly Written[]>): readonly Written[] =>
  (version?.kind === 'file' && version.ino !== undefined && written.get(version.ino)) || [];

/** Other names of which every later turn is undone: they are what they were when the file was written. */
function* cameBack(
  ledger: Ledger,
  written: ReadonlyMap<string, readonly Written[]>,
  undone: Undone,
  known: Set<Bytes>,
): Generator<Goal> {
  const newest = [...written.values()].flatMap((list) => list.slice(-1));
  for (const { path: own, event, before, after, change } of newest)
    for (const [path, events] of ledger.touched) {
      if (path === own || known.has(path)) continue;
      const later = events.filter((other) => isAfter(other, event));
      const found = later[0]?.changes.get(path)?.before;
      if (found?.kind !== 'file' || found.ino !== after.ino || !isSameFile(found, after)) continue;
      if (later.some(({ record }) => record.kind === 'turn' && !isUndone(undone, record))) continue;
      known.add(path);
      const first = throughNames(
        { path, key: event.key, version: before, expected: after, force: false, event, change: inPlace(change) },
        written,
      );
      yield first;
    }
}

const inPlace = ({ movedTo: _, ...change }: Change): Change => change;

/** The same bytes, as far as they are known; else the same time of change. */
function isSameFile(a: FileVersion, b: Version): boolean {
  if (b.kind !== 'file' || a.size !== b.size) return false;
  const [one, other] = [oidOf(a.content), oidOf(b.content)];
  return one !== undefined && other !== undefined ? one === other : a.mtime !== undefined && a.mtime === b.mtime;
}
