import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, namesVisible, removeFile, removeTree } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { mountPoints } from '../platform/mounts.ts';
import { basename, dirname, isAbsolute, isInside, join, normalize } from '../platform/paths.ts';
import { sleep } from '../platform/signed.ts';
import { breakStaleLocks } from './git-locks.ts';
import { type HoldContent, holdsFolder } from './holds.ts';
import { projects } from './projects.ts';
import type { CaptureRef, Checkpoint, History } from './read.ts';
import type { CheckpointRecord, Version } from './record.ts';
import type { Resting } from './resting.ts';
import { type Store, StoreError } from './store.ts';
import { captureRef, importedRef, sentRef, turnRef } from './write.ts';

/** How long another git, or the lock that a killed one has left, is in the way at most, ms. */
const LOCK_PATIENCE = 5_000;

/** Takes refs away, all of them or none. A lock that a killed git has left is taken away first. */
export function deleteRefs(store: Store, refs: readonly string[]): void {
  if (refs.length === 0) return;
  const until = Date.now() + LOCK_PATIENCE;
  for (;;) {
    const answer = git(['update-ref', '--no-deref', '--stdin'], {
      gitDir: store.gitDir,
      input: refs.map((ref) => `delete ${ref}\n`).join(''),
      timeout: 60_000,
    });
    if (answer.ok) return;
    if (!/\.lock/.test(answer.err) || Date.now() > until)
      throw new StoreError('store_failed', `checkpoints could not be dropped: ${toText(answer.err.trim())}`);
    if (breakStaleLocks(store) === 0) sleep(100);
  }
}

/** The ref by itself where there is one, to be deleted; none where there is not. */
export function existing(store: Store, ref: string): string[] {
  return git(['rev-parse', '--verify', '-q', ref], { gitDir: store.gitDir }).ok ? [ref] : [];
}

/** Refs first: killed in between, the held files are found by the next sweep. */
export function letGo(
  store: Store,
  key: string,
  history: History,
  going: readonly Checkpoint[],
  captures: readonly CaptureRef[],
): void {
  const staying = new Set(history.checkpoints.filter((one) => !going.includes(one)).map(({ record }) => record.n));
  for (const ref of history.broken) staying.add(Number(ref.split('/')[1]));
  deleteRefs(store, [
    ...going.map(({ record }) => turnRef(key, record.n)),
    ...captures.map(({ m }) => captureRef(key, m)),
    ...besideOf(key, history, (n) => !staying.has(n)),
  ]);
  for (const { record } of going) dropHolds(store, key, record);
}

/** What stands beside checkpoints and goes with them: the states of imported ones, and what a sync has pushed of them. */
export const besideOf = (key: string, { imported, sent }: History, isGoing: (n: number) => boolean): string[] => [
  ...imported.filter(({ m }) => isGoing(m)).map(({ m }) => importedRef(key, m)),
  ...sent.filter(({ m }) => isGoing(m)).map(({ m }) => sentRef(key, m)),
];

/** Every held file that a record names: before, and as later lines of its turn found it. */
export function heldBy(
  record: CheckpointRecord,
): { readonly path: Bytes; readonly size: number; readonly content: HoldContent }[] {
  const out: { path: Bytes; size: number; content: HoldContent }[] = [];
  for (const change of record.changes)
    for (const version of [change.before, ...(change.later ?? []), change.after] satisfies readonly Version[])
      if (version.kind === 'file' && version.content.at === 'hold')
        out.push({ path: change.path, size: version.size, content: version.content });
  return out;
}

/** Held files of a record: its own folder, those that a restore put aside for it, and those on other file systems. */
export function dropHolds(store: Store, key: string, record: CheckpointRecord): void {
  const folder = holdsFolder(store, key);
  removeTree(join(folder, String(record.n)));
  if (record.kind === 'safety') removeTree(join(folder, `s${record.order}`));
  for (const { content } of heldBy(record)) if (isAbsolute(content.path)) dropFar(content.path);
}

const uid = (): number => process.getuid?.() ?? 0;
const farName = (): Bytes => `.belay-${uid()}`;

/**
 * The folder of far holds that a path lies in, where it really is one: ours alone, and every folder on the way to the file a folder
 * and no link. A record that was forged or damaged leads nowhere else.
 */
