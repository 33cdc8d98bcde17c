import { createHash } from 'node:crypto';
import { pieceOf } from '../../checkpoint/collect.ts';
import { packsOfAtMost } from '../../checkpoint/pieces.ts';
import type { Owner } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, fromText, toBuffer } from '../../platform/bytes.ts';
import { bytesOf, type Config } from '../../platform/config.ts';
import { realAsFar } from '../../platform/files.ts';
import { isInside, join, relativeTo } from '../../platform/paths.ts';
import { anyOf } from '../../platform/wild.ts';
import { standIns } from '../hold/far.ts';
import { parseIgnore } from '../ignore.ts';
import { repositoryIndex } from '../repository.ts';
import { takeAgain } from './again.ts';
import { distrust } from './index-file.ts';
import { borrowIndex, dropIndex, indexPath, indexStamp, type Kept, type KeptTree, privateIndex } from './kept.ts';
import { lendIndex } from './lend.ts';
import { MOST_OURS, ownTreeOf, writeIndex } from './own-tree.ts';
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
import { lookAtYoung } from './young.ts';

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
  /** The exclude lists that no tree holds, and a file with them. */
  readonly exclude: Bytes;
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
  const kept = indexPath(store, key, name);
  const own = privateIndex(kept);
  const tree: WorkTree = {
    store,
    root,
    index: own,
    excludes: work.excludes,
    deadline: work.deadline,
    longest: work.longest,
  };
  const home = realAsFar(store.home);
  const excluded = [
    ...scan.leftOut.map(({ path }) => path),
    ...scan.nested,
    ...(isInside(home, root) && home !== root ? [relativeTo(root, home)] : []),
  ];
  const tracked = trackedIgnored(tree, old, scan);
  const forced = [...new Set([...scan.precious, ...tracked.paths])].filter((path) => !excluded.includes(path));
  const isSameOwner = String(work.kept?.owner) === String(work.owner);
  try {
    const isAsBefore =
      isSameOwner &&
      scan.isAsKnown &&
      work.kept?.exclude === work.exclude &&
      isSameList(excluded, old?.excluded) &&
      isSameList(forced, old?.forced);
    const again = isAsBefore && old !== undefined ? takeAgain({ store, root, index: kept, old, scan }) : OPEN;
    if (again.is === 'changed') writeIndex(own, again.tree);
    if (again.is === 'open' && !anew) borrowIndex(kept, own);
    // Looked at after it was copied: another capture may put its own in place at any time.
    const last = again.is !== 'open' || old?.index === indexStamp(kept) ? old : undefined;
    const changed = again.is === 'open' ? readByGit(work, { tree, scan, excluded, forced, last, anew }) : again;
    const oid = changed.is === 'changed' ? changed.tree.oid : (last?.tree ?? '');
    const since = last !== undefined && isSameOwner ? Math.floor((work.kept?.taken ?? 0) / 1000) - 5 : 0;
    const second = Math.floor(work.started / 1000);
    const special = last !== undefined ? undefined : scan.modes;
    const known = last ?? { modes: [], owners: [], fresh: [] };
    const { modes, owners, fresh } =
      changed.is === 'changed' || !isSameOwner
        ? lookAtYoung(root, own, {
            since,
            second,
            modes: known.modes,
            owners: known.owners,
            special,
            owner: work.owner,
          })
        : known;
    const folders = [...scan.folders];
    const index = changed.is === 'changed' ? indexStamp(own) : (last?.index ?? '');
    const now: KeptTree = { tree: oid, index, excluded, forced, folders, modes, owners, tracked, fresh };
    work.taken.push({ at, name, index: own, kept: now, scan, written: changed.is === 'changed' });
  } catch (error) {
    dropIndex(own);
    throw error;
  }
}

const OPEN = { is: 'open' } as const;

const isSameList = (a: readonly Bytes[], b: readonly Bytes[] | undefined): boolean =>
  a.length === b?.length && a.every((path, i) => path === b[i]);

interface Reading {
  /** Its index is a copy of the kept one, where there is one that may be believed. */
  readonly tree: WorkTree;
  readonly scan: Scan;
  readonly excluded: readonly Bytes[];
  readonly forced: readonly Bytes[];
  /** As of the last capture, where that index is still the one that it left. */
  readonly last: KeptTree | undefined;
  readonly anew: boolean;
}

type Read = { readonly is: 'same' } | { readonly is: 'changed'; readonly tree: { readonly oid: string } };

/** git brings the index to what the work tree is. */
function readByGit(work: Taking, reading: Reading): Read {
  const { scan, excluded, forced, last, anew } = reading;
  const { store } = work;
  const { index } = reading.tree;
  const lent = anew || indexStamp(index) !== '' ? undefined : lendIndex(reading.tree, scan);
  const tree = lent === undefined ? reading.tree : { ...reading.tree, lent: lent.objects };
  const stamp = indexStamp(index);
  if (last !== undefined) distrust(index, last.fresh);
  const before = new Set(last?.excluded ?? []);
  const gone = [...excluded.filter((path) => !before.has(path)), ...(lent?.links ?? [])];
  removeCached(tree, stamp === '' ? [] : gone);
  const packs = packsOfAtMost(pieceOf(bytesOf(work.config.checkpoints.max_total_size_mb)));
  const many = stamp === '';
  addAll(tree, excluded, { many, packs, pieces: many && work.longest !== undefined ? piecesOf(scan.folders) : [] });
  const known = new Set(last?.forced ?? []);
  addForced(
    tree,
    forced.filter((path) => !known.has(path)),
  );
  if (indexStamp(index) === stamp && last !== undefined) return { is: 'same' };
  const isOurs = lent === undefined && (!many || scan.files <= MOST_OURS);
  const oid = (isOurs ? ownTreeOf(store, index) : undefined) ?? writeTree(tree);
  if (lent !== undefined) ownObjects(tree, oid);
  return { is: 'changed', tree: { oid } };
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
