import type { Bytes } from '../../platform/bytes.ts';
import { type Event, isAfter, isUndone, type Ledger, type Undone } from '../ledger.ts';
import type { Change, Version } from '../record.ts';
import { withEveryName } from './one-file.ts';

/** What a path should be, and what it must be now to be put there. */
export interface Goal {
  readonly path: Bytes;
  /** The project that it is put back in. */
  readonly key: string;
  readonly version: Version;
  /** What the newest event left: anything else is a hand-edit. Undefined: nothing is known of it, only `force` overwrites. */
  readonly expected?: Version;
  /** Overwrites hand-edits: `--all`, or a path named literally. */
  readonly force: boolean;
  /** Where the version comes from; undefined: from a capture. */
  readonly event?: Event;
  readonly change?: Change;
  /** A later turn changed it, and that one is not taken back. */
  readonly later?: Event;
  /** It was a file of several names: what the others have, if this name leads elsewhere by now. */
  readonly inOthers?: FileVersion;
}

export type FileVersion = Version & { readonly kind: 'file' };

/**
 * Taking back these events: each path goes back to what it was before the first of them that touched it. Where a turn that is
 * not taken back stands in between, only what came after that turn is; where it stands last, the path stays (`later`).
 */
export function goalsBefore(ledger: Ledger, taken: ReadonlySet<Event>, undone: Undone, all: boolean): Goal[] {
  const goals: Goal[] = [];
  const paths = new Set<Bytes>();
  for (const event of taken) for (const path of event.changes.keys()) paths.add(path);
  for (const path of paths) {
    const run: Event[] = [];
    let later: Event | undefined;
    for (const event of [...(ledger.touched.get(path) ?? [])].reverse()) {
      if (taken.has(event)) run.push(event);
      else if (isUndone(undone, event.record) || event.record.kind !== 'turn') continue;
      else if (run.length > 0) break;
      else later ??= event;
    }
    const [last, first] = [run[0], run.at(-1)];
    const change = first?.changes.get(path);
    const left = last?.changes.get(path);
    if (first === undefined || change === undefined || left === undefined) continue;
    const inOthers = leftInOthers(
      change.before,
      run.flatMap((event) => event.changes.get(path) ?? []),
    );
    goals.push({
      path,
      key: first.key,
      version: change.before,
      expected: left.after,
      ...(inOthers === undefined ? {} : { inOthers }),
      force: all,
      event: first,
      change: { ...change, ...(left.uncertain || change.uncertain ? { uncertain: true } : {}) },
      ...(later === undefined ? {} : { later }),
    });
  }
  return withEveryName(goals, ledger, taken, undone);
}

/** Of the changes of one path, newest first: what its first file had when the name last led to it. */
function leftInOthers(first: Version, changes: readonly Change[]): FileVersion | undefined {
  if (first.kind !== 'file' || first.ino === undefined || (first.names ?? 1) < 2) return undefined;
  const seen = changes.flatMap(({ before, after }) => [after, before]);
  return seen.find((version): version is FileVersion => version.kind === 'file' && version.ino === first.ino);
}

/** As this event left things: what came later is taken back, and its own paths are to be as it left them. */
export function goalsAfter(ledger: Ledger, target: Event, undone: Undone, all: boolean): Goal[] {
  const later = new Set(ledger.events.filter((event) => isAfter(event, target)));
  const goals = goalsBefore(ledger, later, undone, all);
  const covered = new Set(goals.map(({ path }) => path));
  for (const [path, change] of target.changes)
    if (!covered.has(path))
      goals.push({
        path,
        key: target.key,
        version: change.after,
        expected: change.before,
        force: all,
        event: target,
        change,
      });
  return goals;
}

/** The events that a whole rollback to before `target` takes back. */
export function eventsFrom(ledger: Ledger, target: Event): Set<Event> {
  return new Set(ledger.events.filter((event) => event === target || isAfter(event, target)));
}
