import { createHash } from 'node:crypto';
import { pieceOf } from '../../checkpoint/collect.ts';
import { GITLINK_MODE } from '../../checkpoint/modes.ts';
import { packsOfAtMost } from '../../checkpoint/pieces.ts';
import type { Owner } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, fromText, toBuffer } from '../../platform/bytes.ts';
import { bytesOf, type Config } from '../../platform/config.ts';
import { lookAt, realAsFar } from '../../platform/files.ts';
import { isInside, join, relativeTo } from '../../platform/paths.ts';
import { anyOf } from '../../platform/wild.ts';
import { standIns } from '../hold/far.ts';
import { parseIgnore } from '../ignore.ts';
import { repositoryIndex } from '../repository.ts';
import { distrust, eachEntry } from './index-file.ts';
import { borrowIndex, dropIndex, indexPath, indexStamp, type Kept, type KeptTree } from './kept.ts';
import { lendIndex } from './lend.ts';
import { piecesOf } from './pieces.ts';
import { type Scan, scanTree } from './scan.ts';
import {
  addAll,
  addForced,
  CaptureError,
  ownObjects,
  removeCached,
  trackedThoughIgnored,
  type WorkTree,
  writeTree,
} from './work-tree.ts';

/** One work tree as it is now: the project's own, or a nested repository's. */
export interface Taken {
  /** Relative to the project's root, `` for its own. */
  readonly at: Bytes;
  readonly name: string;
  readonly index: Bytes;
  readonly kept: KeptTree;
  readonly scan: Scan;
  readonly written: boolean;
}

/** One capture at work. */
export interface Taking {
  readonly store: Store;
  readonly root: Bytes;
  readonly config: Config;
  /** Milliseconds for all of it. */
  readonly budget: number;
  readonly key: string;
  readonly kept: Kept | undefined;
  readonly started: number;
  readonly deadline: number;
  /** No git process takes longer, ms; what is new is then read in pieces. */
  readonly longest?: number | undefined;
  /** A file with the exclude lists that no tree holds. */
  readonly excludes: Bytes | undefined;
  /** Whose the project's folder is. */
  readonly owner: Owner;
  /** What is done so far; whoever asked drops the indexes. */
  readonly taken: Taken[];
}

/** The tree has too many files or takes too long, or the store is busy. */
export interface LeftOutWhole {
  readonly kind: 'left out';
  readonly because: 'too large' | 'too slow' | 'busy';
  readonly why: string;
}

/** The project's tree, then every nested repository's, outer ones first. */
export function takeTrees(work: Taking): { notCaptured: Bytes[] } | LeftOutWhole {
  const notCaptured: Bytes[] = [];
  const waiting: Bytes[] = [''];
  let files = 0;
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const room = work.config.checkpoints.max_files - files;
    const scanned = scanOf(work, at, room);
    if (scanned.kind !== 'scanned') {
      if (at === '') {
        const why = scanned.kind === 'too large' ? 'more than max_files files' : `over budget (${work.budget} ms)`;
        return { kind: 'left out', because: scanned.kind, why };
      }
      notCaptured.push(at);
      continue;
    }
    let scan = scanned.scan;
    files += scan.files;
    try {
      scan = takeTree(work, at, scan, room);
    } catch (error) {
      if (at === '' || !(error instanceof CaptureError)) throw error;
      notCaptured.push(at);
      continue;
    }
    for (const path of scan.nested) {
      const below = at === '' ? path : `${at}/${path}`;
      if (work.config.checkpoints.nested) waiting.push(below);
      else notCaptured.push(below);
    }
  }
  return { notCaptured };
}

const absolute = (root: Bytes, at: Bytes): Bytes => (at === '' ? root : join(root, at));

function scanOf(work: Taking, at: Bytes, maxFiles: number) {
  const rules = work.config.checkpoints;
  const known = work.kept?.trees[at];
  const home = realAsFar(work.store.home);
  return scanTree(absolute(work.root, at), known === undefined ? undefined : new Map(known.folders), {
    maxFiles,
    maxFileSize: bytesOf(rules.max_file_size_mb),
    precious: anyOf(rules.precious.map(fromText)),
    skip: rules.hold.skip.map(fromText),
    exclude: parseIgnore(rules.exclude.map(fromText).join('\n')),
    never: [home, ...standIns(home)],
    owner: work.owner,
    deadline: work.deadline,
  });
}

/**
 * What is known from last time may be wrong: a file that may not be read any more (its folder does not tell), an index whose objects
 * are lost. Then everything is looked at and read anew, once.
 */
function takeTree(work: Taking, at: Bytes, scan: Scan, maxFiles: number): Scan {
  try {
    takeTreeFrom(work, at, scan, false);
    return scan;
  } catch (error) {
    if (!(error instanceof CaptureError) || error.slow) throw error;
    const again = scanOf({ ...work, kept: undefined }, at, maxFiles);
    if (again.kind !== 'scanned') throw error;
    takeTreeFrom(work, at, again.scan, true);
    return again.scan;
  }
}

