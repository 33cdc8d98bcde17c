import { fromBuffer, toText } from '../../platform/bytes.ts';
import { type GitAnswer, git } from '../../platform/git.ts';
import { type Store, StoreError } from '../store.ts';

/**
 * What a sync says to another repository. Everything of a project lies there under `refs/belay/<name>/`: `<owner>/<n>` is checkpoint n of
 * one machine, `lock` says who is at it.
 */
export interface Remote {
  /** Address or path. */
  readonly url: string;
  readonly name: string;
}

export interface RemoteRef {
  readonly owner: string;
  readonly n: number;
  readonly id: string;
}

export interface Listing {
  readonly checkpoints: readonly RemoteRef[];
  readonly lock: string | undefined;
  /** Names under this project's that belay did not make. */
  readonly strange: number;
}

export const remoteRef = ({ name }: Remote, owner: string, n: number): string => `refs/belay/${name}/${owner}/${n}`;
const lockRef = ({ name }: Remote): string => `refs/belay/${name}/lock`;

const MOST_REFS = 100_000;
const TIMEOUT = 600_000;

export function listRemote(store: Store, remote: Remote): Listing {
  const answer = call(store, ['ls-remote', '-q', '--', remote.url, `refs/belay/${remote.name}/*`]);
  if (!answer.ok) throw failure(remote, answer);
  const checkpoints: RemoteRef[] = [];
  let lock: string | undefined;
  let strange = 0;
  for (const line of fromBuffer(answer.out).split('\n').slice(0, MOST_REFS)) {
    const [id = '', ref = ''] = line.split('\t');
    if (!/^[0-9a-f]{40}$/.test(id)) continue;
    const hit = /^\/([0-9a-f]{16})\/([1-9]\d{0,14})$/.exec(ref.slice(`refs/belay/${remote.name}`.length));
    if (hit?.[1]) checkpoints.push({ owner: hit[1], n: Number(hit[2]), id });
    else if (ref === lockRef(remote)) lock = id;
    else strange++;
  }
  return { checkpoints, lock, strange };
}

/** Puts refs of the store there, each by itself: what was there under the same names is replaced. */
export function push(store: Store, remote: Remote, moves: readonly (readonly [from: string, to: string])[]): void {
  if (moves.length === 0) return;
  const answer = call(store, [
    'push',
    '--porcelain',
    '--no-verify',
    '--',
    remote.url,
    ...moves.map(([from, to]) => `+${from}:${to}`),
  ]);
  if (!answer.ok) throw failure(remote, answer);
}

/** Gets refs into a parcel, as `refs/in/<i>`. */
export function fetchInto(parcel: Store, remote: Remote, refs: readonly string[]): void {
  if (refs.length === 0) return;
  const answer = fetch(
    parcel,
    remote,
    refs.map((ref, i) => `+${ref}:refs/in/${i}`),
  );
  if (!answer.ok) throw failure(remote, answer);
}

const FETCH = ['fetch', '-q', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--refmap=', '--'];

const fetch = (parcel: Store, remote: Remote, specs: readonly string[]): GitAnswer =>
  call(parcel, [...FETCH, remote.url, ...specs]);

/** Moves the lock from one state to another, or learns that somebody else has moved it. Undefined: there is none. */
export function moveLock(parcel: Store, remote: Remote, from: string | undefined, to: string | undefined): boolean {
  const ref = lockRef(remote);
  const answer = call(parcel, [
    'push',
    '--porcelain',
    '--no-verify',
    `--force-with-lease=${ref}:${from ?? ''}`,
    '--',
    remote.url,
    `${to ?? ''}:${ref}`,
  ]);
  if (answer.ok) return true;
  // Another one was first: told by our side (stale info) or by the other (it cannot lock the ref, it is not what it was).
  if (
    /^!\t.*(?:stale info|cannot lock ref|failed to update ref|already exists|remote ref does not exist|reference)/im.test(
      fromBuffer(answer.out),
    )
  )
    return false;
  throw failure(remote, answer);
}

const MOST_LOCK = 4096;

/** The commit that tells who has the lock; empty where it is none of belay’s, undefined where it cannot be read. */
export function readLock(parcel: Store, remote: Remote): string | undefined {
  const answer = fetch(parcel, remote, [`+${lockRef(remote)}:refs/lock`]);
  if (!answer.ok) return undefined; // gone meanwhile, or out of reach: the next look shows it
  const size = git(['cat-file', '-s', 'refs/lock'], { gitDir: parcel.gitDir });
  if (!size.ok || Number(fromBuffer(size.out)) > MOST_LOCK) return ''; // no belay's
  return fromBuffer(git(['cat-file', 'commit', 'refs/lock'], { gitDir: parcel.gitDir }).out);
}

const call = (at: Store, args: readonly string[]): GitAnswer =>
  git(args, { gitDir: at.gitDir, remote: true, timeout: TIMEOUT });

function failure(remote: Remote, answer: GitAnswer): StoreError {
  const said = toText(answer.err.trim())
    .split('\n')
    .filter((line) => !line.startsWith('hint:'));
  const why =
    said
      .filter((line) => /^(?:fatal|error|remote|ssh|!)/i.test(line))
      .slice(0, 3)
      .join('; ') || said.at(-1);
  return new StoreError('remote_failed', `${shownUrl(remote.url)}: ${why || 'git could not talk to it'}`);
}

/** Without a password that stands in it. */
export const shownUrl = (url: string): string => url.replace(/(:\/\/[^/@:]*):[^/@]*@/, '$1:***@');
