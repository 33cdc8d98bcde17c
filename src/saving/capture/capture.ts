import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { ImportStream, runImport } from '../../checkpoint/fast-import.ts';
import { enter } from '../../checkpoint/gate.ts';
import { projectsFolder, touchProject, updateProject } from '../../checkpoint/projects.ts';
import type { CaptureRecord, LeftOut } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { captureRef } from '../../checkpoint/write.ts';
import { type Bytes, fromText, toBuffer } from '../../platform/bytes.ts';
import { type Config, projectExcludes } from '../../platform/config.ts';
import { lookAt, readBytesIfAny, realAsFar } from '../../platform/files.ts';
import { dirname, isInside, join, relativeTo } from '../../platform/paths.ts';
import { countUp, nextOrder, raise } from '../../turns/order.ts';
import { standIns } from '../hold/far.ts';
import { globSource, parseIgnore } from '../ignore.ts';
import { repositoryIndex } from '../repository.ts';
import { distrust, type IndexEntry, readIndex } from './index-file.ts';
import {
  borrowIndex,
  dropIndex,
  indexPath,
  indexStamp,
  type Kept,
  type KeptTree,
  keepIndex,
  readKept,
  writeKept,
} from './kept.ts';
import { lendIndex } from './lend.ts';
import { type Scan, scanTree } from './scan.ts';
import {
  addAll,
  addForced,
  CaptureError,
  ownObjects,
  removeCached,
  trackedThoughIgnored,
  type WorkTree,
  writeTree,
} from './work-tree.ts';

export interface CaptureRequest {
  readonly store: Store;
  readonly root: Bytes;
  readonly config: Config;
  /** Milliseconds for all of it; then it is given up, and nothing of it stays. */
  readonly budget: number;
}

export type Captured =
  | { readonly kind: 'captured'; readonly key: string; readonly m: number; readonly leftOut: readonly LeftOut[] }
  /** Everything is as in capture `m`. */
  | { readonly kind: 'unchanged'; readonly key: string; readonly m: number; readonly leftOut: readonly LeftOut[] }
  | { readonly kind: 'left out'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** One work tree as it is now: the project's own, or a nested repository's. */
interface Taken {
  /** Relative to the project's root, `` for its own. */
  readonly at: Bytes;
  readonly name: string;
  readonly index: Bytes;
  readonly kept: KeptTree;
  readonly scan: Scan;
  readonly written: boolean;
}

/**
 * The whole project into the store: everything that git would not ignore, tracked files that it would, and precious ones,
 * nested repositories in their places. Three git processes when warm; works on private copies of the kept indexes and renames
 * them back, so nobody waits. A failure leaves nothing behind, never an older state under a new name.
 */
export async function capture(request: CaptureRequest): Promise<Captured> {
  const leave = enter(request.store, request.budget);
  if (leave === undefined) return { kind: 'left out', why: 'the store is being tidied up' };
  try {
    return await captureInside(request);
  } finally {
    leave();
  }
}

async function captureInside(request: CaptureRequest): Promise<Captured> {
  const { store, root, config } = request;
  const started = Date.now();
  const deadline = started + request.budget;
  const project = touchProject(store, root);
  const kept = readKept(store, project.key);
  const order = nextOrder(store.home);
  const taken: Taken[] = [];
  const excludes = await writeExcludes(store, root, project.key, config);
  try {
    const nested = takeTrees({ ...request, key: project.key, kept, started, deadline, excludes, taken });
    if ('why' in nested) return nested;
    const files = taken.reduce((sum, { scan }) => sum + scan.files, 0);
    const record = recordOf(request, project.generation, order, started, taken, nested.notCaptured);
    const meta = metaHash(record);
    const trees = Object.fromEntries(taken.map(({ at, kept: tree }) => [at, tree]));
    const next: Kept = { v: 1, m: 0, order, taken: started, ms: 0, files, meta, trees };
    if (kept !== undefined && isSameState(kept, next) && hasRef(store, captureRef(project.key, kept.m))) {
      keepAll(store, project.key, taken, { ...next, m: kept.m, ms: Date.now() - started });
      return { kind: 'unchanged', key: project.key, m: kept.m, leftOut: record.leftOut };
    }
    const m = writeCapture(store, project.key, Math.max(project.nextCapture, (kept?.m ?? 0) + 1), record, taken);
    keepAll(store, project.key, taken, { ...next, m, ms: Date.now() - started });
    updateProject(store, project.key, root, { nextCapture: m + 1 });
    return { kind: 'captured', key: project.key, m, leftOut: record.leftOut };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    return error.slow
      ? { kind: 'left out', why: `over budget (${request.budget} ms)` }
      : { kind: 'failed', why: error.message };
  } finally {
    for (const { index } of taken) dropIndex(index);
    if (excludes !== undefined) dropIndex(excludes);
  }
}

interface Taking extends CaptureRequest {
  readonly key: string;
  readonly kept: Kept | undefined;
  readonly started: number;
  readonly deadline: number;
  readonly excludes: Bytes | undefined;
  readonly taken: Taken[];
}

/** The project's tree, then every nested repository's, outer ones first. */
function takeTrees(work: Taking): { notCaptured: Bytes[] } | { kind: 'left out'; why: string } {
  const notCaptured: Bytes[] = [];
  const waiting: Bytes[] = [''];
  let files = 0;
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const room = work.config.checkpoints.max_files - files;
    const scanned = scanOf(work, at, room);
    if (scanned.kind !== 'scanned') {
      if (at === '') {
        const why = scanned.kind === 'too large' ? 'more than max_files files' : `over budget (${work.budget} ms)`;
        return { kind: 'left out', why };
      }
      notCaptured.push(at);
      continue;
    }
    let scan = scanned.scan;
    files += scan.files;
    try {
      scan = takeTree(work, at, scan, room);
    } catch (error) {
      if (at === '' || !(error instanceof CaptureError)) throw error;
      notCaptured.push(at);
      continue;
    }
    for (const path of scan.nested) {
      const below = at === '' ? path : `${at}/${path}`;
      if (work.config.checkpoints.nested) waiting.push(below);
      else notCaptured.push(below);
    }
  }
  return { notCaptured };
}

