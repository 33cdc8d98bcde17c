import { type Bytes, fromBuffer, toText } from '../platform/bytes.ts';
import { lookAt, namesInOrNone, removeFile, removeTree } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';
import { clearAbandoned } from './abandoned.ts';
import { shut } from './gate.ts';
import { measure } from './measure.ts';
import { packInPieces, packsOfAtMost } from './pieces.ts';
import { hasLostRefs, type Store, StoreError } from './store.ts';

/** Where somebody is writing all the same, only what is older than this goes. */
const GRACE = '1.hour.ago';
const GRACE_MS = 3_600_000;

/** How long writers who are at it are waited for, ms. */
const PATIENCE = 10_000;

/** Of what the store may have at most, so much may lie there twice while it is packed; git's packs are no smaller than a megabyte. */
export const pieceOf = (most: number): number => Math.max(1 << 20, most / 16);

/**
 * Nothing that no ref names, and few packs. The debris of killed processes goes, too. Where the store may not be larger than `most` bytes and
 * that is not enough for all of it twice, it is packed piece by piece. Whether nobody was writing: only then all that nobody names is gone.
 * Whoever writes is waited for `patience` ms.
 */
export function collect(store: Store, most = Number.POSITIVE_INFINITY, patience = PATIENCE): boolean {
  if (hasLostRefs(store))
    throw new StoreError('store_broken', 'the store has lost its refs: nothing is collected until it was repaired');
  return shut(store, patience, (quiet) => {
    git(['pack-refs', '--all', '--prune'], { gitDir: store.gitDir, timeout: 60_000 });
    clearDebris(store, quiet ? 60_000 : GRACE_MS);
    const piece = pieceOf(most);
    if (measure(store.base).store + reachableBytes(store) <= most + piece) repack(store, quiet, piece);
    else if (quiet) packInPieces(store, piece);
    git(['prune', `--expire=${quiet ? 'now' : GRACE}`], { gitDir: store.gitDir, timeout: 600_000 });
    return quiet;
  });
}

/** All of it anew: the smallest that it can be. */
function repack(store: Store, quiet: boolean, piece: number): void {
  const answer = git(['repack', '-a', '-d', '-l', '-q', ...(quiet ? [] : ['--unpack-unreachable', GRACE])], {
    gitDir: store.gitDir,
    config: ['repack.writeBitmaps=false', ...packsOfAtMost(piece)],
    timeout: 600_000,
  });
  if (!answer.ok) clearAbandoned(store);
  if (!answer.ok) throw new StoreError('store_failed', `the store could not be packed: ${toText(answer.err.trim())}`);
}

/** What killed processes leave: half-written objects and packs, refs' locks, stores that were never finished, private indexes. */
function clearDebris(store: Store, age: number): void {
  const objects = join(store.gitDir, 'objects');
  const pack = join(objects, 'pack');
  clear(pack, age, (name) => /^(?:tmp_|\.tmp-)/.test(name));
  for (const name of namesInOrNone(objects)) {
    if (/^[0-9a-f]{2}$/.test(name)) clear(join(objects, name), age, (file) => file.startsWith('tmp_obj_'));
    else if (name.startsWith('tmp_obj') || name.startsWith('tmp_objdir')) clear(objects, age, (file) => file === name);
  }
  clear(
    store.gitDir,
    GRACE_MS,
    (name) => name === 'packed-refs.lock' || name === 'packed-refs.new' || name.startsWith('fast_import_crash_'),
  );
  clearLocks(join(store.gitDir, 'refs'));
  clear(store.base, GRACE_MS, (name) => /^\.(?:restore|settle|capture)\.lock$/.test(name)); // of an older layout
  clear(join(store.gitDir, 'indexes'), GRACE_MS, (name) =>
    /^[0-9a-f]{16}(?:\.[0-9a-z]+)?\.\d+\.[0-9a-z]+(?:\.lock|\.tmp)?$/.test(name),
  );
  clear(join(store.gitDir, 'projects'), GRACE_MS, (name) => name.endsWith('.tmp'));
  clear(
    store.base,
    GRACE_MS,
    (name) => name.startsWith('.store-') || name.startsWith('.staging-') || name.endsWith('.tmp'),
  );
}

function clearLocks(folder: Bytes): void {
  clear(folder, GRACE_MS, (name) => name.endsWith('.lock'));
  for (const name of namesInOrNone(folder))
    if (lookAt(join(folder, name))?.type === 'folder') clearLocks(join(folder, name));
}

function clear(folder: Bytes, age: number, isDebris: (name: Bytes) => boolean): void {
  for (const name of namesInOrNone(folder)) {
    if (!isDebris(name)) continue;
    const path = join(folder, name);
    const look = lookAt(path);
    if (look === undefined || Date.now() - Number(BigInt(look.mtime) / 1_000_000n) < age) continue;
    if (look.type === 'folder') removeTree(path);
    else removeFile(path);
  }
}

/** Bytes on disk of all that some ref names: what a collection would leave. One git process. */
export function reachableBytes(store: Store): number {
  const answer = git(['rev-list', '--objects', '--disk-usage', '--all'], { gitDir: store.gitDir, timeout: 600_000 });
  return answer.ok ? Number(fromBuffer(answer.out).trim()) || 0 : 0;
}
