import { type Bytes, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, realAsFar } from '../platform/files.ts';
import { basename, dirname, isInside, join } from '../platform/paths.ts';
import { type Checkout, identityOf, isSame, machineName, placeNamedIn } from './checkout.ts';
import type { State, StateRecord } from './states.ts';

/** What can be proved of a state's checkout. Only `deleted` lets anything go. */
export type Proof =
  | { readonly is: 'live' }
  | { readonly is: 'no record'; readonly why: string }
  /** git moved the worktree: the state goes with it. */
  | { readonly is: 'moved'; readonly to: Bytes }
  | { readonly is: 'deleted'; readonly by: string }
  | { readonly is: 'unproved'; readonly why: string };

/** A folder of this name holds worktrees and nothing else. */
const WORKTREES = '.worktrees';

/**
 * A path that is missing proves nothing: a volume may be unmounted, the record a container's. Proved is what lay in a folder that is
 * itself still there and still the same one, and either is made for worktrees, or lies under the data root that the state belongs to,
 * or a repository that is there no longer lists it.
 */
export function proofOf(state: State, known?: Checkout): Proof {
  if (state.record === 'none') return { is: 'no record', why: 'it does not say which checkout it belongs to' };
  if (state.record === 'unreadable') return { is: 'no record', why: 'its record cannot be read' };
  try {
    return proved(
      state,
      state.record,
      state.record.checkout ?? (known?.path === state.record.path ? known : undefined),
    );
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return { is: 'unproved', why: `the checkout cannot be looked at (${codeOf(error)})` };
  }
}

function proved(state: State, record: StateRecord, checkout: Checkout | undefined): Proof {
  const { path } = record;
  if (isThere(path)) return { is: 'live' };
  if (checkout !== undefined && checkout.machine !== machineName())
    return { is: 'unproved', why: 'it was recorded on another machine' };
  const to = movedTo(path, checkout);
  if (to !== undefined) return { is: 'moved', to };
  const above = dirname(path);
  const parent = identityOf(above);
  if (parent === undefined) return { is: 'unproved', why: `${toText(above)} is missing, too` };
  const same = checkout === undefined ? undefined : isSame(checkout.parent, parent);
  if (same === false)
    return { is: 'unproved', why: `${toText(above)} is another folder than it was (is a volume not mounted?)` };
  const renamed = checkout === undefined ? undefined : nameOfSame(above, checkout);
  if (renamed !== undefined) return { is: 'unproved', why: `it was renamed to ${toText(renamed)}` };
  // Without a record of the folder above: one that is empty and was not touched since is what an unmounted volume leaves behind.
  if (same === undefined && isUntouchedAndEmpty(above, record.written))
    return {
      is: 'unproved',
      why: `${toText(above)} is empty and was so when the record was written (is a volume not mounted?)`,
    };
  if (basename(above) === WORKTREES) return { is: 'deleted', by: 'the folder of worktrees no longer has it' };
  const dataRoot = realAsFar(dirname(state.root));
  if (path !== dataRoot && isInside(path, dataRoot)) return { is: 'deleted', by: 'it lay under the data root' };
  const { repository } = checkout ?? {};
  if (repository === undefined)
    return { is: 'unproved', why: 'it lay in no folder of worktrees, and no repository is known to have listed it' };
  if (!isRepository(repository.commonDir))
    return { is: 'unproved', why: `its repository ${toText(repository.commonDir)} is missing` };
  if (isListed(repository.commonDir, path)) return { is: 'unproved', why: 'its repository still lists it' };
  return { is: 'deleted', by: 'its repository no longer lists it' };
}

/** Whatever lies under the checkout's name makes its state a living one. A folder that is closed throws. */
export const isThere = (path: Bytes): boolean => lookAt(path) !== undefined;

/** Removing an entry touches its folder: one whose last change is no later than the record never had the checkout in it. */
function isUntouchedAndEmpty(folder: Bytes, written: string): boolean {
  const look = lookAt(folder);
  return namesInOrNone(folder).length === 0 && (look === undefined || BigInt(look.ctime) <= BigInt(written));
}

/** The checkout under another name beside it: `mv` by hand. */
const nameOfSame = (folder: Bytes, { self }: Checkout): Bytes | undefined =>
  namesInOrNone(folder)
    .map((name) => join(folder, name))
    .find((path) => {
      const now = lookAt(path)?.ino === self.inode ? identityOf(path) : undefined;
      return now !== undefined && isSame(self, now);
    });

/** `git worktree move` writes the new place into the worktree's own folder. */
function movedTo(path: Bytes, checkout: Checkout | undefined): Bytes | undefined {
  if (checkout?.repository === undefined) return undefined;
  const to = placeNamedIn(checkout.repository.gitDir);
  // The name of a worktree's own folder is given out again: the checkout has to be the same one.
  const there = to === undefined || to === path ? undefined : identityOf(to);
  return to !== undefined && there !== undefined && isSame(checkout.self, there) ? realAsFar(to) : undefined;
}

const isRepository = (commonDir: Bytes): boolean =>
  identityOf(commonDir) !== undefined &&
  lookAt(join(commonDir, 'HEAD')) !== undefined &&
  identityOf(join(commonDir, 'objects')) !== undefined;

function isListed(commonDir: Bytes, path: Bytes): boolean {
  const folder = join(commonDir, 'worktrees');
  return namesInOrNone(folder).some((name) => {
    const place = placeNamedIn(join(folder, name));
    return place === undefined || realAsFar(place) === path;
  });
}
