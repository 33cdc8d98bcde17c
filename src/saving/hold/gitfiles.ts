import fs from 'node:fs';
import type { LeftOut } from '../../checkpoint/record.ts';
import type { GitRepository } from '../../effects/types.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, lookThrough, namesVisible, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { HeldGit } from './manifest.ts';
import { readReflogs } from './reflogs.ts';

/**
 * HEAD, index, refs and stash of a repository, read from its files: no git process, nothing written, cost independent of
 * history. Object names only; the objects themselves stay the repository's.
 */
export function holdGit(target: GitRepository, folder: Bytes, i: number, leftOut: LeftOut[]): HeldGit {
  const { gitDir, commonDir, workTree } = target;
  const index = copyIndex(gitDir, folder, i);
  if (index === 'too large') leftOut.push({ path: join(gitDir, 'index'), reason: 'the index is too large' });
  const files = readOperation(gitDir);
  if (files === undefined) leftOut.push({ path: gitDir, reason: 'the state of the operation under way is too large' });
  return {
    workTree,
    gitDir,
    commonDir,
    head: text(join(gitDir, 'HEAD')).trim(),
    refs: gitDir === commonDir ? readRefs(commonDir) : merged(readRefs(commonDir), readRefs(gitDir)),
    stash: text(join(commonDir, 'logs/refs/stash'))
      .split('\n')
      .filter((line) => line !== ''),
    ...(index !== undefined && index !== 'too large' ? { indexFile: index } : {}),
    ...(files === undefined ? {} : { files }),
    logs: readReflogs(commonDir),
  };
}

/** A linked work tree has refs of its own (`refs/bisect`, `refs/worktree`, `refs/rewritten`: git-worktree(1)). */
const merged = (shared: [Bytes, Bytes][], own: [Bytes, Bytes][]): [Bytes, Bytes][] =>
  [...new Map([...shared, ...own])].sort(([a], [b]) => (a < b ? -1 : 1));

/** Files beside HEAD, and folders, by which git knows that something is under way (gitrepository-layout(5), git's own wt-status). */
const OPERATION =
  /^(?:[A-Z_]+_HEAD|MERGE_(?:MODE|MSG|RR|AUTOSTASH)|AUTO_MERGE|SQUASH_MSG|BISECT_[A-Z_]+|rebase-merge|rebase-apply|sequencer)$/;

/** Rewritten by every fetch; it says of no operation. */
const NOT_OPERATION = new Set(['FETCH_HEAD']);

const LARGEST_OPERATION = 1 << 20;

/** The files of an operation under way, by name; undefined where there is more than a record should carry. */
function readOperation(gitDir: Bytes): [Bytes, Bytes][] | undefined {
  const out: [Bytes, Bytes][] = [];
  let size = 0;
  const visit = (name: Bytes, depth: number): boolean => {
    const look = lookAt(join(gitDir, name));
    if (look?.type === 'folder')
      return depth < 4 && namesVisible(join(gitDir, name)).every((entry) => visit(`${name}/${entry}`, depth + 1));
    if (look?.type !== 'file' || name.endsWith('.lock')) return true;
    size += look.size;
    if (size > LARGEST_OPERATION) return false;
    out.push([name, readBytesIfAny(join(gitDir, name))?.toString('latin1') ?? '']);
    return true;
  };
  const names = namesVisible(gitDir).filter((name) => OPERATION.test(name) && !NOT_OPERATION.has(name));
  return names.every((name) => visit(name, 0)) ? out : undefined;
}

const text = (path: Bytes): Bytes => {
  const look = lookThrough(path);
  return look?.type === 'file' ? (readBytesIfAny(path)?.toString('latin1') ?? '') : '';
};

const LARGEST_INDEX = 256 << 20;

function copyIndex(gitDir: Bytes, folder: Bytes, i: number): Bytes | undefined | 'too large' {
  const index = join(gitDir, 'index');
  const look = lookThrough(index);
  if (look?.type !== 'file') return undefined;
  if (look.size > LARGEST_INDEX) return 'too large';
  const name = `index${i}`;
  fs.copyFileSync(toBuffer(index), toBuffer(join(folder, name)), fs.constants.COPYFILE_FICLONE);
  fs.chmodSync(toBuffer(join(folder, name)), 0o600);
  return name;
}

/** Loose refs outrank packed ones (gitrepository-layout(5)), and are read first: who packs writes the packed file before the loose ones go. */
export function readRefs(commonDir: Bytes): [Bytes, Bytes][] {
  const loose = new Map<Bytes, Bytes>();
  const visit = (name: Bytes, depth: number): void => {
    for (const entry of namesVisible(join(commonDir, name))) {
      const below = `${name}/${entry}`;
      const look = lookThrough(join(commonDir, below));
      if (look?.type === 'folder' && depth < 32) visit(below, depth + 1);
      else if (look?.type === 'file' && look.size < 4096 && !entry.endsWith('.lock')) {
        const value = text(join(commonDir, below)).trim();
        // Gone since it was looked at: the packed file has it.
        if (value !== '') loose.set(below, value);
      }
    }
  };
  visit('refs', 0);
  const refs = new Map<Bytes, Bytes>();
  for (const line of text(join(commonDir, 'packed-refs')).split('\n')) {
    const [, value, name] = /^([0-9a-f]{40,64}) (refs\/\S+)$/.exec(line) ?? [];
    if (value !== undefined && name !== undefined) refs.set(name, value);
  }
  return [...new Map([...refs, ...loose])].sort(([a], [b]) => (a < b ? -1 : 1));
}
