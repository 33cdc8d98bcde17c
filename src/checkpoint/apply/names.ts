import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, namesVisible } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Step } from '../plan/steps.ts';
import { sameVersion } from '../version.ts';
import { asideName } from './journal.ts';
import type { FileStep, Work } from './work.ts';

/** A folder with more entries is not searched for the name that stayed, and larger files are not compared. */
const MOST_NAMES = 2000;
const LARGEST = 64 << 20;

/**
 * Files that were one file with several names are one again: those that came back together, and with a name in the same folder that
 * stayed and still has the inode and the bytes. Where no link can be made, each has its own bytes.
 */
export function joinNames(work: Work, steps: readonly Step[]): void {
  const several = steps.filter(hasSeveralNames);
  if (several.length === 0) return;
  const restored = new Set(work.restored);
  const byInode = new Map<string, FileStep[]>();
  for (const step of several) {
    if (step.becomes.kind !== 'file' || step.becomes.ino === undefined || !restored.has(step.path)) continue;
    const list = byInode.get(step.becomes.ino);
    if (list === undefined) byInode.set(step.becomes.ino, [step]);
    else list.push(step);
  }
  for (const [ino, [first, ...others]] of byInode) {
    if (first === undefined) continue;
    const stayed = nameThatStayed(ino, first);
    if (stayed !== undefined) oneFile(work, stayed, first.path);
    for (const other of others)
      if (sameVersion(first.becomes, other.becomes)) oneFile(work, stayed ?? first.path, other.path);
  }
}

const hasSeveralNames = (step: Step): step is FileStep =>
  step.do === 'file' && !step.inPlace && step.becomes.kind === 'file' && (step.becomes.names ?? 1) > 1;

function nameThatStayed(ino: string, { path, size }: FileStep): Bytes | undefined {
  const folder = dirname(path);
  const names = size > LARGEST ? [] : namesVisible(folder);
  const mine = lookAt(path);
  if (names.length > MOST_NAMES || mine === undefined) return undefined;
  return names
    .map((name) => join(folder, name))
    .find((other) => {
      const look = lookAt(other);
      if (look?.type !== 'file' || look.ino !== ino || other === path) return false;
      const alike = look.size === mine.size && look.mode === mine.mode && look.uid === mine.uid;
      return alike && fs.readFileSync(toBuffer(other)).equals(fs.readFileSync(toBuffer(path)));
    });
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
