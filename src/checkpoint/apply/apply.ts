import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, type Look } from '../../platform/files.ts';
import { basename, dirname } from '../../platform/paths.ts';
import type { Kept, Step } from '../plan/steps.ts';
import { eachBlob } from '../read.ts';
import type { Version } from '../record.ts';
import type { Store } from '../store.ts';
import { sameVersion } from '../version.ts';
import { copyHold, makeFifo, setMode, writeInto, writeNew } from './content.ts';
import { type Doorway, openDoorway } from './doorway.ts';
import { asideName } from './journal.ts';

export interface Applied {
  readonly restored: readonly Bytes[];
  readonly removed: readonly Bytes[];
  /** Steps that could not be done; everything else was. */
  readonly kept: readonly Kept[];
}

type FileStep = Step & { readonly do: 'file' };
type MoveStep = Step & { readonly do: 'move' };

export interface Rename {
  readonly from: Bytes;
  readonly aside: Bytes;
  readonly to: Bytes;
}

/**
 * Renames of a restore: from → a name aside → to. The journal has them before the first is done. Aside is the nearest folder above
 * that stays: one that goes could not be removed with something in it.
 */
export function movesOf(steps: readonly Step[], order: number): Rename[] {
  const going = new Set<Bytes>();
  for (const step of steps) {
    if (step.becomes.kind !== 'folder') going.add(step.path);
    if (step.do === 'move') going.add(step.from);
  }
  return steps.flatMap((step, i) => {
    if (step.do !== 'move') return [];
    let folder = dirname(step.from);
    while (going.has(folder)) folder = dirname(folder);
    return [{ from: step.from, aside: asideName(folder, order, i), to: step.path }];
  });
}

/**
 * Does the steps: renames aside, whatever stands in the way, folders, files (each made ready beside its place and renamed
 * there), removals last, folder modes at the very end. Decides nothing; a path that is no longer what the plan saw is left alone.
 */
export function applySteps(store: Store, steps: readonly Step[], order: number, tick: (done: number) => void): Applied {
  const door = openDoorway();
  const run = new Run(store, door, steps, order, tick);
  try {
    run.all();
  } finally {
    run.setModes();
    door.close();
  }
  return { restored: run.restored, removed: run.removed, kept: run.kept };
}

class Run {
  readonly restored: Bytes[] = [];
  readonly removed: Bytes[] = [];
  readonly kept: Kept[] = [];
  readonly #modes = new Map<Bytes, number>();
  /** Inodes that were written in place, and what they are now. */
  readonly #inPlace = new Map<string, Version>();
  readonly #store: Store;
  readonly #door: Doorway;
  readonly #steps: readonly Step[];
  readonly #order: number;
  readonly #tick: (done: number) => void;
  #done = 0;

  constructor(store: Store, door: Doorway, steps: readonly Step[], order: number, tick: (done: number) => void) {
    this.#store = store;
    this.#door = door;
    this.#steps = steps;
    this.#order = order;
    this.#tick = tick;
  }

