import { spawn } from 'node:child_process';
import { bytesOnDisk } from '../checkpoint/size.ts';
import { type Bytes, isText, toText } from '../platform/bytes.ts';
import { lookAt, removeTree } from '../platform/files.ts';

/** The system's own programs by their path: what is in PATH may be belay's wrapper. */
const PROGRAMS = { rm: ['/bin/rm', '-rf', '--one-file-system', '--'], du: ['/usr/bin/du', '-sxk', '--'] } as const;

/** What a folder takes on the disk, bytes. du(1) is several times as fast as node; without it, by node. */
export async function sizeOf(folder: Bytes): Promise<number> {
  const said = await output(PROGRAMS.du, folder);
  const kilobytes = /^(\d+)\s/.exec(said)?.[1];
  return kilobytes === undefined ? bytesOnDisk(folder) : Number(kilobytes) * 1024;
}

/**
 * Deletes a folder, stopping at whatever is mounted in it; false where something of it stays. rm(1) does it beside this process;
 * without it, by node.
 */
export async function deleteFolder(folder: Bytes): Promise<boolean> {
  const done = await output(PROGRAMS.rm, folder);
  if (done === NOT_STARTED) removeTree(folder);
  return lookAt(folder) === undefined;
}

/** What the program prints, however it ends; `not started` where it is not there, or cannot be told this path. */
function output([program = '', ...options]: readonly string[], folder: Bytes): Promise<string> {
  if (!isText(folder)) return Promise.resolve(NOT_STARTED);
  return new Promise((resolve) => {
    const child = spawn(program, [...options, toText(folder)], {
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
