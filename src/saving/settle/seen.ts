import {
  type Between,
  betweenCaptures,
  captureTree,
  readCaptures,
  readHistory,
  readObjects,
} from '../../checkpoint/read.ts';
import type { CaptureRecord, Change, Version } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { captureRef } from '../../checkpoint/write.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { isOlderThan, isUntouchedSince } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';

export interface SeenBetween {
  readonly store: Store;
  readonly key: string;
  readonly before: number;
  readonly after: number;
  /** The state before is older than the line (that of the last prompt): others may have written meanwhile. */
  readonly uncertain: boolean;
}

/**
 * What a program nobody can parse has done: the difference of the capture before it and the one right after. Paths are relative
 * to the project's root.
 */
export function seenChanges({ store, key, before, after, uncertain }: SeenBetween): Change[] {
  if (before === after) return [];
  const history = readHistory(store, key);
  const records = readCaptures(
    store,
    history.captures.filter(({ m }) => m === before || m === after),
  );
  const [old, now] = [records.get(before)?.record, records.get(after)?.record];
  if (old === undefined || now === undefined) return [];
  const between = betweenCaptures(store, captureRef(key, before), captureRef(key, after));
  const gone = new Set(
    between.flatMap(({ before: a, after: b }) => (a !== undefined && b === undefined ? [a.oid] : [])),
  );
  // Ignored at the first capture and not at the second (`.gitignore` itself is gone): seen for the first time, not new. What was
  // moved is old, too, but new in its place.
  const wasThere = (path: Bytes, oid: string): boolean =>
    isUntouchedSince(join(old.root, path), old.taken) ||
    (!gone.has(oid) && isOlderThan(join(old.root, path), old.taken));
  const found = between.filter(
    ({ path, before: a, after: b }) =>
      a?.mode !== GITLINK && b?.mode !== GITLINK && !(a === undefined && b !== undefined && wasThere(path, b.oid)),
  );
  const sides = { old: versions(store, found, 'before', old), now: versions(store, found, 'after', now) };
  const changes = found.map(({ path }, i): Change => {
    const [a, b] = [sides.old[i] ?? ABSENT, sides.now[i] ?? ABSENT];
    return { path, before: a, after: b, by: 'seen', ...(uncertain ? { uncertain } : {}) };
  });
  return [...changes, ...folderChanges(store, key, before, after, found, old, now, uncertain)];
}

const GITLINK = '160000';
const ABSENT: Version = { kind: 'absent' };

/** One side of every difference; contents are in the store already. */
function versions(store: Store, found: readonly Between[], side: 'before' | 'after', record: CaptureRecord): Version[] {
  const modes = new Map(record.modes);
  const contents = readObjects(
    store,
    found.flatMap((between) => between[side]?.oid ?? []),
  );
  let next = 0;
  return found.map((between): Version => {
    const entry = between[side];
    if (entry === undefined) return ABSENT;
    const bytes = contents[next++];
    if (bytes === undefined) return { kind: 'unknown', why: 'its content is missing in the store' };
    if (entry.mode === '120000') return { kind: 'link', target: bytes.toString('latin1') };
    const mode = modes.get(between.path) ?? (entry.mode === '100755' ? 0o755 : 0o644);
    return { kind: 'file', mode, size: bytes.length, content: { at: 'git', oid: entry.oid } };
  });
}

/** Folders that came or went: git's trees only know those with files in them. */
function folderChanges(
  store: Store,
  key: string,
  before: number,
  after: number,
  found: readonly Between[],
  old: CaptureRecord,
  now: CaptureRecord,
  uncertain: boolean,
): Change[] {
  const touched = found.some((between) => between.before === undefined || between.after === undefined);
  const empties = JSON.stringify(old.emptyFolders) !== JSON.stringify(now.emptyFolders);
  if (!touched && !empties) return [];
  const [a, b] = [foldersOf(store, key, before, old), foldersOf(store, key, after, now)];
  const out: Change[] = [];
  const note = uncertain ? { uncertain } : {};
  for (const [path, mode] of a)
    if (!b.has(path)) out.push({ path, before: { kind: 'folder', mode }, after: ABSENT, by: 'seen', ...note });
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
