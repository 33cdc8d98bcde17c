import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { isAbsentError, makeFolder, namesInOrNone, readBytesIfAny, realAsFar, writeAtomic } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { Store } from './store.ts';

/** `projects/<key>.json`: what belay knows of one project root. */
export interface Project {
  readonly key: string;
  readonly workdir: Bytes;
  readonly machine: string;
  readonly device: string;
  readonly inode: string;
  /** Birth time in nanoseconds, where the file system tells it: a freed inode number is soon given out again. */
  readonly born?: string;
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

/** Undefined where there is none or its file cannot be read as one: the next record writes it anew. */
export function readProject(store: Store, key: string): Project | undefined {
  const bytes = readBytesIfAny(join(projectsFolder(store), `${key}.json`));
  if (bytes === undefined) return undefined;
  try {
    const data = JSON.parse(fromBuffer(bytes)) as Project;
    return typeof data.workdir === 'string' && typeof data.next === 'number' ? { ...data, key } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The project of this root as recorded; undefined where nothing of it was ever saved. */
export const projectOf = (store: Store, root: Bytes): Project | undefined =>
  readProject(store, projectKey(store, root));

/** The project's file with `change` put in, written whole. Numbers only ever grow, whoever wrote in between. */
export function updateProject(store: Store, key: string, root: Bytes, change: Partial<Project>): Project {
  const old = readProject(store, key);
  const now = identityOf(root);
  const base: Omit<Project, 'key'> = {
    workdir: realAsFar(root),
    machine: store.machine,
    device: old?.device ?? now?.device ?? '',
    inode: old?.inode ?? now?.inode ?? '',
    ...((old?.born ?? now?.born) !== undefined ? { born: old?.born ?? now?.born ?? '' } : {}),
    generation: old?.generation ?? 1,
    created_at: old?.created_at ?? Date.now(),
    last_touch: Date.now(),
    next: old?.next ?? 1,
    nextCapture: old?.nextCapture ?? 1,
  };
  const { key: _, ...changed } = change;
  const next: Omit<Project, 'key'> = {
    ...base,
    ...changed,
    next: Math.max(base.next, change.next ?? 1),
    nextCapture: Math.max(base.nextCapture, change.nextCapture ?? 1),
  };
  makeFolder(projectsFolder(store));
  writeAtomic(join(projectsFolder(store), `${key}.json`), Buffer.from(JSON.stringify(next, null, 1), 'latin1'));
  return { ...next, key };
}

/** The project for a record that is about to be written: made when new, its generation raised when the folder is another one. */
export function touchProject(store: Store, root: Bytes): Project {
  const key = projectKey(store, root);
  const old = readProject(store, key);
  if (old === undefined) return updateProject(store, key, root, {});
  const now = identityOf(root);
  if (now === undefined || sameFolder(old, now)) return old;
  return updateProject(store, key, root, { ...now, generation: old.generation + 1 });
}

/** A restore has made the root folder again: it is the same project, not another generation. */
export function adoptFolder(store: Store, root: Bytes): void {
  const project = projectOf(store, root);
  const now = identityOf(root);
  if (project !== undefined && now !== undefined && !sameFolder(project, now))
    updateProject(store, project.key, root, now);
}
