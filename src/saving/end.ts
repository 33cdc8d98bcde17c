import fs from 'node:fs';
import { type Bytes, fromText, toBuffer } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { type Look, lookAt, readBytesIfAny, readLink, writeAtomic, writeFirst } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';
import type { ProcessName } from '../platform/processes.ts';
import { holdFolders } from '../turns/pending.ts';
import { holdGit } from './hold/gitfiles.ts';
import { type HeldEntry, type HeldGit, type Manifest, readManifest } from './hold/manifest.ts';
import { isSame } from './hold/versions.ts';
import { lookWithoutLinks, oidOf, pathsBelow } from './now.ts';

/** `end.json`: what of the turn's paths is otherwise than before it. What is not listed is as it was held. */
export interface EndManifest {
  readonly v: 1;
  /** Milliseconds since 1970. */
  readonly ended: number;
  readonly paths: readonly EndEntry[];
  readonly git: readonly HeldGit[];
  /** Where the index files of `git` lie. */
  readonly gitFolder: Bytes;
  /** How many holds it has seen: what was finished later is not covered. */
  readonly holds: number;
  /** Something of the turn may still be running: its paths are looked at again when it is settled. */
  readonly running: boolean;
  /** The jobs of the shell that ran then, where nothing else keeps it running: when they are gone, it is over. */
  readonly jobs?: readonly ProcessName[];
}

export interface EndEntry {
  readonly path: Bytes;
  /** Undefined: nothing of that name. */
  readonly look?: Look;
  readonly link?: Bytes;
  readonly oid?: string;
  /** Changed after the turn had ended: not its work. */
  readonly late?: boolean;
  /** Changed while something of the turn may have run, or by somebody else. */
  readonly uncertain?: boolean;
}

/** Hashing stops here: one file, and all of them together. The rest is known by its stat. */
const HASH_FILE = 1 << 20;
export const HASH_ALL = 64 << 20;

/** Longer than any tree that was held; a target that grew beyond is recorded so far. */
const LONGEST = 200_000;

/** The turn's manifests; hold calls that never finished are none. */
export const manifestsOf = (turnFolder: Bytes): Manifest[] =>
  holdFolders(turnFolder).flatMap((folder) => readManifest(folder) ?? []);

/**
 * The first version of each path: how it was before the turn. A path that a later hold meets in a folder whose entries an earlier
 * hold had listed without it was not there then.
 */
export function firstVersions(manifests: readonly Manifest[]): Map<Bytes, { entry: HeldEntry; manifest: Manifest }> {
  const out = new Map<Bytes, { entry: HeldEntry; manifest: Manifest }>();
  const listed = new Set<Bytes>();
  for (const manifest of manifests) {
    const newly: Bytes[] = [];
    for (const entry of manifest.entries) {
      const first = out.get(entry.path);
      if (first !== undefined) {
        if (isBetterHold(first.entry, entry)) out.set(entry.path, { entry, manifest });
        continue;
      }
      const wasMissing = listed.has(dirname(entry.path));
      out.set(entry.path, { entry: wasMissing ? { path: entry.path, of: entry.of } : entry, manifest });
      if (wasMissing || entry.look === undefined || isListed(entry, manifest)) newly.push(entry.path);
    }
    for (const path of newly) listed.add(path);
  }
  return out;
}

/**
 * Whether such versions tell of a path that is not among them: it was not there, for the nearest folder above that is among them was listed
 * without it, or was not there itself.
 */
export function isKnownAbsent(
  path: Bytes,
  versions: ReadonlyMap<Bytes, { entry: HeldEntry; manifest: Manifest }>,
): boolean {
  for (let above = dirname(path); ; above = dirname(above)) {
    const version = versions.get(above);
    if (version !== undefined) return version.entry.look === undefined || isListed(version.entry, version.manifest);
    if (above === '/') return false;
  }
}

const isListed = ({ path, look, of }: HeldEntry, { header }: Manifest): boolean =>
  look?.type === 'folder' &&
  header.targets[of]?.recursive === true &&
  !header.leftOut.some((left) => left.path === path);

/** The same version, held again with bytes of its own because a link would not have kept it. */
const isBetterHold = (first: HeldEntry, later: HeldEntry): boolean =>
  first.hold?.how === 'link' &&
  later.hold !== undefined &&
  later.hold.how !== 'link' &&
  first.look !== undefined &&
  later.look !== undefined &&
  isSame(first.look, later.look);

export interface EndRules {
  readonly config: Config;
  readonly belayFolders: readonly Bytes[];
}

/**
 * Looks at every path of the turn, at once when it ends, whatever else is active: an edit by hand a second later is one.
 * `ended` in ms; Infinity where nobody saw the end (a killed shell): then everything found is the turn's work.
 */
