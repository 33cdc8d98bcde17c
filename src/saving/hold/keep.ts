import fs from 'node:fs';
import type { LeftOut } from '../../checkpoint/record.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { copyWhole } from '../../platform/copy.ts';
import {
  codeOf,
  isAbsentError,
  type Look,
  lookAt,
  makeFolder,
  namesInOrNone,
  reach,
  readLink,
} from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { dropIfEmpty, type Forbidden, farFolder } from './far.ts';
import type { HeldEntry } from './manifest.ts';
import { Pack, readSmall, sameContent } from './pack.ts';
import { spaceAt } from './space.ts';
import { SMALL, type Wanted } from './wanted.ts';

/** A file of this size or more is held only while the disk has room (`hold.min_free_percent`). */
const LARGE = 10 << 20;

/** Less than this is free: nothing is copied that a link can hold. */
const SCARCE = 32 << 20;

export interface KeepRules {
  readonly folder: Bytes;
  /** Names the far folders of this hold. */
  readonly name: Bytes;
  readonly forbidden: Forbidden;
  readonly maxCopyBytes: number;
  readonly minFreePercent: number;
  readonly sync: boolean;
}

/** Puts the content of paths aside for one line. Nothing it says is held before `close` has returned. */
export class Keeper {
  readonly leftOut: LeftOut[] = [];
  /** Folders on other file systems that this hold made. */
  readonly far: Bytes[] = [];
  /** Bytes that stay taken on disk because a link holds them. */
  linkedBytes = 0;
  /** Of the disks that large files lie on, what the fullest has free; undefined where there were none. */
  freePercent: number | undefined;
  readonly #rules: KeepRules;
  readonly #pack: Pack;
  #files = 0;
  #copied = 0;
  /** Hardly any room for copies: what a link can hold takes none. */
  readonly #scarce: boolean;
  readonly #roomy = new Map<string, boolean>();
  readonly #farByDevice = new Map<string, Bytes | undefined>();

  constructor(rules: KeepRules) {
    this.#rules = rules;
    this.#pack = new Pack(join(rules.folder, 'pack'), rules.sync);
    this.#scarce = (spaceAt(rules.folder)?.freeBytes ?? SCARCE) < SCARCE;
  }

  close(): void {
    this.#pack.close();
    for (const far of this.far) dropIfEmpty(far);
  }

  /** What the path was, and where its bytes are now. Looked at twice when it changes meanwhile. */
  keep(wanted: Wanted): HeldEntry {
    const { path, of } = wanted;
    for (let look = wanted.look, tries = 0; ; tries++) {
      if (look === undefined) return { path, of };
      let entry: HeldEntry | 'read' | 'moving' = 'moving';
      try {
        entry = this.#try(wanted, look, tries === 0);
      } catch (error) {
        if (!isAbsentError(error) && codeOf(error) !== 'EISDIR')
          return this.#unreadable(wanted, look, codeOf(error) || String(error));
      }
      // Outside: that the pack cannot be written is no word about this file.
      if (entry === 'read')
        return { path, of, look, hold: { how: 'pack', at: this.#pack.add(look.size), size: look.size } };
      if (entry !== 'moving') return entry;
      if (tries === 2) return this.#leaveOut(wanted, look, 'it was being written all the while');
      look = lookAt(path);
      if (look?.type === 'folder' && wanted.look?.type === 'file' && namesInOrNone(path).length > 0)
        return this.#leaveOut(
          wanted,
          look,
          'it was a file when the line was read, and became a folder: what is in it is not held',
        );
    }
  }

  /** `read`: its bytes wait to go into the pack. */
  #try(wanted: Wanted, look: Look, whole: boolean): HeldEntry | 'read' | 'moving' {
    const { path, of, own } = wanted;
    if (look.type === 'link') return { path, of, look, link: readLink(path) };
    if (look.type !== 'file') return { path, of, look };
    if (look.size > 0 && this.#scarce && !own && look.nlink === 1) {
      const linked = this.#link(wanted, look);
      if (linked !== undefined) return linked;
    }
    if (look.size <= SMALL) return readSmall(path, look, whole, this.#pack);
    if (look.size >= LARGE && !this.#isRoomy(path, look)) {
      const reason = `less than ${this.#rules.minFreePercent} % of the disk is free: large files are not held`;
      return this.#leaveOut(wanted, look, reason);
    }
    if (!own && look.nlink === 1) {
      const linked = this.#link(wanted, look);
      if (linked !== undefined) return linked;
    }
    const copied = this.#copy(wanted, look);
    if (copied !== 'too much') return copied;
    // A name more can only be lost by a write through it, which restoring finds out: better than nothing.
    const linked = own ? undefined : this.#link(wanted, look);
    return linked ?? this.#leaveOut(wanted, look, 'larger than hold.max_mb allows to copy');
  }

  /** The owner of a file that its mode keeps him from reading can still give it another name; settling opens that one, when it is the last. */
  #unreadable(wanted: Wanted, look: Look, why: string): HeldEntry {
    const isOurs = look.type === 'file' && look.nlink === 1 && look.uid === process.getuid?.();
    const linked = isOurs && (!wanted.own || wanted.bytesStay) ? this.#link(wanted, look) : undefined;
    return linked === undefined || linked === 'moving'
      ? this.#leaveOut(wanted, look, `cannot be read (${why})`)
      : linked;
  }

