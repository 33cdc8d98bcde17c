import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { type Bytes, isText, toBuffer, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, makeFolder, namesInOrNone, removeTree } from '../platform/files.ts';
import { readNote, writeNote } from '../platform/notes.ts';
import { basename, dirname, join } from '../platform/paths.ts';
import { randomHex } from '../platform/random.ts';

/** What was put aside of a worktree before it went: `archive/worktree-prune/<id>/`, its `archive.json`, and `files/` as they lay in it. */
export interface Archive {
  readonly v: 1;
  readonly id: string;
  readonly path: Bytes;
  readonly commonDir: Bytes;
  readonly branch?: Bytes;
  readonly head: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Relative to the worktree; a folder ends in a slash. */
  readonly entries: readonly Bytes[];
  /** So many commits of its reflogs are in `commits.pack`, the reflogs in `logs/`. */
  readonly commits?: number;
}

export const archivesFolder = (home: Bytes): Bytes => join(home, 'archive/worktree-prune');

export const archiveFolder = (home: Bytes, id: string): Bytes => join(archivesFolder(home), id);

const filesOf = (home: Bytes, id: string): Bytes => join(archiveFolder(home, id), 'files');
const noteOf = (home: Bytes, id: string): Bytes => join(archiveFolder(home, id), 'archive.json');

/**
 * Moves entries of a worktree, which lies at `place`, into an archive. All or nothing: what cannot be moved brings the others back.
 * `first` is called before anything moves: what it writes into the archive's folder goes with it, and whoever finds a move that was
 * killed has to know the archive by its id.
 */
export function putAway(
  home: Bytes,
  place: Bytes,
  about: Omit<Archive, 'v' | 'id' | 'at'>,
  first: (folder: Bytes, id: string) => void,
): Archive {
  const stamp = new Date().toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
  const id = `${stamp}_${toText(basename(about.path)).replace(/[^A-Za-z0-9._-]/g, '_')}_${randomHex(3)}`;
  const archive: Archive = { v: 1, id, at: Date.now(), ...about };
  const files = filesOf(home, id);
  makeFolder(files);
  writeNote(noteOf(home, id), archive);
  try {
    first(dirname(files), id);
    moveAll(place, files, archive.entries);
  } catch (error) {
    moveAll(
      files,
      place,
      archive.entries.filter((entry) => lookAt(join(files, bare(entry))) !== undefined),
    );
    removeTree(dirname(files));
    throw error;
  }
  return archive;
}

const bare = (entry: Bytes): Bytes => entry.replace(/\/+$/, '');

/** Those that are there; names that are taken at the other end are an error. */
function moveAll(from: Bytes, to: Bytes, entries: readonly Bytes[]): void {
  for (const entry of entries.map(bare)) {
    if (lookAt(join(from, entry)) === undefined) continue;
    if (lookAt(join(to, entry)) !== undefined) throw new Error(`${toText(join(to, entry))} is there already`);
    makeFolder(dirname(join(to, entry)));
    moveOne(join(from, entry), join(to, entry));
  }
}

/** Between file systems by a copy, which is whole before the original goes. */
function moveOne(from: Bytes, to: Bytes): void {
  try {
    fs.renameSync(toBuffer(from), toBuffer(to));
  } catch (error) {
    if (codeOf(error) !== 'EXDEV' || !isText(from) || !isText(to)) throw error;
    const done = spawnSync('/bin/cp', ['-a', '--', toText(from), toText(to)], { cwd: '/', env: {}, encoding: 'utf8' });
    if (done.status !== 0) {
      removeTree(to);
      throw new Error(`${toText(from)} could not be copied: ${done.stderr?.trim() || codeOf(done.error)}`);
    }
    removeTree(from);
  }
}

/** Every archive, newest first. */
export function archives(home: Bytes): Archive[] {
  return namesInOrNone(archivesFolder(home))
    .flatMap((name) => readArchive(home, name) ?? [])
    .sort((a, b) => b.at - a.at);
}

export function readArchive(home: Bytes, id: Bytes): Archive | undefined {
  if (!/^[\w.-]+$/.test(id)) return undefined;
  const archive = readNote<Archive>(noteOf(home, id), ['id', 'path', 'commonDir']);
  return Array.isArray(archive?.entries) ? archive : undefined;
}

/** Brings the archived files back into a worktree and lets the archive go. What is taken there stays in the archive, and is named. */
export function bringBack(
  home: Bytes,
  { id, entries }: Archive,
  tree: Bytes,
): { readonly back: Bytes[]; readonly taken: Bytes[] } {
  const files = filesOf(home, id);
  const there = entries.filter((entry) => lookAt(join(files, bare(entry))) !== undefined);
  const taken = there.filter((entry) => lookAt(join(tree, bare(entry))) !== undefined);
  const back = there.filter((entry) => !taken.includes(entry));
  moveAll(files, tree, back);
  if (taken.length === 0) removeTree(dirname(files));
  return { back, taken };
}
