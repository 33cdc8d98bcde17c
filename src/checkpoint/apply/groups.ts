import type { Bytes } from '../../platform/bytes.ts';
import { dirname, isInside } from '../../platform/paths.ts';
import type { Step } from '../plan/steps.ts';
import { MAY_BE_SPARSE } from './content.ts';
import type { FileStep } from './work.ts';

/** Files and new folders of one project that are made ready together, in a folder aside; each list is sorted by path. */
export interface Group {
  /** Where that folder lies: the project's root, or the folder above it where the root itself comes back. */
  readonly base: Bytes;
  /** What git lays down, and the rest. */
  readonly bulk: readonly BulkStep[];
  readonly others: readonly Step[];
  /** Of all these, what is renamed to its place: files of folders that are there, and the outermost new folders. */
  readonly tops: readonly Step[];
}

export type BulkStep = FileStep & { readonly source: { readonly at: 'blob' } };

/** Files whose bytes git can lay down. It makes no holes. */
const isBulk = (step: Step): step is BulkStep =>
  step.do === 'file' && step.source.at === 'blob' && !step.inPlace && step.size < MAY_BE_SPARSE;

/**
 * What can be made ready aside, project by project; `steps` are sorted by path. A folder of which nothing is there takes all along
 * that belongs in it, but for what is renamed. `made`: folders that are there by now, though the plan saw nothing.
 */
export function groupsOf(
  steps: readonly Step[],
  roots: ReadonlyMap<string, Bytes>,
  made: (path: Bytes) => boolean,
): Group[] {
  const groups = new Map<string, { base: Bytes; bulk: BulkStep[]; others: Step[]; tops: Step[] }>();
  /** Each folder in a new one has a step of its own. Names between `x` and `x/` (`x-old`, `x.bak`) come in between. */
  const news = new Set<Bytes>();
  for (const step of steps) {
    const root = roots.get(step.key);
    if (root === undefined || !isInside(step.path, root)) continue;
    const bulk = isBulk(step);
    const isNew = step.do === 'folder' && step.seen === undefined && !made(step.path);
    const isTop = !news.has(dirname(step.path));
    if (!isNew && !bulk && (isTop || !fits(step))) continue;
    const base = isNew && step.path === root ? dirname(root) : root;
    const group = groups.get(step.key) ?? { base, bulk: [], others: [], tops: [] };
    if (group.tops.length === 0) groups.set(step.key, group);
    if (bulk) group.bulk.push(step);
    else group.others.push(step);
    if (isNew) news.add(step.path);
    if (isTop) group.tops.push(step);
  }
  return [...groups.values()];
}

/** Whether it can be made in a folder that nobody else sees yet. */
const fits = (step: Step): boolean =>
  step.seen === undefined && (step.do === 'link' || step.do === 'fifo' || (step.do === 'file' && !step.inPlace));
