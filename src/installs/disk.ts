import { spawn } from 'node:child_process';
import { bytesOnDisk } from '../checkpoint/size.ts';
import { type Bytes, isText, toText } from '../platform/bytes.ts';
import { lookAt, removeTree } from '../platform/files.ts';

/** The system's own programs by their path: what is in PATH may be belay's wrapper. */
const PROGRAMS = { rm: ['/bin/rm', '-rf', '--one-file-system', '--'], du: ['/usr/bin/du', '-sxk', '--'] } as const;

/** What folders take on the disk, bytes, in their order; a file with names in several counts once. du(1) is several times as fast as node. */
export async function sizesOnDisk(folders: readonly Bytes[]): Promise<number[]> {
  const said = await output(PROGRAMS.du, folders);
  const lines = said.split('\n').filter((line) => line !== '');
  if (lines.length !== folders.length) return folders.map(bytesOnDisk);
  return lines.map((line) => Number.parseInt(line, 10) * 1024);
}

/**
 * Deletes a folder, stopping at whatever is mounted in it; false where something of it stays. rm(1) does it beside this process;
 * without it, by node.
 */
export async function deleteFolder(folder: Bytes): Promise<boolean> {
  await deleteFolders([folder]);
  return lookAt(folder) === undefined;
}

export async function deleteFolders(folders: readonly Bytes[]): Promise<void> {
  if ((await output(PROGRAMS.rm, folders)) === NOT_STARTED) for (const folder of folders) removeTree(folder);
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

export const batchesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => all.slice(i * BATCH, (i + 1) * BATCH));

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