const absolute = (root: Bytes, at: Bytes): Bytes => (at === '' ? root : join(root, at));

function scanOf(work: Taking, at: Bytes, maxFiles: number) {
  const rules = work.config.checkpoints;
  const known = work.kept?.trees[at];
  const home = realAsFar(work.store.home);
  return scanTree(absolute(work.root, at), known === undefined ? undefined : new Map(known.folders), {
    maxFiles,
    maxFileSize: rules.max_file_size_mb * 1024 * 1024,
    precious: new RegExp(`^(?:${rules.precious.map((name) => globSource(fromText(name))).join('|') || '(?!)'})$`, 's'),
    skip: rules.hold.skip.map(fromText),
    exclude: parseIgnore(rules.exclude.map(fromText).join('\n')),
    never: [home, ...standIns(home)],
    deadline: work.deadline,
  });
}

/**
 * What is known from last time may be wrong: a file that may not be read any more (its folder does not tell), an index whose objects
 * are lost. Then everything is looked at and read anew, once.
 */
function takeTree(work: Taking, at: Bytes, scan: Scan, maxFiles: number): Scan {
  try {
    takeTreeFrom(work, at, scan, false);
    return scan;
  } catch (error) {
    if (!(error instanceof CaptureError) || error.slow) throw error;
    const again = scanOf({ ...work, kept: undefined }, at, maxFiles);
    if (again.kind !== 'scanned') throw error;
    takeTreeFrom(work, at, again.scan, true);
    return again.scan;
  }
}