  all(): void {
    const asides = new Map(movesOf(this.#steps, this.#order).map((move) => [move.to, move.aside]));
    const moves = this.#steps.filter((step): step is MoveStep => {
      if (step.do !== 'move') return false;
      return this.#try(step, () => this.#moveAside(step, asides.get(step.path) ?? ''));
    });
    const removals = this.#steps.filter((step) => step.do === 'remove').sort((a, b) => (a.path > b.path ? -1 : 1));
    const movedFrom = new Set(this.#steps.flatMap((step) => (step.do === 'move' ? [step.from] : [])));
    const early = removals.filter(inTheWay(this.#steps));
    for (const step of early) this.#try(step, () => this.#remove(step, movedFrom));
    // Where something was moved away from, nothing is left to be compared with.
    const left = new Set(moves.map((step) => step.from));
    const moved = new Set(moves.map((step) => step.path));
    const rest = this.#steps.flatMap((step): Step[] => {
      if (step.do === 'remove') return [];
      if (!left.has(step.path)) return [step];
      const emptied = { ...step, seen: undefined };
      return [emptied.do === 'file' ? { ...emptied, inPlace: false } : emptied];
    });
    for (const step of rest) if (step.do === 'folder') this.#try(step, () => this.#makeFolder(step));
    for (const step of rest)
      if (step.do === 'move' && moved.has(step.path))
        this.#try(step, () => this.#moveHome(step, asides.get(step.path) ?? ''));
    for (const step of rest) {
      if (step.do === 'link') this.#try(step, () => this.#makeLink(step.path, step.target, step.seen));
      if (step.do === 'fifo') this.#try(step, () => this.#makeFifo(step.path, step.mode, step.seen));
      if (step.do === 'mode') this.#try(step, () => this.#changeMode(step.path, step.mode, step.seen));
      if (step.do === 'file' && step.source.at !== 'blob') this.#try(step, () => this.#placeHeld(step));
    }
    this.#placeBlobs(rest.filter((step): step is FileStep => step.do === 'file' && step.source.at === 'blob'));
    const earlySet = new Set<Step>(early);
    for (const step of removals) if (!earlySet.has(step)) this.#try(step, () => this.#remove(step, movedFrom));
  }

  /** Deepest first; also the permissions that were widened to get in. A folder that is gone needs none. */
  setModes(): void {
    for (const [path, mode] of this.#door.widened) if (!this.#modes.has(path)) this.#modes.set(path, mode);
    for (const [path, mode] of [...this.#modes].sort(([a], [b]) => (a > b ? -1 : 1))) {
      try {
        setMode(this.#door.entry(path), mode);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
          this.kept.push({ path, why: 'failed', reason: `its mode: ${messageOf(error)}` });
      }
    }
  }

  #try(step: Step, act: () => void): boolean {
    try {
      act();
      this.#tick(++this.#done);
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') throw error;
      const why =
        codeOf(error) === 'meanwhile' ? 'changed-meanwhile' : codeOf(error) === 'ENOTEMPTY' ? 'not-empty' : 'failed';
      this.kept.push({ path: step.path, why, reason: messageOf(error) });
      return false;
    }
  }

  #moveAside(step: MoveStep, aside: Bytes): void {
    const at = this.#door.entry(step.from);
    this.#same(at, step.fromSeen);
    fs.renameSync(at, this.#door.entry(aside));
    this.#door.forget(step.from);
  }

  #moveHome(step: MoveStep, aside: Bytes): void {
    this.#parent(step.path);
    const at = this.#door.entry(step.path);
    try {
      this.#same(at, step.seen);
      this.#clearFolder(at, step.path, step.seen, step.folder);
      this.#rename(this.#door.entry(aside), at, step.folder);
    } catch (error) {
      // Back under the name it came from, so that it is not lost from sight.
      fs.renameSync(this.#door.entry(aside), this.#door.entry(step.from));
      throw error;
    }
    this.#door.forget(step.path);
    if (step.folder) this.#modes.set(step.path, step.mode);
    else if (step.becomes.kind === 'file' && (fs.lstatSync(at).mode & 0o7777) !== step.mode) setMode(at, step.mode);
    this.restored.push(step.path);
  }

  /** A rename; across file systems (a mount below the project) a copy and a removal. */
  #rename(from: Buffer, to: Buffer, folder: boolean): void {
    try {
      fs.renameSync(from, to);
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      fs.cpSync(from.toString(), to.toString(), {
        recursive: folder,
        verbatimSymlinks: true,
        preserveTimestamps: true,
        errorOnExist: true,
      });
      fs.rmSync(from, { recursive: folder, force: true });
    }
  }

  #makeFolder(step: Step & { readonly do: 'folder' }): void {
    this.#parent(step.path);
    const at = this.#door.entry(step.path);
    this.#same(at, step.seen);
    if (step.seen) fs.unlinkSync(at);
    fs.mkdirSync(at, { mode: 0o700 });
    this.#own(at, step.seen);
    // Its own mode at once: a restore that is killed leaves it as it should be, or open to its owner at most.
    setMode(at, step.mode | 0o700);
    if ((step.mode & 0o700) !== 0o700) this.#modes.set(step.path, step.mode);
    this.restored.push(step.path);
  }

  #makeLink(path: Bytes, target: Bytes, seen: Look | undefined): void {
    this.#placed(path, seen, (aside) => fs.symlinkSync(toBuffer(target), aside));
  }

