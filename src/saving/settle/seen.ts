import {
  changedOtherwise,
  type Entries,
  entriesOf,
  type FolderVersion,
  foldersAbove,
  type Otherwise,
  otherwise,
} from '../../checkpoint/entries.ts';
import { GITLINK, LINK } from '../../checkpoint/modes.ts';
import {
  type Between,
  betweenCaptures,
  captureNames,
  type History,
  readCaptures,
  readHistory,
  readObjects,
  readSizes,
} from '../../checkpoint/read.ts';
import type { CaptureRecord, Change, Version } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { maybeThere } from '../../checkpoint/unseen.ts';
import { differ } from '../../checkpoint/version.ts';
import { captureRef } from '../../checkpoint/write.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { isOlderThan, isUntouchedSince } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { tryLook } from '../now.ts';

export interface SeenBetween {
  readonly store: Store;
  readonly key: string;
  readonly before: number;
  readonly after: number;
  /** The state before is older than the line (that of the last prompt): others may have written meanwhile. */
  readonly uncertain: boolean;
}

export type SeenHere =
  | {
      readonly kind: 'seen';
      readonly changes: readonly Change[];
      /** When the capture before was taken, ms since 1970. */
      readonly taken: number;
      /** Repositories that it does not have. */
      readonly nested: readonly Bytes[];
    }
  /** A capture is not there any more: nobody can tell. */
  | { readonly kind: 'lost' };

/**
 * What a program nobody can parse has done: the difference of the capture before it and the one right after. Paths are relative
 * to the project's root.
 */
export function seenChanges({ store, key, before, after, uncertain }: SeenBetween): SeenHere {
  const history = readHistory(store, key);
  const records = readCaptures(
    store,
    history.captures.filter(({ m }) => m === before || m === after),
  );
  const [captureBefore, captureAfter] = [records.get(before), records.get(after)];
  if (captureBefore === undefined || captureAfter === undefined) return { kind: 'lost' };
  const [old, now] = [captureBefore.record, captureAfter.record];
  const told = {
    kind: 'seen' as const,
    taken: old.taken,
    nested: old.nested.filter(({ captured }) => !captured).map(({ path }) => path),
  };
  if (before === after) return { ...told, changes: [] };
  const between = betweenCaptures(store, captureRef(key, before), captureRef(key, after));
  const other = otherwise(old, now);
  const isLink = ({ before: a, after: b }: Between): boolean => a?.mode === GITLINK || b?.mode === GITLINK;
  const isNew = ({ before: a }: Between): boolean => a === undefined;
  // Seen for the first time, and as it was before: the first capture ignored it, and the second does not.
  const found = [
    ...between.filter((one) => !isLink(one) && !(isNew(one) && isUntouchedSince(join(old.root, one.path), old.taken))),
    ...changedOtherwise(other.any ? captureNames(store, captureRef(key, after)) : [], between, other),
  ];
  const fresh = found.filter(isNew);
  const maybe = maybeThere(
    store,
    captureBefore,
    fresh.map(({ path }) => path),
  );
  // What was moved is old, but new in its place; when nobody knows from where, it is nobody's to remove.
  const gone = new Set(
    between.flatMap(({ before: a, after: b }) => (a !== undefined && b === undefined ? [a.oid] : [])),
  );
  for (const { path, after: b } of fresh)
    if (!maybe.has(path) && b !== undefined && !gone.has(b.oid) && isOlderThan(join(old.root, path), old.taken))
      maybe.set(path, 'it was there before, elsewhere or under another name');
  const entries = { old: entriesOf(old, other.owner), now: entriesOf(now, other.owner) };
  const sides = {
    old: versions(store, found, 'before', entries.old),
    now: versions(store, found, 'after', entries.now),
  };
  const changes = found.map(({ path }, i): Change => {
    const why = maybe.get(path);
    const a = why === undefined ? (sides.old[i] ?? ABSENT) : { kind: 'unknown' as const, why };
    const b = leftNow(now, path) ?? sides.now[i] ?? ABSENT;
    return { path, before: a, after: b, by: 'seen', ...(uncertain ? { uncertain } : {}) };
  });
  const folders = folderChanges(store, key, before, after, other, found, old, now, uncertain);
  return { ...told, changes: withoutRestores([...changes, ...folders], history, old.order, now.order) };
}

