import type { Bytes } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { lookAt, makeFolder, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { World } from '../saving/world.ts';
import { installsFolder } from './layout.ts';

const HOUR_S = 3600;

/** The second from which on a sweep is due: in a file, so that a shell can tell at its start without starting anything. */
const dueFile = (home: Bytes): Bytes => join(home, 'worktrees/next-sweep');

/** Whether it is time for a sweep. Makes nothing on disk; never by rules that may not be the user's. */
export function isSweepDue({ off, unsure, home, config }: World): boolean {
  if (off || unsure !== undefined || home === undefined) return false;
  if (lookAt(installsFolder(home)) === undefined && config.installs.roots.length === 0) return false;
  const due = Number(readBytesIfAny(dueFile(home))?.toString('latin1') ?? 0);
  const now = Date.now() / 1000;
  // A clock that was ahead at the last sweep must not put the next one off for ever.
  return !(now < due && due - now <= config.worktrees.sweep_hours * HOUR_S + HOUR_S);
}

/** The next one in `worktrees.sweep_hours`. */
export function putOff(home: Bytes, { worktrees }: Config): void {
  makeFolder(join(home, 'worktrees'));
  writeAtomic(dueFile(home), `${Math.ceil(Date.now() / 1000 + worktrees.sweep_hours * HOUR_S)}\n`);
}
