import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { lookAt, namesInOrNone, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { fileBytes } from './size.ts';

/** What was found in a folder when its names last changed. */
interface Seen {
  readonly mtime: string;
  /** Of its files, on disk, those with other names left away. */
  readonly bytes: number;
  /** Files with other names as well: when those go, the folder does not tell. */
  readonly linked: readonly Bytes[];
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
 * under a name, so a folder whose time is the same as last time is not read again; only files that had other names are looked at once more.
 * Every writer counts, whoever it is.
 */
export function measure(base: Bytes): Sizes {
  // From before the walk: a folder that changes again while others are read may have changed twice within one tick.
  const settled = Date.now() - TICK_MS;
  const known = readKnown(base);
  const seen = new Map<Bytes, Seen>();
  const sizes = {
    store: sizeOf('store', base, known, seen),
    holds: sizeOf('holds', base, known, seen),
  };
  const keep = [...seen].filter(([, { mtime }]) => Number(BigInt(mtime) / 1_000_000n) < settled);
  if (keep.some(([folder, one]) => known.get(folder) !== one) || known.size > seen.size)
    writeAtomic(measuredFile(base), toBuffer(JSON.stringify(keep)));
  return sizes;
}

function sizeOf(folder: Bytes, base: Bytes, known: ReadonlyMap<Bytes, Seen>, seen: Map<Bytes, Seen>): number {
  const path = join(base, folder);
  const look = lookAt(path);
  if (look?.type !== 'folder') return 0;
  const before = known.get(folder);
  const stands = before?.mtime === look.mtime && before.linked.every((name) => fileBytes(join(path, name)) === 0);
  const now = stands ? before : { mtime: look.mtime, ...found(path) };
  seen.set(folder, now);
  return now.folders.reduce((sum, name) => sum + sizeOf(join(folder, name), base, known, seen), now.bytes);
}

function found(path: Bytes): Omit<Seen, 'mtime'> {
  const folders: Bytes[] = [];
  const linked: Bytes[] = [];
  let bytes = 0;
  for (const name of namesInOrNone(path)) {
    const size = fileBytes(join(path, name));
    if (size === 'folder') folders.push(name);
    else if (size === 0) linked.push(name);
    else bytes += size;
  }
  return { bytes, linked, folders };
}

/** None where there is no such file, it is half of a crash, or somebody has changed it: everything is looked at once more. */
function readKnown(base: Bytes): ReadonlyMap<Bytes, Seen> {
  const bytes = readBytesIfAny(measuredFile(base));
  try {
    const rows: unknown = bytes === undefined ? [] : JSON.parse(fromBuffer(bytes));
    return new Map(Array.isArray(rows) ? rows.filter(isRow) : []);
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

function isRow(row: unknown): row is [Bytes, Seen] {
  if (!Array.isArray(row) || typeof row[0] !== 'string') return false;
  const { mtime, bytes, linked, folders } = (row[1] ?? {}) as Partial<Record<keyof Seen, unknown>>;
  return /^\d+$/.test(String(mtime)) && Number.isFinite(bytes) && areNames(linked) && areNames(folders);
}

const areNames = (names: unknown): boolean =>
  Array.isArray(names) && names.every((name) => typeof name === 'string' && /^[^/]+$/.test(name) && name !== '..');
