import { batchesOf, inLanes, sizesOnDisk } from '../installs/disk.ts';
import { type Bytes, fromBuffer } from '../platform/bytes.ts';
import { lookAt, makeFolder, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';

interface Sized {
  readonly bytes: number;
  /** When the folder itself last changed, as a decimal. */
  readonly mtime: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A size is told again for so long where the folder's own entries are the same, ms: below, it may be a little old. */
const FRESH_MS = 600_000;

const LANES = 2;

/** What folders take on disk, in the order given; measured in parallel, and kept for a while. `tell` hears of each as it comes. */
export async function sizesOf(
  home: Bytes,
  folders: readonly Bytes[],
  tell: (done: number) => void = () => undefined,
): Promise<number[]> {
  const file = join(home, 'worktrees/sizes.json');
  const kept = readKept(file);
  const mtimes = folders.map((folder) => lookAt(folder)?.mtime);
  const isFresh = (folder: Bytes, i: number): boolean => {
    const before = kept.get(folder);
    return before !== undefined && before.mtime === mtimes[i] && Date.now() - before.at < FRESH_MS;
  };
  const wanted = folders.filter((folder, i) => mtimes[i] !== undefined && !isFresh(folder, i));
  let done = folders.length - wanted.length;
  await inLanes(batchesOf(wanted), LANES, async (batch) => {
    const sizes = await sizesOnDisk(batch);
    for (const [i, folder] of batch.entries())
      kept.set(folder, { bytes: sizes[i] ?? 0, mtime: mtimes[folders.indexOf(folder)] ?? '', at: Date.now() });
    done += batch.length;
    tell(done);
  });
  const out = folders.map((folder, i) => (mtimes[i] === undefined ? 0 : (kept.get(folder)?.bytes ?? 0)));
  for (const [folder, { at }] of kept) if (Date.now() - at >= FRESH_MS) kept.delete(folder);
  makeFolder(dirname(file));
  writeAtomic(file, Buffer.from(JSON.stringify([...kept]), 'latin1'));
  return out;
}

function readKept(file: Bytes): Map<Bytes, Sized> {
  try {
    const data: unknown = JSON.parse(fromBuffer(readBytesIfAny(file) ?? Buffer.from('[]')));
    return new Map(Array.isArray(data) ? data : []);
  } catch {
    return new Map(); // a cache: it is measured anew
  }
}
