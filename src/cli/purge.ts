import fs from 'node:fs';
import { farFolders, heldBy } from '../checkpoint/let-go.ts';
import { readHistories } from '../checkpoint/read.ts';
import { findStore, type Store } from '../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, realAsFar, removeFile, removeTree } from '../platform/files.ts';
import { foreignHome, runtimeFolder } from '../platform/home.ts';
import { dirname, isAbsolute, join } from '../platform/paths.ts';
import { isProfileName } from '../platform/profile.ts';
import { farMark, standIns } from '../saving/hold/far.ts';
import { takeAll } from '../saving/prune.ts';
import { restingOn } from '../saving/resting.ts';
import { refused } from './command.ts';

/** The names that belay makes, by the folder they lie in. Whatever else lies there is somebody else's and stays. */
const OWN: Readonly<Record<string, RegExp>> = {
  '': /^(?:state\.db(?:-wal|-shm|-journal)?|uninstalled)$/,
  checkpoints:
    /^(?:store|order|pending|holds|due|restoring|locks|writing|machine-id|\.last_prune|\.sizes|legacy-\d[0-9A-Za-z-]*|\.store-\d+-[0-9a-f]+|\.(?:restore|settle|capture)\.lock.*|.*\.tmp)$/,
  logs: /^(?:belay\.log(?:\.\d)?|\d{8}_\d{6}_[0-9a-f]{6,8}\.log)$/,
  sessions: /^(?:.*\.notice(?:\.\d+)?|(?:=[0-9a-f-]+|[A-Za-z0-9_-]+)\.(?:jsonl|brief)|touched|titles|handoffs)$/,
  installs: /^(?:[0-9a-f]{16}|\.gone-[0-9a-f]{16}-[0-9a-f]{8})$/,
  worktrees: /^(?:known|leaving|asides|next-sweep|sizes\.json|\.(?:sweep|remove|add)\.lock.*|.*\.tmp)$/,
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
  const made = ['checkpoints/store/info/attributes', 'checkpoints/order', 'checkpoints/pending', 'logs/belay.log'];
  return made.some((name) => lookAt(join(home, name)) !== undefined) ? undefined : 'nothing in it was made by belay';
}

/** Deletes what belay keeps: its own entries in the home, its holds on other file systems, its markers. Nobody writes there meanwhile. */
export function purge(home: Bytes, env: ReadonlyMap<Bytes, Bytes>): Purged {
  const real = realAsFar(home);
  const profiles = join(real, 'profiles');
  if (lookAt(profiles)?.type === 'folder') {
    for (const name of namesInOrNone(profiles))
      if (isProfileName(name) && whyNotPurged(join(profiles, name)) === undefined) purgeProfile(join(profiles, name));
    removeIfEmpty(profiles);
  }
  return purgeOne(real, runtimeFolder(env, false));
}

/** The same for one profile; its own configuration goes, too. The markers of shells are everybody's and stay. */
export function purgeProfile(home: Bytes): Purged {
  for (const name of ['config.yaml', 'config.json'])
    if (lookAt(join(home, name))?.type === 'file') removeFile(join(home, name));
  return purgeOne(realAsFar(home), undefined);
}

function purgeOne(real: Bytes, runtime: Bytes | undefined): Purged {
  const locks = takeAll(join(real, 'checkpoints'), 30_000);
  if (locks === undefined)
    throw refused('busy', 'the store is being written: nothing was deleted', 'Run this again in a moment.');
  try {
    const store = findStore(real);
    if (store !== undefined) for (const path of farHolds(store, real)) removeTree(path);
    for (const base of standIns(real)) {
      removeTree(base);
      removeIfEmpty(dirname(base));
    }
    if (runtime !== undefined) removeTree(runtime);
    for (const [folder, names] of Object.entries(OWN)) {
      const path = folder === '' ? real : join(real, folder);
      if (lookAt(path)?.type !== 'folder') continue;
      for (const name of namesInOrNone(path)) if (names.test(name)) removeTree(join(path, name));
      for (let empty = path; empty !== real; empty = dirname(empty)) removeIfEmpty(empty);
    }
    removeIfEmpty(real);
    return { left: namesInOrNone(real) };
  } finally {
    for (const lock of locks) lock.release();
    // What the locks left where something else kept their folder.
    for (const name of namesInOrNone(join(real, 'checkpoints')))
      if (name.includes('.lock')) removeTree(join(join(real, 'checkpoints'), name));
    removeIfEmpty(join(real, 'checkpoints'));
    removeIfEmpty(real);
  }
}

/** What this home's holds left on other file systems: by name, by the checkpoints, by turns that are not settled. */
function farHolds(store: Store, home: Bytes): Bytes[] {
  const named = new Set<Bytes>(restingOn(store).far);
  for (const { checkpoints } of readHistories(store).values())
    for (const { record } of checkpoints)
      for (const { content } of heldBy(record)) if (isAbsolute(content.path)) named.add(dirname(content.path));
  const mark = farMark(home);
  return farFolders(store, named).flatMap((far) =>
    namesInOrNone(far)
      .map((name) => join(far, name))
      .filter((path) => named.has(path) || path.slice(far.length + 1).startsWith(mark)),
  );
}

function removeIfEmpty(folder: Bytes): void {
  try {
    fs.rmdirSync(toBuffer(folder));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM'].includes(codeOf(error))) throw error;
  }
}
