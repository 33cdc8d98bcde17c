import type { Bytes } from '../../platform/bytes.ts';
import { isOlderThan, lookAt, namesUnlessClosed } from '../../platform/files.ts';
import { dirname, isInside, join } from '../../platform/paths.ts';
import { changedOtherwise, type Entries, entriesOf, foldersAbove, otherwise } from '../entries.ts';
import { type Event, isAfter, type Ledger } from '../ledger.ts';
import { GITLINK, LINK } from '../modes.ts';
import {
  type Between,
  betweenCaptures,
  type Capture,
  type CaptureRef,
  captureNames,
  readCaptures,
  readObjects,
  readSizes,
} from '../read.ts';
import type { Version } from '../record.ts';
import type { Store } from '../store.ts';
import { maybeThere } from '../unseen.ts';
import type { Goal } from './goals.ts';

/** The newest capture taken before an order; undefined where there is none. Looks at few of them: their numbers grow with time. */
export function captureBefore(
  store: Store,
  captures: readonly CaptureRef[],
  order: number,
  generation: number,
): Capture | undefined {
  const sorted = [...captures].sort((a, b) => a.m - b.m);
  let [low, high] = [0, sorted.length];
  let found: Capture | undefined;
  while (low < high) {
    const middle = (low + high) >> 1;
    const ref = sorted[middle];
    const capture = ref && readCaptures(store, [ref]).get(ref.m);
    if (capture && capture.record.order < order) {
      found = capture;
      low = middle + 1;
    } else high = middle;
  }
  return found?.record.generation === generation ? found : undefined;
}

export interface WholeRequest {
  readonly store: Store;
  readonly key: string;
  readonly root: Bytes;
  readonly ledger: Ledger;
  /** The state before this event is wanted. */
  readonly target: Event;
  readonly before: Capture;
  readonly now: Capture;
  /** Paths that have goals already. */
  readonly covered: ReadonlySet<Bytes>;
  readonly force: boolean;
}

/**
 * Goals for what no turn from the target on names, told by two captures: as in the nearest capture before, or as the last turn
 * between that capture and the target left it. What a capture left out, or may not have seen, gets no goal.
 */
export function wholeGoals(request: WholeRequest): Goal[] {
  const { store, root, before, now, covered, force, key } = request;
  const unseen = [...before.record.leftOut, ...now.record.leftOut].map(({ path }) => path);
  const nested = [...before.record.nested, ...now.record.nested]
    .filter(({ captured }) => !captured)
    .map(({ path }) => path);
  const between = betweenCaptures(store, before.id, now.id);
  const other = otherwise(before.record, now.record);
  const entries = entriesOf(before.record, other.owner);
  const tree = other.any ? captureNames(store, before.id) : [];
  const found = [...between, ...changedOtherwise(tree, between, other)].filter(({ before: a, after: b, path }) => {
    if (a?.mode === GITLINK || b?.mode === GITLINK) return false;
    if (covered.has(join(root, path))) return false;
    return ![...unseen, ...nested].some((left) => path === left || isInside(path, left));
  });
  const versions = versionsOf(store, found, entries);
  const fresh = found.filter(({ before: entry }) => entry === undefined).map(({ path }) => path);
  const maybe = maybeThere(store, before, fresh);
  const goals: Goal[] = [];
  found.forEach(({ path, before: entry }, i) => {
    const absolute = join(root, path);
    const version = lastWord(request, absolute) ?? versions[i] ?? { kind: 'absent' };
    // It may have been there when the capture was taken, which did not see it (ignored then): it is not proved to be new.
    const isProved = !maybe.has(path) && !isOlderThan(absolute, before.record.taken);
    if (entry === undefined && version.kind === 'absent' && !isProved) return;
    goals.push({ path: absolute, key, version, force });
  });
  const done = new Set(goals.map(({ path }) => path));
  const then = foldersThen(between);
  const changed = [...foldersAbove(tree.map(({ path }) => path))].filter(other.is);
  return [...goals, ...folderGoals(request, done, then, changed, entries)];
}

/** What the last turn between the capture and the target said of the path. */
function lastWord({ ledger, target, before }: WholeRequest, path: Bytes): Version | undefined {
  const said = (ledger.touched.get(path) ?? []).filter(
    (event) => isSince(event, before.record) && isAfter(target, event),
  );
  return said.at(-1)?.changes.get(path)?.after;
}

/** When a capture was taken. */
interface Taken {
  readonly order: number;
  /** ms since 1970 */
  readonly taken: number;
}

/**
 * Tells the event of a time behind the capture? Their order says so; but an agent's turn begins before the capture at its first tool call
 * and ends behind it, which only the clock can tell.
 */
const isSince = ({ record }: Event, { order, taken }: Taken): boolean =>
  record.order > order || (record.kind === 'turn' && record.started <= taken && record.ended > taken);

