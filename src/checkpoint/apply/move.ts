import fs from 'node:fs';
import type { Bytes } from '../../platform/bytes.ts';
import { codeOf, lookAt } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import type { Step } from '../plan/steps.ts';
import { asideName } from './journal.ts';
import { giveOwnerAndMode } from './owner.ts';
import { clearFolder, type MoveStep, mustBe, parentOf, type Work } from './work.ts';

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
  if (steps.every((step) => step.do !== 'move')) return [];
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

/** Out of the way of everything else: two that change places are no circle then. */
export function moveAside(work: Work, step: MoveStep, aside: Bytes): void {
  const at = work.door.entry(step.from);
  mustBe(work, at, step.fromSeen);
  fs.renameSync(at, work.door.entry(aside));
  work.door.forget(step.from);
}

export function moveHome(work: Work, step: MoveStep, aside: Bytes): void {
  const { door } = work;
  let at: Buffer;
  try {
    parentOf(work, step.path);
    at = door.entry(step.path);
    mustBe(work, at, step.seen);
    clearFolder(work, at, step.path, step.seen, step.folder);
    rename(door.entry(aside), at, step.folder);
  } catch (error) {
    putBack(work, step.from, aside);
    throw error;
  }
  door.forget(step.path);
  if (step.folder) work.modes.set(step.path, step.mode);
  else if (step.becomes.kind === 'file' && (fs.lstatSync(at).mode & 0o7777) !== step.mode)
    giveOwnerAndMode(work, at, step, step.mode);
  work.restored.push(step.path);
}

/** Under the name it came from, so that it is not lost from sight; where somebody has taken that name since, under a free one beside it. */
function putBack(work: Work, from: Bytes, aside: Bytes): void {
  for (let i = 0; i < 1000; i++) {
    const to = i === 0 ? from : `${from}.belay-${i}`;
    if (lookAt(to) !== undefined) continue;
    fs.renameSync(work.door.entry(aside), work.door.entry(to));
    if (i > 0) work.kept.push({ path: to, why: 'failed', reason: `${from} was taken meanwhile: it lies here now` });
    return;
  }
}

/** A rename; across file systems (a mount below the project) a copy and a removal. */
function rename(from: Buffer, to: Buffer, folder: boolean): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    copyTree(from, to, folder);
    fs.rmSync(from, { recursive: folder, force: true });
  }
}

/** node's own recursive copy reads names as UTF-8: these are bytes. */
function copyTree(from: Buffer, to: Buffer, folder: boolean): void {
  const stat = fs.lstatSync(from);
  if (folder && stat.isDirectory()) {
    fs.mkdirSync(to, { mode: 0o700 });
    for (const name of fs.readdirSync(from, 'buffer')) copyTree(below(from, name), below(to, name), true);
    fs.chmodSync(to, stat.mode & 0o7777);
  } else if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, 'buffer'), to);
  else {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    fs.chmodSync(to, stat.mode & 0o7777);
  }
  if (process.getuid?.() === 0) fs.lchownSync(to, stat.uid, stat.gid);
  fs.lutimesSync(to, stat.atime, stat.mtime);
}

const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name]);
