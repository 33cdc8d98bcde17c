import { GITLINK_MODE } from '../../checkpoint/modes.ts';
import type { Owner } from '../../checkpoint/record.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { eachEntry } from './index-file.ts';
import type { KeptTree } from './kept.ts';

/** What an index is looked through for. */
export interface Young {
  /** Seconds since 1970: of the last capture, and of this one. */
  readonly since: number;
  readonly second: number;
  /** As of the last capture. */
  readonly modes: KeptTree['modes'];
  readonly owners: KeptTree['owners'];
  readonly owner: Owner;
  /** Those that were met just now, where every file was: then none is looked at again. */
  readonly special: ReadonlyMap<Bytes, number> | undefined;
}

/**
 * From the entries that are young: the modes that git cannot say, whose they are, and what changed in this very second. chmod and
 * chown move ctime, and git notes the new one: only what is younger than the last capture is looked at, and what was special then.
 */
export function lookAtYoung(
  root: Bytes,
  index: Bytes,
  { since, second, modes, owners, special, owner }: Young,
): Pick<KeptTree, 'modes' | 'owners' | 'fresh'> {
  const out = new Map<Bytes, number>();
  const theirs = new Map<Bytes, readonly [Bytes, number, number]>();
  const fresh: number[] = [];
  const last = { modes: new Map(modes), owners: new Map(owners.map((one) => [one[0], one])) };
  // Which of last time's special entries are still files of the tree, only git's own list tells: what lies at such a path now may be a
  // folder, or a file that is left out.
  const hasSpecial = modes.length + owners.length > 0;
  eachEntry(index, hasSpecial ? 0 : since, ({ path, mode, ctime, at, uid, gid }) => {
    const isFile = mode === 0o100644 || mode === 0o100755;
    if (ctime < since) {
      const [bits, whose] = [last.modes.get(path), last.owners.get(path)];
      if (bits !== undefined && isFile) out.set(path, bits);
      if (whose !== undefined) theirs.set(path, whose);
      return;
    }
    if (ctime >= second) fresh.push(at);
    if (mode === GITLINK_MODE) return;
    if (uid !== owner[0] || gid !== owner[1]) theirs.set(path, [path, uid, gid]);
    if (!isFile) return;
    const now = special === undefined ? modeOfFile(join(root, path)) : (special.get(path) ?? mode & 0o777);
    if (now !== undefined && now !== (mode & 0o777)) out.set(path, now);
  });
  const sorted = <T extends readonly [Bytes, ...unknown[]]>(all: Iterable<T>): T[] =>
    [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return { modes: sorted(out), owners: sorted(theirs.values()), fresh };
}

function modeOfFile(path: Bytes): number | undefined {
  const look = lookAt(path);
  return look?.type === 'file' ? look.mode : undefined;
}
