import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { type Look, lookAt, reach, realAsFar } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import type { Step } from '../plan/steps.ts';
import type { FileStep } from './work.ts';

/** There is not enough room, known before anything was touched. */
class NoRoom extends Error {
  readonly code = 'ENOSPC';
}

/** Copies of less than this are always made: a link to a hold shares its bytes with the hold from then on. */
const WORTH_LINKING = 256 << 20;

/** Whether a held file has to come back as a link: it is large, and a copy would leave too little of the disk free. */
export function hasToLink({ source, size }: FileStep, folder: Buffer, minFreePercent: number): boolean {
  if (source.at !== 'hold' || !source.linked || size < WORTH_LINKING) return false;
  const { bavail, blocks, bsize } = fs.statfsSync(folder);
  const left = bavail * bsize - takes(source.path, size);
  return blocks > 0 && left < (blocks * bsize * minFreePercent) / 100;
}

/** Holes take no room, and none in the copy. */
const takes = (path: Bytes, size: number): number =>
  Math.min(size, (fs.statSync(toBuffer(path), { throwIfNoEntry: false })?.blocks ?? size) * 512);

/** The folder itself, or the nearest above it that is there under this name: a link in its place is taken away before anything is written. */
function standingAbove(path: Bytes): { readonly folder: Bytes; readonly look: Look | undefined } {
  let folder = path;
  while (folder !== '/' && realAsFar(folder) !== folder) folder = dirname(folder);
  let look = lookAt(folder);
  while (look?.type !== 'folder' && folder !== '/') {
    folder = dirname(folder);
    look = lookAt(folder);
  }
  return { folder, look };
}

/** Whether each file system has room for what is to be written into it. A file system that cannot tell is not asked. */
export function checkRoom(steps: readonly Step[], minFreePercent: number): void {
  const wanted = new Map<string, { bytes: number; folder: Bytes }>();
  const standing = new Map<Bytes, ReturnType<typeof standingAbove>>();
  for (const step of steps) {
    if (step.do !== 'file' || step.source.at === 'disk') continue;
    const parent = dirname(step.path);
    const found = standing.get(parent) ?? standingAbove(parent);
    standing.set(parent, found);
    const { folder, look } = found;
    if (look === undefined || reach(folder, (at) => hasToLink(step, at, minFreePercent))) continue;
    const before = wanted.get(look.dev) ?? { bytes: 0, folder };
    before.bytes += step.source.at === 'hold' ? takes(step.source.path, step.size) : step.size;
    wanted.set(look.dev, before);
  }
  for (const { bytes, folder } of wanted.values()) {
    const stat = reach(folder, (at) => fs.statfsSync(at));
    const free = stat.bavail * stat.bsize;
    if (stat.blocks > 0 && bytes > free)
      throw new NoRoom(`no room: ${bytes} bytes are to be written into ${folder}, ${free} are free`);
  }
}
