import fs from 'node:fs';
import { deleteFolder } from '../installs/disk.ts';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { lookAt, namesInOrNone, removeFile } from '../platform/files.ts';
import { log } from '../platform/log.ts';
import { readNote, writeNote } from '../platform/notes.ts';
import { basename, dirname, join } from '../platform/paths.ts';
import { randomHex } from '../platform/random.ts';
import { bringBack, readArchive } from './archive.ts';

/** A worktree that was renamed to be judged once more where nobody else comes by its name. The note outlives a kill. */
export interface Aside {
  readonly v: 1;
  readonly path: Bytes;
  readonly aside: Bytes;
  /** Its archive, once there is one. */
  readonly archive?: string;
  /** It is decided: what lies aside is to be deleted. */
  readonly decided: boolean;
}

const notes = (home: Bytes): Bytes => join(home, 'worktrees/asides');
const noteOf = (home: Bytes, { aside }: Aside): Bytes =>
  join(notes(home), `${basename(aside).replace(/^.*-/, '')}.json`);

export const hasAsides = (home: Bytes): boolean => namesInOrNone(notes(home)).length > 0;

/** Throws what rename throws: it stays where it is then. */
export function putAside(home: Bytes, path: Bytes): Aside {
  const aside = join(dirname(path), `.belay-removing-${randomHex(6)}`);
  const note: Aside = { v: 1, path, aside, decided: false };
  write(home, note);
  try {
    fs.renameSync(toBuffer(path), toBuffer(aside));
  } catch (error) {
    forget(home, note);
    throw error;
  }
  return note;
}

export const write = (home: Bytes, note: Aside): void => writeNote(noteOf(home, note), note);

export const forget = (home: Bytes, note: Aside): void => removeFile(noteOf(home, note));

/** Under its name again. False where the name is taken meanwhile: then it stays aside, and its note says so. */
export function putBack(home: Bytes, note: Aside): boolean {
  if (lookAt(note.path) !== undefined) return false;
  fs.renameSync(toBuffer(note.aside), toBuffer(note.path));
  forget(home, note);
  return true;
}

/** What a killed removal left: undecided worktrees come back whole, decided ones are deleted to the end. With the lock of removals. */
export async function finishAsides(home: Bytes): Promise<void> {
  for (const name of namesInOrNone(notes(home))) await finish(home, read(join(notes(home), name)));
}

/** The same of one removal that failed on its way, as its note on the disk has it by now. */
export const finishAside = (home: Bytes, aside: Aside): Promise<void> => finish(home, read(noteOf(home, aside)));

const read = (file: Bytes): Aside | undefined => readNote<Aside>(file, ['path', 'aside']);

async function finish(home: Bytes, note: Aside | undefined): Promise<void> {
  if (note === undefined) return;
  if (lookAt(note.aside) === undefined) forget(home, note);
  else if (note.decided) {
    if (await deleteFolder(note.aside)) forget(home, note);
  } else {
    const archive = note.archive === undefined ? undefined : readArchive(home, note.archive);
    if (archive !== undefined) bringBack(home, archive, note.aside);
    if (!putBack(home, note))
      log(home, `${toText(note.aside)} was ${toText(note.path)}, where something else lies now`, 'warn');
  }
}
