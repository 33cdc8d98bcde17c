import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import {
  codeOf,
  isAbsentError,
  lookAt,
  makeFolder,
  namesInOrNone,
  readBytesIfAny,
  realAsFar,
  writeAtomic,
} from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { dirname, join } from '../platform/paths.ts';
import { readHistories } from './read.ts';
import { type Store, StoreError } from './store.ts';

/** `projects/<key>.json`: what belay knows of one project root. */
export interface Project {
  readonly key: string;
  readonly workdir: Bytes;
  readonly machine: string;
  readonly device: string;
  readonly inode: string;
  /** Birth time in nanoseconds, where the file system tells it: a freed inode number is soon given out again. */
  readonly born?: string;
  /** The folder above it: where that is the same one as then and the root is gone, the root was deleted and not merely unmounted. */
  readonly parent?: { readonly device: string; readonly inode: string };
  /** Counts up when the folder was deleted and made again; older checkpoints are another folder's. */
  readonly generation: number;
  /** The number the next checkpoint tries first. */
  readonly next: number;
  readonly nextCapture: number;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  readonly last_touch: number;
}

/** The folder as it is now; undefined where there is none. */
export interface Identity {
  readonly device: string;
  readonly inode: string;
  readonly born?: string;
}

export const projectsFolder = (store: Store): Bytes => join(store.gitDir, 'projects');

/** First 16 hex digits of sha256(machine id, real path of the root). */
export function projectKey(store: Store, root: Bytes): string {
  return createHash('sha256')
    .update(store.machine)
    .update('\0')
    .update(toBuffer(realAsFar(root)))
    .digest('hex')
    .slice(0, 16);
}

