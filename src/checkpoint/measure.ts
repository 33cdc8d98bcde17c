import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { lookAt, namesInOrNone, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { fileBytes } from './size.ts';

/** What was found in a folder when its names last changed. */
interface Seen {
  readonly mtime: string;
  /** Of its files, on disk. */
  readonly bytes: number;
  readonly folders: readonly Bytes[];
}

/** A folder that changed so short a time ago may have changed again within the same tick of its clock, ms. */
const TICK_MS = 100;

const measuredFile = (base: Bytes): Bytes => join(base, '.sizes');

/** Bytes on disk. */
export interface Sizes {
  readonly store: number;
  readonly holds: number;
}

/**
 * What the files below `store/` and below `holds/` take. Cheap enough to be asked after every record: whatever comes or goes there does so
 * under a name, so a folder whose time is the same as last time is not read again. Every writer counts, whoever it is.
 */
export function measure(base: Bytes): Sizes {
  const known = readKnown(base);
  const seen = new Map<Bytes, Seen>();
  const sizes = {
    store: sizeOf('store', base, known, seen),
    holds: sizeOf('holds', base, known, seen),
  };
  const settled = Date.now() - TICK_MS;
  const keep = [...seen].filter(([, { mtime }]) => Number(BigInt(mtime) / 1_000_000n) < settled);
  if (keep.some(([folder, { mtime }]) => known.get(folder)?.mtime !== mtime) || known.size > seen.size)
    writeAtomic(measuredFile(base), toBuffer(JSON.stringify(keep)));
  return sizes;
}

function sizeOf(folder: Bytes, base: Bytes, known: ReadonlyMap<Bytes, Seen>, seen: Map<Bytes, Seen>): number {
  const path = join(base, folder);
  const look = lookAt(path);
  if (look?.type !== 'folder') return 0;
  const before = known.get(folder);
  const now = before?.mtime === look.mtime ? before : { mtime: look.mtime, ...found(path) };
  seen.set(folder, now);
  return now.folders.reduce((sum, name) => sum + sizeOf(join(folder, name), base, known, seen), now.bytes);
}

function found(path: Bytes): Pick<Seen, 'bytes' | 'folders'> {
  const folders: Bytes[] = [];
  let bytes = 0;
  for (const name of namesInOrNone(path)) {
    const size = fileBytes(join(path, name));
    if (size === 'folder') folders.push(name);
    else bytes += size;
  }
  return { bytes, folders };
}

/** None where there is no such file, or it is half of a crash: everything is looked at once more. */
function readKnown(base: Bytes): ReadonlyMap<Bytes, Seen> {
  const bytes = readBytesIfAny(measuredFile(base));
  try {
    return new Map(bytes === undefined ? [] : (JSON.parse(fromBuffer(bytes)) as [Bytes, Seen][]));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return new Map();
    throw error;
  }
}
