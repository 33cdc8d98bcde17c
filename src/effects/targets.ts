import type { Bytes } from '../platform/bytes.ts';
import { dirname } from '../platform/paths.ts';
import type { Target, Way } from './types.ts';

/** What a later effect on the same path may make of an earlier one: the one that asks for more saving wins. */
const WEIGHT: Record<Way, number> = {
  'write-in-place': 8,
  replace: 7,
  delete: 6,
  'git-state': 5,
  move: 4,
  append: 3,
  metadata: 2,
  create: 1,
};

interface Wanted {
  readonly path: Bytes;
  way: Way;
  recursive: boolean;
  deferred: boolean;
  to: Bytes | undefined;
  /** When, counted in effects, the line first wrote into the file, and when it last took the name from it. */
  wroteAt: number | undefined;
  goneAt: number | undefined;
}

const WRITES: ReadonlySet<Way> = new Set(['write-in-place', 'append']);
const TAKES_NAME: ReadonlySet<Way> = new Set(['delete', 'replace', 'move']);

/** The targets of one line, once each. */
export class Targets {
  readonly #wanted = new Map<Bytes, Wanted>();
  #count = 0;
  /** Whether anything is written into: where nothing is, no name has to be compared with another. */
  #writes = false;

  add(path: Bytes, way: Way, recursive: boolean, deferred: boolean, to?: Bytes): void {
    const there = this.#wanted.get(path);
    const count = ++this.#count;
    const goneAt = TAKES_NAME.has(way) ? count : undefined;
    const wroteAt = WRITES.has(way) ? count : undefined;
    this.#writes ||= wroteAt !== undefined;
    if (!there) {
      this.#wanted.set(path, { path, way, recursive, deferred, to, wroteAt, goneAt });
      return;
    }
    there.wroteAt ??= wroteAt;
    there.goneAt = goneAt ?? there.goneAt;
    there.recursive ||= recursive;
    there.deferred ||= deferred;
    // Something else happened at a name that was moved away: renaming back would not be the whole undo.
    if (there.way === 'move' && way !== 'move') there.to = undefined;
    const seen = there.way === 'move' && WEIGHT[way] < WEIGHT.move ? 'replace' : way;
    if (WEIGHT[seen] > WEIGHT[there.way]) there.way = seen;
  }

  /** What was moved here is lost after all: a hold of its content is needed, not only its new name. */
  upgrade(path: Bytes, way: Way): void {
    if (this.#wanted.has(path)) this.add(path, way, false, false);
  }

  /**
   * All of them, in the order in which they came up. `exposed`: the content may be written in place by this line, through
   * this name or one above or below it; by a program that nobody can parse also through any other.
   */
  all(anythingMayWrite: boolean): Target[] {
    const wanted = [...this.#wanted.values()];
    const hasTree = wanted.some((one) => one.recursive && TAKES_ALL.has(one.way));
    const all = hasTree ? wanted.filter((one) => !this.#isWithin(one)) : wanted;
    if (!this.#writes) return all.map((one) => targetOf(one, anythingMayWrite));
    const written = new Set(wanted.filter((one) => WRITES.has(one.way)).map((one) => one.path));
    const above = new Set([...written].flatMap(foldersAbove));
    const isParted = partedOf(wanted);
    const exposed = (path: Bytes): boolean =>
      anythingMayWrite ||
      written.has(path) ||
      above.has(path) ||
      (written.size > 0 && foldersAbove(path).some((folder) => written.has(folder)));
    return all.map((one) => targetOf(one, exposed(one.path), isParted(one)));
  }

  /** Held already as part of a whole tree. */
  #isWithin(one: Wanted): boolean {
    if (one.way === 'move' || one.way === 'create') return false;
    return foldersAbove(one.path).some((folder) => {
      const tree = this.#wanted.get(folder);
      return tree?.recursive === true && TAKES_ALL.has(tree.way);
    });
  }
}

function targetOf({ path, way, recursive, deferred, to }: Wanted, exposed: boolean, parted = false): Target {
  const target: { -readonly [K in keyof Target]: Target[K] } = { path, way, recursive, deferred, exposed };
  if (parted) target.parted = true;
  if (to !== undefined) target.to = to;
  return target;
}

/** Ways after which a tree is put back from its hold alone, with all that was in it. */
const TAKES_ALL: ReadonlySet<Way> = new Set(['delete', 'replace', 'write-in-place']);

/** Whether a name goes, by itself or with a folder above it, after the line has written into what it or a name below it leads to. */
function partedOf(wanted: readonly Wanted[]): (one: Wanted) => boolean {
  const wrote = new Map<Bytes, number>();
  for (const { path, wroteAt } of wanted)
    if (wroteAt !== undefined)
      for (const at of [path, ...foldersAbove(path)]) wrote.set(at, Math.min(wrote.get(at) ?? wroteAt, wroteAt));
  if (wrote.size === 0) return () => false;
  const gone = new Map(wanted.flatMap(({ path, goneAt }) => (goneAt === undefined ? [] : [[path, goneAt] as const])));
  return ({ path }) => {
    const from = wrote.get(path);
    return from !== undefined && [path, ...foldersAbove(path)].some((at) => (gone.get(at) ?? 0) > from);
  };
}

function foldersAbove(path: Bytes): Bytes[] {
  const out: Bytes[] = [];
  for (let folder = path; folder !== '/'; ) {
    folder = dirname(folder);
    out.push(folder);
  }
  return out;
}
