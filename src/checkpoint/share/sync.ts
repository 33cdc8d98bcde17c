import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { makeFolder, readBytesIfAny } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { writing } from '../gate.ts';
import type { Ledger } from '../ledger.ts';
import { projectsFolder } from '../projects.ts';
import type { Checkpoint, History } from '../read.ts';
import type { Store } from '../store.ts';
import { sentRef } from '../write.ts';
import { type Parcel, withParcel } from './parcel.ts';
import { eventFor, subjectOf, writePortable } from './portable.ts';
import type { PrivateRules } from './private.ts';
import { fetchInto, listRemote, push, type Remote, type RemoteRef, remoteRef } from './remote.ts';
import { takeRemoteLock } from './remote-lock.ts';
import { unpack } from './unpack.ts';

export interface SyncRequest {
  readonly store: Store;
  readonly key: string;
  readonly owner: string;
  readonly root: Bytes;
  readonly history: History;
  readonly ledger: Ledger;
  readonly rules: PrivateRules;
  readonly remote: Remote;
  /** What was pushed and is no longer listed here goes there, too. */
  readonly prune: boolean;
  readonly now: number;
  /** Said before each step. */
  readonly tell: (doing: string) => void;
}

export interface Synced {
  readonly pushed: readonly number[];
  readonly fetched: readonly { readonly n: number; readonly owner: string; readonly there: number }[];
  readonly dropped: readonly number[];
  readonly refused: readonly { readonly owner: string; readonly there: number; readonly why: string }[];
}

/** So many at a time: what has arrived of them stays, whatever becomes of the rest. */
const BATCH = 20;

/** How long another machine is waited for, ms. */
const PATIENCE = 10_000;

/**
 * Pushes the checkpoints that the remote does not have, and takes over those of other machines that never came here. Each machine has
 * names of its own there, so numbers never clash; interrupted anywhere, the next sync goes on.
 */
export function sync(request: SyncRequest): Synced {
  const { store, remote, tell } = request;
  return withParcel(store, [], (parcel) => {
    tell('waiting for other machines');
    const lock = takeRemoteLock(parcel, remote, PATIENCE);
    try {
      const { checkpoints } = listRemote(store, remote);
      const pushed = pushOwn(request, checkpoints, () => lock.renew());
      const dropped = request.prune ? dropOwn(request, checkpoints) : [];
      const others = fetchOthers(request, parcel, checkpoints, () => lock.renew());
      return { pushed, dropped, ...others };
    } finally {
      lock.release();
    }
  });
}

function pushOwn(request: SyncRequest, there: readonly RemoteRef[], renew: () => void): number[] {
  const { store, key, owner, history, remote, tell, rules } = request;
  const remotely = new Map(there.filter((ref) => ref.owner === owner).map(({ n, id }) => [n, id]));
  const sent = sentNow(store, key, history);
  const own = history.checkpoints.filter(({ record }) => record.origin === undefined);
  const missing = own
    .filter(({ record: { n } }) => {
      const known = sent.get(n);
      return known === undefined || known.subject !== subjectOf(n, rules) || remotely.get(n) !== known.id;
    })
    .sort((a, b) => a.record.n - b.record.n);
  const done: number[] = [];
  for (let i = 0; i < missing.length; i += BATCH) {
    const batch = missing.slice(i, i + BATCH);
    tell(`pushing ${i + 1} to ${i + batch.length} of ${missing.length}`);
    renew();
    for (const checkpoint of batch) prepare(request, checkpoint, sent);
    push(
      store,
      remote,
      batch.map(({ record: { n } }) => [sentRef(key, n), remoteRef(remote, owner, n)]),
    );
    done.push(...batch.map(({ record }) => record.n));
  }
  return done;
}