export function takeEnd(
  turnFolder: Bytes,
  ended: number,
  rules: EndRules,
  runs: { readonly on?: boolean; readonly jobs?: readonly ProcessName[] } = {},
): EndManifest {
  const manifests = manifestsOf(turnFolder);
  const first = firstVersions(manifests);
  const paths: EndEntry[] = [];
  let hashed = 0;
  const seen = new Set<Bytes>();
  const lookNow = lookWithoutLinks();
  const look = (path: Bytes): void => {
    if (seen.has(path) || seen.size >= LONGEST) return;
    seen.add(path);
    const now = lookNow(path);
    const before = first.get(path)?.entry.look;
    if (now === undefined ? before === undefined : before !== undefined && isSame(before, now)) return;
    const late = now !== undefined && isLate(now.ctime, ended);
    const hashes = now?.type === 'file' && !late && now.size <= HASH_FILE && hashed + now.size <= HASH_ALL;
    const oid = hashes ? oidOf(path, now) : undefined;
    if (oid !== undefined) hashed += now?.size ?? 0;
    paths.push({
      path,
      ...(now === undefined ? {} : { look: now }),
      ...(now?.type === 'link' ? { link: readLink(path) } : {}),
      ...(oid === undefined ? {} : { oid }),
      ...(late ? { late } : {}),
    });
  };
  for (const path of first.keys()) look(path);
  const walk = { skip: rules.config.checkpoints.hold.skip.map(fromText), never: rules.belayFolders };
  for (const { header } of manifests)
    for (const target of header.targets) {
      const wasNoFolder = first.get(target.path)?.entry.look?.type !== 'folder';
      for (const top of target.to === undefined ? [target.path] : [target.path, target.to])
        if (target.recursive || wasNoFolder || top === target.to) for (const path of pathsBelow(top, walk)) look(path);
    }
  const git = gitNow(turnFolder, manifests);
  const jobs = runs.jobs ?? [];
  const named = manifests.some(({ header }) => header.targets.length > 0 && header.aside === undefined);
  const deferred = !isSpent(manifests) && manifests.some(({ header }) => header.targets.some((one) => one.deferred));
  return {
    v: 1,
    ended: Number.isFinite(ended) ? ended : Date.now(),
    paths,
    git,
    gitFolder: join(turnFolder, 'end-git'),
    holds: manifests.length,
    running: deferred || ((runs.on === true || jobs.length > 0) && named),
    ...(named && jobs.length > 0 && !deferred && !runs.on ? { jobs } : {}),
  };
}

/** Nothing is left for what goes on behind a line (`rm x &`): all that it was to do is to delete, and that is done. */
export const isSpent = (manifests: readonly Manifest[]): boolean =>
  manifests.every(
    ({ header }) =>
      !header.opaque &&
      header.aside === undefined &&
      header.targets.every(({ deferred, way, path }) => !deferred || (way === 'delete' && lookAt(path) === undefined)),
  );

/**
 * A time that has not come yet is no later one: the clock was set back meanwhile, or a file server's goes ahead. An end may be told in whole
 * milliseconds: what was written in that one is the turn's.
 */
export function isLate(time: string, ended: number): boolean {
  const changed = BigInt(time);
  return changed > nanoseconds(ended + 1) && changed <= nanoseconds(Date.now() + 1);
}

const nanoseconds = (ms: number): bigint => BigInt(Math.ceil(Math.min(ms, 1e15) * 1e6));

function gitNow(turnFolder: Bytes, manifests: readonly Manifest[]): HeldGit[] {
  const repositories = new Map<Bytes, HeldGit>();
  for (const { header } of manifests) for (const state of header.git) repositories.set(state.gitDir, state);
  const folder = join(turnFolder, 'end-git');
  if (repositories.size > 0) fs.mkdirSync(toBuffer(folder), { recursive: true, mode: 0o700 });
  return [...repositories.values()].flatMap((state, i) =>
    lookAt(state.gitDir) === undefined ? [] : [holdGit(state, folder, i, [])],
  );
}

const endFile = (turnFolder: Bytes): Bytes => join(turnFolder, 'end.json');

/**
 * What counts is who had looked first: the next line of the shell ends this turn before it runs, while the process that the prompt has
 * started for the same may still look, and sees what that line does.
 */
export const writeEnd = (turnFolder: Bytes, end: EndManifest): void => {
  writeFirst(endFile(turnFolder), JSON.stringify(end));
};

/** The turn goes on: it is looked at again. */
export const reopenEnd = (turnFolder: Bytes, end: EndManifest): void =>
  writeAtomic(endFile(turnFolder), JSON.stringify({ ...end, running: true }));

export function readEnd(turnFolder: Bytes): EndManifest | undefined {
  const text = readBytesIfAny(endFile(turnFolder));
  return text === undefined ? undefined : (JSON.parse(text.toString('utf8')) as EndManifest);
}