  #leaveOut({ path, of }: Wanted, look: Look, reason: string): HeldEntry {
    this.leftOut.push({ path, reason });
    return { path, of, look, why: reason };
  }

  #isRoomy(path: Bytes, look: Look): boolean {
    let roomy = this.#roomy.get(look.dev);
    if (roomy === undefined) {
      const space = spaceAt(dirname(path));
      roomy = space === undefined || space.freePercent >= this.#rules.minFreePercent;
      if (space !== undefined) this.freePercent = Math.min(this.freePercent ?? 100, space.freePercent);
      this.#roomy.set(look.dev, roomy);
    }
    return roomy;
  }

  /** Undefined where no link can be made: another file system, not our file, too many names. */
  #link(wanted: Wanted, look: Look): HeldEntry | 'moving' | undefined {
    const { path } = wanted;
    const here = `f${++this.#files}`;
    if (this.#tryLink(path, join(this.#rules.folder, here))) return this.#linked(wanted, look, here);
    const far = this.#far(path, look);
    if (far === undefined) return undefined;
    const there = join(far, here);
    return this.#tryLink(path, there) ? this.#linked(wanted, look, there) : undefined;
  }

  #tryLink(path: Bytes, to: Bytes): boolean {
    try {
      reach(path, (at) => fs.linkSync(at, toBuffer(to)));
      return true;
    } catch (error) {
      if (['EXDEV', 'EPERM', 'EMLINK', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EROFS'].includes(codeOf(error)))
        return false;
      throw error;
    }
  }

  /** The name may have been given to another file between the look and the link. */
  #linked({ path, of }: Wanted, look: Look, file: Bytes): HeldEntry | 'moving' {
    const after = lookAt(file.startsWith('/') ? file : join(this.#rules.folder, file));
    if (after === undefined || !sameContent(look, after)) {
      fs.rmSync(toBuffer(file.startsWith('/') ? file : join(this.#rules.folder, file)), { force: true });
      return 'moving';
    }
    this.linkedBytes += look.size;
    return { path, of, look: after, hold: { how: 'link', file } };
  }

  #far(path: Bytes, look: Look): Bytes | undefined {
    if (this.#farByDevice.has(look.dev)) return this.#farByDevice.get(look.dev);
    const base = farFolder(path, this.#rules.forbidden);
    const folder = base === undefined ? undefined : join(base, this.#rules.name);
    if (folder !== undefined) {
      makeFolder(folder);
      this.far.push(folder);
    }
    this.#farByDevice.set(look.dev, folder);
    return folder;
  }

  /** A reflink where the file system can, else bytes. */
  #copy({ path, of }: Wanted, look: Look): HeldEntry | 'moving' | 'too much' {
    if (this.#copied + look.size > this.#rules.maxCopyBytes) return 'too much';
    const file = `f${++this.#files}`;
    const to = join(this.#rules.folder, file);
    try {
      copyWhole(toBuffer(path), toBuffer(to));
      fs.chmodSync(toBuffer(to), 0o600);
      const after = lookAt(path);
      if (after === undefined || !sameContent(look, after) || lookAt(to)?.size !== look.size) {
        fs.rmSync(toBuffer(to), { force: true });
        return 'moving';
      }
    } catch (error) {
      fs.rmSync(toBuffer(to), { force: true });
      throw error;
    }
    if (this.#rules.sync) syncFile(to);
    this.#copied += look.size;
    return { path, of, look, hold: { how: 'copy', file } };
  }
}

function syncFile(path: Bytes): void {
  const fd = fs.openSync(toBuffer(path), 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
