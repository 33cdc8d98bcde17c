import { projectsFolder } from '../../checkpoint/projects.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { makeFolder, readBytesIfAny, writeAtomic } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';

/** What this store calls a project before others: never the same again, should the store be lost and its numbers begin anew. */
export function ownerOf(store: Store, key: string): string {
  const file: Bytes = join(projectsFolder(store), `${key}.owner`);
  const known = readBytesIfAny(file);
  const name = known === undefined ? '' : fromBuffer(known).trim();
  if (/^[0-9a-f]{16}$/.test(name)) return name;
  makeFolder(projectsFolder(store));
  writeAtomic(file, `${randomHex(8)}\n`);
  return ownerOf(store, key);
}
