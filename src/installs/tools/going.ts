import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, removeFile } from '../../platform/files.ts';
import { readNote, writeNote } from '../../platform/notes.ts';
import { dirname, join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';
import { deleteFolder } from '../disk.ts';
import { GONE } from '../layout.ts';
import { isThere } from '../proof.ts';
import type { Kept } from './types.ts';

/** What a tool keeps, on its way out: renamed to `aside`. The note outlives a kill, so that the next run finishes it. */
interface Going extends Kept {
  readonly v: 1;
  readonly aside: Bytes;
}

const notesIn = (home: Bytes): Bytes => join(home, 'worktrees/tools-going');

/** `aside`: its checkout is there again, and it could not be renamed back; its name is in the note, and the next run tries it anew. */
export type Went = 'deleted' | 'half deleted' | 'there again' | 'aside';

/**
 * Renamed away, and deleted if its checkout is not there right after that either. Throws what rename throws: then nothing has changed.
 * With the lock of `belay gc --all-tools`: nobody else finishes it meanwhile.
 */
export async function letGo(home: Bytes, { path, checkout }: Kept): Promise<Went> {
  const id = randomHex(6);
  const going: Going = { v: 1, path, checkout, aside: join(dirname(path), `${GONE}${id}`) };
  const note = join(notesIn(home), `${id}.json`);
  writeNote(note, going);
  try {
    fs.renameSync(toBuffer(path), toBuffer(going.aside));
  } catch (error) {
    removeFile(note);
    throw error;
  }
  return finishOne(note, going);
}

/** What a run that was killed has left: back where its checkout is there again, else deleted. */
export async function finishGoing(home: Bytes): Promise<void> {
  for (const name of namesInOrNone(notesIn(home))) {
    const note = join(notesIn(home), name);
    const going = readNote<Going>(note, ['path', 'aside', 'checkout']);
    if (going !== undefined) await finishOne(note, going);
  }
}

async function finishOne(note: Bytes, { path, aside, checkout }: Going): Promise<Went> {
  if (isThere(checkout) && lookAt(aside) !== undefined) {
    if (lookAt(path) !== undefined) return 'there again'; // the tool has begun anew: the old one waits aside
    try {
      fs.renameSync(toBuffer(aside), toBuffer(path));
    } catch (error) {
      if (codeOf(error) === '') throw error;
      return 'aside';
    }
    removeFile(note);
    return 'there again';
  }
  if (!(await deleteFolder(aside))) return 'half deleted';
  removeFile(note);
  return 'deleted';
}
