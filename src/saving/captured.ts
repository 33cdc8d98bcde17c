import fs from 'node:fs';
import { projectKey } from '../checkpoint/projects.ts';
import { openStore } from '../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { lookAt, makeFolder, namesIn } from '../platform/files.ts';
import { dirname, isInside, join, relativeTo } from '../platform/paths.ts';
import { holdFolders } from '../turns/pending.ts';
import { capturesOf } from './before.ts';
import { readIndex } from './capture/index-file.ts';
import { indexPath, indexStamp, readKept } from './capture/kept.ts';

/** Calls of a turn that are held one by one before it is worth a look at what the turn's capture has. */
const FEW_CALLS = 2;

/** Of one look: entries seen, and marks made. */
const MOST_ENTRIES = 20_000;
const MOST_MARKS = 2000;

/** A file that changed so shortly before the capture began may have the time of after it: clocks of file systems tick slowly. */
const TICK_MS = 100;

/**
 * Tells the PATH wrappers of a turn what its capture has, so that `rm` called a thousand times looks at marks and starts
 * nothing of belay. Below `folder` (turns/markers.ts): `in/<path>/since` for a folder: its mount and inode, and the time up to
 * which the capture saw everything in it, nanoseconds since 1970; `out/<path>`, a file, for what is in that folder and not in
 * the capture (ignored by git, too large, a repository of its own).
 */
export function markCaptured(paths: readonly Bytes[], turnFolder: Bytes, home: Bytes, folder: Bytes): void {
  if (holdFolders(turnFolder).length <= FEW_CALLS) return;
  for (const capture of capturesOf(turnFolder)) {
    if (capture.kind !== 'captured') continue;
    for (const path of new Set(paths.map(dirname).filter((path) => isInside(path, capture.root))))
      if (lookAt(join(folder, `in${path}/since`)) === undefined) markFolder(path, capture, home, folder);
  }
}

function markFolder(path: Bytes, { root, m }: { root: Bytes; m: number }, home: Bytes, folder: Bytes): void {
  const store = openStore(home);
  const key = projectKey(store, root);
  const kept = readKept(store, key);
  const own = kept?.trees[''];
  const index = indexPath(store, key, '');
  // A later capture than the turn's, or nested repositories with indexes of their own: each call is held.
  if (kept?.m !== m || own?.index !== indexStamp(index) || Object.keys(kept.trees).length > 1) return;
  const has = new Set(readIndex(index)?.map((entry) => entry.path));
  const look: Look = { folder, root, since: kept.taken - TICK_MS, has, entries: 0, marks: 0 };
  walk(path, look);
}

interface Look {
  readonly folder: Bytes;
  readonly root: Bytes;
  readonly since: number;
  readonly has: ReadonlySet<Bytes>;
  entries: number;
  marks: number;
}

/** Marks one folder and those in it; false where there is too much of it. What is missing is marked before the folder is. */
function walk(path: Bytes, look: Look): boolean {
  const is = nameOf(path);
  if (is === undefined) return false;
  for (const name of namesIn(path)) {
    if (++look.entries > MOST_ENTRIES || look.marks > MOST_MARKS) return false;
    const below = join(path, name);
    const known =
      lookAt(below)?.type === 'folder'
        ? name !== '.git' && walk(below, look)
        : look.has.has(relativeTo(look.root, below));
    if (known) continue;
    look.marks++;
    const mark = join(look.folder, `out${below}`);
    makeFolder(dirname(mark));
    // A folder of marks says already that something below is missing.
    if (lookAt(mark) === undefined) fs.writeFileSync(toBuffer(mark), '', { mode: 0o600 });
  }
  look.marks++;
  const mark = join(look.folder, `in${path}/since`);
  makeFolder(dirname(mark));
  const aside = `${mark}.${process.pid}`;
  fs.writeFileSync(toBuffer(aside), `${is} ${look.since}000000\n`, { mode: 0o600 });
  fs.renameSync(toBuffer(aside), toBuffer(mark));
  return true;
}

/** The folder's mount and inode as the kernel tells them of an open file, which a shell can read too; undefined where it does not. */
function nameOf(path: Bytes): string | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(toBuffer(path), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW);
    const told = fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
    const [mount, inode] = [/^mnt_id:\s*(\d+)$/m, /^ino:\s*(\d+)$/m].map((field) => field.exec(told)?.[1]);
    return mount === undefined || inode === undefined ? undefined : `:${mount}:${inode}`;
  } catch {
    return undefined; // gone, not readable, no /proc: without a mark each call is held
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}
