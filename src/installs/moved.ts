import fs from 'node:fs';
import { toBuffer } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { takeFlock } from '../platform/flock.ts';
import { join } from '../platform/paths.ts';
import { installKey, lockOf } from './layout.ts';
import { record } from './prepare.ts';
import type { Proof } from './proof.ts';
import { type State, stateAt } from './states.ts';

/**
 * `git worktree move`: the state gets the key of the new place. Its old name becomes a link to it, because environments have their own
 * path written into them. False where it stays as it is: somebody has it, or the new place has a state of its own.
 */
export function rekey(state: State, prove: (state: State) => Proof): boolean {
  const lock = takeFlock(lockOf(state.folder));
  if (lock.is !== 'taken') return false;
  try {
    const proof = prove(stateAt(state.root, state.key));
    if (proof.is !== 'moved') return false;
    const key = installKey(proof.to);
    const folder = join(state.root, key);
    if (lookAt(folder) !== undefined) return false;
    record(state.folder, proof.to);
    fs.renameSync(toBuffer(state.folder), toBuffer(folder));
    fs.symlinkSync(toBuffer(key), toBuffer(state.folder));
    return true;
  } finally {
    lock.release();
  }
}
