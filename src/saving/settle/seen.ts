import {
  type Between,
  betweenCaptures,
  captureNames,
  captureTree,
  type History,
  readCaptures,
  readHistory,
  readObjects,
  readSizes,
} from '../../checkpoint/read.ts';
import type { CaptureRecord, Change, Version } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { maybeThere } from '../../checkpoint/unseen.ts';
import { sameVersion } from '../../checkpoint/version.ts';
import { captureRef } from '../../checkpoint/write.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { isOlderThan, isUntouchedSince } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
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
  const modes = otherModes(old, now);
  const isLink = ({ before: a, after: b }: Between): boolean => a?.mode === GITLINK || b?.mode === GITLINK;
  const isNew = ({ before: a }: Between): boolean => a === undefined;
  // Seen for the first time, and as it was before: the first capture ignored it, and the second does not.
  const found = [
    ...between.filter((one) => !isLink(one) && !(isNew(one) && isUntouchedSince(join(old.root, one.path), old.taken))),
    ...sameBytes(store, captureRef(key, after), between, modes),
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
  const sides = { old: versions(store, found, 'before', old), now: versions(store, found, 'after', now) };
  const changes = found.map(({ path }, i): Change => {
    const why = maybe.get(path);
    const a = why === undefined ? (sides.old[i] ?? ABSENT) : { kind: 'unknown' as const, why };
    const b = leftNow(now, path) ?? sides.now[i] ?? ABSENT;
    return { path, before: a, after: b, by: 'seen', ...(uncertain ? { uncertain } : {}) };
  });
  const folders = folderChanges(store, key, before, after, modes.size > 0, found, old, now, uncertain);
  return { ...told, changes: withoutRestores([...changes, ...folders], history, old.taken, now.taken) };
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
    if (record.kind === 'safety' && record.started >= from && record.started <= to)
      for (const change of record.changes) left.set(change.path, change.after);
  if (left.size === 0) return changes;
  return changes
    .map((change) => ({ ...change, before: left.get(change.path) ?? change.before }))
    .filter(({ before, after }) => !sameVersion(before, after));
}

/** What has other permissions than before, of those that git cannot say. */
function otherModes(old: CaptureRecord, now: CaptureRecord): ReadonlySet<Bytes> {
  const [a, b] = [new Map(old.modes), new Map(now.modes)];
  return new Set([...a.keys(), ...b.keys()].filter((path) => a.get(path) !== b.get(path)));
}

/** Files of which nothing but those has changed: git's trees are the same. */
function sameBytes(store: Store, after: string, between: readonly Between[], modes: ReadonlySet<Bytes>): Between[] {
  if (modes.size === 0) return [];
  const told = new Set(between.map(({ path }) => path));
  return captureNames(store, after).flatMap(({ path, mode, oid }) =>
    modes.has(path) && !told.has(path) ? [{ path, before: { mode, oid }, after: { mode, oid } }] : [],
  );
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

const GITLINK = '160000';
const LINK = '120000';
const ABSENT: Version = { kind: 'absent' };

/** One side of every difference; contents are in the store already, and stay there: all of them at once may be more than memory. */
function versions(store: Store, found: readonly Between[], side: 'before' | 'after', record: CaptureRecord): Version[] {
  const modes = new Map(record.modes);
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
    if (entry.mode === LINK) return { kind: 'link', target: targets.get(entry.oid)?.toString('latin1') ?? '' };
    const mode = modes.get(between.path) ?? (entry.mode === '100755' ? 0o755 : 0o644);
    return { kind: 'file', mode, size, content: { at: 'git', oid: entry.oid } };
  });
}

/** Folders that came, went or have other permissions: git's trees only know those with files in them. */
function folderChanges(
  store: Store,
  key: string,
  before: number,
  after: number,
  modes: boolean,
  found: readonly Between[],
  old: CaptureRecord,
  now: CaptureRecord,
  uncertain: boolean,
): Change[] {
  const touched = found.some((between) => between.before === undefined || between.after === undefined);
  const empties = JSON.stringify(old.emptyFolders) !== JSON.stringify(now.emptyFolders);
  if (!touched && !empties && !modes) return [];
  const [a, b] = [foldersOf(store, key, before, old), foldersOf(store, key, after, now)];
  const out: Change[] = [];
  const note = uncertain ? { uncertain } : {};
  for (const [path, mode] of a)
    if (!b.has(path)) out.push({ path, before: { kind: 'folder', mode }, after: ABSENT, by: 'seen', ...note });
  for (const [path, mode] of a) {
    const other = b.get(path);
    if (other === undefined || other === mode) continue;
    out.push({ path, before: { kind: 'folder', mode }, after: { kind: 'folder', mode: other }, by: 'seen', ...note });
  }
  for (const [path, mode] of b)
    if (!a.has(path) && !isOlderThan(join(old.root, path), old.taken))
      out.push({ path, before: ABSENT, after: { kind: 'folder', mode }, by: 'seen', ...note });
  return out;
}

function foldersOf(store: Store, key: string, m: number, record: CaptureRecord): Map<Bytes, number> {
  const modes = new Map(record.modes);
  const out = new Map<Bytes, number>(record.emptyFolders);
  for (const { path } of captureTree(store, captureRef(key, m)))
    for (let folder = dirname(path); folder !== '.' && !out.has(folder); folder = dirname(folder))
      out.set(folder, modes.get(folder) ?? 0o755);
  return out;
}
