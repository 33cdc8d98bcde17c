import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { remember } from '../installs/known.ts';
import { type Bytes, fromBuffer, fromText, toBuffer, toText } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { codeOf, lookAt, makeFolder, readBytesIfAny } from '../platform/files.ts';
import { git, gitOfUser } from '../platform/git.ts';
import { acquire } from '../platform/lock.ts';
import { dirname, isInside, join, relativeTo, resolve } from '../platform/paths.ts';
import type { Inquiry } from './facts.ts';
import type { Repository } from './trees.ts';

export interface AddWish {
  readonly inquiry: Inquiry;
  /** The folder whose HEAD the branch starts from. */
  readonly from: Bytes;
  readonly name: Bytes;
  /** Another start. */
  readonly start?: Bytes;
}

export interface Added {
  readonly path: Bytes;
  readonly branch: Bytes;
  readonly copied: Copied;
}

/** Ignored files of the main worktree that the new one has as well, and why not all of them. */
export interface Copied {
  readonly files: readonly Bytes[];
  readonly problem?: string;
}

export const treesFolder = ({ main }: Repository, { worktrees }: Config): Bytes =>
  resolve(main, fromText(worktrees.dir));

/** A new worktree with a branch of its own; undefined where git refused (it has said why). */
export function addWorktree({ inquiry, from, name, start }: AddWish): Added | undefined {
  const { repository, config, belayHome } = inquiry;
  const folder = treesFolder(repository, config);
  const path = join(folder, name);
  const branch = fromText(config.worktrees.branch_prefix) + name;
  ignoreFolder(repository, folder, belayHome);
  makeParent(dirname(path));
  const exists = git(['show-ref', '--verify', '-q', `refs/heads/${toText(branch)}`], {
    gitDir: repository.commonDir,
  }).ok;
  const rest = exists
    ? [toText(path), toText(branch)]
    : ['-b', toText(branch), toText(path), ...(start === undefined ? [] : [toText(start)])];
  // git itself fails over another's worktree that is half made (its `commondir` is empty for a moment).
  const lock = acquire(addLock(belayHome), LONGEST_ADD_MS);
  try {
    if (!gitOfUser(['worktree', 'add', '-q', ...rest], from).ok) return undefined;
  } finally {
    lock?.release();
  }
  remember(belayHome, path);
  return { path, branch, copied: copyIgnored(repository.main, path, folder, config.worktrees.copy) };
}

const addLock = (belayHome: Bytes): Bytes => join(belayHome, 'worktrees/.add.lock');

/** So long another one that is being made is waited for, its checkout included, ms; then both go on side by side. */
const LONGEST_ADD_MS = 60_000;

/** As the user makes folders, not 0700: it is theirs. */
const makeParent = (folder: Bytes): void => {
  fs.mkdirSync(toBuffer(folder), { recursive: true });
};

/** The folder of worktrees is ignored through `.git/info/exclude`: nothing in the project itself changes. */
function ignoreFolder({ main, commonDir }: Repository, folder: Bytes, belayHome: Bytes): void {
  if (!isInside(folder, main) || folder === main) return;
  const lock = acquire(addLock(belayHome), LONGEST_ADD_MS);
  try {
    if (git(['check-ignore', '-q', '--no-index', `${toText(folder)}/`], { cwd: main, pathspecs: {} }).ok) return;
    appendLine(join(commonDir, 'info/exclude'), `/${relativeTo(main, folder)}/`);
  } finally {
    lock?.release();
  }
}

function appendLine(file: Bytes, line: Bytes): void {
  const text = fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0));
  makeFolder(dirname(file));
  fs.appendFileSync(toBuffer(file), toBuffer(`${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`));
}

/** Files that git ignores and these pathspecs name, with their modes and times; nothing that is tracked, or lies in another worktree. */
function copyIgnored(main: Bytes, to: Bytes, folder: Bytes, specs: readonly string[]): Copied {
  if (specs.length === 0) return { files: [] };
  const ignored = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...specs];
  const said = git(ignored, { cwd: main, pathspecs: {} });
  if (!said.ok) return { files: [], problem: `git cannot list them: ${toText(said.err).trim()}` };
  const wanted = fromBuffer(said.out)
    .split('\0')
    .filter((path) => path !== '' && !isInside(join(main, path), folder) && lookAt(join(to, path)) === undefined);
  if (wanted.length === 0) return { files: [] };
  const done = spawnSync('/bin/cp', ['-a', '--reflink=auto', '--parents', '--', ...wanted.map(toText), toText(to)], {
    cwd: toText(main),
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const files = wanted.filter((path) => lookAt(join(to, path)) !== undefined);
  if (done.status === 0) return { files };
  return { files, problem: done.stderr?.trim() || `cp(1) failed (${codeOf(done.error) || done.status})` };
}
