import fs from 'node:fs';
import { farFolders, heldBy } from '../checkpoint/let-go.ts';
import { readHistories } from '../checkpoint/read.ts';
import { type Store, StoreError, storeToRemove } from '../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, realAsFar, removeFile, removeTree } from '../platform/files.ts';
import { foreignHome, runtimeFolder } from '../platform/home.ts';
import type { Lock } from '../platform/lock.ts';
import { dirname, isAbsolute, join } from '../platform/paths.ts';
import { isProfileName } from '../platform/profile.ts';
import { farMark, standIns } from '../saving/hold/far.ts';
import { takeAll } from '../saving/prune.ts';
import { restingOn } from '../saving/resting.ts';
import { refused } from './command.ts';

/** The names that belay makes, by the folder they lie in. Whatever else lies there is somebody else's and stays. */
const OWN: Readonly<Record<string, RegExp>> = {
  '': /^(?:format(?:\.\d+\.[0-9a-z]+\.tmp)?|introduce|state\.db(?:-wal|-shm|-journal)?|uninstalled)$/,
  checkpoints:
    /^(?:store|order|pending|holds|due|restoring|locks|writing|machine-id|\.last_prune|\.let_go|\.sizes|\.counts|legacy-\d[0-9A-Za-z-]*|\.store-\d+-[0-9a-f]+|\.(?:restore|settle|capture)\.lock.*|.*\.tmp)$/,
  logs: /^(?:belay\.log(?:\.\d)?|\d{8}_\d{6}_[0-9a-f]{6,8}\.log)$/,
  sessions:
    /^(?:.*\.notice(?:\.\d+)?|(?:compact|notices)\.lock.*|(?:=[0-9a-f-]+|[A-Za-z0-9_-]+)\.(?:jsonl|brief|environment)|touched|titles|handoffs|.*\.\d+\.[0-9a-z]+\.tmp)$/,
  installs: /^(?:[0-9a-f]{16}|\.gone-[0-9a-f]{16}-[0-9a-f]{8})$/,
  worktrees:
    /^(?:known|leaving|asides|next-sweep|sizes\.json|tools-going|\.(?:sweep|remove|add|tools)\.lock.*|.*\.tmp)$/,
  archive: /^worktree-prune$/,
  background: /^\d{8}_\d{6}_[0-9a-f]{6,8}$/,
  'sessions/agents': /^[a-z0-9-]+-[0-9a-f]{20}\.json(?:\..*)?$/,
  'agents/backups': /^.*-\d{14}-[^/]+$/,
};

export interface Purged {
  /** What was not belay's and stays. */
  readonly left: readonly Bytes[];
}

/**
 * Why nothing there may be deleted: `BELAY_HOME` can name any folder. Only one that is ours and that belay has written into is
 * taken for its home.
 */
export function whyNotPurged(home: Bytes): string | undefined {
  const foreign = foreignHome(home);
  if (foreign !== undefined) return foreign.replace(/: not written$/, '');
  if (lookAt(realAsFar(home))?.type !== 'folder') return 'it is no folder';
  const made = [
    'introduce',
    'format',
    'checkpoints/store/info/attributes',
    'checkpoints/order',
    'checkpoints/pending',
    'logs/belay.log',
  ];
  const recorded = namesInOrNone(join(home, 'sessions')).some((name) => /^\d{8}_\d{6}_[0-9a-f]{6}\.jsonl$/.test(name));
  const isOurs = recorded || made.some((name) => lookAt(join(home, name)) !== undefined);
  return isOurs ? undefined : 'nothing in it was made by belay';
}

/**
 * Deletes what belay keeps: its own entries in the home and in its profiles, its holds on other file systems, its markers. Nobody writes
 * there meanwhile: where somebody does, nothing is deleted at all.
 */
