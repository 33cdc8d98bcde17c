import { blobOid } from '../../checkpoint/oid.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { holdFolders, type Pending, type PendingTurn, pendingTurns } from '../../turns/pending.ts';
import {
  type EndEntry,
  type EndManifest,
  firstVersions,
  HASH_ALL,
  isKnownAbsent,
  isLate,
  manifestsOf,
} from '../end.ts';
import { type HeldEntry, heldFile, type Manifest } from '../hold/manifest.ts';
import { readStretch } from '../hold/pack.ts';
import { isSame } from '../hold/versions.ts';
import { oidOf, tryLook } from '../now.ts';
import { basesOf } from '../place.ts';

/** A whole line of a prompt: its end is told by the time the next one is typed. A part (`7~1`) belongs to a job that runs on. */
export const isTyped = ({ source, turn }: PendingTurn): boolean => source === 'cli' && !turn.includes('~');

/** Whether the later turn is another line of the same prompt: it has come to that, so the earlier one is over. */
export const isNextLine = (turn: PendingTurn, later: PendingTurn): boolean =>
  turn.pid !== undefined && turn.pid === later.pid && isTyped(turn) && isTyped(later) && later.order > turn.order;

/** The pending turns that began when this one was over, oldest first: the later lines of its prompt, and what began elsewhere since then. */
export function turnsSince(turn: PendingTurn, ended: number): Pending[] {
  return basesOf(turn.home)
    .flatMap(pendingTurns)
    .filter(({ turn: one }) => one.order > turn.order && (isNextLine(turn, one) || one.started >= ended))
    .sort((a, b) => a.turn.order - b.turn.order);
}

/** A manifest of more bytes has so many entries that somebody would notice: some 2,000. */
const LONG = 512 * 1024;

/** Whether the look at the turn's paths takes a time that somebody would notice. */
export const isLong = (folder: Bytes): boolean =>
  holdFolders(folder).some((hold) => (lookAt(join(hold, 'manifest.jsonl'))?.size ?? 0) > LONG);

/**
 * The end of a turn, as later turns found it. The look at a large tree takes seconds, and the next line does not wait for it: what it changes
 * meanwhile is not the turn's work. It has held all of that before it ran, and so has said how the turn had left it. To be read after the
 * look: a hold is finished before its line changes anything.
 */
export function asFoundNext(turnFolder: Bytes, end: EndManifest, later: readonly Pending[]): EndManifest {
  const theirs = later.flatMap(({ folder }) => manifestsOf(folder));
  const found = firstVersions(theirs);
  if (found.size === 0) return end;
  const manifests = manifestsOf(turnFolder);
  const first = firstVersions(manifests);
  const isOurs = isAtOrBelow(topsOf(manifests));
  const entries = new Map(end.paths.map((entry) => [entry.path, entry]));
  const touched = new Set<Bytes>();
  const hashes = { left: HASH_ALL };
  for (const [path, { entry, manifest }] of found) {
    if (!first.has(path) && !isOurs(path)) continue;
    touched.add(dirname(path));
    const before = first.get(path)?.entry.look;
    const now = entry.look;
    if (now === undefined ? before === undefined : before !== undefined && isSame(before, now)) entries.delete(path);
    else entries.set(path, asEnd(entry, manifest, end.ended, hashes));
  }
  const isUntold = isAtOrBelow(new Set(theirs.flatMap(({ header }) => header.leftOut.map(({ path }) => path))));
  // What lies where the later line had found nothing is that line's.
  for (const path of new Set([...entries.keys(), ...first.keys()])) {
    if (found.has(path) || isUntold(path) || !isKnownAbsent(path, found)) continue;
    if (first.get(path)?.entry.look === undefined) entries.delete(path);
    else entries.set(path, { path });
  }
  // What a later line changed and did not hold cannot be told from this turn's work, which comes back.
  for (const [path, { late, ...entry }] of entries)
    if (late && !found.has(path) && isUntold(path)) entries.set(path, entry);
  // A folder in which the later line took a name away is otherwise since then, and still as the turn left it.
  for (const path of touched) {
    const { late, ...entry } = entries.get(path) ?? { path };
    if (late && entry.look?.type === 'folder' && isLate(entry.look.mtime, end.ended)) entries.set(path, entry);
  }
  return { ...end, paths: [...entries.values()] };
}

const topsOf = (manifests: readonly Manifest[]): Set<Bytes> =>
  new Set(
    manifests.flatMap(({ header }) =>
      header.targets.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to])),
    ),
  );

const isAtOrBelow =
  (tops: ReadonlySet<Bytes>) =>
  (path: Bytes): boolean => {
    for (let above = path; above !== '/'; above = dirname(above)) if (tops.has(above)) return true;
    return false;
  };

function asEnd({ path, look, link, hold }: HeldEntry, manifest: Manifest, ended: number, left: Hashes): EndEntry {
  if (look === undefined) return { path };
  // A link that was made to hold it has moved its last change.
  const late = isLate(hold?.how === 'link' ? look.mtime : look.ctime, ended);
  const oid = hold === undefined || late || look.size > left.left ? undefined : heldOid(hold, manifest.folder);
  if (oid !== undefined) left.left -= look.size;
  return {
    path,
    look,
    ...(link === undefined ? {} : { link }),
    ...(oid === undefined ? {} : { oid }),
    ...(late ? { late } : {}),
  };
}

interface Hashes {
  /** So many bytes may still be hashed. */
  left: number;
}

function heldOid(hold: NonNullable<HeldEntry['hold']>, folder: Bytes): string | undefined {
  if (hold.how === 'pack') {
    const bytes = readStretch(`${folder}/pack`, hold.at, hold.size);
    return bytes && blobOid(bytes);
  }
  const file = heldFile(folder, hold.file);
  const look = tryLook(file);
  return look && oidOf(file, look);
}
