import { inflateSync } from 'node:zlib';
import { readBytesIfAny } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { Store } from './store.ts';

/**
 * Reads objects that lie in files of their own, as those of new checkpoints do (gitrepository-layout(5)): no git is started. What is packed,
 * missing or damaged is undefined here: git is asked then, and says what is the matter.
 */
export class LooseReader {
  readonly #objects: string;
  readonly #read = new Map<string, Buffer | undefined>();

  constructor(store: Store) {
    this.#objects = join(store.gitDir, 'objects');
  }

  /** `<commit>^{tree}`, `<commit>:meta.json`. */
  named(name: string): Buffer | undefined {
    const [commit, what] = [name.slice(0, 40), name.slice(40)];
    const tree = /^tree ([0-9a-f]{40})\n/.exec(this.#object(commit, 'commit')?.toString('latin1', 0, 46) ?? '')?.[1];
    const entries = tree === undefined ? undefined : this.#object(tree, 'tree');
    if (entries === undefined || what === '^{tree}') return entries;
    const at = entries.indexOf(META);
    const oid = at < 0 ? '' : entries.toString('hex', at + META.length, at + META.length + 20);
    return oid.length === 40 ? this.#object(oid, 'blob') : undefined;
  }

  #object(oid: string, type: string): Buffer | undefined {
    if (this.#read.has(oid)) return this.#read.get(oid);
    const found = this.#look(oid, type);
    this.#read.set(oid, found);
    return found;
  }

  #look(oid: string, type: string): Buffer | undefined {
    try {
      const bytes = readBytesIfAny(join(this.#objects, `${oid.slice(0, 2)}/${oid.slice(2)}`));
      if (bytes === undefined) return undefined;
      const whole = inflateSync(bytes);
      const end = whole.indexOf(0);
      return whole.toString('latin1', 0, end) === `${type} ${whole.length - end - 1}`
        ? whole.subarray(end + 1)
        : undefined;
    } catch {
      return undefined; // git looks at it, and tells
    }
  }
}

const META = Buffer.from('100644 meta.json\0', 'latin1');
