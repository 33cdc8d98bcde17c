import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { makeFolder, removeTree } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';
import type { Store } from '../store.ts';

/**
 * A repository for as long as a parcel is packed or looked into: what comes from elsewhere lies here, and no name or object of it is
 * the store's before it was checked. `gitDir` is its own, the rest is the store's. A killed one is debris (`.staging-…`).
 */
export type Parcel = Store & { readonly folder: Bytes };

/** `act` with a parcel that also sees the objects in these folders (none: it stands on its own feet). */
export function withParcel<T>(store: Store, alternates: readonly Bytes[], act: (parcel: Parcel) => T): T {
  const folder = join(store.base, `.staging-${process.pid}-${randomHex(4)}`);
  try {
    return act(openParcel(store, folder, alternates));
  } finally {
    removeTree(folder);
  }
}

function openParcel(store: Store, folder: Bytes, alternates: readonly Bytes[]): Parcel {
  const gitDir = join(folder, 'parcel');
  for (const name of ['objects/info', 'objects/pack', 'refs', 'info']) makeFolder(join(gitDir, name));
  const files = {
    HEAD: 'ref: refs/heads/none\n',
    config: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n',
    'objects/info/alternates': alternates.map((path) => `${quoted(path)}\n`).join(''),
  };
  for (const [name, text] of Object.entries(files))
    fs.writeFileSync(toBuffer(join(gitDir, name)), toBuffer(text), { mode: 0o600 });
  return { ...store, gitDir, folder };
}

/** As git reads the line: in C's quotes where it needs them. */
const quoted = (path: Bytes): Bytes =>
  /[\n"#\\]/.test(path)
    ? `"${path.replace(/["\\\n]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
    : path;

export const objectsOf = (gitDir: Bytes): Bytes => join(gitDir, 'objects');
