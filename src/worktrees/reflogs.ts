import fs from 'node:fs';
import type { Linked } from '../installs/checkout.ts';
import { type Bytes, fromBuffer, toBuffer, toText } from '../platform/bytes.ts';
import { makeFolder, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { dirname, join } from '../platform/paths.ts';
import type { Tree } from './trees.ts';

/** Commits that only the reflogs of a worktree hold: reset, amended or rebased away in it. They would go with its folder in `.git`. */
export interface Logged {
  /** Names of commits in the reflogs, from which the others are reached. */
  readonly tips: readonly string[];
  readonly commits: number;
}

/** The reflogs that go with a worktree: its own, and that of its branch, should that go as well. */
const logsOf = ({ gitDir, commonDir }: Linked, branch: Bytes | undefined): Readonly<Record<string, Bytes>> => ({
  HEAD: join(gitDir, 'logs/HEAD'),
  ...(branch === undefined ? {} : { branch: join(commonDir, `logs/refs/heads/${branch}`) }),
});

/** Asked of git only where the reflogs name what no branch, remote or tag does. */
export function loggedOnly({ branch }: Tree, linked: Linked, held: Held): Logged | 'unknown' {
  const { commonDir } = linked;
  if (held === 'unknown') return 'unknown';
  const named = new Set<string>();
  for (const file of [...Object.values(logsOf(linked, branch)), join(linked.gitDir, 'ORIG_HEAD')])
    for (const line of linesOf(file))
      for (const oid of line.slice(0, 129).match(/\b[0-9a-f]{40,64}\b/g) ?? []) if (!/^0+$/.test(oid)) named.add(oid);
  for (const oid of held) named.delete(oid);
  if (named.size === 0) return { tips: [], commits: 0 };
  const there = git(['rev-list', '--no-walk', '--ignore-missing', '--stdin'], {
    gitDir: commonDir,
    input: [...named, ''].join('\n'),
  });
  if (!there.ok) return 'unknown';
  const tips = wordsOf(there.out);
  if (tips.length === 0) return { tips, commits: 0 };
  const count = git(['rev-list', '--count', '--stdin'], { gitDir: commonDir, input: revisions(tips, held) });
  return count.ok ? { tips, commits: Number(fromBuffer(count.out).trim()) } : 'unknown';
}

const linesOf = (file: Bytes): Bytes[] => fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0)).split('\n');

const wordsOf = (out: Buffer): string[] => fromBuffer(out).split('\n').filter(Boolean);

/** What branches, remotes and tags point at. */
export type Held = readonly string[] | 'unknown';

/** `but`: not this branch. */
export function heldBy(commonDir: Bytes, but?: Bytes): Held {
  const said = git(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/remotes', 'refs/tags'], {
    gitDir: commonDir,
  });
  if (!said.ok) return 'unknown';
  return wordsOf(said.out).flatMap((row) => {
    const [oid = '', ...name] = row.split(' ');
    return name.join(' ') === `refs/heads/${but ?? ''}` ? [] : [oid];
  });
}

const revisions = (tips: readonly string[], held: readonly string[]): string =>
  [...tips, ...held.map((oid) => `^${oid}`), ''].join('\n');

/** Writes the reflogs and what they alone hold into the folder of an archive. Throws where git cannot. */
export function keepLogged(folder: Bytes, { branch }: Tree, linked: Linked, { tips }: Logged): void {
  // the branch may go as well: the pack leans on nothing of it
  const held = heldBy(linked.commonDir, branch);
  const pack = git(['pack-objects', '--revs', '--stdout', '-q'], {
    gitDir: linked.commonDir,
    input: revisions(tips, held === 'unknown' ? [] : held),
    timeout: 600_000,
  });
  if (!pack.ok) throw new Error(`git could not pack what the reflogs of ${toText(folder)} hold: ${pack.err}`);
  makeFolder(join(folder, 'logs'));
  writeAtomic(join(folder, 'commits.pack'), pack.out);
  for (const [name, file] of Object.entries(logsOf(linked, branch)))
    writeAtomic(join(folder, `logs/${name}`), readBytesIfAny(file) ?? Buffer.alloc(0));
}

/** The repository has the commits of an archive again; false where git cannot take them. */
export function unpackLogged(folder: Bytes, commonDir: Bytes): boolean {
  const input = readBytesIfAny(join(folder, 'commits.pack'));
  return input === undefined || git(['unpack-objects', '-q'], { gitDir: commonDir, input, timeout: 600_000 }).ok;
}

/** A worktree that was made again has its reflogs again: the old lines before the new ones. */
export function bringReflogsBack(folder: Bytes, branch: Bytes | undefined, linked: Linked): void {
  for (const [name, file] of Object.entries(logsOf(linked, branch))) {
    const before = readBytesIfAny(join(folder, `logs/${name}`)) ?? Buffer.alloc(0);
    const now = readBytesIfAny(file) ?? Buffer.alloc(0);
    // a branch that was there all the time has kept its own
    if (before.length === 0 || now.indexOf(before) === 0) continue;
    fs.mkdirSync(toBuffer(dirname(file)), { recursive: true });
    fs.writeFileSync(toBuffer(file), Buffer.concat([before, now]));
  }
}
