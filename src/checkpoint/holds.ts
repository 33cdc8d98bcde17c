import type { Bytes } from '../platform/bytes.ts';
import { isAbsentError, lookAt } from '../platform/files.ts';
import { isAbsolute, join, normalize } from '../platform/paths.ts';
import { fileOid } from './oid.ts';
import type { CheckpointRecord, Content } from './record.ts';
import type { Store } from './store.ts';

export type HoldContent = Content & { readonly at: 'hold' };

export const holdsFolder = (store: Store, key: string): Bytes => join(join(store.base, 'holds'), key);

/** Where the held file of a record lies: under `holds/<key>/<n>/`, or at an absolute path on the file system of its target. */
export function holdPath(store: Store, key: string, record: Pick<CheckpointRecord, 'n'>, content: HoldContent): Bytes {
  if (isAbsolute(content.path)) return normalize(content.path);
  return normalize(join(join(holdsFolder(store, key), String(record.n)), content.path));
}

export type HoldState =
  | { readonly is: 'whole'; readonly path: Bytes }
  | { readonly is: 'gone' }
  /** A linked hold that was written through another of the file's names since. */
  | { readonly is: 'changed' };

/** Whether a hold still is what was put aside. Cheap: a link by its seal, everything by its size. */
export function holdState(path: Bytes, size: number, content: HoldContent): HoldState {
  const look = lookAt(path);
  if (look?.type !== 'file') return { is: 'gone' };
  if (look.size !== size) return { is: 'changed' };
  if (content.linked && content.seal && (look.mtime !== content.seal.mtime || look.ino !== content.seal.ino))
    return { is: 'changed' };
  return { is: 'whole', path };
}

/** git's name of a held file's bytes; undefined where there is none. */
export function heldOid(path: Bytes): string | undefined {
  try {
    return fileOid(path);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}
