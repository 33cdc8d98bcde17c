import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import type { Step } from '../plan/steps.ts';
import { eachBlob } from '../read.ts';
import { sameVersion } from '../version.ts';
import { copyHold, makeFifo, setMode, writeInto, writeNew } from './content.ts';
import { asideName } from './journal.ts';
import { giveOwner, giveOwnerAndMode } from './owner.ts';
import { hasToLink } from './room.ts';
import { clearFolder, type FileStep, inodeOf, mustBe, parentOf, type Work } from './work.ts';

export function makeFolder(work: Work, step: Step & { readonly do: 'folder' }): void {
  parentOf(work, step.path);
  const at = work.door.entry(step.path);
  mustBe(work, at, step.seen);
  if (step.seen) fs.unlinkSync(at);
  fs.mkdirSync(at, { mode: 0o700 });
  giveOwner(work, at, step);
  // Its own mode at once: a restore that is killed leaves it as it should be, or open to its owner at most.
  setMode(at, step.mode | 0o700);
  if ((step.mode & 0o700) !== 0o700) work.modes.set(step.path, step.mode);
  work.restored.push(step.path);
}

export function makeLink(work: Work, step: Step & { readonly do: 'link' }): void {
  placed(work, step.path, step.seen, (aside) => {
    fs.symlinkSync(toBuffer(step.target), aside);
    giveOwner(work, aside, step);
  });
}

export function placeFifo(work: Work, step: Step & { readonly do: 'fifo' }): void {
  placed(work, step.path, step.seen, (aside) => {
    makeFifo(aside, step.mode);
    giveOwnerAndMode(work, aside, step, step.mode);
  });
}

export function changeMode(work: Work, step: Step & { readonly do: 'mode' }): void {
  const { path, mode, seen } = step;
  const at = work.door.entry(path);
  mustBe(work, at, seen);
  if (seen?.type === 'folder') {
    giveOwner(work, at, step);
    setMode(at, mode | 0o700);
    work.modes.set(path, mode);
  } else giveOwnerAndMode(work, at, step, mode);
  work.restored.push(path);
}

/** A file whose bytes lie in another file. */
export function placeHeld(work: Work, step: FileStep): void {
  const { source } = step;
  if (source.at === 'none') throw new Error(source.why);
  if (source.at === 'blob') throw new Error('a blob is no file');
  if (step.inPlace) {
    writeInPlace(work, step, { hold: source.path });
    return;
  }
  let linked = false;
  placed(work, step.path, step.seen, (aside) => {
    const folder = aside.subarray(0, aside.lastIndexOf('/') + 1);
    linked = copyHold(source.path, aside, hasToLink(step, folder, work.minFreePercent));
    giveOwnerAndMode(work, aside, step, step.mode);
    if (step.mtime !== undefined && !linked) fs.lutimesSync(aside, secondsOf(step.mtime), secondsOf(step.mtime));
  });
  if (linked) work.linked.push(step.path);
}

/** Files whose bytes the store has: each content is read once, whatever number of files has it. */
export function placeBlobs(
  work: Work,
  steps: readonly FileStep[],
  attempt: (step: Step, act: () => void) => void,
): void {
  const byOid = new Map<string, FileStep[]>();
  for (const step of steps) {
    const oid = step.source.at === 'blob' ? step.source.oid : '';
    const list = byOid.get(oid);
    if (list) list.push(step);
    else byOid.set(oid, [step]);
  }
  const wanted = [...byOid].map(([oid, [first]]) => ({ oid, size: first?.size ?? 0 }));
  eachBlob(work.store, wanted, (oid, content) => {
    for (const step of byOid.get(oid) ?? []) attempt(step, () => placeBlob(work, step, content));
  });
}

function placeBlob(work: Work, step: FileStep, content: Buffer): void {
  if (step.inPlace) {
    writeInPlace(work, step, content);
    return;
  }
  placed(work, step.path, step.seen, (aside) => {
    writeNew(aside, content, step.mtime === undefined ? undefined : secondsOf(step.mtime), (fd) =>
      giveOwnerAndMode(work, aside, step, step.mode, fd),
    );
  });
}

/** Nanoseconds need a text form that node's doubles cannot hold; microseconds are what `utimes` gets. */
export const secondsOf = (mtime: string): number => Number(BigInt(mtime) / 1000n) / 1e6;

function writeInPlace(work: Work, step: FileStep, content: Uint8Array | { readonly hold: Bytes }): void {
  const at = work.door.entry(step.path);
  const inode = step.seen && inodeOf(step.seen);
  const written = inode && work.inPlace.get(inode);
  if (written && sameVersion(written, step.becomes)) {
    work.restored.push(step.path); // another of its names was first
    return;
  }
  mustBe(work, at, step.seen);
  if (step.seen && (step.seen.mode & 0o200) === 0) setMode(at, step.seen.mode | 0o200);
  writeInto(at, content);
  giveOwnerAndMode(work, at, step, step.mode);
  if (inode) work.inPlace.set(inode, step.becomes);
  work.restored.push(step.path);
}

/** Made beside its place, looked at once more, renamed there. */
function placed(work: Work, path: Bytes, seen: Look | undefined, make: (aside: Buffer) => void): void {
  parentOf(work, path);
  const aside = work.door.entry(asideName(dirname(path), work.order, `f${work.done}`));
  const at = work.door.entry(path);
  try {
    make(aside);
    mustBe(work, at, seen);
    clearFolder(work, at, path, seen, false);
    fs.renameSync(aside, at);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
  work.restored.push(path);
}
