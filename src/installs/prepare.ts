import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, lookAt, makeFolder, readLink, realAsFar, removeTree, writeAtomic } from '../platform/files.ts';
import { mountsBelow } from '../platform/mounts.ts';
import { writeNote } from '../platform/notes.ts';
import { basename, dirname, join } from '../platform/paths.ts';
import { stateOf } from '../platform/processes.ts';
import { randomHex } from '../platform/random.ts';
import { sign, signerOf } from '../platform/signed.ts';
import { lookAtCheckout } from './checkout.ts';
import { checkoutFile, currentLink, environmentsOf, pathFile } from './layout.ts';
import { generationsOf, inUse, type Lease, takeLease } from './leases.ts';
import { type OpenState, openState, pointTo } from './open.ts';

export type Prepared =
  | { readonly is: 'ready'; readonly key: string; readonly environment: Bytes }
  /** The setup failed; what was current before still is. */
  | { readonly is: 'failed'; readonly key: string; readonly status: number }
  | { readonly is: 'busy'; readonly key: string };

/**
 * Makes an environment of the checkout: `setup` fills the folder that it is given, and that becomes the current generation only where
 * it answers 0. The folder never moves, so that what writes its own path into its files (a venv does) stays true. The state is not
 * locked meanwhile: readers go on with the generation before, and two at once make two, of which the later one counts.
 */
export async function prepare(
  home: Bytes,
  checkout: Bytes,
  setup: (environment: Bytes) => Promise<number>,
): Promise<Prepared> {
  const begun = begin(home, checkout);
  if ('is' in begun) return begun;
  const { key, generation, lease } = begun;
  const status = await setup(generation).catch((error) => {
    abandon(home, checkout, generation, lease);
    throw error;
  });
  if (status !== 0) {
    abandon(home, checkout, generation, lease);
    return { is: 'failed', key, status };
  }
  const state = openState(home, checkout);
  if (state === undefined) return { is: 'busy', key };
  try {
    publish(state, checkout, generation);
    lease.end();
    dropOld(state.folder, generation);
    return { is: 'ready', key, environment: generation };
  } finally {
    state.release();
  }
}

/** A file in a generation that is being made: it names who makes it. */
const MAKING = '.making';

function begin(
  home: Bytes,
  checkout: Bytes,
): { readonly key: string; readonly generation: Bytes; readonly lease: Lease } | (Prepared & { readonly is: 'busy' }) {
  const state = openState(home, checkout);
  if (state === undefined) return { is: 'busy', key: '' };
  try {
    const stamp = new Date().toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
    const generation = join(environmentsOf(state.folder), `${stamp}_${randomHex(3)}`);
    makeFolder(generation);
    sign(join(generation, MAKING));
    return { key: state.key, generation, lease: takeLease(generation, process.pid) };
  } finally {
    state.release();
  }
}

/** The record comes last: without it nobody ever touches the state. */
function publish(state: OpenState, checkout: Bytes, generation: Bytes): void {
  fs.rmSync(toBuffer(join(generation, MAKING)), { force: true });
  pointTo(currentLink(state.folder), `environments/${basename(generation)}`);
  record(state.folder, checkout);
}

/** Says whose state it is, and what will prove that its checkout was deleted. */
export function record(state: Bytes, checkout: Bytes): void {
  const seen = lookAtCheckout(checkout);
  makeFolder(dirname(pathFile(state)));
  writeNote(checkoutFile(state), seen);
  writeAtomic(pathFile(state), Buffer.from(seen.path, 'latin1'));
}

/** What failed leaves nothing: a state that never had an environment goes as a whole. */
function abandon(home: Bytes, checkout: Bytes, generation: Bytes, lease: Lease): void {
  lease.end();
  removeTree(generation);
  const state = openState(home, checkout);
  if (state === undefined) return;
  try {
    if (generationsOf(state.folder).length === 0 && lookAt(pathFile(state.folder)) === undefined)
      removeTree(state.folder);
  } finally {
    state.release();
  }
}

/** Generations that nobody reads any more, and those whose maker was killed. */
function dropOld(state: Bytes, current: Bytes): void {
  for (const generation of generationsOf(state)) {
    if (basename(generation) === basename(current) || inUse(generation) !== undefined) continue;
    const making = join(generation, MAKING);
    const maker = lookAt(making) === undefined ? undefined : signerOf(making);
    const mayGo = maker === undefined || stateOf(maker) === 'dead';
    if (mayGo && mountsBelow(realAsFar(generation)).length === 0) removeTree(generation);
  }
}

/** The current environment of a checkout; undefined where none was prepared. */
export function currentOf(state: Bytes): Bytes | undefined {
  try {
    const generation = join(state, readLink(currentLink(state)));
    return lookAt(generation)?.type === 'folder' ? generation : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EINVAL') return undefined;
    throw error;
  }
}

/** The current environment, leased for this process; undefined where there is none. */
export function leaseCurrent(
  home: Bytes,
  checkout: Bytes,
): { readonly environment: Bytes; lease(pid: number): Lease } | undefined {
  const state = openState(home, checkout);
  if (state === undefined) return undefined;
  try {
    const environment = currentOf(state.folder);
    if (environment === undefined) return undefined;
    const own = takeLease(environment, process.pid);
    return {
      environment,
      // While this process has its own nobody takes the generation away, so no lock is needed for its child's.
      lease: (pid) => {
        const child = takeLease(environment, pid);
        return {
          end: () => {
            child.end();
            own.end();
          },
        };
      },
    };
  } finally {
    state.release();
  }
}
