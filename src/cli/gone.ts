import type { Event, Ledger } from '../checkpoint/ledger.ts';
import { GITLINK_MODE } from '../checkpoint/modes.ts';
import type { Goal } from '../checkpoint/plan/goals.ts';
import { alsoGone, captureBefore, goneOf } from '../checkpoint/plan/whole.ts';
import type { Bytes } from '../platform/bytes.ts';
import { isInside, join } from '../platform/paths.ts';
import { readIndex } from '../saving/capture/index-file.ts';
import { indexPath, readKept } from '../saving/capture/kept.ts';
import type { Context, Known } from './context.ts';
import { fromRoot, shown } from './paths.ts';

/**
 * Files of the nearest capture before these events that are gone although no line that belay knows took them, in the projects of
 * the events. A gap in the tables must not cost data: they are named, and come back with `--all` or by their path.
 */
export function goneSince(context: Context, all: readonly Known[], ledger: Ledger, events: readonly Event[]): Goal[] {
  const { store } = context;
  if (store === undefined) return [];
  const orders = new Map<string, number>();
  for (const { key, record } of events)
    orders.set(key, Math.min(record.order, orders.get(key) ?? Number.POSITIVE_INFINITY));
  return [...orders].flatMap(([key, order]) => {
    const here = all.find(({ project }) => project.key === key);
    if (here === undefined || here.history.captures.length === 0) return [];
    const { captures } = here.history;
    const root = here.project.workdir;
    const before = captureBefore(store, captures, order, here.generation);
    if (before !== undefined) return alsoGone(store, key, root, ledger, before);
    // The first capture is younger than the events: it still knows what has vanished since, but for what they made themselves.
    const newest = captureBefore(store, captures, Number.POSITIVE_INFINITY, here.generation);
    if (newest === undefined) return [];
    const theirs = new Set(events.flatMap(({ changes }) => [...changes.keys()]));
    return alsoGone(store, key, root, ledger, newest).filter(({ path }) => !theirs.has(path));
  });
}

/** The same since the newest capture of the project, for lists: told from the kept index, without git. */
export function goneNow(context: Context, here: Known, ledger: Ledger): Bytes[] {
  const { store } = context;
  const kept = store && readKept(store, here.project.key);
  if (store === undefined || kept === undefined || here.generation !== here.project.generation) return [];
  const files = (readIndex(indexPath(store, here.project.key, '')) ?? []).filter(({ mode }) => mode !== GITLINK_MODE);
  const root = here.project.workdir;
  return goneOf(
    root,
    ledger,
    kept,
    files.map(({ path }) => path),
  ).map((path) => join(root, path));
}

/** One line: at most five names. */
export function goneNote(context: Context, gone: readonly Bytes[], how: string): string[] {
  if (gone.length === 0) return [];
  const names = gone
    .slice(0, 5)
    .map((path) => shown(isInside(path, context.root) ? fromRoot(context.root, path) : path));
  const more = gone.length > 5 ? `, and ${gone.length - 5} more` : '';
  return [`Also gone, not by a line belay knows: ${names.join(', ')}${more}. ${how}`];
}
