import fs from 'node:fs';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { StoreError } from '../store.ts';
import type { Parcel } from './parcel.ts';

/** Checkpoints in a file are a git bundle: plain git reads it, and every git has come with it for ever. */
const REFS = 'refs/belay/checkpoints/';

export const bundleRef = (n: number): string => `${REFS}${n}`;

/** What stands under these names in the parcel in one file beside it, complete in itself. */
export function writeBundle(parcel: Parcel, refs: readonly string[]): Bytes {
  const answer = git(['bundle', 'create', '-q', 'bundle', ...refs], {
    gitDir: parcel.gitDir,
    cwd: parcel.folder,
    timeout: 600_000,
  });
  if (!answer.ok) throw new StoreError('store_failed', `the bundle was not written: ${toText(answer.err.trim())}`);
  return join(parcel.folder, 'bundle');
}

/** The checkpoints of a bundle, oldest first, their objects in the parcel; or why it is none. */
export type ReadBundle =
  | { readonly is: 'read'; readonly commits: readonly string[] }
  | { readonly is: 'none'; readonly why: string };

const LONGEST_LINE = 4096;
const MOST_REFS = 10_000;

export function readBundle(parcel: Parcel, fd: number): ReadBundle {
  if (!/^# v[23] git bundle$/.test(lineOf(fd))) return { is: 'none', why: 'it is no git bundle' };
  const found: { readonly n: number; readonly id: string }[] = [];
  for (let count = 0; ; count++) {
    const line = lineOf(fd);
    if (line === '') break;
    if (count > MOST_REFS) return { is: 'none', why: `it names more than ${MOST_REFS} checkpoints` };
    if (line.startsWith('-')) return { is: 'none', why: 'it is a part of another one, which is missing' };
    if (line.startsWith('@') && line !== '@object-format=sha1') return { is: 'none', why: `it needs ${line.slice(1)}` };
    const hit = /^([0-9a-f]{40}) refs\/belay\/checkpoints\/(\d{1,15})$/.exec(line);
    if (hit?.[1]) found.push({ id: hit[1], n: Number(hit[2]) });
  }
  if (found.length === 0) return { is: 'none', why: 'no checkpoint of belay is in it' };
  const answer = git(['index-pack', '--stdin'], { gitDir: parcel.gitDir, inputFile: fd, timeout: 600_000 });
  if (!answer.ok) return { is: 'none', why: `it is damaged or cut off: ${toText(answer.err.trim()).split('\n')[0]}` };
  return { is: 'read', commits: found.sort((a, b) => a.n - b.n).map(({ id }) => id) };
}

/** Up to the next newline, byte by byte: what follows the last one is git's to read. */
function lineOf(fd: number): string {
  const bytes: number[] = [];
  const one = Buffer.alloc(1);
  while (bytes.length < LONGEST_LINE && fs.readSync(fd, one, 0, 1, null) === 1 && one[0] !== 0x0a)
    bytes.push(one[0] ?? 0);
  return Buffer.from(bytes).toString('latin1');
}
