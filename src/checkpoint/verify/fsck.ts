import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { git } from '../../platform/git.ts';
import type { Store } from '../store.ts';

/** What `git fsck` found. */
export interface Fsck {
  /** Objects that are missing, or are not what their names say. */
  readonly bad: ReadonlySet<string>;
  /** Loose object files with something else in them, `xx/yyyy…`. */
  readonly loose: readonly string[];
  /** Packs with something broken in them, `pack-….pack`. */
  readonly packs: readonly string[];
  /** Its own words, one line each. */
  readonly lines: readonly Bytes[];
}

/**
 * Reads every object of the store and follows every ref. git lists the objects first and follows the refs then: what another git
 * writes in between is missing to it. Nobody keeps such a git out where its parent was killed, so only what is amiss twice is amiss.
 */
export function fsck(store: Store): Fsck {
  const first = complaints(store);
  if (first.length === 0) return { bad: new Set(), loose: [], packs: [], lines: [] };
  const again = new Set(complaints(store));
  const lines = first.filter((line) => again.has(line));
  const bad = new Set<string>();
  const loose = new Set<string>();
  const packs = new Set<string>();
  for (const line of lines) {
    const file = /objects\/([0-9a-f]{2})\/([0-9a-f]{38})/.exec(line);
    if (file !== null) {
      bad.add(`${file[1]}${file[2]}`);
      loose.add(`${file[1]}/${file[2]}`);
    }
    const pack = /objects\/pack\/(pack-[0-9a-f]+)\.(?:pack|idx)/.exec(line)?.[1];
    if (pack !== undefined) packs.add(`${pack}.pack`);
    const oid = /(?:^missing \w+|^to +\w+|unpack|object) ([0-9a-f]{40})(?![0-9a-f])/.exec(line)?.[1];
    if (oid !== undefined) bad.add(oid);
  }
  return { bad, loose: [...loose], packs: [...packs], lines };
}

/** What `git fsck` says is wrong, a line each; none where all is well. */
function complaints(store: Store): Bytes[] {
  const answer = git(['fsck', '--full', '--no-dangling', '--no-reflogs', '--no-progress'], {
    gitDir: store.gitDir,
    timeout: 600_000,
  });
  if (answer.ok) return [];
  const lines = `${fromBuffer(answer.out)}\n${answer.err}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('notice:'));
  // git ended otherwise than by what it found (killed, no room): nothing is proved, and that is said.
  return lines.length > 0 ? lines : [`fsck ended with ${answer.code}`];
}
