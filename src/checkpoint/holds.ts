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
  /** Not what was put aside any more. */
  | { readonly is: 'changed' }
  /** A linked hold that whoever had the file open wrote on; belay's is its last name, so that these bytes are nowhere else. */
  | { readonly is: 'rewritten'; readonly path: Bytes };

/** Whether a hold still is what was put aside. Cheap: a link by its seal, everything by its size. */
export function holdState(path: Bytes, size: number, content: HoldContent): HoldState {
  const look = lookAt(path);
  if (look?.type !== 'file') return { is: 'gone' };
  const seal = content.linked ? content.seal : undefined;
  if (look.size === size && (seal === undefined || (look.mtime === seal.mtime && look.ino === seal.ino)))
    return { is: 'whole', path };
  return seal?.ino === look.ino && look.nlink === 1 ? { is: 'rewritten', path } : { is: 'changed' };
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
