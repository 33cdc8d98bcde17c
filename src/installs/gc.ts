import type { Bytes } from '../platform/bytes.ts';
import { lookAt, removeFile } from '../platform/files.ts';
import { takeFlock } from '../platform/flock.ts';
import type { Checkout } from './checkout.ts';
import { deleteFolder, inLanes, sizeOf } from './disk.ts';
import { lockOf } from './layout.ts';
import { leaseOf } from './leases.ts';
import { rekey } from './moved.ts';
import { type Proof, proofOf } from './proof.ts';
import { deadLinks, leftovers, takeAside } from './reclaim.ts';
import { type State, statesIn } from './states.ts';

export interface GcWish {
  /** The folders of states: belay's own first. */
  readonly roots: readonly Bytes[];
  /** What else is known of a checkout by its key. */
  readonly known: (key: string) => Checkout | undefined;
  /** Only this key. */
  readonly only?: string;
  readonly dryRun?: boolean;
  /** Sizes cost a walk over every file. */
  readonly sizes?: boolean;
  /** Said after each state that went. */
  readonly tell?: (done: number, of: number) => void;
}

export interface Reclaimed {
  readonly state: State;
  readonly checkout: Bytes;
  readonly by: string;
  readonly bytes: number;
}

export interface KeptState {
  readonly state: State;
  readonly is: 'live' | 'held' | 'no record' | 'unproved';
  readonly reason: string;
}

export interface Gc {
  readonly reclaimed: readonly Reclaimed[];
  readonly kept: readonly KeptState[];
  /** States that follow a worktree which git moved. */
  readonly moved: readonly { readonly state: State; readonly to: Bytes }[];
  /** States that an earlier run had left half deleted. */
  readonly finished: number;
}

/** Two at once: deleting waits for the disk, and for the kernel. */
const LANES = 2;

/** Gives back the install states of checkouts that are proved to be deleted, and says of every other one why it stays. */
export async function collectInstalls(wish: GcWish): Promise<Gc> {
  const prove = (state: State): Proof => proofOf(state, wish.known(state.key));
  const kept: KeptState[] = [];
  const moved: { state: State; to: Bytes }[] = [];
  const going: State[] = [];
  for (const state of wish.roots.flatMap(statesIn)) {
    if (wish.only !== undefined && state.key !== wish.only) continue;
    const proof = prove(state);
    if (proof.is === 'deleted') going.push(state);
    else if (proof.is === 'moved' && !wish.dryRun && rekey(state, prove)) moved.push({ state, to: proof.to });
    else kept.push(keptBy(state, proof));
  }
  const reclaimed: Reclaimed[] = [];
  await inLanes(going, LANES, async (state) => {
    const done = wish.dryRun ? await wouldGo(state, prove) : await go(state, prove, wish);
    if ('is' in done) kept.push(done);
    else reclaimed.push(done);
    wish.tell?.(reclaimed.length, going.length);
  });
  const finished = wish.dryRun || wish.only !== undefined ? 0 : await finish(wish.roots);
  reclaimed.sort((a, b) => (a.checkout < b.checkout ? -1 : 1));
  return { reclaimed, kept, moved, finished };
}

function keptBy(state: State, proof: Proof): KeptState {
  switch (proof.is) {
    case 'no record':
    case 'unproved':
      return { state, is: proof.is, reason: proof.why };
    default:
      return { state, is: 'live', reason: proof.is === 'moved' ? 'its worktree was moved' : 'its checkout is there' };
  }
}

const checkoutOf = ({ record }: State): Bytes => (typeof record === 'object' ? record.path : '');

async function go(state: State, prove: (state: State) => Proof, wish: GcWish): Promise<Reclaimed | KeptState> {
  const taken = takeAside(state, prove);
  if (taken.is === 'held') return { state, is: 'held', reason: taken.why };
  if (taken.is === 'kept') return keptBy(state, taken.proof);
  try {
    const bytes = wish.sizes === false ? 0 : await sizeOf(taken.aside);
    await deleteFolder(taken.aside);
    return { state, checkout: checkoutOf(state), by: taken.by, bytes };
  } finally {
    taken.release();
  }
}

/** As `go` would find it, without the lock: what it says is as old as the look. */
async function wouldGo(state: State, prove: (state: State) => Proof): Promise<Reclaimed | KeptState> {
  const held = isHeld(state);
  if (held !== undefined) return { state, is: 'held', reason: held };
  const proof = prove(state);
  if (proof.is !== 'deleted') return keptBy(state, proof);
  return { state, checkout: checkoutOf(state), by: proof.by, bytes: await sizeOf(state.folder) };
}

async function finish(roots: readonly Bytes[]): Promise<number> {
  const left = roots.flatMap(leftovers);
  await inLanes(left, LANES, async ({ folder, release }) => {
    await deleteFolder(folder);
    release();
  });
  for (const link of roots.flatMap(deadLinks)) removeFile(link);
  return left.length;
}

/** Why somebody has it at this moment; undefined where nobody does. Makes nothing. */
export function isHeld({ folder }: State): string | undefined {
  if (lookAt(lockOf(folder)) !== undefined) {
    const lock = takeFlock(lockOf(folder));
    if (lock.is === 'held') return lock.why;
    if (lock.is === 'taken') lock.release();
  }
  return leaseOf(folder);
}
