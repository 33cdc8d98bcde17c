import { inLanes, sizeOf } from '../installs/disk.ts';
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

const LANES = 4;

/** What folders take on disk, in the order given; measured in parallel, and kept for a while. `tell` hears of each as it comes. */
export async function sizesOf(
  home: Bytes,
  folders: readonly Bytes[],
  tell: (done: number) => void = () => undefined,
): Promise<number[]> {
  const file = join(home, 'worktrees/sizes.json');
  const kept = readKept(file);
  const out: number[] = [];
  let done = 0;
  await inLanes(folders, LANES, async (folder, i) => {
    const mtime = lookAt(folder)?.mtime;
    const before = kept.get(folder);
    if (mtime !== undefined && before?.mtime === mtime && Date.now() - before.at < FRESH_MS) out[i] = before.bytes;
    else {
      out[i] = mtime === undefined ? 0 : await sizeOf(folder);
      if (mtime !== undefined) kept.set(folder, { bytes: out[i] ?? 0, mtime, at: Date.now() });
    }
    tell(++done);
  });
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