function takeTreeFrom(work: Taking, at: Bytes, scan: Scan, anew: boolean): void {
  const { store, key } = work;
  const name = at === '' ? '' : createHash('sha256').update(toBuffer(at)).digest('hex').slice(0, 16);
  const old = anew ? undefined : work.kept?.trees[at];
  const root = absolute(work.root, at);
  const own = borrowIndex(store, key, name);
  if (anew) dropIndex(own);
  let tree: WorkTree = { store, root, index: own, excludes: work.excludes, deadline: work.deadline };
  const stillKept = old !== undefined && old.index === indexStamp(indexPath(store, key, name));
  try {
    const lent = anew || indexStamp(own) !== '' ? undefined : lendIndex(tree, scan);
    if (lent !== undefined) tree = { ...tree, lent: lent.objects };
    const stamp = indexStamp(own);
    const home = realAsFar(store.home);
    const excluded = [
      ...scan.leftOut.map(({ path }) => path),
      ...scan.nested,
      ...(isInside(home, root) && home !== root ? [relativeTo(root, home)] : []),
    ];
    if (stillKept) distrust(own, old.fresh);
    const before = new Set(stillKept ? old.excluded : []);
    const gone = [...excluded.filter((path) => !before.has(path)), ...(lent?.links ?? [])];
    removeCached(tree, stamp === '' ? [] : gone);
    addAll(tree, excluded);
    const tracked = trackedIgnored(tree, old);
    const forced = [...new Set([...scan.precious, ...tracked.paths])].filter((path) => !excluded.includes(path));
    const known = new Set(stillKept ? old.forced : []);
    addForced(
      tree,
      forced.filter((path) => !known.has(path)),
    );
    const changed = indexStamp(own) !== stamp || !stillKept;
    const oid = changed ? writeTree(tree) : old.tree;
    if (lent !== undefined) ownObjects(tree, oid);
    const since = stillKept ? Math.floor((work.kept?.taken ?? 0) / 1000) - 5 : 0;
    const young = changed ? (readIndex(own, since) ?? []) : [];
    const modes = changed ? modesOf(root, young, stillKept ? old.modes : []) : old.modes;
    const second = Math.floor(work.started / 1000);
    const fresh = changed ? young.filter(({ ctime }) => ctime >= second).map(({ at }) => at) : old.fresh;
    const folders = [...scan.folders];
    const kept: KeptTree = { tree: oid, index: '', excluded, forced, folders, modes, tracked, fresh };
    work.taken.push({ at, name, index: own, kept, scan, written: changed });
  } catch (error) {
    dropIndex(own);
    throw error;
  }
}

/** Asked of git only when the repository's index is another one than last time. */
function trackedIgnored(tree: WorkTree, old: KeptTree | undefined): KeptTree['tracked'] {
  const index = repositoryIndex(tree.root);
  if (index === undefined) return { index: '', paths: [] };
  const stamp = indexStamp(index);
  if (old?.tracked.index === stamp) return old.tracked;
  return { index: stamp, paths: trackedThoughIgnored(tree, index) };
}

/**
 * The modes that git cannot say. chmod moves ctime, and git notes the new one: only what is younger than the last capture is looked
 * at, and what was special then.
 */
function modesOf(root: Bytes, young: readonly IndexEntry[], known: KeptTree['modes']): [Bytes, number][] {
  const out = new Map<Bytes, number>();
  for (const [path, mode] of known) if (lookAt(join(root, path))?.type === 'file') out.set(path, mode);
  for (const { path, mode } of young) {
    if (mode !== 0o100644 && mode !== 0o100755) continue;
    const now = lookAt(join(root, path))?.mode;
    if (now !== undefined && now !== (mode & 0o777)) out.set(path, now);
    else out.delete(path);
  }
  return [...out].sort(([a], [b]) => (a < b ? -1 : 1));
}

function recordOf(
  { root }: CaptureRequest,
  generation: number,
  order: number,
  taken: number,
  trees: readonly Taken[],
  notCaptured: readonly Bytes[],
): CaptureRecord {
  const modes: [Bytes, number][] = [];
  const emptyFolders: [Bytes, number][] = [];
  const leftOut: LeftOut[] = [];
  for (const { at, kept, scan } of trees) {
    const full = (path: Bytes): Bytes => (at === '' ? path : path === '' ? at : `${at}/${path}`);
    for (const [path, mode] of kept.modes) modes.push([full(path), mode]);
    for (const [path, folder] of scan.folders) {
      if (folder.empty) emptyFolders.push([full(path), folder.mode]);
      else if (folder.mode !== 0o755 && full(path) !== '') modes.push([full(path), folder.mode]);
    }
    for (const left of scan.leftOut) leftOut.push({ path: full(left.path), reason: left.reason });
  }
  return {
    v: 1,
    m: 0,
    generation,
    root,
    order,
    taken,
    modes,
    emptyFolders: emptyFolders.filter(([path]) => path !== ''),
    leftOut,
    nested: [
      ...trees.filter(({ at }) => at !== '').map(({ at }) => ({ path: at, captured: true })),
      ...notCaptured.map((path) => ({ path, captured: false })),
    ],
  };
}

