import type { Bytes } from '../../platform/bytes.ts';
import { isInside, relativeTo } from '../../platform/paths.ts';
import { foldersAbove } from '../entries.ts';
import { type Event, isSafety } from '../ledger.ts';
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
 * turns since tell that better, as far as they tell of the path at all; so the same restore typed twice leads to the same state.
 */
export function asItWas(goals: readonly Goal[], told: Told): readonly Goal[] {
  const { target, root, capture, after = false } = told;
  const isAsked = (goal: Goal): boolean =>
    isFoundByRestore(goal, target) && goal.path !== root && isInside(goal.path, root);
  const found = new Set(goals.filter(isAsked));
  if (found.size === 0 || capture === undefined) return goals;
  const left = (path: Bytes): Version | undefined => (after ? target.changes.get(path)?.after : undefined);
  const versionOf = versionsIn(
    told,
    capture,
    [...found].map(({ path }) => path),
  );
  return goals.map((goal) => (found.has(goal) ? withVersion(goal, left(goal.path) ?? versionOf(goal.path)) : goal));
}

/** What the state says of these paths, also that they were not there; undefined where nobody knows. */
function versionsIn(
  { store, root, state }: Told,
  capture: Capture,
  paths: readonly Bytes[],
): (path: Bytes) => Version | undefined {
  const { goals, nested, folder } = state();
  const known = new Map(goals.map(({ path, version }) => [path, version]));
  const full = foldersAbove(goals.flatMap(({ path, version }) => (version.kind === 'absent' ? [] : [path])));
  const unknown = paths.filter((path) => !known.has(path) && !full.has(path));
  const maybe = maybeThere(
    store,
    capture,
    unknown.map((path) => relativeTo(root, path)),
  );
  return (path) => {
    if (known.has(path)) return known.get(path);
    if (full.has(path)) return folder(path);
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
  if (a.mode !== b.mode) return true;
  const [one, other] = [oidOf(a.content), oidOf(b.content)];
  return one !== undefined && other !== undefined && one !== other;
}
