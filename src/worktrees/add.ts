import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { remember } from '../installs/known.ts';
import { type Bytes, fromBuffer, fromText, toBuffer, toText } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { lookAt, makeFolder, readBytesIfAny } from '../platform/files.ts';
import { git, gitOfUser } from '../platform/git.ts';
import { acquire } from '../platform/lock.ts';
import { dirname, isInside, join, relativeTo, resolve } from '../platform/paths.ts';
import type { Home } from './trees.ts';

export interface AddWish {
  readonly home: Home;
  readonly config: Config;
  readonly belayHome: Bytes;
  /** The folder whose HEAD the branch starts from. */
  readonly from: Bytes;
  readonly name: Bytes;
  /** Another start. */
  readonly start?: Bytes;
}

export interface Added {
  readonly path: Bytes;
  readonly branch: Bytes;
  /** Ignored files that were copied. */
  readonly copied: readonly Bytes[];
}

export const treesFolder = ({ main }: Home, { worktrees }: Config): Bytes => resolve(main, fromText(worktrees.dir));

/** A new worktree with a branch of its own; undefined where git refused (it has said why). */
export function addWorktree({ home, config, belayHome, from, name, start }: AddWish): Added | undefined {
  const path = join(treesFolder(home, config), name);
  const branch = fromText(config.worktrees.branch_prefix) + name;
  ignoreFolder(home, config, belayHome);
  makeParent(dirname(path));
  const exists = git(['show-ref', '--verify', '-q', `refs/heads/${toText(branch)}`], { gitDir: home.commonDir }).ok;
  const rest = exists
    ? [toText(path), toText(branch)]
    : ['-b', toText(branch), toText(path), ...(start === undefined ? [] : [toText(start)])];
  if (!gitOfUser(['worktree', 'add', '-q', ...rest], from).ok) return undefined;
  remember(belayHome, path);
  return { path, branch, copied: copyIgnored(home.main, path, config.worktrees.copy) };
}

/** As the user makes folders, not 0700: it is theirs. */
const makeParent = (folder: Bytes): void => {
  fs.mkdirSync(toBuffer(folder), { recursive: true });
};

/** The folder of worktrees is ignored through `.git/info/exclude`: nothing in the project itself changes. */
function ignoreFolder(home: Home, config: Config, belayHome: Bytes): void {
  const folder = treesFolder(home, config);
  if (!isInside(folder, home.main) || folder === home.main) return;
  const lock = acquire(join(belayHome, 'worktrees/.add.lock'), 10_000);
  try {
    appendExclude(home, folder);
  } finally {
    lock?.release();
  }
}

function appendExclude(home: Home, folder: Bytes): void {
  const line = `/${relativeTo(home.main, folder)}/`;
  if (git(['check-ignore', '-q', '--no-index', `${toText(folder)}/`], { cwd: home.main, pathspecs: {} }).ok) return;
  const file = join(home.commonDir, 'info/exclude');
  const text = fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0));
  makeFolder(dirname(file));
  fs.appendFileSync(toBuffer(file), toBuffer(`${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`));
}

/** Files of the main worktree that git ignores and these pathspecs name, with their modes and times; nothing that is tracked. */
function copyIgnored(main: Bytes, to: Bytes, specs: readonly string[]): Bytes[] {
  if (specs.length === 0) return [];
  const said = git(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...specs], {
    cwd: main,
    pathspecs: {},
  });
  const files = said.ok
    ? fromBuffer(said.out)
        .split('\0')
        .filter((path) => path !== '')
    : [];
  const wanted = files.filter((path) => lookAt(join(to, path)) === undefined && !path.startsWith('.worktrees/'));
  if (wanted.length === 0) return [];
  const done = spawnSync('/bin/cp', ['-a', '--reflink=auto', '--parents', '--', ...wanted.map(toText), toText(to)], {
    cwd: toText(main),
    env: {},
    stdio: ['ignore', 'ignore', 2],
  });
  return done.status === 0 ? wanted : wanted.filter((path) => lookAt(join(to, path)) !== undefined);
}