export function purge(home: Bytes, env: ReadonlyMap<Bytes, Bytes>, wait = PATIENCE_MS): Purged {
  const real = realAsFar(home);
  const profiles = join(real, 'profiles');
  const below = (name: Bytes): Bytes => join('profiles', name);
  const named = lookAt(profiles)?.type === 'folder' ? namesInOrNone(profiles).filter(isProfileName) : [];
  const homes = named.map((name) => join(profiles, name)).filter((path) => whyNotPurged(path) === undefined);
  return alone([...homes.map(realAsFar), real], wait, () => {
    for (const path of homes) purgeProfileAlone(path);
    removeIfEmpty(profiles);
    const left = purgeOne(real, runtimeFolder(env, false));
    return { left: left.flatMap((name) => (name === 'profiles' ? namesInOrNone(profiles).map(below) : [name])) };
  });
}

/** The same for one profile; its own configuration goes, too. The markers of shells are everybody's and stay. */
export const purgeProfile = (home: Bytes, wait = PATIENCE_MS): Purged =>
  alone([realAsFar(home)], wait, () => purgeProfileAlone(home));

function purgeProfileAlone(home: Bytes): Purged {
  purgeOne(realAsFar(home), undefined);
  // Last: what is left of a purge that was killed still goes by the user's own settings.
  for (const name of ['config.yaml', 'config.json'])
    if (lookAt(join(home, name))?.type === 'file') removeFile(join(home, name));
  removeIfEmpty(home);
  return { left: namesInOrNone(home) };
}

/** How long whoever writes is waited for, ms. */
const PATIENCE_MS = 30_000;

/** `act` with the locks of all who write into these homes, taken before anything goes. */
function alone<T>(homes: readonly Bytes[], wait: number, act: () => T): T {
  const locks: Lock[] = [];
  for (const home of homes) {
    const some = takeAll(join(home, 'checkpoints'), wait);
    if (some === undefined) {
      for (const lock of locks) lock.release();
      throw refused('busy', 'the store is being written: nothing was deleted', 'Run this again in a moment.');
    }
    locks.push(...some);
  }
  try {
    return act();
  } finally {
    for (const lock of locks) lock.release();
    for (const home of homes) clearLocks(home);
  }
}

/** What the locks left where something else kept their folder. */
function clearLocks(home: Bytes): void {
  const folder = join(home, 'checkpoints');
  for (const name of namesInOrNone(folder)) if (name.includes('.lock')) removeTree(join(folder, name));
  removeIfEmpty(folder);
  removeIfEmpty(home);
}

/** With its locks. The names of what was not belay's. */
function purgeOne(real: Bytes, runtime: Bytes | undefined): readonly Bytes[] {
  const store = storeToRemove(real);
  if (store !== undefined) for (const path of farHolds(store, real)) removeTree(path);
  for (const base of standIns(real)) {
    removeTree(base);
    removeIfEmpty(dirname(base));
  }
  if (runtime !== undefined) removeTree(runtime);
  for (const [folder, names] of Object.entries(OWN)) {
    const path = folder === '' ? real : join(real, folder);
    if (lookAt(path)?.type === 'folder')
      for (const name of namesInOrNone(path)) if (names.test(name)) removeTree(join(path, name));
    // The folder around one that is gone already, too.
    for (let empty = path; empty !== real; empty = dirname(empty)) removeIfEmpty(empty);
  }
  removeIfEmpty(real);
  return namesInOrNone(real);
}

/** What this home's holds left on other file systems: by name, by the checkpoints, by turns that are not settled. */
function farHolds(store: Store, home: Bytes): Bytes[] {
  const named = new Set<Bytes>([...restingOn(store).far, ...farInCheckpoints(store)]);
  const mark = farMark(home);
  return farFolders(store, named).flatMap((far) =>
    namesInOrNone(far)
      .map((name) => join(far, name))
      .filter((path) => named.has(path) || path.slice(far.length + 1).startsWith(mark)),
  );
}

/** None where the store is broken: it goes all the same, and its holds are known by their names. */
function farInCheckpoints(store: Store): Bytes[] {
  try {
    return [...readHistories(store).values()]
      .flatMap(({ checkpoints }) => checkpoints)
      .flatMap(({ record }) => heldBy(record))
      .flatMap(({ content }) => (isAbsolute(content.path) ? [dirname(content.path)] : []));
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

function removeIfEmpty(folder: Bytes): void {
  try {
    fs.rmdirSync(toBuffer(folder));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM'].includes(codeOf(error))) throw error;
  }
}