/** The portable form stays in the store, so that the next sync need not push again what these have in common. */
function prepare(request: SyncRequest, checkpoint: Checkpoint, sent: ReadonlyMap<number, Sent>): void {
  const { store, key, owner, root, history, ledger, rules } = request;
  const { n } = checkpoint.record;
  if (sent.get(n)?.subject === subjectOf(n, rules)) return;
  const target = eventFor(ledger, key, checkpoint);
  withParcel(store, [], ({ folder }) => {
    const parcel: Parcel = { ...store, folder };
    writing(store, () =>
      writePortable({ store, parcel, key, owner, root, history, ledger, target, rules, ref: sentRef(key, n) }),
    );
  });
}

interface Sent {
  readonly id: string;
  readonly subject: string;
}

function sentNow(store: Store, key: string, { sent }: History): Map<number, Sent> {
  const answer = git(
    ['for-each-ref', '--format=%(refname:lstrip=4) %(objectname) %(contents:subject)', `refs/belay/${key}/sent/`],
    {
      gitDir: store.gitDir,
    },
  );
  const out = new Map<number, Sent>();
  if (sent.length === 0) return out;
  for (const line of fromBuffer(answer.out).split('\n')) {
    const hit = /^(\d+) ([0-9a-f]{40}) (.*)$/.exec(line);
    if (hit?.[1] && hit[2]) out.set(Number(hit[1]), { id: hit[2], subject: hit[3] ?? '' });
  }
  return out;
}

function dropOwn({ store, owner, history, remote }: SyncRequest, there: readonly RemoteRef[]): number[] {
  const listed = new Set(history.checkpoints.map(({ record }) => record.n));
  const gone = there.filter((ref) => ref.owner === owner && !listed.has(ref.n)).map(({ n }) => n);
  for (let i = 0; i < gone.length; i += BATCH)
    push(
      store,
      remote,
      gone.slice(i, i + BATCH).map((n) => ['', remoteRef(remote, owner, n)]),
    );
  return gone;
}

function fetchOthers(
  request: SyncRequest,
  parcel: Parcel,
  there: readonly RemoteRef[],
  renew: () => void,
): Pick<Synced, 'fetched' | 'refused'> {
  const { store, key, owner, root, remote, now, tell } = request;
  const known = takenBefore(store, key);
  const wanted = there
    .filter((ref) => ref.owner !== owner && !known.has(nameOf(ref)))
    .sort((a, b) => (a.owner === b.owner ? a.n - b.n : a.owner < b.owner ? -1 : 1));
  const fetched: Synced['fetched'][number][] = [];
  const refused: Synced['refused'][number][] = [];
  for (let i = 0; i < wanted.length; i += BATCH) {
    const batch = wanted.slice(i, i + BATCH);
    tell(`fetching ${i + 1} to ${i + batch.length} of ${wanted.length}`);
    renew();
    fetchInto(
      parcel,
      remote,
      batch.map((ref) => remoteRef(remote, ref.owner, ref.n)),
    );
    batch.forEach((ref, j) => {
      const done = unpack(store, root, parcel, `refs/in/${j}`, now, ref);
      if (done.is === 'refused') refused.push({ owner: ref.owner, there: ref.n, why: done.why });
      else if (done.fresh) fetched.push({ n: done.n, owner: ref.owner, there: ref.n });
      noteTaken(store, key, ref);
    });
  }
  return { fetched, refused };
}

const nameOf = ({ owner, n, id }: RemoteRef): string => `${owner} ${n} ${id}`;

const takenFile = (store: Store, key: string): Bytes => join(projectsFolder(store), `${key}.taken`);

/** What has come before, also where it was let go since: it does not come back by itself. */
function takenBefore(store: Store, key: string): ReadonlySet<string> {
  const bytes = readBytesIfAny(takenFile(store, key));
  return new Set(bytes === undefined ? [] : fromBuffer(bytes).split('\n'));
}

function noteTaken(store: Store, key: string, ref: RemoteRef): void {
  makeFolder(projectsFolder(store));
  fs.appendFileSync(toBuffer(takenFile(store, key)), `${nameOf(ref)}\n`, { mode: 0o600 });
}
