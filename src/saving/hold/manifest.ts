import fs from 'node:fs';
import type { GitState, LeftOut } from '../../checkpoint/record.ts';
import type { Target } from '../../effects/types.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { isAbsentError, type Look, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';

/** The last line of `manifest.jsonl`: what one line was about to do, and what was put aside for it. */
export interface ManifestHeader {
  readonly v: 1;
  readonly verbs: readonly Bytes[];
  readonly targets: readonly Target[];
  /** The project root of each target, as it was before the line; null: in no project. */
  readonly roots: readonly (Bytes | null)[];
  readonly git: readonly HeldGit[];
  readonly leftOut: readonly LeftOut[];
  /** Folders on other file systems that belong to this hold and go with it. */
  readonly far: readonly Bytes[];
  /** Something unknown or opaque ran: the difference of captures tells what it did. */
  readonly opaque: boolean;
  /** The line does not name these targets: they are what git ignores where nobody knows what it destroys, or where any program runs. */
  readonly aside?: 'unknown' | 'opaque';
}

/** One path as it was. */
export interface HeldEntry {
  readonly path: Bytes;
  /** Number of its target in the header. */
  readonly of: number;
  /** Undefined: there was nothing of that name. For a link, as it was right after linking (linking moves ctime). */
  readonly look?: Look;
  /** What a symbolic link said. */
  readonly link?: Bytes;
  /** The bytes of a regular file. */
  readonly hold?: Held;
  /** Existed, and its bytes were not put aside. */
  readonly why?: string;
}

export type Held =
  /** `size` bytes from `at` in the file `pack`. */
  | { readonly how: 'pack'; readonly at: number; readonly size: number }
  /** A file of its own: its name in the hold's folder, or an absolute path. */
  | { readonly how: 'copy' | 'link'; readonly file: Bytes };

/** Repository state read from files; the index file's copy lies in the hold's folder. */
export interface HeldGit extends Omit<GitState, 'index'> {
  readonly indexFile?: Bytes;
}

export interface Manifest {
  readonly folder: Bytes;
  readonly header: ManifestHeader;
  readonly entries: readonly HeldEntry[];
}

/** Written out when this much has gathered. */
const BLOCK = 1 << 20;

/**
 * Writes `manifest.jsonl`: a line a path as they come, the header as the last line, then renamed into place. A hold folder without it
 * was never finished, and its line did not run under it.
 */
export class ManifestWriter {
  readonly #folder: Bytes;
  readonly #sync: boolean;
  readonly #fd: number;
  #block = '';
  entries = 0;

  constructor(folder: Bytes, sync: boolean) {
    this.#folder = folder;
    this.#sync = sync;
    this.#fd = fs.openSync(toBuffer(join(folder, 'manifest.tmp')), 'wx', 0o600);
  }

  add(entry: HeldEntry): void {
    this.entries++;
    const { look } = entry;
    this.#block += `${JSON.stringify(look === undefined ? entry : { ...entry, look: packLook(look) })}\n`;
    if (this.#block.length >= BLOCK) this.#flush();
  }

  /** Everything that the entries name is on disk by now. */
  finish(header: ManifestHeader): void {
    this.#block += `${JSON.stringify(header)}\n`;
    this.#flush();
    if (this.#sync) fs.fsyncSync(this.#fd);
    fs.closeSync(this.#fd);
    fs.renameSync(toBuffer(join(this.#folder, 'manifest.tmp')), toBuffer(join(this.#folder, 'manifest.jsonl')));
    if (this.#sync) syncFolder(this.#folder);
  }

  #flush(): void {
    writeAll(this.#fd, Buffer.from(this.#block));
    this.#block = '';
  }
}

/** A look as a short list: a tree has many. */
type PackedLook = readonly [Look['type'], number, number, string, string, string, string, number, number, number?];

const packLook = (look: Look): PackedLook => [
  look.type,
  look.mode,
  look.size,
  look.mtime,
  look.ctime,
  look.ino,
  look.dev,
  look.nlink,
  look.uid,
  look.gid,
];

const unpackLook = ([type, mode, size, mtime, ctime, ino, dev, nlink, uid, gid = -1]: PackedLook): Look => ({
  type,
  mode,
  size,
  mtime,
  ctime,
  ino,
  dev,
  nlink,
  uid,
  gid,
});

/** `write` may take less than it was given; the rest is offered again. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done);
}

export function syncFolder(folder: Bytes): void {
  const fd = fs.openSync(toBuffer(folder), 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Undefined where the hold was never finished. */
export function readManifest(folder: Bytes): Manifest | undefined {
  const bytes = readBytesIfAny(join(folder, 'manifest.jsonl'));
  if (bytes === undefined) return undefined;
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    lines.push(bytes.toString('utf8', at, end < 0 ? bytes.length : end));
    at = end < 0 ? bytes.length : end + 1;
  }
  const header = JSON.parse(lines.pop() ?? '') as ManifestHeader;
  const entries = lines.map((line): HeldEntry => {
    const { look, ...rest } = JSON.parse(line) as Omit<HeldEntry, 'look'> & { look?: PackedLook };
    return look === undefined ? rest : { ...rest, look: unpackLook(look) };
  });
  return { folder, header, entries };
}

/** How much of its end is read first. */
const TAIL = 1 << 16;

/** The header alone: the entries before it, which may be many, are not read. Undefined where the hold was never finished. */
export function readHeader(folder: Bytes): ManifestHeader | undefined {
  let fd: number;
  try {
    fd = fs.openSync(toBuffer(join(folder, 'manifest.jsonl')), 'r');
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
  try {
    const { size } = fs.fstatSync(fd);
    for (let length = Math.min(TAIL, size); ; length = Math.min(4 * length, size)) {
      const bytes = Buffer.alloc(length);
      for (let done = 0, got = -1; done < length && got !== 0; done += got)
        got = fs.readSync(fd, bytes, done, length - done, size - length + done);
      const start = bytes.lastIndexOf(0x0a, -2) + 1;
      if (start > 0 || length === size) return JSON.parse(bytes.toString('utf8', start)) as ManifestHeader;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** Where a held file lies. */
export const heldFile = (folder: Bytes, file: Bytes): Bytes => (file.startsWith('/') ? file : join(folder, file));
