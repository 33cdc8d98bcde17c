import os from 'node:os';
import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { makeFolder, removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { stateOf } from '../../platform/processes.ts';
import { randomHex } from '../../platform/random.ts';
import { signerOf, sign as signFile, sleep } from '../../platform/signed.ts';
import { EMPTY_TREE } from '../oid.ts';
import { StoreError } from '../store.ts';
import type { Parcel } from './parcel.ts';
import { listRemote, moveLock, type Remote, readLock } from './remote.ts';

/**
 * One machine at a time: a ref on the remote, moved by compare-and-swap, whose commit says who and when. A holder moves it on before
 * each step; one that has not for a while is taken for dead, and finds out by its next move that the ref is no longer its own.
 */
export interface RemoteLock {
  /** Says that the holder lives. Throws where somebody has taken it over. */
  renew(): void;
  release(): void;
}

export const STALE_MS = 15 * 60_000;

interface Holder {
  readonly host: string;
  readonly time: number;
  /** Of this holding of the lock; `none` where nobody has said. */
  readonly id: string;
}

/** Waits up to `wait` ms for another machine. Throws a StoreError that names it where that was not enough. */
export function takeRemoteLock(parcel: Parcel, remote: Remote, wait: number, now: () => number = Date.now): RemoteLock {
  const until = Date.now() + wait;
  for (;;) {
    const { lock: there } = listRemote(parcel, remote);
    const commit = there === undefined ? undefined : readLock(parcel, remote);
    const holder = holderOf(commit);
    // A lock that could not be read may be a living machine's: it is looked at again.
    const isUnread = there !== undefined && commit === undefined;
    if (!isUnread && (holder === undefined || isSilent(parcel, holder, now()))) {
      const id = noteSelf(parcel);
      const mine = sign(parcel, id, now());
      if (moveLock(parcel, remote, there, mine)) {
        if (holder !== undefined) removeFile(noteOf(parcel, holder.id));
        return held(parcel, remote, id, mine, now);
      }
      removeFile(noteOf(parcel, id));
    }
    if (Date.now() >= until)
      throw new StoreError(
        'busy',
        holder === undefined
          ? `another machine ${isUnread ? 'may be syncing: its lock cannot be read' : 'was quicker'}`
          : `${holder.host} is syncing with it, since ${new Date(holder.time).toISOString()}`,
      );
    sleep(500);
  }
}

/** Which process of this home has signed: nobody else is told, and one of them that was killed is not waited for. */
const noteOf = (parcel: Parcel, id: string): Bytes => join(join(parcel.base, 'locks'), `sync-${id}`);

function noteSelf(parcel: Parcel): string {
  const id = randomHex(8);
  makeFolder(join(parcel.base, 'locks'));
  signFile(noteOf(parcel, id));
  return id;
}

/** Not heard of for long, or killed where that can be seen. */
function isSilent(parcel: Parcel, { time, id }: Holder, now: number): boolean {
  if (Math.abs(now - time) > STALE_MS) return true;
  const signer = signerOf(noteOf(parcel, id));
  return signer !== undefined && stateOf(signer) === 'dead';
}

function held(parcel: Parcel, remote: Remote, id: string, first: string, now: () => number): RemoteLock {
  let mine = first;
  let signed = now();
  return {
    renew: () => {
      if (now() - signed < STALE_MS / 5) return;
      const next = sign(parcel, id, now());
      if (!moveLock(parcel, remote, mine, next))
        throw new StoreError('busy', 'another machine took this one for dead and went on; run it again');
      mine = next;
      signed = now();
    },
    release: () => {
      removeFile(noteOf(parcel, id));
      moveLock(parcel, remote, mine, undefined);
    },
  };
}

/** A commit that nobody else makes: the lock's value tells holders apart. */
function sign(parcel: Parcel, id: string, time: number): string {
  const holder = { host: os.hostname(), time, id, step: randomHex(8) };
  git(['hash-object', '-w', '-t', 'tree', '--stdin'], { gitDir: parcel.gitDir, input: '' });
  const answer = git(['commit-tree', EMPTY_TREE, '-m', JSON.stringify(holder)], { gitDir: parcel.gitDir });
  if (!answer.ok) throw new StoreError('store_failed', answer.err.trim());
  return fromBuffer(answer.out).trim();
}

/** Undefined for what no belay has signed: it is nobody's. */
function holderOf(commit: string | undefined): Holder | undefined {
  const text = /\n\n(\{.*\})\n?$/.exec(commit ?? '')?.[1];
  try {
    const data = JSON.parse(text ?? '') as Partial<Holder> | null;
    if (typeof data?.host !== 'string' || typeof data.time !== 'number') return undefined;
    const host = data.host.replace(/[^\x21-\x7e]/g, '?').slice(0, 100);
    const time = Math.min(Math.max(0, data.time), 8.64e15);
    return { host, time, id: /^[0-9a-f]{16}$/.test(data.id ?? '') ? (data.id ?? '') : 'none' };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
