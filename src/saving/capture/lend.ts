import fs from 'node:fs';
import { GITLINK_MODE } from '../../checkpoint/modes.ts';
import { type Bytes, fromBuffer, isText, toBuffer } from '../../platform/bytes.ts';
import { lookThrough, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { commonFolderOf, gitFolderOf } from '../repository.ts';
import type { Scan } from './scan.ts';
import { objectSizes, type WorkTree } from './work-tree.ts';

/**
 * A project's first capture would hash and write every file: 5–11 s for 50,000. The repository has most of that done, so its
 * index is taken for a start and its objects are lent to that one capture, which copies what it uses: borrowed
 * and owned at once, so that no reader ever meets what is only lent.
 */
export interface Lent {
  readonly objects: Bytes;
  /** Entries that are no files here: submodules. */
  readonly links: readonly Bytes[];
}

/** Below this a first capture is quick enough by itself. */
const WORTH_IT = 500;

/** Undefined where the repository cannot lend: then everything is read. The index is left at `tree.index`. */
export function lendIndex(tree: WorkTree, scan: Scan): Lent | undefined {
  const folder = gitFolderOf(tree.root);
  if (folder === undefined) return undefined;
  const common = commonFolderOf(folder);
  const objects = join(common, 'objects');
  const source = lookThrough(join(folder, 'index'));
  if (source?.type !== 'file' || !isText(objects) || /[:"]/.test(objects) || isForeign(common)) return undefined;
  const bytes = readBytesIfAny(join(folder, 'index'));
  const entries = bytes === undefined ? undefined : readEntries(bytes);
  if (bytes === undefined || entries === undefined || entries.length < WORTH_IT) return undefined;
  if (hasConversions(tree.root, common, scan)) return undefined;
  const second = Number(BigInt(source.mtime) / 1_000_000_000n);
  const sizes = objectSizes(
    { ...tree, lent: objects },
    entries.map(({ oid }) => oid),
  );
  entries.forEach((entry, i) => {
    bytes.writeUInt16BE(bytes.readUInt16BE(entry.at + FLAGS) & ~ASSUME_VALID, entry.at + FLAGS);
    if (entry.extended)
      bytes.writeUInt16BE(bytes.readUInt16BE(entry.at + FLAGS + 2) & ~SKIP_WORKTREE, entry.at + FLAGS + 2);
    // A blob of another size is not the file's bytes (a conversion, a pointer); times of that very second prove nothing.
    if (sizes[i] !== entry.size || entry.ctime >= second) bytes.writeUInt32BE(NO_SIZE, entry.at + SIZE);
  });
  fs.writeFileSync(toBuffer(tree.index), bytes, { mode: 0o600 });
  // git measures an index's age against its entries' (racy-git): the copy is no younger than what it was copied from.
  fs.utimesSync(toBuffer(tree.index), second, second);
  return { objects, links: entries.filter(({ mode }) => mode === GITLINK_MODE).map(({ path }) => path) };
}

const FLAGS = 60;
const SIZE = 36;
const FIXED = 62;
const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
/** No file has it, so git looks into the file. */
const NO_SIZE = 0xffffffff;

interface Entry {
  readonly at: number;
  readonly path: Bytes;
  readonly oid: string;
  readonly mode: number;
  readonly size: number;
  readonly ctime: number;
  readonly extended: boolean;
}

/** Undefined for a form or a state that is not simply a list of files: split, sparse, compressed, in the middle of a merge. */
function readEntries(bytes: Buffer): Entry[] | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const out: Entry[] = [];
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + FIXED + 2 > bytes.length) return undefined; // cut off
    const flags = bytes.readUInt16BE(at + FLAGS);
    const extended = (flags & EXTENDED) !== 0;
    if ((flags & STAGE) !== 0 || (extended && (bytes.readUInt16BE(at + FLAGS + 2) & INTENT_TO_ADD) !== 0))
      return undefined;
    const name = at + FIXED + (extended ? 2 : 0);
    const end = bytes.indexOf(0, name);
    if (end < 0) return undefined;
    out.push({
      at,
      path: fromBuffer(bytes.subarray(name, end)),
      oid: bytes.toString('hex', at + 40, at + 60),
      mode: bytes.readUInt32BE(at + 24),
      size: bytes.readUInt32BE(at + SIZE),
      ctime: bytes.readUInt32BE(at),
      extended,
    });
    at += (end - at + 8) & ~7;
  }
  for (let next = at; next + 8 <= bytes.length - 20; next += 8 + bytes.readUInt32BE(next + 4))
    if (['link', 'sdir'].includes(bytes.toString('latin1', next, next + 4))) return undefined;
  return out;
}

/** Objects under other names than SHA-1's, or kept elsewhere (a partial clone). */
const isForeign = (common: Bytes): boolean =>
  /objectformat|partialclone|promisor/i.test(textOf(join(common, 'config')));

/**
 * A filter may leave the size as it is, so where attributes speak of one, nothing is lent. Other conversions change the size, and that
 * is found out.
 */
function hasConversions(root: Bytes, common: Bytes, scan: Scan): boolean {
  const files = [join(common, 'info/attributes')];
  for (const path of scan.folders.keys()) files.push(join(path === '' ? root : join(root, path), '.gitattributes'));
  return files.some((file) => /filter|encoding/i.test(textOf(file)));
}

function textOf(file: Bytes): string {
  const look = lookThrough(file);
  return look?.type === 'file' && look.size < 1 << 20 ? (readBytesIfAny(file)?.toString('latin1') ?? '') : '';
}
