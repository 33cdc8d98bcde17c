import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { codeOf, readBytesIfAny } from './files.ts';
import { nameOf, type ProcessName } from './processes.ts';
import type { Watch } from './watch.ts';

/** Who has signed, and how it can be told from elsewhere that he lives. */
export type Signer = ProcessName & { readonly watch?: Watch };

/**
 * A file that names this process. On a full disk it is empty: it says that somebody is there, not who, and whoever must make room can go
 * on.
 */
export function sign(path: Bytes, flag: 'wx' | 'w' = 'wx', watch?: Watch): void {
  const fd = fs.openSync(toBuffer(path), flag, 0o600);
  try {
    const signer: Signer = { ...nameOf(process.pid), ...(watch === undefined ? {} : { watch }) };
    fs.writeFileSync(fd, JSON.stringify(signer));
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
export function signerOf(path: Bytes): Signer | undefined {
  try {
    const name = JSON.parse(readBytesIfAny(path)?.toString('utf8') ?? '') as Partial<Signer> | null;
    return typeof name?.pid === 'number' && typeof name.boot === 'string' ? (name as Signer) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** This thread stands still for so long. */
export const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
