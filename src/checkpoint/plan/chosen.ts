import type { Bytes } from '../../platform/bytes.ts';
import { dirname, isInside, join, relativeTo } from '../../platform/paths.ts';
import { entriesOf, type FolderVersion, foldersAbove } from '../entries.ts';
import { type Event, isAfter, type Ledger } from '../ledger.ts';
import { GITLINK, LINK } from '../modes.ts';
import { type Capture, captureTree, readObjects } from '../read.ts';
import type { Version } from '../record.ts';
import type { Store } from '../store.ts';
import type { Goal } from './goals.ts';

/** The whole state before an event, told by the nearest capture and the turns since. */
export interface WholeState {
  readonly goals: readonly Goal[];
  /** Repositories inside the project whose content no capture has. */
  readonly nested: readonly Bytes[];
  /** What the capture says of a folder that was not empty. */
  folder(path: Bytes): FolderVersion;
}

/** Every path of the nearest capture before `target`, as it was right before that. */
export function wholeState(
  store: Store,
  key: string,
  root: Bytes,
  ledger: Ledger,
  target: Event,
  capture: Capture | undefined,
): WholeState {
  if (capture === undefined) return { goals: [], nested: [], folder: () => ({ kind: 'folder', mode: 0o755 }) };
  const tree = captureTree(store, capture.id);
  const entries = entriesOf(capture.record);
  const links = tree.filter(({ mode }) => mode === LINK).map(({ oid }) => oid);
  const targets = new Map(readObjects(store, links).map((bytes, i) => [links[i] ?? '', bytes] as const));
  const goals = new Map<Bytes, Goal>();
  const put = (path: Bytes, version: Version): void => {
    goals.set(path, { path, key, version, expected: { kind: 'absent' }, force: false });
  };
  for (const { path, mode, oid, size } of tree) {
    if (mode === GITLINK) continue;
    put(
      join(root, path),
      mode === LINK
        ? entries.link(path, targets.get(oid)?.toString('latin1') ?? '')
        : entries.file(path, mode, oid, size),
    );
  }
  // A path with permissions of its own that is in no tree may have been a file: only what surely was a folder is made one.
  const empty = capture.record.emptyFolders.map(([path]) => path);
  for (const path of new Set([...foldersAbove(tree.map(({ path }) => path)), ...empty]))
    if (entries.special.has(path) && !goals.has(join(root, path))) put(join(root, path), entries.folder(path));
  for (const event of ledger.events) {
    if (event.record.order <= capture.record.order || !isAfter(target, event)) continue;
    for (const [path, { after }] of event.changes) if (isInside(path, root)) put(path, after);
  }
  const nested = [
    ...tree.filter(({ mode }) => mode === GITLINK).map(({ path }) => path),
    ...capture.record.nested.filter(({ captured }) => !captured).map(({ path }) => path),
  ];
  return {
    goals: [...goals.values()],
    nested: [...new Set(nested)].map((path) => join(root, path)),
    folder: (path) => entries.folder(relativeTo(root, path)),
  };
}

/** Folders that hold only what is new since: they go with it. */
export function newFolders(root: Bytes, state: WholeState, goals: readonly Goal[]): Goal[] {
  const had = new Set<Bytes>();
  for (const { path, version } of state.goals) {
    if (version.kind === 'absent') continue;
    if (version.kind === 'folder') had.add(path);
    for (let at = dirname(path); isInside(at, root) && !had.has(at); at = dirname(at)) had.add(at);
  }
  for (const path of state.nested) for (let at = path; isInside(at, root); at = dirname(at)) had.add(at);
  const out = new Map<Bytes, Goal>();
  for (const goal of goals) {
    if (goal.version.kind !== 'absent') continue;
    for (let at = dirname(goal.path); at !== root && isInside(at, root) && !had.has(at); at = dirname(at))
      // Never forced: what a capture does not see (ignored files) keeps its folder.
      out.set(at, { ...goal, path: at, force: false, expected: { kind: 'folder', mode: 0o755 } });
  }
  return [...out.values()];
}
