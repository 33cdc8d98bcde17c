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

/** What folders take on disk, by their path; measured in parallel, and kept for a while. `tell` hears of each as it comes. */
export async function sizesOf(
  home: Bytes,
  folders: readonly Bytes[],
  tell: (folder: Bytes, bytes: number) => void = () => undefined,
): Promise<ReadonlyMap<Bytes, number>> {
  const file = join(home, 'worktrees/sizes.json');
  const kept = readKept(file);
  const sizes = new Map<Bytes, number>();
  const found = (folder: Bytes, bytes: number): void => {
    sizes.set(folder, bytes);
    tell(folder, bytes);
  };
  const wanted: { readonly folder: Bytes; readonly mtime: string }[] = [];
  for (const folder of folders) {
    const mtime = lookAt(folder)?.mtime;
    const before = kept.get(folder);
    if (mtime === undefined) found(folder, 0);
    else if (before?.mtime === mtime && Date.now() - before.at < FRESH_MS) found(folder, before.bytes);
    else wanted.push({ folder, mtime });
  }
  await inLanes(batchesOf(wanted, BATCH), LANES, async (batch) => {
    const measured = await sizesOnDisk(batch.map(({ folder }) => folder));
    for (const [i, { folder, mtime }] of batch.entries()) {
      kept.set(folder, { bytes: measured[i] ?? 0, mtime, at: Date.now() });
      found(folder, measured[i] ?? 0);
    }
  });
  for (const [folder, { at }] of kept) if (Date.now() - at >= FRESH_MS) kept.delete(folder);
  makeFolder(dirname(file));
  writeAtomic(file, Buffer.from(JSON.stringify([...kept]), 'latin1'));
  return sizes;
}

/** Somebody may be waiting for each. */
const BATCH = 4;

function readKept(file: Bytes): Map<Bytes, Sized> {
  try {
    const data: unknown = JSON.parse(fromBuffer(readBytesIfAny(file) ?? Buffer.from('[]')));
    return new Map(Array.isArray(data) ? data : []);
  } catch {
    return new Map(); // a cache: it is measured anew
  }
}
