import fs from 'node:fs';
import type { Source } from '../../checkpoint/fast-import.ts';
import { blobOid } from '../../checkpoint/oid.ts';
import { isOtherOwner, ownerOf } from '../../checkpoint/owner.ts';
import type { Content, Version } from '../../checkpoint/record.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { type Look, openRegular } from '../../platform/files.ts';
import { basename, join } from '../../platform/paths.ts';
import type { EndEntry } from '../end.ts';
import { type HeldEntry, heldFile, type Manifest } from '../hold/manifest.ts';
import { readStretch, sameContent } from '../hold/pack.ts';
import { oidOf, tryLook } from '../now.ts';

/** Held files that go under `holds/<key>/<n>/` once the record has its number. */
export interface Move {
  readonly from: Bytes;
  readonly to: Bytes;
}

/** Gathers the contents of one record while its versions are made. */
export interface Gathering {
  /** Larger content stays a file (`max_file_size_mb`). */
  readonly largestBlob: number;
  readonly blobs: Map<string, Source>;
  readonly moves: Move[];
  /** Keeps bytes that were read until the record is written. */
  readonly keep: (bytes: Uint8Array) => Source;
}

/** Hashing a content that stays a file stops being cheap here: beyond, its stat has to recognise it. */
const HASH_LARGE = 256 << 20;

/** How a path was before the turn. `other`: how it was after it, of which the owner may be another. */
export function versionBefore(
  entry: HeldEntry | undefined,
  manifest: Manifest | undefined,
  to: Gathering,
  other?: Look,
): Version {
  const look = entry?.look;
  if (entry === undefined || look === undefined || manifest === undefined) return { kind: 'absent' };
  if (look.type !== 'file') return plain(look, entry.link, other);
  const content =
    entry.hold === undefined
      ? { at: 'nowhere' as const, why: entry.why ?? 'not held', ctime: look.ctime, ino: look.ino }
      : heldContent(entry.hold, look, manifest, to);
  return fileVersion(look, other, content);
}

const fileVersion = (look: Look, other: Look | undefined, content: Content): Version => ({
  kind: 'file',
  mode: look.mode,
  ...ownerOf(look, isOtherOwner(look, other)),
  size: look.size,
  mtime: look.mtime,
  ...severalNames(look),
  content,
});

function plain(look: Look, link: Bytes | undefined, other: Look | undefined): Version {
  const owner = ownerOf(look, isOtherOwner(look, other));
  if (look.type === 'link') return { kind: 'link', target: link ?? '', ...owner };
  if (look.type === 'folder') return { kind: 'folder', mode: look.mode, ...owner };
  if (look.type === 'file') throw new Error('a file has a content');
  return { kind: 'special', mode: look.mode, what: look.type, ...owner };
}

function heldContent(hold: NonNullable<HeldEntry['hold']>, look: Look, manifest: Manifest, to: Gathering): Content {
  if (hold.how === 'pack') {
    const pack = join(manifest.folder, 'pack');
    const bytes = readStretch(pack, hold.at, hold.size);
    if (bytes === undefined) return { at: 'nowhere', why: 'the hold is damaged', ctime: look.ctime, ino: look.ino };
    const oid = blobOid(bytes);
    if (!to.blobs.has(oid))
      to.blobs.set(oid, hold.size === 0 ? bytes : { path: pack, offset: hold.at, length: hold.size });
    return { at: 'git', oid };
  }
  const file = heldFile(manifest.folder, hold.file);
  const kept = tryLook(file);
  if (kept === undefined) return { at: 'nowhere', why: 'the held file is gone', ctime: look.ctime, ino: look.ino };
  openUp(file, kept);
  const rewritten = hold.how === 'link' && !sameContent(look, kept);
  if (rewritten && kept.nlink > 1)
    return { at: 'nowhere', why: 'it was written in place through another name after it was held' };
  if (hold.how === 'copy' && kept.size !== look.size)
    return { at: 'nowhere', why: 'the hold is damaged', ctime: look.ctime, ino: look.ino };
  if (look.size <= to.largestBlob && !rewritten) {
    const oid = oidOf(file, kept);
    if (oid !== undefined) {
      to.blobs.set(oid, { path: file });
      return { at: 'git', oid };
    }
  }
  const oid = kept.size <= HASH_LARGE && !rewritten ? oidOf(file, kept) : undefined;
  const hash = oid === undefined ? {} : { oid };
  // A hold on another file system stays where it is: only there it is a link.
  const path = hold.file.startsWith('/') ? hold.file : `${basename(manifest.folder)}-${hold.file}`;
  // Written on by whoever had it open: the seal does not fit, and what is left are the bytes written last.
  if (path !== hold.file) to.moves.push({ from: file, to: path });
  if (hold.how === 'copy') return { at: 'hold', path, linked: false, ...hash };
  return { at: 'hold', path, linked: true, seal: { mtime: look.mtime, ino: look.ino }, ...hash };
}

