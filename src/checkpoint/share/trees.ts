import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { git } from '../../platform/git.ts';
import { isStrayName, readObjects } from '../read.ts';
import type { Store } from '../store.ts';

/** What a tree from elsewhere holds, each object once. */
export type LookedInto =
  | { readonly is: 'whole'; readonly blobs: ReadonlySet<string>; readonly links: readonly Bytes[] }
  | { readonly is: 'refused'; readonly why: string };

const MOST_ENTRIES = 1_000_000;
const DEEPEST = 128;
const MODES = new Set(['40000', '100644', '100755', '100664', '120000', '160000']);

interface Entry {
  readonly mode: string;
  readonly name: Bytes;
  readonly oid: string;
}

/**
 * Reads a tree from elsewhere before anything is made of it: no name leads out of it or into a `.git`, none is there twice, and
 * written out it has a bounded size (few small objects can be a tree of more files than there are atoms). Reads each object once.
 */
export function lookIntoTree(store: Store, root: string): LookedInto {
  const trees = new Map<string, readonly Entry[]>();
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return refused(`its folders lie deeper than ${DEEPEST}`);
    if (trees.size + level.length > MOST_ENTRIES) return refused('it has too many folders');
    const found = readTrees(store, level);
    const next = new Set<string>();
    for (const [i, oid] of level.entries()) {
      const entries = found[i];
      if (entries === undefined) return refused(`tree ${oid} is missing or broken`);
      const bad = badIn(entries);
      if (bad !== undefined) return refused(bad);
      trees.set(oid, entries);
      for (const entry of entries) if (entry.mode === '40000' && !trees.has(entry.oid)) next.add(entry.oid);
    }
    level = [...next].filter((oid) => !trees.has(oid));
  }
  if (sizeOf(trees, root, new Map(), 0) > MOST_ENTRIES)
    return refused(`written out it has more than ${MOST_ENTRIES.toLocaleString('en')} entries`);
  const blobs = new Set<string>();
  for (const entries of trees.values())
    for (const { mode, oid } of entries) if (mode !== '40000' && mode !== '160000') blobs.add(oid);
  return { is: 'whole', blobs, links: linksIn(trees, root, '') };
}

const refused = (why: string): LookedInto => ({ is: 'refused', why });

function readTrees(store: Store, oids: readonly string[]): (readonly Entry[] | undefined)[] {
  const kinds = git(['cat-file', '--batch-check=%(objecttype)'], {
    gitDir: store.gitDir,
    input: `${oids.join('\n')}\n`,
    timeout: 120_000,
  });
  const types = fromBuffer(kinds.out).split('\n');
  if (!kinds.ok || oids.some((_, i) => types[i] !== 'tree')) return [];
  return readObjects(store, oids).map((bytes) => (bytes === undefined ? undefined : entriesIn(bytes)));
}

/** git's raw tree: `<mode> <name>\0<20 bytes>`, one after the other; undefined where it is none. */
function entriesIn(bytes: Buffer): readonly Entry[] | undefined {
  const out: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = space < 0 ? -1 : bytes.indexOf(0, space);
    if (end < 0 || end + 21 > bytes.length) return undefined;
    out.push({
      mode: bytes.toString('latin1', at, space),
      name: bytes.toString('latin1', space + 1, end),
      oid: bytes.toString('hex', end + 1, end + 21),
    });
    at = end + 21;
  }
  return out;
}

function badIn(entries: readonly Entry[]): string | undefined {
  const names = new Set<Bytes>();
  for (const { mode, name } of entries) {
    if (isStrayName(name)) return `a name in it is ${JSON.stringify(name)}`;
    if (name.length > 255) return 'a name in it is too long';
    if (names.has(name)) return `${JSON.stringify(name)} is in one folder twice`;
    if (!MODES.has(mode)) return `an entry has the mode ${JSON.stringify(mode)}`;
    names.add(name);
  }
  return undefined;
}

/** Entries of the tree written out, as far as they are counted at all. */
function sizeOf(
  trees: ReadonlyMap<string, readonly Entry[]>,
  oid: string,
  known: Map<string, number>,
  depth: number,
): number {
  const before = known.get(oid);
  if (before !== undefined) return before;
  if (depth > DEEPEST) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const entry of trees.get(oid) ?? [])
    sum += 1 + (entry.mode === '40000' ? sizeOf(trees, entry.oid, known, depth + 1) : 0);
  known.set(oid, sum);
  return sum;
}

/** Repositories inside, of which only their names are here. */
function linksIn(trees: ReadonlyMap<string, readonly Entry[]>, oid: string, at: Bytes): Bytes[] {
  return (trees.get(oid) ?? []).flatMap(({ mode, name, oid: below }) => {
    const path = at === '' ? name : `${at}/${name}`;
    if (mode === '160000') return [path];
    return mode === '40000' ? linksIn(trees, below, path) : [];
  });
}
