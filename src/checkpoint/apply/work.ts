import fs from 'node:fs';
import type { Bytes } from '../../platform/bytes.ts';
import { codeOf, type Look } from '../../platform/files.ts';
import { basename, dirname } from '../../platform/paths.ts';
import type { Kept, Step } from '../plan/steps.ts';
import type { Version } from '../record.ts';
import type { Store } from '../store.ts';
import type { Doorway } from './doorway.ts';

export type FileStep = Step & { readonly do: 'file' };
export type MoveStep = Step & { readonly do: 'move' };

/** What the stages of one restore share: where it works, and what became of it so far. */
export interface Work {
  readonly store: Store;
  readonly door: Doorway;
  readonly order: number;
  readonly restored: Bytes[];
  readonly removed: Bytes[];
  readonly kept: Kept[];
  readonly linked: Bytes[];
  readonly minFreePercent: number;
  /** Modes of folders, set at the very end: one that nobody may write could not be filled. */
  readonly modes: Map<Bytes, number>;
  /** Inodes that were written in place, and what they are now. */
  readonly inPlace: Map<string, Version>;
  /** Steps that were done; also what tells the names beside the targets apart. */
  done: number;
}

export const inodeOf = (look: Look): string => `${look.dev} ${look.ino}`;

export const meanwhile = (path: Bytes): Error =>
  Object.assign(new Error(`changed while it was being restored: ${basename(path)}`), { code: 'meanwhile' });

/**
 * Throws where the entry is not what the plan saw. A folder is the same while it is one; what lies in it has steps of its own. A file
 * that was written in place through another of its names is the same with other bytes.
 */
export function mustBe(work: Work, at: Buffer, seen: Look | undefined): void {
  const stat = fs.lstatSync(at, { bigint: true, throwIfNoEntry: false });
  const same =
    seen === undefined
      ? stat === undefined
      : stat !== undefined &&
        (seen.type === 'folder'
          ? stat.isDirectory()
          : String(stat.ino) === seen.ino &&
            (work.inPlace.has(inodeOf(seen)) ||
              (String(stat.mtimeNs) === seen.mtime && Number(stat.size) === seen.size)));
  if (!same) throw meanwhile(at.toString('latin1'));
}

/** The plan makes every folder; one that vanished since is made again. */
export function parentOf({ door, restored }: Work, path: Bytes): void {
  for (const made of door.make(dirname(path), () => 0o755)) restored.push(made);
}

/** A folder in the place of something that is none, or the other way: its entries went before, so it is empty. */
export function clearFolder(work: Work, at: Buffer, path: Bytes, seen: Look | undefined, folder: boolean): void {
  if (seen === undefined || (seen.type === 'folder') === folder) return;
  if (seen.type === 'folder') {
    work.door.forget(path);
    fs.rmdirSync(at);
  } else fs.unlinkSync(at);
}

/** Does one step; what goes wrong with it keeps nobody from the others, except a disk that is full. */
export function attempt(work: Work, step: Step, tick: (done: number) => void, act: () => void): boolean {
  try {
    act();
    tick(++work.done);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') throw error;
    const why =
      codeOf(error) === 'meanwhile' ? 'changed-meanwhile' : codeOf(error) === 'ENOTEMPTY' ? 'not-empty' : 'failed';
    work.kept.push({ path: step.path, why, reason: messageOf(error) });
    return false;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
