import fs from 'node:fs';
import type { GitState, LeftOut } from '../../checkpoint/record.ts';
import type { Target } from '../../effects/types.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { type Look, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';

/** Line 1 of `manifest.jsonl`: what one line was about to do, and what was put aside for it. */
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

/**
 * Written last, and renamed into place: a hold folder without `manifest.jsonl` was never finished, and its line did not run under it.
 */
export function writeManifest(
  folder: Bytes,
  header: ManifestHeader,
  entries: readonly HeldEntry[],
  sync: boolean,
): void {
  const aside = toBuffer(join(folder, 'manifest.tmp'));
  const fd = fs.openSync(aside, 'wx', 0o600);
  try {
    let block = `${JSON.stringify(header)}\n`;
    for (const entry of entries) {
      block += `${JSON.stringify(entry)}\n`;
      if (block.length < 1 << 20) continue;
      writeAll(fd, Buffer.from(block));
      block = '';
    }
    writeAll(fd, Buffer.from(block));
    if (sync) fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(aside, toBuffer(join(folder, 'manifest.jsonl')));
  if (sync) syncFolder(folder);
}

/** `write` may take less than it was given; the rest is offered again. */
export function writeAll(fd: number, bytes: Uint8Array): void {
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
  const [first, ...rest] = bytes.toString('utf8').split('\n');
  return {
    folder,
    header: JSON.parse(first ?? '') as ManifestHeader,
    entries: rest.filter((line) => line !== '').map((line) => JSON.parse(line) as HeldEntry),
  };
}

/** Where a held file lies. */
export const heldFile = (folder: Bytes, file: Bytes): Bytes => (file.startsWith('/') ? file : join(folder, file));
