import type { Bytes } from '../platform/bytes.ts';
import { dirname } from '../platform/paths.ts';
import { isUsual, SET_ID } from './owner.ts';
import type { Between, TreeEntry } from './read.ts';
import type { CaptureRecord, Owner, Version } from './record.ts';

export type FolderVersion = Version & { readonly kind: 'folder' };

/** What a capture says of its entries: git's tree has their contents, the record beside it what git has no words for. */
export interface Entries {
  /** A regular file; `gitMode` as the tree has it. */
  file(path: Bytes, gitMode: string, oid: string, size: number): Version;
  link(path: Bytes, target: Bytes): Version;
  folder(path: Bytes): FolderVersion;
  /** Entries of which the record says something of their own: folders that are not empty stand nowhere else. */
  readonly special: ReadonlySet<Bytes>;
}

/** `told`: entries whose owner is said also where that is belay's own process: it has changed. */
export function entriesOf(record: CaptureRecord, told: (path: Bytes) => boolean = () => false): Entries {
  const modes = new Map([...record.modes, ...record.emptyFolders]);
  const owner = ownersOf(record);
  const owned = (path: Bytes, mode: number): { readonly owner?: Owner } => {
    const who = owner(path);
    if (who === undefined) return {};
    return !isUsual(who) || (mode & SET_ID) !== 0 || told(path) ? { owner: who } : {};
  };
  return {
    file: (path, gitMode, oid, size) => {
      const mode = modes.get(path) ?? (gitMode === '100755' ? 0o755 : 0o644);
      return { kind: 'file', mode, ...owned(path, mode), size, content: { at: 'git', oid } };
    },
    link: (path, target) => ({ kind: 'link', target, ...owned(path, 0) }),
    folder: (path) => {
      const mode = modes.get(path) ?? 0o755;
      // A folder's setgid bit is no right of anybody's: it hands its group on.
      return { kind: 'folder', mode, ...owned(path, 0) };
    },
    special: new Set([...modes.keys(), ...(record.owners ?? []).map(([path]) => path)]),
  };
}

/** Undefined where a capture is older than such notes. */
function ownersOf({ owner, owners }: CaptureRecord): (path: Bytes) => Owner | undefined {
  const others = new Map((owners ?? []).map(([path, uid, gid]) => [path, [uid, gid] as const]));
  return (path) => others.get(path) ?? owner;
}

/** Which entries have other permissions or another owner in one capture than in the other, of what git's trees do not say. */
export interface Otherwise {
  /** Whether there may be any. */
  readonly any: boolean;
  is(path: Bytes): boolean;
  /** Both captures say whose it is, and not the same. */
  owner(path: Bytes): boolean;
}

export function otherwise(old: CaptureRecord, now: CaptureRecord): Otherwise {
  const [a, b] = [new Map(old.modes), new Map(now.modes)];
  const [whose, whoseNow] = [ownersOf(old), ownersOf(now)];
  const owner = (path: Bytes): boolean => {
    const [one, other] = [whose(path), whoseNow(path)];
    return one !== undefined && other !== undefined && (one[0] !== other[0] || one[1] !== other[1]);
  };
  const is = (path: Bytes): boolean => a.get(path) !== b.get(path) || owner(path);
  const named = [...a.keys(), ...b.keys(), ...[...(old.owners ?? []), ...(now.owners ?? [])].map(([path]) => path)];
  return { any: owner('') || named.some(is), is, owner };
}

/** The folders above these paths, the project's own left away. */
export function foldersAbove(paths: Iterable<Bytes>): Set<Bytes> {
  const out = new Set<Bytes>();
  for (const path of paths) for (let at = dirname(path); at !== '.' && !out.has(at); at = dirname(at)) out.add(at);
  return out;
}

/** Files of which only what git does not say has changed: permissions, owners. `between`: those of which git says something. */
export function changedOtherwise(
  tree: readonly Omit<TreeEntry, 'size'>[],
  between: readonly Between[],
  other: Otherwise,
): Between[] {
  const told = new Set(between.map(({ path }) => path));
  return tree.flatMap(({ path, mode, oid }) =>
    other.is(path) && !told.has(path) ? [{ path, before: { mode, oid }, after: { mode, oid } }] : [],
  );
}
