import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { codeOf, readBytesIfAny } from './files.ts';
import { nameOf, type ProcessName } from './processes.ts';

/**
 * A file that names this process. On a full disk it is empty: it says that somebody is there, not who, and whoever must make room can go
 * on.
 */
export function sign(path: Bytes, flag: 'wx' | 'w' = 'wx'): void {
  const fd = fs.openSync(toBuffer(path), flag, 0o600);
  try {
    fs.writeFileSync(fd, JSON.stringify(nameOf(process.pid)));
  } catch (error) {
    if (!isFull(error)) throw error;
    fs.ftruncateSync(fd, 0);
  } finally {
    fs.closeSync(fd);
  }
}

/** No room for a byte more: the disk is full, or what this user may have of it. */
export const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error));

/** Who has signed; undefined where nobody can be read there (yet): it is just being written, was cut by a power loss, or is empty. */
export function signerOf(path: Bytes): ProcessName | undefined {
  try {
    const name = JSON.parse(readBytesIfAny(path)?.toString('utf8') ?? '') as Partial<ProcessName> | null;
    return typeof name?.pid === 'number' && typeof name.boot === 'string' ? (name as ProcessName) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** This thread stands still for so long. */
export const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
