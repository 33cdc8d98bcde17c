import fs from 'node:fs';
import { runBeside } from '../platform/beside.ts';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, lookAt, lookThrough, readBytesIfAny } from '../platform/files.ts';
import { type GitAnswer, type GitCall, gitLater } from '../platform/git.ts';
import { dirname, join, relativeTo, resolve } from '../platform/paths.ts';

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
  // Of a link to a folder only the link would go.
  const tops = folders
    .map((folder) => join(place, folder.replace(/\/+$/, '')))
    .filter((folder) => lookAt(folder)?.type === 'folder');
  const own: Bytes[] = [];
  for (const { folder, bare } of (await found(tops)) ?? walked(tops))
    if (bare ? await holdsCommits(folder) : await holdsWork(folder)) own.push(relativeTo(place, folder));
  return own;
}

interface Found {
  readonly folder: Bytes;
  readonly bare: boolean;
}

/** By find(1), which is twice as fast as node; undefined where it was not told everything. */
async function found(tops: readonly Bytes[]): Promise<Found[] | undefined> {
  if (tops.length === 0) return [];
  const names = ['(', '-name', '.git', '-prune', '-o', '-name', 'HEAD', ')', '-print0'];
  const find = await runBeside('/usr/bin/find', ['-P'], tops, names);
  if (find?.status !== 0) return undefined;
  return find.out
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => ({ folder: dirname(path), bare: path.endsWith('/HEAD') }))
    .filter(({ folder, bare }) => !bare || isBare((name) => lookAt(join(folder, name)) !== undefined));
}

function walked(tops: readonly Bytes[]): Found[] {
  const out: Found[] = [];
  const waiting = [...tops];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = entriesOf(folder);
    const has = (name: string): boolean => entries.some((entry) => entry.name === name);
    const bare = isBare(has);
    if (has('.git') || bare) out.push({ folder, bare: !has('.git') });
    if (!bare)
      for (const { name, isFolder } of entries) if (isFolder && name !== '.git') waiting.push(`${folder}/${name}`);
  }
  return out;
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
