import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { recordedOwner, SET_ID } from '../owner.ts';
import type { Step } from '../plan/steps.ts';
import { type Laid, layDown, type Place } from './checkout.ts';
import { hasDescriptors } from './content.ts';
import { isSolid } from './doorway.ts';
import { type BulkStep, type Group, groupsOf } from './groups.ts';
import { asideName, indexAside } from './journal.ts';
import { giveOwnerAndMode } from './owner.ts';
import { makeFolder, makeLink, placeBlobs, placeFifo, placeHeld, secondsOf } from './place.ts';
import { attempt, clearFolder, type FileStep, mustBe, type Work } from './work.ts';

/** Fewer files are as quick one by one. */
const WORTH_IT = 100;

export interface TogetherRules {
  /** Key → root of the projects. */
  readonly roots: ReadonlyMap<string, Bytes>;
  readonly tick: (done: number) => void;
}

/**
 * Brings back what is many: made ready in a folder aside that only we may enter, the files laid down by git; then each folder of which
 * nothing is there is renamed to its place with all that is in it, and each file of the others. Says which steps were done, or are told
 * in `work.kept`; the rest is for the ordinary way. `steps` are sorted by path.
 */
export function placeTogether(
  work: Work,
  steps: readonly Step[],
  made: (path: Bytes) => boolean,
  { roots, tick }: TogetherRules,
): ReadonlySet<Step> {
  const done = new Set<Step>();
  if (!hasDescriptors()) return done;
  groupsOf(steps, roots, made).forEach((group, i) => {
    const reachable = within(work, group);
    if (reachable.bulk.length < WORTH_IT) return;
    const stage = asideName(group.base, work.order, `w${i}`);
    for (const step of placeGroup(work, reachable, stage, tick)) done.add(step);
  });
  return done;
}

/**
 * Without what cannot be renamed from the base, or would be made for somebody else: root, in a folder of another user's, makes things for him,
 * and a setgid folder hands its group on.
 */
function within({ door }: Work, group: Group): Group {
  const { base, tops } = group;
  const dev = lookAt(base)?.dev;
  const isRoot = process.getuid?.() === 0;
  const known = new Map<Bytes, boolean>();
  const isFit = (folder: Bytes): boolean => {
    const look = lookAt(folder);
    if (look?.type !== 'folder' || look.dev !== dev) return false;
    return isRoot ? isOurs(door.owner(folder)) : (look.mode & SETGID) === 0 || look.gid === gid;
  };
  const fit = (folder: Bytes): boolean => {
    const said = known.get(folder) ?? isFit(folder);
    known.set(folder, said);
    return said;
  };
  if (!fit(base)) return { base, bulk: [], others: [], tops: [] };
  return without(group, new Set(tops.filter(({ path }) => !fit(dirname(path))).map(({ path }) => path)));
}

const SETGID = 0o2000;

const uid = process.geteuid?.() ?? -1;
const gid = process.getegid?.() ?? -1;

const isOurs = (of: { readonly uid: number; readonly gid: number }): boolean => of.uid === uid && of.gid === gid;

/** Whether it belongs to this process, as all does that it makes. */
function isOwn({ becomes }: Step): boolean {
  const owner = recordedOwner(becomes);
  return owner === undefined || (owner[0] === uid && owner[1] === gid);
}

/** One group under way. */
interface Staging extends Group {
  /** Works in the folder aside, on steps whose paths lie there. */
  readonly inner: Work;
  readonly place: Place;
  /** The path that a step's path is aside. */
  readonly aside: (path: Bytes) => Bytes;
  readonly tick: (done: number) => void;
}

