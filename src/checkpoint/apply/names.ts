import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, type Look, lookAt, namesVisible } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';
import { filesFrom } from '../../platform/search.ts';
import type { Step } from '../plan/steps.ts';
import type { Version } from '../record.ts';
import { sameVersion } from '../version.ts';
import { asideName } from './journal.ts';
import type { FileStep, Work } from './work.ts';

/** So many entries are looked at for names that stayed, in one restore: a fifth of a second at most. */
const MOST_ENTRIES = 20_000;

/** Larger files are not compared. */
const LARGEST = 64 << 20;

/**
 * Files that were one file with several names are one again: those that came back together, and with a name beside them or in their
 * project that stayed and still has the inode and the bytes. Where no link can be made, each has its own bytes.
 */
export function joinNames(work: Work, steps: readonly Step[]): void {
  const several = steps.filter(hasSeveralNames);
  if (several.length === 0) return;
  const restored = new Set(work.restored);
  const byInode = new Map<string, NamedStep[]>();
  for (const step of several) {
    if (step.becomes.ino === undefined || !restored.has(step.path)) continue;
    const list = byInode.get(step.becomes.ino);
    if (list === undefined) byInode.set(step.becomes.ino, [step]);
    else list.push(step);
  }
  const named = namesThatStayed(byInode, work.store.base);
  for (const [ino, [first, ...others]] of byInode) {
    if (first === undefined) continue;
    const stayed = named.get(ino);
    if (stayed !== undefined) oneFile(work, stayed, first.path);
    for (const other of others)
      if (sameVersion(first.becomes, other.becomes)) oneFile(work, stayed ?? first.path, other.path);
  }
}

type NamedStep = FileStep & { readonly becomes: Version & { readonly kind: 'file' } };

const hasSeveralNames = (step: Step): step is NamedStep =>
  step.do === 'file' && !step.inPlace && step.becomes.kind === 'file' && (step.becomes.names ?? 1) > 1;

/** By inode. One search for all: the folders of the files first, then what else is in their projects. */
function namesThatStayed(
  byInode: ReadonlyMap<string, readonly NamedStep[]>,
  belays: Bytes,
): ReadonlyMap<string, Bytes> {
  const out = new Map<string, Bytes>();
  const open = new Map<string, { readonly step: NamedStep; readonly look: Look }>();
  for (const [ino, [step, ...others]] of byInode) {
    const look = step && lookAt(step.path);
    if (step === undefined || look === undefined || step.size > LARGEST) continue;
    if (others.length + 1 < (step.becomes.names ?? 1)) open.set(ino, { step, look });
  }
  if (open.size === 0) return out;
  const folders = [...new Set([...open.values()].map(({ step }) => dirname(step.path)))];
  const beside = folders.flatMap((folder) => namesVisible(folder).map((name) => join(folder, name)));
  const tops = folders.flatMap((folder) => projectRoot(folder, undefined) ?? folder);
  const ours = new Set([...byInode.values()].flatMap((steps) => steps.map(({ path }) => path)));
  let entries = 0;
  const more = (): boolean => ++entries <= MOST_ENTRIES && open.size > 0;
  const isOne = (path: Bytes): void => {
    const look = tryLook(path);
    const one = look && open.get(look.ino);
    if (look === undefined || one === undefined || ours.has(path) || !isThatFile(path, look, one)) return;
    out.set(look.ino, path);
    open.delete(look.ino);
  };
  for (const path of beside) if (more()) isOne(path);
  for (const path of filesFrom(tops, [belays], more)) isOne(path);
  return out;
}

/** A number is given to another file once the last name has gone: beyond the file's own folder its time of change tells, too. */
function isThatFile(
  path: Bytes,
  look: Look,
  { step, look: mine }: { readonly step: NamedStep; readonly look: Look },
): boolean {
  const alike = look.dev === mine.dev && look.size === mine.size && look.mode === mine.mode && look.uid === mine.uid;
  const { mtime } = step.becomes;
  const isBeside = dirname(path) === dirname(step.path);
  if (!alike || look.type !== 'file' || (!isBeside && mtime !== undefined && mtime !== look.mtime)) return false;
  try {
    return fs.readFileSync(toBuffer(path)).equals(fs.readFileSync(toBuffer(step.path)));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false; // what may not be read stays a file by itself
  }
}

function tryLook(path: Bytes): Look | undefined {
  try {
    return lookAt(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return undefined;
  }
}

function oneFile(work: Work, from: Bytes, path: Bytes): void {
  const aside = work.door.entry(asideName(dirname(path), work.order, 'n'));
  try {
    fs.linkSync(work.door.entry(from), aside);
    fs.renameSync(aside, work.door.entry(path));
  } catch {
    // No link can be made here: the file is there with its own bytes.
  } finally {
    fs.rmSync(aside, { force: true });
  }
}
