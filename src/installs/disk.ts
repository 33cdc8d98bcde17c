import { spawn } from 'node:child_process';
import { bytesOnDisk } from '../checkpoint/size.ts';
import { type Bytes, fromText, isText, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, realAsFar, removeTree } from '../platform/files.ts';
import { mountsBelow } from '../platform/mounts.ts';

/** The system's own programs by their path: what is in PATH may be belay's wrapper. */
const PROGRAMS = { rm: ['/bin/rm', '-rf', '--one-file-system', '--'], du: ['/usr/bin/du', '-sxk0', '--'] } as const;

/** What folders take on the disk, bytes, in their order; a file with names in several counts once. du(1) is several times as fast as node. */
export async function sizesOnDisk(folders: readonly Bytes[]): Promise<number[]> {
  const said = new Map<Bytes, number>();
  for (const line of (await output(PROGRAMS.du, folders)).split('\0')) {
    const [, kilobytes, path] = /^(\d+)\t(.+)$/s.exec(line) ?? [];
    if (path !== undefined) said.set(fromText(path), Number(kilobytes) * 1024);
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
  if (clear.length > 0 && (await output(PROGRAMS.rm, clear)) === NOT_STARTED)
    for (const folder of clear) removeByNode(folder);
  return folders.filter((folder) => lookAt(folder) !== undefined);
}

function removeByNode(folder: Bytes): void {
  try {
    removeTree(folder);
  } catch (error) {
    if (codeOf(error) === '') throw error; // what stays is told by whoever looks
  }
}

/** What the program prints, however it ends; `not started` where it is not there, or cannot be told these paths. */
function output([program = '', ...options]: readonly string[], folders: readonly Bytes[]): Promise<string> {
  if (!folders.every(isText)) return Promise.resolve(NOT_STARTED);
  return new Promise((resolve) => {
    const child = spawn(program, [...options, ...folders.map(toText)], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.on('data', (piece) => {
      said += piece;
    });
    child.on('error', () => resolve(NOT_STARTED));
    child.on('close', () => resolve(said));
  });
}

const NOT_STARTED = 'not started';

/** Starting a program costs as much as deleting some hundred files. */
const BATCH = 16;

export const batchesOf = <T>(all: readonly T[], size = BATCH): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

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