function versionsOf(store: Store, found: readonly Between[], entries: Entries): Version[] {
  const links = found.filter(({ before }) => before?.mode === LINK).map(({ before }) => before?.oid ?? '');
  const targets = new Map(readObjects(store, links).map((bytes, i) => [links[i] ?? '', bytes] as const));
  const sizes = readSizes(
    store,
    found.flatMap(({ before }) => (before && before.mode !== LINK ? [before.oid] : [])),
  );
  return found.map(({ path, before }): Version => {
    if (before === undefined) return { kind: 'absent' };
    if (before.mode === LINK) {
      const target = targets.get(before.oid);
      return target
        ? entries.link(path, target.toString('latin1'))
        : { kind: 'unknown', why: 'its content is missing' };
    }
    const size = sizes.get(before.oid);
    if (size === undefined) return { kind: 'unknown', why: 'its content is missing in the store' };
    return entries.file(path, before.mode, before.oid, size);
  });
}

/** Folders in which something lay that has gone since: they are not new, though they may be empty now. */
const foldersThen = (between: readonly Between[]): Set<Bytes> =>
  foldersAbove(between.flatMap(({ path, before }) => (before === undefined ? [] : [path])));

/** Folders that were empty then, and folders that had other permissions or another owner. */
function folderGoals(
  request: WholeRequest,
  done: ReadonlySet<Bytes>,
  then: ReadonlySet<Bytes>,
  changed: readonly Bytes[],
  entries: Entries,
): Goal[] {
  const { root, before, now, covered, force, key } = request;
  const had = new Map(before.record.emptyFolders);
  const has = new Map(now.record.emptyFolders);
  const goals: Goal[] = [];
  const add = (path: Bytes, version: Version): void => {
    const absolute = join(root, path);
    if (path === '' || covered.has(absolute) || done.has(absolute)) return;
    goals.push({ path: absolute, key, version: lastWord(request, absolute) ?? version, force });
  };
  for (const path of changed) add(path, entries.folder(path));
  for (const [path, mode] of had) if (has.get(path) !== mode) add(path, entries.folder(path));
  for (const [path] of has)
    if (!had.has(path) && !then.has(path) && !isOlderThan(join(root, path), before.record.taken))
      add(path, { kind: 'absent' });
  return goals;
}

/**
 * Which of these files (relative to the root, as a capture has them) are gone now although no event since says so. Reads folders,
 * never files.
 */
export function goneOf(root: Bytes, ledger: Ledger, capture: Taken, files: readonly Bytes[]): Bytes[] {
  const names = new Map<Bytes, ReadonlySet<Bytes> | 'closed'>();
  const isThere = (path: Bytes): boolean => {
    const folder = dirname(path);
    let known = names.get(folder);
    if (known === undefined) {
      const found = namesUnlessClosed(folder);
      known = found === 'closed' ? found : new Set(found);
      names.set(folder, known);
    }
    return known === 'closed' || known.has(path.slice(path.lastIndexOf('/') + 1));
  };
  return files.filter((path) => {
    const absolute = join(root, path);
    if (isThere(absolute)) return false;
    return !(ledger.touched.get(absolute) ?? []).some((event) => isSince(event, capture));
  });
}

function isGone(path: Bytes): boolean {
  try {
    return lookAt(path) === undefined;
  } catch {
    return false; // it cannot be looked at: not to be made anew
  }
}

/**
 * Paths of a capture that are gone now although no event since says so: a line that belay's tables do not know may have taken
 * them. Folders among them where they had permissions or an owner of their own. Reads folders, never files.
 */
export function alsoGone(store: Store, key: string, root: Bytes, ledger: Ledger, capture: Capture): Goal[] {
  const entries = entriesOf(capture.record);
  const tree = captureNames(store, capture.id).filter(({ mode }) => mode !== GITLINK);
  const paths = new Set(
    goneOf(
      root,
      ledger,
      capture.record,
      tree.map(({ path }) => path),
    ),
  );
  if (paths.size === 0) return [];
  const gone = tree.filter(({ path }) => paths.has(path));
  const links = gone.filter(({ mode }) => mode === LINK);
  const targets = new Map(
    readObjects(
      store,
      links.map(({ oid }) => oid),
    ).map((bytes, i) => [links[i]?.oid ?? '', bytes] as const),
  );
  const files = gone.filter(({ mode }) => mode !== LINK);
  const sizes = readSizes(
    store,
    files.map(({ oid }) => oid),
  );
  const goal = (path: Bytes, version: Version): Goal => ({
    path: join(root, path),
    key,
    version,
    expected: { kind: 'absent' },
    force: false,
  });
  const folders = [...foldersAbove(gone.map(({ path }) => path))].filter(
    (path) => entries.special.has(path) && isGone(join(root, path)),
  );
  return [
    ...folders.map((path) => goal(path, entries.folder(path))),
    ...gone.map(({ path, mode, oid }) =>
      goal(
        path,
        mode === LINK
          ? entries.link(path, targets.get(oid)?.toString('latin1') ?? '')
          : entries.file(path, mode, oid, sizes.get(oid) ?? 0),
      ),
    ),
  ];
}