/** What belay itself put back meanwhile is no work of the program's: its own starts from there. */
function withoutRestores(
  changes: readonly Change[],
  { checkpoints }: History,
  from: number,
  to: number,
): readonly Change[] {
  const left = new Map<Bytes, Version>();
  for (const { record } of [...checkpoints].reverse())
    if (record.kind === 'safety' && record.order >= from && record.order <= to)
      for (const change of record.changes) left.set(change.path, change.after);
  if (left.size === 0) return changes;
  return changes
    .map((change) => ({ ...change, before: left.get(change.path) ?? change.before }))
    .filter(({ path, before, after }) => !left.has(path) || differ(before, after));
}

/** It is not gone: the second capture has left it out (too large by now, unreadable). Its look recognises it. */
function leftNow({ root, leftOut }: CaptureRecord, path: Bytes): Version | undefined {
  const left = leftOut.find((one) => one.path === path);
  if (left === undefined) return undefined;
  const look = tryLook(join(root, path));
  if (look?.type !== 'file') return { kind: 'unknown', why: left.reason };
  const { mode, size, mtime, ctime, ino } = look;
  return { kind: 'file', mode, size, mtime, content: { at: 'nowhere', ctime, ino, why: left.reason } };
}

const ABSENT: Version = { kind: 'absent' };

/** One side of every difference; contents are in the store already, and stay there: all of them at once may be more than memory. */
function versions(store: Store, found: readonly Between[], side: 'before' | 'after', about: Entries): Version[] {
  const entries = found.flatMap((between) => between[side] ?? []);
  const sizes = readSizes(
    store,
    entries.map(({ oid }) => oid),
  );
  const links = entries.filter(({ mode }) => mode === LINK).map(({ oid }) => oid);
  const targets = new Map(readObjects(store, links).map((bytes, i) => [links[i], bytes]));
  return found.map((between): Version => {
    const entry = between[side];
    if (entry === undefined) return ABSENT;
    const size = sizes.get(entry.oid);
    if (size === undefined) return { kind: 'unknown', why: 'its content is missing in the store' };
    if (entry.mode === LINK) return about.link(between.path, targets.get(entry.oid)?.toString('latin1') ?? '');
    return about.file(between.path, entry.mode, entry.oid, size);
  });
}

/** Folders that came, went or have other permissions: git's trees only know those with files in them. */
function folderChanges(
  store: Store,
  key: string,
  before: number,
  after: number,
  other: Otherwise,
  found: readonly Between[],
  old: CaptureRecord,
  now: CaptureRecord,
  uncertain: boolean,
): Change[] {
  const touched = found.some((between) => between.before === undefined || between.after === undefined);
  const empties = JSON.stringify(old.emptyFolders) !== JSON.stringify(now.emptyFolders);
  if (!touched && !empties && !other.any) return [];
  const [a, b] = [foldersOf(store, key, before, old, other), foldersOf(store, key, after, now, other)];
  const out: Change[] = [];
  const note = uncertain ? { uncertain } : {};
  for (const [path, folder] of a)
    if (!b.has(path)) out.push({ path, before: folder, after: ABSENT, by: 'seen', ...note });
  for (const [path, folder] of a) {
    const later = b.get(path);
    if (later === undefined || (later.mode === folder.mode && !other.owner(path))) continue;
    out.push({ path, before: folder, after: later, by: 'seen', ...note });
  }
  for (const [path, folder] of b)
    if (!a.has(path) && !isOlderThan(join(old.root, path), old.taken))
      out.push({ path, before: ABSENT, after: folder, by: 'seen', ...note });
  return out;
}

function foldersOf(
  store: Store,
  key: string,
  m: number,
  record: CaptureRecord,
  other: Otherwise,
): Map<Bytes, FolderVersion> {
  const paths = captureNames(store, captureRef(key, m)).map(({ path }) => path);
  const folders = new Set([...record.emptyFolders.map(([path]) => path), ...foldersAbove(paths)]);
  const entries = entriesOf(record, other.owner);
  return new Map([...folders].map((path) => [path, entries.folder(path)]));
}