function placeGroup(work: Work, group: Group, stage: Bytes, tick: (done: number) => void): readonly Step[] {
  const { door } = work;
  const rest = group.base === '/' ? 1 : group.base.length + 1;
  const aside = (path: Bytes): Bytes => `${stage}/${path.slice(rest)}`;
  const inner: Work = { ...work, restored: [], kept: [], linked: [], modes: new Map() };
  if (!made(door.entry(stage))) return [];
  const { O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  const fd = fs.openSync(door.entry(stage), O_DIRECTORY | O_NOFOLLOW);
  try {
    const place = { path: stage, fd, solid: isSolid(group.base) };
    if (!makeReady({ ...group, inner, place, aside, tick })) return [];
    const failed = bringHome(work, group.tops, aside);
    return takeOver(work, inner, without(group, failed), aside);
  } finally {
    fs.closeSync(fd);
    door.forget(stage);
    fs.rmSync(door.entry(stage), { recursive: true, force: true });
  }
}

/** False where it cannot be: the ordinary way says why, if that matters there. */
function made(folder: Buffer): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') throw error;
    return false;
  }
}

/** False where git could not lay the files down. */
function makeReady(staging: Staging): boolean {
  const { inner, others, aside, tick } = staging;
  const tried = (step: Step, act: () => void): boolean => attempt(inner, step, tick, act);
  const steps = others.map((step) => ({ ...step, path: aside(step.path) }));
  for (const step of steps) if (step.do === 'folder') tried(step, () => makeFolder(inner, step));
  if (!layBulk(staging)) return false;
  for (const step of steps) {
    if (step.do === 'link') tried(step, () => makeLink(inner, step));
    if (step.do === 'fifo') tried(step, () => placeFifo(inner, step));
    if (step.do === 'file' && step.source.at !== 'blob') tried(step, () => placeHeld(inner, step));
  }
  const isLarge = (step: Step): step is FileStep => step.do === 'file' && step.source.at === 'blob';
  placeBlobs(inner, steps.filter(isLarge), tried);
  return true;
}

/** So long git is at it before progress is told, ms, and files at first. */
const PIECE_MS = 500;
const FIRST_PIECE = 1000;

function layBulk(staging: Staging): boolean {
  const { inner, place, aside, bulk, tick } = staging;
  const umask = bestUmask(bulk);
  const index = indexAside(inner.store, inner.order);
  const rest = place.path.length + 1;
  for (let i = 0, count = FIRST_PIECE; i < bulk.length; ) {
    const piece = bulk.slice(i, i + count);
    const laid = piece.map(({ path, source: { oid }, mode }): Laid => {
      const at = aside(path);
      return { path: at.slice(rest), oid, executable: isExecutable(mode) };
    });
    const began = Date.now();
    if (!layDown(inner.store, index, place, umask, laid)) return false;
    const isPlain = isAllOurs(staging, piece[0], umask);
    for (const step of piece) attempt(inner, step, tick, () => finish(staging, step, umask, isPlain));
    i += count;
    // Never fewer: where it takes long to start a program, small pieces take longest.
    count = Math.max(FIRST_PIECE, Math.ceil((count * PIECE_MS) / Math.max(10, Date.now() - began)));
  }
  return true;
}

const isExecutable = (mode: number): boolean => (mode & 0o100) !== 0;

const modeUnder = (mode: number, umask: number): number => (isExecutable(mode) ? 0o777 : 0o666) & ~umask;

/** The one with which most files have the mode that they should have as soon as they are made. */
function bestUmask(files: readonly BulkStep[]): number {
  const modes = new Map<number, number>();
  for (const { mode } of files) modes.set(mode, 1 + (modes.get(mode) ?? 0));
  let best = { umask: 0o022, files: -1 };
  for (const umask of [0o022, 0o002, 0o077, 0o027, 0o007]) {
    let fitting = 0;
    for (const [mode, count] of modes) if (modeUnder(mode, umask) === mode) fitting += count;
    if (fitting > best.files) best = { umask, files: fitting };
  }
  return best.umask;
}

