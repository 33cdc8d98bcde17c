import { type Bytes, fromBuffer, toBuffer, toText } from '../platform/bytes.ts';
import { lookAt, namesInOrNone, removeFile } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';
import { clearAbandoned } from './abandoned.ts';
import { type Store, StoreError } from './store.ts';

/** A pack, and what some ref names of what is in it and in no pack before it. */
interface Pack {
  readonly name: Bytes;
  readonly size: number;
  readonly live: readonly string[];
  readonly liveBytes: number;
}

/** A pack of which less than this share is nobody's stays as it is. */
const WORTH = 16;
/** One that is smaller than this share of a piece joins others. */
const SMALL = 4;

const TIMEOUT = 600_000;

/**
 * What no ref names goes, and packs are written anew one piece after the other, so that never more than about `piece` bytes lie there twice:
 * a store that is as large as it may be has no room for all of it once more. Only while nobody else writes. Killed anywhere, it leaves
 * objects twice at worst.
 */
export function packInPieces(store: Store, piece: number): void {
  const live = liveObjects(store);
  removeDead(store, live);
  for (const oids of looseIn(store, live, piece)) {
    packObjects(store, oids, live, piece);
    git(['prune-packed', '-q'], { gitDir: store.gitDir, timeout: TIMEOUT });
  }
  for (const packs of worthIt(packsOf(store, live), piece)) {
    const oids = packs.flatMap((pack) => pack.live);
    const written = oids.length === 0 ? new Set() : packObjects(store, oids, live, piece);
    for (const { name } of packs) if (!written.has(name)) removePack(store, name);
  }
}

/** By its oid, each object that a ref leads to, as `pack-objects` reads it: with the path that makes a good base of it. */
function liveObjects(store: Store): ReadonlyMap<string, Bytes> {
  const answer = git(['rev-list', '--objects', '--all'], { gitDir: store.gitDir, timeout: TIMEOUT });
  if (!answer.ok) throw failure(answer.err);
  const out = new Map<string, Bytes>();
  for (const line of fromBuffer(answer.out).split('\n')) if (line !== '') out.set(line.slice(0, 40), line);
  return out;
}

function looseFiles(store: Store): { readonly oid: string; readonly path: Bytes }[] {
  const objects = join(store.gitDir, 'objects');
  return namesInOrNone(objects)
    .filter((folder) => /^[0-9a-f]{2}$/.test(folder))
    .flatMap((folder) =>
      namesInOrNone(join(objects, folder))
        .filter((name) => /^[0-9a-f]{38}$/.test(name))
        .map((name) => ({ oid: folder + name, path: join(join(objects, folder), name) })),
    );
}

function removeDead(store: Store, live: ReadonlyMap<string, Bytes>): void {
  for (const { oid, path } of looseFiles(store)) if (!live.has(oid)) removeFile(path);
}

/** Loose objects, so many at a time that they make one piece. One that is larger by itself stays: for a second of it there is no room. */
function looseIn(store: Store, live: ReadonlyMap<string, Bytes>, piece: number): string[][] {
  const loose = looseFiles(store)
    .filter(({ oid }) => live.has(oid))
    .map(({ oid, path }) => ({ oid, size: lookAt(path)?.size ?? 0 }))
    .filter(({ size }) => size <= piece);
  return grouped(loose, ({ size }) => size, piece).map((group) => group.map(({ oid }) => oid));
}

function packsOf(store: Store, live: ReadonlyMap<string, Bytes>): Pack[] {
  const folder = join(store.gitDir, 'objects/pack');
  const claimed = new Set<string>();
  const names = namesInOrNone(folder);
  return names
    .filter((name) => name.endsWith('.idx') && !names.includes(name.replace(/idx$/, 'keep')))
    .map((idx) => {
      const name = idx.slice(0, -'.idx'.length);
      const size = lookAt(join(folder, `${name}.pack`))?.size ?? 0;
      const mine: string[] = [];
      let liveBytes = 0;
      for (const [oid, bytes] of objectsIn(join(folder, idx), size)) {
        if (!live.has(oid) || claimed.has(oid)) continue;
        claimed.add(oid);
        mine.push(oid);
        liveBytes += bytes;
      }
      return { name, size, live: mine, liveBytes };
    });
}

/** What an index says (git-show-index(1)), and how far it is from each object to the next. */
function objectsIn(idx: Bytes, size: number): [oid: string, bytes: number][] {
  const answer = git(['show-index'], { inputFile: idx, timeout: TIMEOUT });
  if (!answer.ok) throw failure(answer.err);
  const all = fromBuffer(answer.out)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [number, string] => {
      const [at = '', oid = ''] = line.split(' ');
      return [Number(at), oid];
    })
    .sort(([a], [b]) => a - b);
  return all.map(([at, oid], i) => [oid, (all[i + 1]?.[0] ?? size) - at]);
}

/** Packs with much that is nobody's, those first that have the least that is somebody's; and small ones, where there are several. */
function worthIt(packs: readonly Pack[], piece: number): Pack[][] {
  const wasted = packs.filter(({ size, liveBytes }) => size - liveBytes > size / WORTH);
  const small = packs.filter((pack) => !wasted.includes(pack) && pack.size < piece / SMALL);
  const going = [...wasted, ...(wasted.length + small.length > 1 ? small : [])];
  return grouped(
    going.sort((a, b) => a.liveBytes - b.liveBytes),
    ({ liveBytes }) => liveBytes,
    piece,
  );
}

function grouped<T>(all: readonly T[], bytesOf: (one: T) => number, piece: number): T[][] {
  const out: T[][] = [];
  let room = 0;
  for (const one of all) {
    const bytes = bytesOf(one);
    if (out.length === 0 || bytes > room) {
      out.push([]);
      room = piece;
    }
    out.at(-1)?.push(one);
    room -= bytes;
  }
  return out;
}

/** The names of the packs that have them. */
function packObjects(
  store: Store,
  oids: readonly string[],
  live: ReadonlyMap<string, Bytes>,
  piece: number,
): ReadonlySet<Bytes> {
  const answer = git(['pack-objects', '-q', '--delta-base-offset', 'objects/pack/pack'], {
    cwd: store.gitDir,
    gitDir: store.gitDir,
    input: toBuffer(oids.map((oid) => `${live.get(oid) ?? oid}\n`).join('')),
    config: packsOfAtMost(piece),
    timeout: TIMEOUT,
  });
  if (!answer.ok) clearAbandoned(store);
  if (!answer.ok) throw failure(answer.err);
  return new Set(
    fromBuffer(answer.out)
      .split('\n')
      .map((hash) => `pack-${hash.trim()}`),
  );
}

/** The index first: without it git knows of no pack. */
function removePack(store: Store, name: Bytes): void {
  const folder = join(store.gitDir, 'objects/pack');
  removeFile(join(folder, `${name}.idx`));
  for (const file of namesInOrNone(folder)) if (file.startsWith(`${name}.`)) removeFile(join(folder, file));
}

/** git's setting for packs of about that size (git-config(1), `pack.packSizeLimit`: a megabyte at least). */
export const packsOfAtMost = (piece: number): string[] =>
  Number.isFinite(piece) ? [`pack.packSizeLimit=${Math.floor(piece)}`] : [];

const failure = (err: Bytes): StoreError =>
  new StoreError('store_failed', `the store could not be packed: ${toText(err.trim())}`);