function takeTreeFrom(work: Taking, at: Bytes, scan: Scan, anew: boolean): void {
  const { store, key } = work;
  const name = at === '' ? '' : createHash('sha256').update(toBuffer(at)).digest('hex').slice(0, 16);
  const old = anew ? undefined : work.kept?.trees[at];
  const root = absolute(work.root, at);
  const own = borrowIndex(store, key, name);
  if (anew) dropIndex(own);
  let tree: WorkTree = {
    store,
    root,
    index: own,
    excludes: work.excludes,
    deadline: work.deadline,
    longest: work.longest,
  };
  const stillKept = old !== undefined && old.index === indexStamp(indexPath(store, key, name));
  try {
    const lent = anew || indexStamp(own) !== '' ? undefined : lendIndex(tree, scan);
    if (lent !== undefined) tree = { ...tree, lent: lent.objects };
    const stamp = indexStamp(own);
    const home = realAsFar(store.home);
    const excluded = [
      ...scan.leftOut.map(({ path }) => path),
      ...scan.nested,
      ...(isInside(home, root) && home !== root ? [relativeTo(root, home)] : []),
    ];
    if (stillKept) distrust(own, old.fresh);
    const before = new Set(stillKept ? old.excluded : []);
    const gone = [...excluded.filter((path) => !before.has(path)), ...(lent?.links ?? [])];
    removeCached(tree, stamp === '' ? [] : gone);
    const packs = packsOfAtMost(pieceOf(bytesOf(work.config.checkpoints.max_total_size_mb)));
    const many = stamp === '';
    addAll(tree, excluded, { many, packs, pieces: many && work.longest !== undefined ? piecesOf(scan.folders) : [] });
    const tracked = trackedIgnored(tree, old, scan);
    const forced = [...new Set([...scan.precious, ...tracked.paths])].filter((path) => !excluded.includes(path));
    const known = new Set(stillKept ? old.forced : []);
    addForced(
      tree,
      forced.filter((path) => !known.has(path)),
    );
    const changed = indexStamp(own) !== stamp || !stillKept;
    const oid = changed ? writeTree(tree) : old.tree;
    if (lent !== undefined) ownObjects(tree, oid);
    const isSameOwner = String(work.kept?.owner) === String(work.owner);
    const since = stillKept && isSameOwner ? Math.floor((work.kept?.taken ?? 0) / 1000) - 5 : 0;
    const second = Math.floor(work.started / 1000);
    const special = stillKept ? undefined : scan.modes;
    const last = stillKept ? old : { modes: [], owners: [] };
    const { modes, owners, fresh } =
      changed || !isSameOwner
        ? lookAtYoung(root, own, { since, second, modes: last.modes, owners: last.owners, special, owner: work.owner })
        : old;
    const folders = [...scan.folders];
    const index = changed ? indexStamp(own) : old.index;
    const kept: KeptTree = { tree: oid, index, excluded, forced, folders, modes, owners, tracked, fresh };
    work.taken.push({ at, name, index: own, kept, scan, written: changed });
  } catch (error) {
    dropIndex(own);
    throw error;
  }
}

/** Asked of git only when something is ignored at all, and the repository's index is another one than last time. */
function trackedIgnored(tree: WorkTree, old: KeptTree | undefined, { folders }: Scan): KeptTree['tracked'] {
  const index = repositoryIndex(tree.root);
  if (index === undefined) return { index: '', paths: [] };
  if (tree.excludes === undefined && ![...folders.values()].some(({ ignores }) => ignores !== ''))
    return { index: '', paths: [] };
  const stamp = indexStamp(index);
  if (old?.tracked.index === stamp) return old.tracked;
  const paths = trackedThoughIgnored(tree, index);
  // It could not tell (somebody is writing the index): what it said last stands, and it is asked again.
  return paths === undefined ? { index: '', paths: old?.tracked.paths ?? [] } : { index: stamp, paths };
}

interface Young {
  /** Seconds since 1970: of the last capture, and of this one. */
  readonly since: number;
  readonly second: number;
  /** As of the last capture. */
  readonly modes: KeptTree['modes'];
  readonly owners: KeptTree['owners'];
  readonly owner: Owner;
  /** Those that were met just now, where every file was: then none is looked at again. */
  readonly special: ReadonlyMap<Bytes, number> | undefined;
}

/**
 * From the entries that are young: the modes that git cannot say, whose they are, and what changed in this very second. chmod and
 * chown move ctime, and git notes the new one: only what is younger than the last capture is looked at, and what was special then.
 */
function lookAtYoung(
  root: Bytes,
  index: Bytes,
  { since, second, modes, owners, special, owner }: Young,
): Pick<KeptTree, 'modes' | 'owners' | 'fresh'> {
  const out = new Map<Bytes, number>();
  const theirs = new Map<Bytes, readonly [Bytes, number, number]>();
  const fresh: number[] = [];
  const last = { modes: new Map(modes), owners: new Map(owners.map((one) => [one[0], one])) };
  // Which of last time's special entries are still files of the tree, only git's own list tells: what lies at such a path now may be a
  // folder, or a file that is left out.
  const hasSpecial = modes.length + owners.length > 0;
  eachEntry(index, hasSpecial ? 0 : since, ({ path, mode, ctime, at, uid, gid }) => {
    const isFile = mode === 0o100644 || mode === 0o100755;
    if (ctime < since) {
      const [bits, whose] = [last.modes.get(path), last.owners.get(path)];
      if (bits !== undefined && isFile) out.set(path, bits);
      if (whose !== undefined) theirs.set(path, whose);
      return;
    }
    if (ctime >= second) fresh.push(at);
    if (mode === GITLINK_MODE) return;
    if (uid !== owner[0] || gid !== owner[1]) theirs.set(path, [path, uid, gid]);
    if (!isFile) return;
    const now = special === undefined ? modeOfFile(join(root, path)) : (special.get(path) ?? mode & 0o777);
    if (now !== undefined && now !== (mode & 0o777)) out.set(path, now);
  });
  const sorted = <T extends readonly [Bytes, ...unknown[]]>(all: Iterable<T>): T[] =>
    [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return { modes: sorted(out), owners: sorted(theirs.values()), fresh };
}

function modeOfFile(path: Bytes): number | undefined {
  const look = lookAt(path);
  return look?.type === 'file' ? look.mode : undefined;
}