function farFolderOf(path: Bytes): Bytes | undefined {
  if (normalize(path) !== path) return undefined;
  const at = path.split('/').indexOf(farName());
  if (at < 1) return undefined;
  const far = path
    .split('/')
    .slice(0, at + 1)
    .join('/');
  if (!isOurs(far)) return undefined;
  for (let folder = dirname(path); folder !== far; folder = dirname(folder)) {
    if (!isInside(folder, far) || lookAt(folder)?.type !== 'folder') return undefined;
  }
  return far;
}

function isOurs(folder: Bytes): boolean {
  const look = lookAt(folder);
  return look?.type === 'folder' && look.uid === uid() && (look.mode & 0o077) === 0;
}

/** A held file on another file system, and the folders that are empty without it. */
export function dropFar(path: Bytes): void {
  const far = farFolderOf(path);
  if (far === undefined) return;
  removeFile(path);
  for (let folder = dirname(path); isInside(folder, far); folder = dirname(folder)) {
    try {
      fs.rmdirSync(toBuffer(folder));
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'].includes(codeOf(error))) throw error;
      return;
    }
  }
}

/** What a hold that was never finished, or a drop that was killed, leaves behind is nobody's after so long, ms. */
const LOST_MS = 24 * 3_600_000;

/**
 * Removes held files that no checkpoint names: of checkpoints whose drop was killed half way, of restores and holds that were killed.
 * To be called with the locks of all who write holds. `mark`: what holds on other file systems begin with when they are this home's.
 * Returns what it removed.
 */
export function sweepHolds(
  store: Store,
  histories: ReadonlyMap<string, History>,
  resting: Resting,
  mark: Bytes,
  now: number,
): Bytes[] {
  const out: Bytes[] = [];
  const remove = (path: Bytes): void => {
    removeTree(path);
    out.push(path);
  };
  const top = join(store.base, 'holds');
  for (const key of namesInOrNone(top)) {
    const history = histories.get(key);
    if (history !== undefined && history.broken.length > 0) continue; // what a damaged record holds is for `verify --repair`
    const records = history?.checkpoints.map(({ record }) => record) ?? [];
    const named = new Set(
      records.flatMap(({ kind, n, order }) => [String(n), ...(kind === 'safety' ? [`s${order}`] : [])]),
    );
    for (const { content } of records.flatMap(heldBy))
      if (isInside(content.path, join(top, key))) named.add(content.path.split('/')[top.split('/').length + 1] ?? '');
    for (const name of namesInOrNone(join(top, key))) {
      const path = join(join(top, key), name);
      if (/^s?\d+$/.test(name) && !named.has(name) && isOlder(path, now, LOST_MS)) remove(path);
    }
  }
  const damaged = [...histories.values()].some(({ broken }) => broken.length > 0);
  if (damaged || resting.unknown) return out;
  const kept = new Set<Bytes>(resting.far);
  for (const { checkpoints } of histories.values())
    for (const { record } of checkpoints)
      for (const { content } of heldBy(record)) if (isAbsolute(content.path)) kept.add(dirname(content.path));
  for (const far of farFolders(store, kept))
    for (const name of namesVisible(far)) {
      const path = join(far, name);
      if (name.startsWith(mark) && !kept.has(path) && isOlder(path, now, LOST_MS)) remove(path);
    }
  return out;
}

/** Whether the entry has been as and where it is for so long, ms. */
export function isOlder(path: Bytes, now: number, age: number): boolean {
  const look = lookAt(path);
  return look !== undefined && now - Number(BigInt(look.ctime) / 1_000_000n) > age;
}

/** Every folder of far holds that can be found: in mount points, above projects, and where checkpoints name files in them. */
export function farFolders(store: Store, named: Iterable<Bytes>): Bytes[] {
  const places = new Set<Bytes>(['/', ...mountPoints()]);
  for (const { workdir } of projects(store))
    for (let folder = dirname(workdir); ; folder = dirname(folder)) {
      places.add(folder);
      if (folder === '/' || folder === '.') break;
    }
  const out = new Set([...places].map((place) => join(place, farName())));
  for (const path of named) if (basename(dirname(path)) === farName()) out.add(dirname(path));
  return [...out].filter((far) => {
    try {
      return isOurs(far);
    } catch (error) {
      if (['EACCES', 'EIO', 'ESTALE', 'ENOTCONN'].includes(codeOf(error))) return false; // not to be looked at now
      throw error;
    }
  });
}