const metaHash = ({ modes, emptyFolders, leftOut, nested, generation }: CaptureRecord): string =>
  createHash('sha1')
    .update(JSON.stringify([modes, emptyFolders, leftOut, nested, generation]))
    .digest('hex');

function isSameState(old: Kept, now: Kept): boolean {
  const trees = (kept: Kept): string =>
    Object.entries(kept.trees)
      .map(([at, { tree }]) => `${at}\0${tree}`)
      .sort()
      .join('\n');
  return old.meta === now.meta && trees(old) === trees(now);
}

/** A loose ref; a packed one counts as gone, and the same state is written once more. */
const hasRef = (store: Store, ref: string): boolean => lookAt(join(store.gitDir, ref)) !== undefined;

/** The number is ours alone, so the import may be forced: it moves the index's ref, which keeps the kept index's objects (§4). */
function writeCapture(
  store: Store,
  key: string,
  floor: number,
  record: CaptureRecord,
  trees: readonly Taken[],
): number {
  const counter = join(projectsFolder(store), `${key}.captures`);
  raise(counter, floor - 1);
  const m = countUp(counter);
  const stream = new ImportStream();
  stream.commit({
    ref: captureRef(key, m),
    subject: `capture ${m}${nestedNote(record)}`,
    when: record.taken,
    entries: [
      ...trees.map(({ at, kept }) => ({ path: at === '' ? 'files' : `files/${at}`, tree: kept.tree })),
      { path: 'meta.json', data: Buffer.from(JSON.stringify({ ...record, m }), 'utf8') },
    ],
  });
  stream.pointAt(`refs/belay/${key}/index`, captureRef(key, m));
  const done = runImport(store, stream, { force: true });
  if (done.is !== 'written')
    throw new CaptureError(`fast-import: ${done.why}`);
  return m;
}

function nestedNote({ nested }: CaptureRecord): Bytes {
  const missing = nested.filter(({ captured }) => !captured).map(({ path }) => path.replace(/[\0-\x1f]/g, '?'));
  if (missing.length === 0) return '';
  const more = missing.length > 3 ? ` (+${missing.length - 3})` : '';
  return ` [nested git repos not captured: ${missing.slice(0, 3).join(', ')}${more}]`;
}

/** Each index goes back under the kept name; what is known goes with it. */
function keepAll(store: Store, key: string, taken: readonly Taken[], kept: Kept): void {
  const trees: Record<Bytes, KeptTree> = {};
  for (const { at, name, index, kept: tree, written } of taken) {
    if (written) keepIndex(store, key, name, index);
    trees[at] = { ...tree, index: indexStamp(indexPath(store, key, name)) };
  }
  writeKept(store, key, { ...kept, trees });
}

/** The repository's own exclude list, the user's and the project's, as one file for git. */
async function writeExcludes(store: Store, root: Bytes, key: string, config: Config): Promise<Bytes | undefined> {
  const own = readBytesIfAny(join(root, '.git/info/exclude'))?.toString('latin1') ?? '';
  const text = [own, ...config.checkpoints.exclude.map(fromText), ...(await projectExcludes(root)).map(fromText)].join(
    '\n',
  );
  if (text.trim() === '') return undefined;
  const file = `${indexPath(store, key, 'exclude')}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  fs.mkdirSync(toBuffer(dirname(file)), { recursive: true, mode: 0o700 });
  fs.writeFileSync(toBuffer(file), toBuffer(text), { mode: 0o600 });
  return file;
}