/** Whether what git makes belongs to this process and has the mode that it should: no folder passes on another group, or rights. */
function isAllOurs({ inner, place, others, aside }: Staging, first: Step | undefined, umask: number): boolean {
  if (!isOurs(fs.fstatSync(place.fd)) || others.some((step) => step.do === 'folder' && !isOwn(step))) return false;
  if (first?.do !== 'file') return true;
  const made = fs.lstatSync(inner.door.entry(aside(first.path)));
  return isOurs(made) && (made.mode & 0o7777) === modeUnder(first.mode, umask);
}

/** What git cannot say of a file: its mode, its owner, its time of change. */
function finish({ inner, place, aside }: Staging, step: BulkStep, umask: number, isPlain: boolean): void {
  const path = aside(step.path);
  const at = place.solid && isPlain ? plainName(path) : inner.door.entry(path);
  try {
    if (!isPlain || (step.mode & SET_ID) !== 0 || !isOwn(step))
      giveOwnerAndMode(inner, inner.door.entry(path), { ...step, path }, step.mode);
    else if (step.mode !== modeUnder(step.mode, umask)) fs.chmodSync(at, step.mode);
    if (step.mtime === undefined) return;
    const seconds = secondsOf(step.mtime);
    fs.lutimesSync(at, seconds, seconds);
  } catch (error) {
    fs.rmSync(at, { force: true });
    throw error;
  }
}

/** The way through an open folder takes twice as long. */
const plainName = (path: Bytes): string | Buffer => (/^[\x20-\x7e]*$/.test(path) ? path : toBuffer(path));

/** Renames each to its place, if that still is as the plan saw it; the paths of those that could not be. */
function bringHome(work: Work, tops: readonly Step[], aside: (path: Bytes) => Bytes): Set<Bytes> {
  const failed = new Set<Bytes>();
  const { door } = work;
  for (const { path, seen, do: what } of tops) {
    try {
      const at = door.entry(path);
      mustBe(work, at, seen);
      if (what === 'file') clearFolder(work, at, path, seen, false);
      else door.forget(aside(path));
      fs.renameSync(door.entry(aside(path)), at);
    } catch (error) {
      if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') throw error;
      failed.add(path); // the ordinary way tries once more, and says what is wrong
    }
  }
  return failed;
}

/** What was done aside, told by the paths that it has now. */
function takeOver(work: Work, inner: Work, { bulk, others }: Group, aside: (path: Bytes) => Bytes): readonly Step[] {
  const told = new Map(inner.kept.map((kept) => [kept.path, kept]));
  const tell = (at: Bytes, path: Bytes): boolean => {
    const kept = told.get(at);
    if (kept !== undefined) work.kept.push({ ...kept, path });
    return kept !== undefined;
  };
  for (const { path } of bulk) {
    if (told.size > 0) tell(aside(path), path); // of a file that is there
    if (told.size === 0 || !tell(path, path)) work.restored.push(path);
  }
  const [restored, linked] = [new Set(inner.restored), new Set(inner.linked)];
  for (const { path } of others) {
    const at = aside(path);
    tell(at, path);
    if (restored.has(at)) work.restored.push(path);
    if (linked.has(at)) work.linked.push(path);
    const mode = inner.modes.get(at);
    if (mode !== undefined) work.modes.set(path, mode);
  }
  work.done += bulk.length + others.length;
  return [...bulk, ...others];
}

/** Without these tops, and what is in them. */
function without(group: Group, paths: ReadonlySet<Bytes>): Group {
  if (paths.size === 0) return group;
  const { base, bulk, others, tops } = group;
  const folders = tops.flatMap(({ path, do: what }) => (what === 'folder' && paths.has(path) ? [`${path}/`] : []));
  const stays = ({ path }: Step): boolean => !paths.has(path) && !folders.some((folder) => path.startsWith(folder));
  return { base, bulk: bulk.filter(stays), others: others.filter(stays), tops: tops.filter(stays) };
}
