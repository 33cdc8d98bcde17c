import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { namesInOrNone, removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { readSizes } from '../read.ts';
import type { Store } from '../store.ts';

const folderOf = (store: Store): Bytes => join(store.gitDir, 'indexes');

/** The kept indexes of a project, its nested repositories' among them: `<key>`, `<key>.<name>`. */
const isIndex = (name: Bytes): boolean => /^[0-9a-f]{16}(\.[0-9a-f]{16})?$/.test(name);

/** Projects with a kept index that cannot be read, or that names an object which the store does not have. */
export function brokenIndexes(
  store: Store,
  bad: ReadonlySet<string>,
): { readonly key: string; readonly why: string }[] {
  const out = new Map<string, string>();
  for (const name of namesInOrNone(folderOf(store)).filter(isIndex)) {
    const listed = git(['ls-files', '-s', '-z'], {
      gitDir: store.gitDir,
      workTree: store.base,
      cwd: store.base,
      index: join(folderOf(store), name),
      timeout: 120_000,
    });
    const key = name.slice(0, 16);
    if (!listed.ok) {
      out.set(key, 'cannot be read');
      continue;
    }
    const entries = fromBuffer(listed.out)
      .split('\0')
      .filter((line) => line !== '' && !line.startsWith('160000'));
    const oids = entries.map((line) => line.slice(7, 47));
    const there = readSizes(store, oids);
    if (oids.some((oid) => !there.has(oid) || bad.has(oid))) out.set(key, 'names objects that are not there');
  }
  return [...out].map(([key, why]) => ({ key, why }));
}

/** A cache: the next capture makes it anew. */
export function dropIndexes(store: Store, key: string): void {
  for (const name of namesInOrNone(folderOf(store)))
    if ((isIndex(name) && name.slice(0, 16) === key) || name === `${key}.json`) removeFile(join(folderOf(store), name));
}
