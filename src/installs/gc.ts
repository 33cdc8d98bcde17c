import { type Bytes, toText } from '../platform/bytes.ts';
import { lookAt, removeFile } from '../platform/files.ts';
import { takeFlocks } from '../platform/flock.ts';
import type { Checkout } from './checkout.ts';
import { batchesOf, deleteFolder, deleteFolders, inLanes, sizesOnDisk } from './disk.ts';
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
  readonly is: 'live' | 'held' | 'no record' | 'unproved' | 'half deleted';
  readonly reason: string;
}

export interface Gc {
  readonly reclaimed: readonly Reclaimed[];
  readonly kept: readonly KeptState[];
  /** States that follow a worktree which git moved. */
  readonly moved: readonly { readonly state: State; readonly to: Bytes }[];
  /** States that an earlier run had left half deleted. */
  readonly finished: number;
  /** Folders that are half deleted, and of which something cannot be deleted. */
  readonly stuck: readonly Bytes[];
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
  await inLanes(batchesOf(going), LANES, async (batch) => {
    for (const done of wish.dryRun ? await wouldGo(batch, prove) : await go(batch, prove, wish))
      if ('is' in done) kept.push(done);
      else reclaimed.push(done);
    wish.tell?.(reclaimed.length, going.length);
  });
  const { finished, stuck } = wish.dryRun || wish.only !== undefined ? NOTHING : await finish(wish.roots);
  reclaimed.sort((a, b) => (a.checkout < b.checkout ? -1 : 1));
  return { reclaimed, kept, moved, finished, stuck };
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

/** A batch, from the locks to the last file. */
async function go(
  batch: readonly State[],
  prove: (state: State) => Proof,
  wish: GcWish,
): Promise<(Reclaimed | KeptState)[]> {
  const locks = takeFlocks(batch.map(({ folder }) => lockOf(folder)));
  const taken = batch.map((state, i) => ({ state, taken: takeAside(state, prove, locks[i]) }));
  const aside = taken.flatMap((one) => (one.taken.is === 'aside' ? [one.taken] : []));
  const folders = aside.map((one) => one.aside);
  try {
    const sizes = wish.sizes === false || folders.length === 0 ? [] : await sizesOnDisk(folders);
    const left = new Set(folders.length > 0 ? await deleteFolders(folders) : []);
    return taken.map(({ state, taken: one }): Reclaimed | KeptState => {
      if (one.is === 'held') return { state, is: 'held', reason: one.why };
      if (one.is === 'kept') return keptBy(state, one.proof);
      if (left.has(one.aside))
        return { state, is: 'half deleted', reason: `not all of ${toText(one.aside)} could be deleted` };
      return { state, checkout: checkoutOf(state), by: one.by, bytes: sizes[aside.indexOf(one)] ?? 0 };
    });
  } finally {
    for (const one of aside) one.release();
  }
}

/** As `go` would find it, without the locks: what it says is as old as the look. */
async function wouldGo(batch: readonly State[], prove: (state: State) => Proof): Promise<(Reclaimed | KeptState)[]> {
  const sizes = await sizesOnDisk(batch.map(({ folder }) => folder));
  const held = heldBy(batch);
  return batch.map((state, i): Reclaimed | KeptState => {
    const why = held[i];
    if (why !== undefined) return { state, is: 'held', reason: why };
    const proof = prove(state);
    if (proof.is !== 'deleted') return keptBy(state, proof);
    return { state, checkout: checkoutOf(state), by: proof.by, bytes: sizes[i] ?? 0 };
  });
}

const NOTHING: Pick<Gc, 'finished' | 'stuck'> = { finished: 0, stuck: [] };

async function finish(roots: readonly Bytes[]): Promise<Pick<Gc, 'finished' | 'stuck'>> {
  let finished = 0;
  const stuck: Bytes[] = [];
  await inLanes(roots.flatMap(leftovers), LANES, async ({ folder, release }) => {
    if (await deleteFolder(folder)) finished++;
    else stuck.push(folder);
    release();
  });
  for (const link of roots.flatMap(deadLinks)) removeFile(link);
  return { finished, stuck };
}

/** Why somebody has each of these at this moment; undefined where nobody does. Makes nothing. */
export function heldBy(states: readonly State[]): (string | undefined)[] {
  const paths = states.map(({ folder }) => lockOf(folder));
  const there = paths.filter((path) => lookAt(path) !== undefined);
  const locks = new Map(takeFlocks(there).map((lock, i) => [there[i], lock]));
  for (const lock of locks.values()) if (lock.is === 'taken') lock.release();
  return states.map(({ folder }, i) => {
    const lock = locks.get(paths[i]);
    return lock?.is === 'held' ? lock.why : leaseOf(folder);
  });
}
