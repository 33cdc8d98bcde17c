import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { lookAt, makeFolder, removeFile } from '../platform/files.ts';
import { takeFlock } from '../platform/flock.ts';
import { join } from '../platform/paths.ts';
import { sleep } from '../platform/signed.ts';
import { installKey, installsFolder, lockOf } from './layout.ts';

/** A state that is ours to change until `release`. */
export interface OpenState {
  readonly key: string;
  readonly folder: Bytes;
  release(): void;
}

/** Whoever holds a state's lock to change it needs it for moments, ms; whoever reclaims it, as long as deleting takes. */
const PATIENCE = 60_000;

/** The state of a checkout, made where there is none. Undefined where another process kept it locked. */
export function openState(home: Bytes, checkout: Bytes): OpenState | undefined {
  const key = installKey(checkout);
  const folder = join(installsFolder(home), key);
  const until = Date.now() + PATIENCE;
  for (;;) {
    // The old name of a worktree that was moved: its own path is a checkout again.
    if (lookAt(folder)?.type === 'link') removeFile(folder);
    makeFolder(folder);
    const lock = takeFlock(lockOf(folder));
    if (lock.is === 'taken') return { key, folder, release: () => lock.release() };
    if (Date.now() > until) return undefined;
    if (lock.is === 'held') sleep(20);
  }
}

/** The link that names the current generation, changed whole. */
export function pointTo(link: Bytes, to: Bytes): void {
  const aside = `${link}.${process.pid}.tmp`;
  removeFile(aside);
  fs.symlinkSync(toBuffer(to), toBuffer(aside));
  fs.renameSync(toBuffer(aside), toBuffer(link));
}
