import type { Bytes } from '../../platform/bytes.ts';
import { isInside, relativeTo } from '../../platform/paths.ts';
import { foldersAbove } from '../entries.ts';
import { type Event, find, isAfter, isSafety, type Ledger } from '../ledger.ts';
import { hasOtherOwner } from '../owner.ts';
import type { Capture } from '../read.ts';
import type { Version } from '../record.ts';
import type { Store } from '../store.ts';
import { maybeThere } from '../unseen.ts';
import { oidOf } from '../version.ts';
import type { WholeState } from './chosen.ts';
import type { Goal } from './goals.ts';

/** What tells the state before (with `after`: behind) an event where no turn does. */
export interface Told {
  readonly store: Store;
  readonly root: Bytes;
  readonly ledger: Ledger;
  readonly target: Event;
  readonly capture: Capture | undefined;
  /** Made only where it is asked: it is every path of the project. */
  readonly state: () => WholeState;
  readonly after?: boolean;
}

/** Of a path that no turn from the target on touched, only a restore: its version is what that restore found. */
export const isFoundByRestore = ({ event }: Goal, target: Event): boolean =>
  event !== undefined && event !== target && isSafety(event);

/**
 * A restore may have found an edit by hand that was made since the event: that is not what was before it. The nearest capture and the
 * turns since tell that better, and where they do not tell of the path (git ignores it), a restore that led to before the event, or to
 * later than that; so the same restore typed twice leads to the same state.
 */
export function asItWas(goals: readonly Goal[], told: Told): readonly Goal[] {
  const { target, root, capture, after = false } = told;
  const isAsked = (goal: Goal): boolean =>
    isFoundByRestore(goal, target) && goal.path !== root && isInside(goal.path, root);
  const found = new Set(goals.filter(isAsked));
  if (found.size === 0) return goals;
  const left = (path: Bytes): Version | undefined => (after ? target.changes.get(path)?.after : undefined);
  const versionOf = capture === undefined ? () => undefined : versionsIn(told, capture, [...found]);
  const full = foldersAbove(
    goals.flatMap((goal) => (found.has(goal) || goal.version.kind === 'absent' ? [] : [goal.path])),
  );
  const noFolder = new Set(
    goals
      .filter((goal) => !found.has(goal) && goal.version.kind !== 'folder' && goal.version.kind !== 'unknown')
      .map(({ path }) => path),
  );
  return goals.map((goal) => {
    if (!found.has(goal)) return goal;
    // Nothing lay in what turns say was no folder.
    if ([...foldersAbove([goal.path])].some((path) => noFolder.has(path))) return withVersion(goal, { kind: 'absent' });
    const version = left(goal.path) ?? versionOf(goal.path) ?? ledTo(goal, told) ?? goal.version;
    // Something that a turn found lay in it.
    const isFolder = full.has(goal.path) && version.kind === 'absent';
    return withVersion(goal, isFolder ? told.state().folder(goal.path) : version);
  });
}

/**
 * What the restore itself made of the path, where that was its state before the event or before something later. Of a folder, about which
 * captures say little: what the last event before left of it, else that.
 */
function ledTo({ event, path, version }: Goal, { ledger, target }: Told): Version | undefined {
  if (event === undefined || !isSafety(event)) return undefined;
  const made = event.changes.get(path)?.after;
  if (version.kind === 'folder') {
    const before = ledger.touched.get(path)?.filter((one) => isAfter(target, one));
    return before?.at(-1)?.changes.get(path)?.after ?? made;
  }
  const { to } = event.record.did;
  const aim = to === undefined ? undefined : find(ledger, event.key, to);
  return aim === undefined || isAfter(target, aim) ? undefined : made;
}

/** What the state says of these paths, also that they were not there; undefined where nobody knows. */
function versionsIn(
  { store, root, state }: Told,
  capture: Capture,
  found: readonly Goal[],
): (path: Bytes) => Version | undefined {
  const { goals, nested, folder } = state();
  const known = new Map(goals.map(({ path, version }) => [path, version]));
  const full = foldersAbove(goals.flatMap(({ path, version }) => (version.kind === 'absent' ? [] : [path])));
  // A capture tells nothing of a folder in which there were only folders, or what git ignores.
  const folders = new Set(found.filter(({ version }) => version.kind === 'folder').map(({ path }) => path));
  const paths = found.map(({ path }) => path);
  const unknown = paths.filter((path) => !known.has(path) && !full.has(path) && !folders.has(path));
  const maybe = maybeThere(
    store,
    capture,
    unknown.map((path) => relativeTo(root, path)),
  );
  return (path) => {
    if (known.has(path)) return known.get(path);
    if (full.has(path)) return folder(path);
    if (folders.has(path)) return undefined;
    const isHidden = maybe.has(relativeTo(root, path)) || nested.some((repository) => isInside(path, repository));
    return isHidden ? undefined : { kind: 'absent' };
  };
}

/** The goal leads to that version instead, where it is another one. */
export function withVersion(goal: Goal, version: Version | undefined): Goal {
  if (version === undefined || !isOther(version, goal.version)) return goal;
  const { event: _, change: __, ...plain } = goal;
  return { ...plain, version };
}

/** By kind, mode, where a link leads, or by contents and owners that are known on both sides. */
function isOther(a: Version, b: Version): boolean {
  if (hasOtherOwner(a, b)) return true;
  if (a.kind === 'folder' && b.kind === 'folder') return a.mode !== b.mode;
  if (a.kind === 'link' && b.kind === 'link') return a.target !== b.target;
  if (a.kind !== 'file' || b.kind !== 'file') return a.kind !== b.kind;
  if (a.mode !== b.mode || a.size !== b.size) return true;
  const [one, other] = [oidOf(a.content), oidOf(b.content)];
  return one !== undefined && other !== undefined && one !== other;
}