export function identityOf(root: Bytes): Identity | undefined {
  try {
    const stat = fs.statSync(toBuffer(root), { bigint: true });
    const born = stat.birthtimeNs > 0n ? { born: String(stat.birthtimeNs) } : {};
    return { device: String(stat.dev), inode: String(stat.ino), ...born };
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}

/** Whether the folder that is there now is the one the project was made for; a missing folder is no other folder. */
export function sameFolder(project: Project, now: Identity | undefined): boolean {
  if (now === undefined) return true;
  if (now.device !== project.device || now.inode !== project.inode) return false;
  return now.born === undefined || project.born === undefined || now.born === project.born;
}

/** Every project that has a file, by its path. */
export function projects(store: Store): Project[] {
  return namesInOrNone(projectsFolder(store))
    .filter((name) => /^[0-9a-f]{16}\.json$/.test(name))
    .flatMap((name) => readProject(store, name.slice(0, 16)) ?? [])
    .sort((a, b) => (a.workdir < b.workdir ? -1 : 1));
}

/** The same for readers: a project whose file is damaged is known by its records, until the next one writes the file anew. */
export function projectsAsFar(store: Store, keys?: readonly string[]): Project[] {
  const all =
    keys ??
    namesInOrNone(projectsFolder(store))
      .filter((name) => /^[0-9a-f]{16}\.json$/.test(name))
      .map((name) => name.slice(0, 16));
  return all
    .flatMap((key) => {
      const found = parseProject(store, key);
      return (found === 'damaged' ? rebuild(store, key, '') : found) ?? [];
    })
    .filter(({ workdir }) => workdir !== '')
    .sort((a, b) => (a.workdir < b.workdir ? -1 : 1));
}

const projectFile = (store: Store, key: string): Bytes => join(projectsFolder(store), `${key}.json`);

/** Undefined where there is none or its file is damaged: the next record writes it anew, from what the store says. */
export function readProject(store: Store, key: string): Project | undefined {
  const found = parseProject(store, key);
  return found === 'damaged' ? undefined : found;
}

/** The same, a damaged file told from a missing one. */
export function parseProject(store: Store, key: string): Project | 'damaged' | undefined {
  const bytes = readUnlessClosed(projectFile(store, key));
  if (bytes === undefined || bytes === 'damaged') return bytes;
  try {
    const data = JSON.parse(fromBuffer(bytes)) as Partial<Project> | null;
    const whole =
      typeof data?.workdir === 'string' &&
      isCount(data.next) &&
      isCount(data.nextCapture) &&
      isCount(data.generation) &&
      isCount(data.last_touch);
    return whole ? ({ ...data, key } as Project) : 'damaged';
  } catch (error) {
    if (error instanceof SyntaxError) return 'damaged';
    throw error;
  }
}

/** Not to be read, or no file at all: as good as damaged, and no reason to stop. */
function readUnlessClosed(path: Bytes): Buffer | 'damaged' | undefined {
  try {
    return readBytesIfAny(path);
  } catch (error) {
    if (['EISDIR', 'EACCES', 'EIO'].includes(codeOf(error))) return 'damaged';
    throw error;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The project of this root as recorded; undefined where nothing of it was ever saved. */
export const projectOf = (store: Store, root: Bytes): Project | undefined =>
  readProject(store, projectKey(store, root));

/** How long a writer waits for another one that is changing the same project's file, ms: it takes far less than one. */
const PATIENCE = 20_000;

/** Changes to a project's own files, one at a time whoever makes them. Not to be called from within itself. */
export function withProject<T>(store: Store, key: string, act: () => T): T {
  const lock = acquire(join(join(store.base, 'locks'), key), PATIENCE);
  if (lock === undefined) throw new StoreError('store_failed', `project ${key} is being written by another process`);
  try {
    return act();
  } finally {
    lock.release();
  }
}

/** What changes in a project's file, told what is there now. */
type ChangeOf = (old: Project | undefined) => Partial<Project>;

/** The project's file with `change` put in, written whole. Numbers only ever grow, whoever wrote in between. */
export function updateProject(store: Store, key: string, root: Bytes, change: Partial<Project> | ChangeOf): Project {
  return withProject(store, key, () => {
    const found = parseProject(store, key);
    const old = found === 'damaged' ? rebuild(store, key, root) : found;
    const changed = typeof change === 'function' ? change(old) : change;
    const { key: _, ...next } = merge(store, root, old, changed);
    makeFolder(projectsFolder(store));
    if (found === 'damaged') putAside(projectFile(store, key));
    writeAtomic(projectFile(store, key), Buffer.from(JSON.stringify(next, null, 1), 'latin1'));
    return { ...next, key };
  });
}

/** What is no file would be in the way of one; it stays beside it. */
function putAside(path: Bytes): void {
  const look = lookAt(path);
  if (look !== undefined && look.type !== 'file')
    fs.renameSync(toBuffer(path), toBuffer(`${path}.damaged-${Date.now()}`));
}

function merge(
  store: Store,
  root: Bytes,
  old: Project | undefined,
  change: Partial<Project>,
): Omit<Project, 'key'> & { key?: string } {
  const now = identityOf(root);
  const above = now === undefined ? undefined : identityOf(dirname(realAsFar(root)));
  const parent = above === undefined ? old?.parent : { device: above.device, inode: above.inode };
  const born = old?.born ?? now?.born;
  const time = Date.now();
  return {
    workdir: realAsFar(root),
    machine: store.machine,
    device: old?.device ?? now?.device ?? '',
    inode: old?.inode ?? now?.inode ?? '',
    ...(born === undefined ? {} : { born }),
    ...(parent === undefined ? {} : { parent }),
    created_at: old?.created_at ?? time,
    last_touch: time,
    ...change,
    generation: Math.max(old?.generation ?? 1, change.generation ?? 1),
    next: Math.max(old?.next ?? 1, change.next ?? 1),
    nextCapture: Math.max(old?.nextCapture ?? 1, change.nextCapture ?? 1),
  };
}

/** What a damaged file must have said, as far as the records tell it; undefined where nothing tells anything. */
export function rebuild(store: Store, key: string, root: Bytes): Project | undefined {
  const history = readHistories(store, [key]).get(key);
  const records = history?.checkpoints.map(({ record }) => record) ?? [];
  const newest = records[0];
  const numbers = [...records.map(({ n }) => n), ...(history?.broken ?? []).map((ref) => Number(ref.split('/')[1]))];
  const captures = history?.captures.map(({ m }) => m) ?? [];
  if (numbers.length === 0 && captures.length === 0) return undefined;
  const workdir = newest?.root ?? root;
  const now = identityOf(workdir);
  return {
    key,
    workdir,
    machine: store.machine,
    device: now?.device ?? '',
    inode: now?.inode ?? '',
    ...(now?.born === undefined ? {} : { born: now.born }),
    generation: Math.max(1, ...records.map(({ generation }) => generation)),
    next: Math.max(0, ...numbers) + 1,
    nextCapture: Math.max(0, ...captures) + 1,
    created_at: Math.min(Date.now(), ...records.map(({ started }) => started)),
    last_touch: Math.max(0, ...records.map(({ ended }) => ended)),
  };
}

/** The project for a record that is about to be written: made when new, its generation raised when the folder is another one. */
export function touchProject(store: Store, root: Bytes): Project {
  const key = projectKey(store, root);
  const known = readProject(store, key);
  const now = identityOf(root);
  if (known !== undefined && (now === undefined || sameFolder(known, now))) return known;
  return updateProject(store, key, root, (old) =>
    old === undefined || now === undefined || sameFolder(old, now) ? {} : { ...now, generation: old.generation + 1 },
  );
}

/** A restore has made the root folder again: it is the same project, not another generation. */
export function adoptFolder(store: Store, root: Bytes): void {
  const project = projectOf(store, root);
  const now = identityOf(root);
  if (project !== undefined && now !== undefined && !sameFolder(project, now))
    updateProject(store, project.key, root, now);
}