  #makeFifo(path: Bytes, mode: number, seen: Look | undefined): void {
    this.#placed(path, seen, (aside) => {
      makeFifo(aside, mode);
      setMode(aside, mode);
    });
  }

  #changeMode(path: Bytes, mode: number, seen: Look | undefined): void {
    const at = this.#door.entry(path);
    this.#same(at, seen);
    if (seen?.type === 'folder') {
      setMode(at, mode | 0o700);
      this.#modes.set(path, mode);
    } else setMode(at, mode);
    this.restored.push(path);
  }

  #placeHeld(step: FileStep): void {
    const { source } = step;
    if (source.at === 'none' || source.at === 'blob')
      throw new Error(source.at === 'none' ? source.why : 'no blob here');
    if (step.inPlace) {
      this.#writeInPlace(step, { hold: source.path });
      return;
    }
    const linked = source.at === 'hold' && source.linked;
    this.#placed(step.path, step.seen, (aside) => {
      copyHold(source.path, aside, linked);
      this.#finishFile(aside, step);
    });
  }

  #placeBlobs(steps: readonly FileStep[]): void {
    const byOid = new Map<string, FileStep[]>();
    for (const step of steps) {
      const oid = step.source.at === 'blob' ? step.source.oid : '';
      const list = byOid.get(oid);
      if (list) list.push(step);
      else byOid.set(oid, [step]);
    }
    const wanted = [...byOid].map(([oid, [first]]) => ({ oid, size: first?.size ?? 0 }));
    eachBlob(this.#store, wanted, (oid, content) => {
      for (const step of byOid.get(oid) ?? []) this.#try(step, () => this.#placeBlob(step, content));
    });
  }

  #placeBlob(step: FileStep, content: Buffer): void {
    if (step.inPlace) {
      this.#writeInPlace(step, content);
      return;
    }
    this.#placed(step.path, step.seen, (aside) => {
      writeNew(aside, content);
      this.#finishFile(aside, step);
    });
  }

  #finishFile(aside: Buffer, step: FileStep): void {
    this.#own(aside, step.seen);
    setMode(aside, step.mode);
    if (step.mtime !== undefined) setTime(aside, step.mtime);
  }

  #writeInPlace(step: FileStep, content: Uint8Array | { readonly hold: Bytes }): void {
    const at = this.#door.entry(step.path);
    const inode = step.seen && inodeOf(step.seen);
    const written = inode && this.#inPlace.get(inode);
    if (written && sameVersion(written, step.becomes)) {
      this.restored.push(step.path); // another of its names was first
      return;
    }
    this.#same(at, step.seen);
    if (inode) this.#inPlace.set(inode, step.becomes);
    if (step.seen && (step.seen.mode & 0o200) === 0) setMode(at, step.seen.mode | 0o200);
    writeInto(at, content);
    setMode(at, step.mode);
    this.restored.push(step.path);
  }

  /** Made beside its place, looked at once more, renamed there. */
  #placed(path: Bytes, seen: Look | undefined, make: (aside: Buffer) => void): void {
    this.#parent(path);
    const aside = this.#door.entry(asideName(dirname(path), this.#order, `f${this.#done}`));
    const at = this.#door.entry(path);
    try {
      make(aside);
      this.#same(at, seen);
      this.#clearFolder(at, path, seen, false);
      fs.renameSync(aside, at);
    } catch (error) {
      fs.rmSync(aside, { force: true });
      throw error;
    }
    this.restored.push(path);
  }

  /** A folder in the place of something that is none: its entries went before, so it is empty. */
  #clearFolder(at: Buffer, path: Bytes, seen: Look | undefined, folder: boolean): void {
    if (seen === undefined || (seen.type === 'folder') === folder) return;
    if (seen.type === 'folder') {
      this.#door.forget(path);
      fs.rmdirSync(at);
    } else fs.unlinkSync(at);
  }

  #remove(step: Step, movedFrom: ReadonlySet<Bytes>): void {
    if (movedFrom.has(step.path)) return; // it was moved back: nothing is left to remove
    const at = this.#door.entry(step.path);
    if (step.seen?.type === 'folder') {
      if (!fs.lstatSync(at).isDirectory()) throw meanwhile(step.path);
      this.#door.forget(step.path);
      fs.rmdirSync(at);
    } else {
      this.#same(at, step.seen);
      fs.unlinkSync(at);
    }
    this.removed.push(step.path);
  }

  /** A file that was written in place through another of its names is the same with other bytes. */
  #same(at: Buffer, seen: Look | undefined): void {
    sameAs(at, seen, seen !== undefined && this.#inPlace.has(inodeOf(seen)));
  }

  /** The plan makes every folder; one that vanished since is made again. */
  #parent(path: Bytes): void {
    for (const made of this.#door.make(dirname(path), () => 0o755)) this.restored.push(made);
  }

  /** Root restores for others: what replaces a file belongs to whom that belonged, what is new to whom its folder belongs. */
  #own(at: Buffer, seen: Look | undefined): void {
    if (process.getuid?.() !== 0) return;
    const folder = at.subarray(0, at.lastIndexOf(0x2f) + 1);
    const owner = seen === undefined ? fs.statSync(folder) : { uid: seen.uid, gid: fs.statSync(folder).gid };
    if (owner.uid !== 0 || owner.gid !== 0) fs.lchownSync(at, owner.uid, owner.gid);
  }
}

