import { bytesOnDisk } from '../checkpoint/size.ts';
import { runBeside } from '../platform/beside.ts';
import type { Bytes } from '../platform/bytes.ts';
import { codeOf, lookAt, realAsFar, removeTree } from '../platform/files.ts';
import { mountsBelow } from '../platform/mounts.ts';

/** What folders take on the disk, bytes, in their order; a file with names in several counts once. du(1) is several times as fast as node. */
export async function sizesOnDisk(folders: readonly Bytes[]): Promise<number[]> {
  const said = new Map<Bytes, number>();
  const du = await runBeside('/usr/bin/du', ['-sxk0', '--'], folders);
  for (const line of (du?.out ?? '').split('\0')) {
    const [, kilobytes, path] = /^(\d+)\t(.+)$/s.exec(line) ?? [];
    if (path !== undefined) said.set(path, Number(kilobytes) * 1024);
  }
  return folders.map((folder) => said.get(folder) ?? sizeByNode(folder));
}

/** Nothing, where it may not be looked at. */
function sizeByNode(folder: Bytes): number {
  try {
    return bytesOnDisk(folder);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return 0;
  }
}

/**
 * Deletes a folder; false where something of it stays: the whole, where something is mounted in it (a bind mount is the same file
 * system to rm). rm(1) does it beside this process; without it, by node.
 */
export const deleteFolder = async (folder: Bytes): Promise<boolean> => (await deleteFolders([folder])).length === 0;

/** Those of which something stays. */
export async function deleteFolders(folders: readonly Bytes[]): Promise<Bytes[]> {
  const clear = folders.filter((folder) => mountsBelow(realAsFar(folder)).length === 0);
  const rm = clear.length > 0 ? await runBeside('/bin/rm', ['-rf', '--one-file-system', '--'], clear) : '';
  if (rm === undefined) for (const folder of clear) removeByNode(folder);
  return folders.filter((folder) => lookAt(folder) !== undefined);
}

function removeByNode(folder: Bytes): void {
  try {
    removeTree(folder);
  } catch (error) {
    if (codeOf(error) === '') throw error; // what stays is told by whoever looks
  }
}

/** Starting a program costs as much as deleting some hundred files; and while one batch is measured, another is deleted. */
const BATCH = 16;
const FEWEST = 4;

export function batchesOf<T>(all: readonly T[], most = BATCH): T[][] {
  const size = Math.max(1, Math.min(most, Math.ceil(all.length / FEWEST)));
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** Every task, `lanes` at a time, in order. */
export async function inLanes<T>(
  tasks: readonly T[],
  lanes: number,
  work: (task: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) await work(tasks[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, tasks.length) }, lane));
}
