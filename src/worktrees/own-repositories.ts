import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, lookThrough, readBytesIfAny } from '../platform/files.ts';
import { type GitAnswer, type GitCall, gitLater } from '../platform/git.ts';
import { join, resolve } from '../platform/paths.ts';

/**
 * Repositories below folders that are not archived because they can be made again (`node_modules`), relative to `place`: those that hold
 * something no remote of theirs has. A clone that a package manager made is none of them. `unknown` where a folder cannot be read.
 */
export async function ownRepositories(place: Bytes, folders: readonly Bytes[]): Promise<Bytes[] | 'unknown'> {
  try {
    return await ownIn(place, folders);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return 'unknown'; // a closed folder
  }
}

async function ownIn(place: Bytes, folders: readonly Bytes[]): Promise<Bytes[]> {
  const own: Bytes[] = [];
  const waiting = folders.map((folder) => folder.replace(/\/+$/, ''));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = entriesOf(join(place, folder));
    const has = (name: string): boolean => entries.some((entry) => entry.name === name);
    if (has('.git') ? await holdsWork(join(place, folder)) : isBare(has) && (await holdsCommits(join(place, folder))))
      own.push(folder);
    if (!isBare(has))
      for (const { name, isFolder } of entries) if (isFolder && name !== '.git') waiting.push(`${folder}/${name}`);
  }
  return own;
}

function entriesOf(folder: Bytes): { readonly name: Bytes; readonly isFolder: boolean }[] {
  try {
    return fs
      .readdirSync(toBuffer(folder), { withFileTypes: true, encoding: 'latin1' })
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return []; // gone meanwhile, or a file of that name
    throw error;
  }
}

/** gitrepository-layout(5). */
const isBare = (has: (name: string) => boolean): boolean => has('HEAD') && has('objects') && has('refs');

async function holdsWork(folder: Bytes): Promise<boolean> {
  const file = join(folder, '.git');
  if (lookThrough(file)?.type === 'file') {
    const named = /^gitdir: (.+?)\n*$/s.exec(readBytesIfAny(file)?.toString('latin1') ?? '')?.[1];
    // what some packages ship: it leads nowhere
    if (named === undefined || lookThrough(resolve(folder, named)) === undefined) return false;
  }
  return (await says(['status', '--porcelain', '--untracked-files=normal'], { cwd: folder })) || holdsCommits(folder);
}

/** Of a branch, a stash or a reflog; all of them where it has no remote. */
const holdsCommits = (folder: Bytes): Promise<boolean> =>
  says(['rev-list', '--max-count=1', '--all', '--reflog', '--not', '--remotes'], { cwd: folder });

/** Where git cannot tell, something may be there. */
async function says(args: readonly string[], call: GitCall): Promise<boolean> {
  const said: GitAnswer = await gitLater(args, { ...call, timeout: 60_000 });
  return !said.ok || said.out.length > 0;
}
