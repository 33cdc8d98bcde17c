import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import {
  entriesIn,
  isAbsentError,
  lookAt,
  makeFolder,
  namesInOrNone,
  readBytesIfAny,
  removeFile,
} from '../platform/files.ts';
import { takeFlock } from '../platform/flock.ts';
import { join } from '../platform/paths.ts';
import { nameOf, type ProcessName, stateOf } from '../platform/processes.ts';
import { randomHex } from '../platform/random.ts';
import { environmentsOf } from './layout.ts';

/** Says that a process reads a generation. It goes with `end`, and counts no longer once the process is dead. */
export interface Lease {
  end(): void;
}

/** To be taken with the state's lock. */
export function takeLease(generation: Bytes, pid: number): Lease {
  const folder = join(generation, '.leases');
  makeFolder(folder);
  const file = join(folder, `${pid}-${randomHex(4)}`);
  fs.writeFileSync(toBuffer(file), JSON.stringify(nameOf(pid)), { mode: 0o600, flag: 'wx' });
  return { end: () => removeFile(file) };
}

/** The generations of a state; those half made among them. */
export const generationsOf = (state: Bytes): Bytes[] =>
  namesInOrNone(environmentsOf(state)).map((name) => join(environmentsOf(state), name));

/** Why the generation is in use; undefined where no living process has a lease of it. What cannot be read is in use. */
export function inUse(generation: Bytes): string | undefined {
  if (lookAt(generation)?.type !== 'folder') return undefined;
  for (const { name, type } of entriesIn(generation)) {
    if (!/^\.?leases?$/.test(name)) continue;
    const path = join(generation, name);
    const files = type === 'folder' ? namesInOrNone(path).map((file) => join(path, file)) : [path];
    for (const file of files) {
      const why = isLive(file);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

/** belay's own leases name their process; those of other tools hold a process id, or a lock on the file. */
function isLive(file: Bytes): string | undefined {
  const text = fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0)).trim();
  const name = text === '' ? undefined : processIn(text);
  if (name !== undefined) {
    const isDead = isNamed(name) ? stateOf(name) === 'dead' : !isRunning(name.pid);
    return isDead ? undefined : `leased by process ${name.pid}`;
  }
  const lock = takeFlock(file);
  if (lock.is === 'held') return 'leased';
  if (lock.is === 'taken') lock.release();
  return text === '' || lock.is === 'gone' ? undefined : 'a lease of it cannot be read';
}

type Named = ProcessName | { readonly pid: number };

const isNamed = (name: Named): name is ProcessName => 'boot' in name;

function processIn(text: Bytes): Named | undefined {
  if (/^\d{1,10}(?:\s|$)/.test(text)) return { pid: Number.parseInt(text, 10) };
  try {
    const data = JSON.parse(text) as Partial<ProcessName> | null;
    if (typeof data?.pid !== 'number') return undefined;
    return typeof data.boot === 'string' && typeof data.start === 'string' ? (data as ProcessName) : { pid: data.pid };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Why a state is in use. */
export function leaseOf(state: Bytes): string | undefined {
  for (const generation of generationsOf(state)) {
    try {
      const why = inUse(generation);
      if (why !== undefined) return why;
    } catch (error) {
      if (!isAbsentError(error)) return 'a lease of it cannot be read';
    }
  }
  return undefined;
}