/** A held file that its mode keeps its owner from reading is opened once no other name leads to it: the record has the mode that it had. */
function openUp(file: Bytes, { mode, nlink, uid }: Look): void {
  if (uid === 0 || uid !== process.getuid?.() || nlink > 1 || (mode & 0o400) !== 0) return;
  fs.chmodSync(toBuffer(file), mode | 0o600);
}

/** How the turn left a path. What changed since the end manifest is known by what that saw. */
export function versionAfter(end: EndEntry, to: Gathering, other?: Look): Version {
  const { look } = end;
  if (look === undefined) return { kind: 'absent' };
  if (end.late) return { kind: 'unknown', why: 'changed right after the turn had ended' };
  if (look.type !== 'file') return plain(look, end.link, other);
  const content = presentContent(end, look, to);
  return fileVersion(look, other, content);
}

/** A file written in place through one of its names is restored in place: the inode tells, also when the other names have gone. */
const severalNames = (look: Look): { ino: string; names?: number } =>
  look.nlink > 1 ? { ino: look.ino, names: look.nlink } : { ino: look.ino };

function presentContent(end: EndEntry, look: Look, to: Gathering): Content {
  const now = tryLook(end.path);
  const still = now !== undefined && sameContent(look, now);
  if (still && look.size <= to.largestBlob) {
    const bytes = tryRead(end.path);
    const after = tryLook(end.path);
    if (bytes !== undefined && bytes.length === look.size && after !== undefined && sameContent(look, after)) {
      const oid = blobOid(bytes);
      // Written once more within one tick of the clock, no time tells: the hash does.
      if (end.oid === undefined || end.oid === oid) {
        if (!to.blobs.has(oid)) to.blobs.set(oid, to.keep(bytes));
        return { at: 'git', oid };
      }
    }
  }
  const oid = end.oid ?? (still && look.size <= HASH_LARGE ? oidOf(end.path, look) : undefined);
  if (oid !== undefined) return { at: 'hash', oid };
  return { at: 'nowhere', ctime: look.ctime, ino: look.ino, why: 'only looked at' };
}

function tryRead(path: Bytes): Buffer | undefined {
  try {
    const fd = openRegular(path);
    try {
      return fs.readFileSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined; // gone or closed to us since it was looked at: the end manifest's word counts
  }
}

const oidIn = (content: Content): string | undefined =>
  content.at === 'git' || content.at === 'hash' || content.at === 'hold' ? content.oid : undefined;

/** Nothing that a restore could put back differs. Times alone are no change. */
export function isUnchanged(before: Version, after: Version, looks: { before?: Look; after?: Look }): boolean {
  if (before.kind !== after.kind || isOtherOwner(looks.before, looks.after)) return false;
  if (before.kind === 'absent') return true;
  if (before.kind === 'link') return after.kind === 'link' && before.target === after.target;
  if (before.kind === 'unknown') return false;
  if (after.kind === 'link' || after.kind === 'absent' || after.kind === 'unknown') return false;
  if (before.mode !== after.mode) return false;
  if (before.kind !== 'file' || after.kind !== 'file') return true;
  if (before.size !== after.size) return false;
  const [a, b] = [oidIn(before.content), oidIn(after.content)];
  if (a !== undefined && b !== undefined) return a === b;
  return looks.before !== undefined && looks.after !== undefined && sameContent(looks.before, looks.after);
}