/** What must go before the rest can come: something above a place that is filled, or below one that becomes no folder. */
function inTheWay(steps: readonly Step[]): (removal: Step) => boolean {
  const above = new Set<Bytes>();
  const solid = new Set<Bytes>();
  for (const step of steps) {
    if (step.do === 'remove') continue;
    for (let at = dirname(step.path); at !== '/' && !above.has(at); at = dirname(at)) above.add(at);
    if (step.becomes.kind !== 'folder') solid.add(step.path);
  }
  return ({ path, seen }) => {
    if (above.has(path) && seen?.type !== 'folder') return true;
    for (let at = dirname(path); at !== '/'; at = dirname(at)) if (solid.has(at)) return true;
    return false;
  };
}

const inodeOf = (look: Look): string => `${look.dev} ${look.ino}`;

const meanwhile = (path: Bytes): Error =>
  Object.assign(new Error(`changed while it was being restored: ${basename(path)}`), { code: 'meanwhile' });

/** Throws where the entry is not what the plan saw. A folder is the same while it is one; what lies in it has steps of its own. */
function sameAs(at: Buffer, seen: Look | undefined, written: boolean): void {
  let stat: fs.BigIntStats | undefined;
  try {
    stat = fs.lstatSync(at, { bigint: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const same =
    seen === undefined
      ? stat === undefined
      : stat !== undefined &&
        (seen.type === 'folder'
          ? stat.isDirectory()
          : String(stat.ino) === seen.ino &&
            (written || (String(stat.mtimeNs) === seen.mtime && Number(stat.size) === seen.size)));
  if (!same) throw meanwhile(at.toString('latin1'));
}

/** Nanoseconds need a text form that node's doubles cannot hold; microseconds are what `utimes` gets. */
function setTime(at: Buffer, mtime: string): void {
  const seconds = Number(BigInt(mtime) / 1000n) / 1e6;
  fs.lutimesSync(at, seconds, seconds);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
