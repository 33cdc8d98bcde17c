import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, realAsFar } from '../platform/files.ts';
import { type Flock, takeFlock } from '../platform/flock.ts';
import { mountsBelow } from '../platform/mounts.ts';
import { join } from '../platform/paths.ts';
import { randomHex } from '../platform/random.ts';
import { GONE, lockOf } from './layout.ts';
import { leaseOf } from './leases.ts';
import { isThere, type Proof } from './proof.ts';
import { type State, stateAt } from './states.ts';

/** What became of a state that was to go. */
export type Taken =
  /** Renamed to `aside`, and still locked: to be deleted, then `release`. */
  | { readonly is: 'aside'; readonly aside: Bytes; readonly by: string; release(): void }
  | { readonly is: 'held'; readonly why: string }
  /** It is not (any more) proved that its checkout was deleted. */
  | { readonly is: 'kept'; readonly proof: Proof };

/**
 * Takes a state out of everybody's way, if it is proved under its lock that it may go. The rename is the moment: a checkout that is there
 * right before it or right after it keeps its state.
 */
export function takeAside(
  state: State,
  prove: (state: State) => Proof,
  lock: Flock = takeFlock(lockOf(state.folder)),
): Taken {
  if (lock.is === 'held') return { is: 'held', why: lock.why };
  if (lock.is === 'gone') return { is: 'kept', proof: { is: 'no record', why: 'it is gone' } };
  const done = takeLocked(state, prove, lock);
  if (done.is !== 'aside') lock.release();
  return done;
}

function takeLocked(state: State, prove: (state: State) => Proof, lock: Flock & { readonly is: 'taken' }): Taken {
  const now = stateAt(state.root, state.key);
  const proof = prove(now);
  if (proof.is !== 'deleted') return { is: 'kept', proof };
  const [mounted] = mountsBelow(realAsFar(state.folder));
  if (mounted !== undefined) return { is: 'held', why: `something is mounted in it (${toText(mounted)})` };
  const leased = leaseOf(state.folder);
  if (leased !== undefined) return { is: 'held', why: leased };
  const aside = join(state.root, `${GONE}${state.key}-${randomHex(4)}`);
  try {
    fs.renameSync(toBuffer(state.folder), toBuffer(aside));
  } catch (error) {
    return { is: 'held', why: `it cannot be renamed (${codeOf(error)})` };
  }
  const path = typeof now.record === 'object' ? now.record.path : undefined;
  if (path === undefined || isThere(path)) {
    putBack(aside, state.folder);
    return { is: 'kept', proof: { is: 'live' } };
  }
  return { is: 'aside', aside, by: proof.by, release: () => lock.release() };
}

/** Where the checkout has prepared a new state meanwhile, that one counts: the old one is finished later, as what a kill leaves is. */
function putBack(aside: Bytes, folder: Bytes): void {
  try {
    fs.renameSync(toBuffer(aside), toBuffer(folder));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  }
}

/** A root may be any folder that the user names: nothing in it is touched that is not certainly named by this file. */
const IS_GONE = new RegExp(`^\\${GONE}.+-[0-9a-f]{8}$`);
const IS_KEY = /^[0-9a-f]{16}$/;

/** What an earlier reclaim left half deleted. One that is being renamed back at this moment is locked. */
export function leftovers(root: Bytes): { readonly folder: Bytes; release(): void }[] {
  return namesInOrNone(root)
    .filter((name) => IS_GONE.test(name) && lookAt(join(root, name))?.type === 'folder')
    .flatMap((name) => {
      const folder = join(root, name);
      const file = lockOf(folder);
      if (lookAt(file) === undefined) return [{ folder, release: () => undefined }]; // the deletion had come to it
      const lock = takeFlock(file);
      return lock.is === 'taken' ? [{ folder, release: () => lock.release() }] : [];
    });
}

/** Links to states that have gone: the old names of worktrees that were moved. */
export function deadLinks(root: Bytes): Bytes[] {
  return namesInOrNone(root)
    .filter((name) => IS_KEY.test(name))
    .map((name) => join(root, name))
    .filter((path) => lookAt(path)?.type === 'link' && isDead(root, path));
}

function isDead(root: Bytes, link: Bytes): boolean {
  const to = fs.readlinkSync(toBuffer(link), 'latin1');
  return IS_KEY.test(to) && lookAt(join(root, to)) === undefined;
}
