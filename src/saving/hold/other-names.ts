import type { LeftOut } from '../../checkpoint/record.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { codeOf, type Look, lookAt } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';
import { filesFrom } from '../../platform/search.ts';
import type { Wanted } from './wanted.ts';

/** So many entries are looked at for the other names of the files of one line: a fifth of a second at most. */
const MOST_ENTRIES = 20_000;

interface File {
  readonly first: Wanted & { readonly look: Look };
  readonly names: Set<Bytes>;
}

/**
 * Files of several names that a line writes into and whose name it takes away afterwards (`> b; rm b`): nobody can restore the
 * other names through that one, so they are looked for, beside it and in its project, and held as well.
 */
export class OtherNames {
  readonly #files = new Map<string, File>();

  /** One path that the line's targets name. `parted`: of such a target. */
  met(wanted: Wanted, parted: boolean): void {
    const { look, path } = wanted;
    if (look?.type !== 'file' || look.nlink < 2) return;
    const file = this.#files.get(keyOf(look));
    if (file !== undefined) file.names.add(path);
    else if (parted) this.#files.set(keyOf(look), { first: { ...wanted, look }, names: new Set([path]) });
  }

  /** The names that no target has. A file of which some stay unknown and none is found is told in `leftOut`. */
  find(home: Bytes | undefined, never: readonly Bytes[], leftOut: LeftOut[]): Wanted[] {
    const out: Wanted[] = [];
    const open = new Map([...this.#files].filter(([, file]) => !isWhole(file)));
    if (open.size === 0) return out;
    const places = [...open.values()].map(({ first }) => dirname(first.path));
    const tops = [...places, ...places.flatMap((place) => projectRoot(place, home) ?? [])];
    let entries = 0;
    for (const path of filesFrom(tops, never, () => ++entries <= MOST_ENTRIES && open.size > 0)) {
      const look = tryLook(path);
      const file = look && open.get(keyOf(look));
      if (look === undefined || file === undefined || file.names.has(path)) continue;
      file.names.add(path);
      out.push({ path, look, own: true, bytesStay: false, of: file.first.of });
      if (isWhole(file)) open.delete(keyOf(look));
    }
    const found = new Set(out.map(({ look }) => look && keyOf(look)));
    for (const [key, { first }] of open)
      if (!found.has(key))
        leftOut.push({
          path: first.path,
          reason:
            'it has one more name (a hard link), which was not found: what the line writes into the file stays there',
        });
    return out;
  }
}

const keyOf = ({ dev, ino }: Look): string => `${dev}:${ino}`;

const isWhole = ({ first, names }: File): boolean => names.size >= first.look.nlink;

function tryLook(path: Bytes): Look | undefined {
  try {
    return lookAt(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return undefined; // what the system refuses to show is told as not found
  }
}
