import fs from 'node:fs';
import { enter } from '../../checkpoint/gate.ts';
import { touchProject, updateProject } from '../../checkpoint/projects.ts';
import type { LeftOut, Owner } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import type { Config } from '../../platform/config.ts';
import { codeOf } from '../../platform/files.ts';
import { nextOrder } from '../../turns/order.ts';
import { excludesOf, writeExcludes } from './excludes.ts';
import { dropIndex, type Kept, keepIndex, readKept, writeKept } from './kept.ts';
import { metaHash, recordOf } from './record.ts';
import { type LeftOutWhole, type Taken, takeTrees } from './trees.ts';
import { CaptureError } from './work-tree.ts';
import { hasCapture, LAG, writeCapture } from './write.ts';

export interface CaptureRequest {
  readonly store: Store;
  readonly root: Bytes;
  readonly config: Config;
  /** Milliseconds for all of it; then it is given up, and nothing of it stays. */
  readonly budget: number;
  /** No git process of it may take longer, ms. */
  readonly longest?: number;
}

export type Captured =
  | { readonly kind: 'captured'; readonly key: string; readonly m: number; readonly leftOut: readonly LeftOut[] }
  /** Everything is as in capture `m`. */
  | { readonly kind: 'unchanged'; readonly key: string; readonly m: number; readonly leftOut: readonly LeftOut[] }
  | LeftOutWhole
  | { readonly kind: 'failed'; readonly why: string };

/**
 * The whole project into the store: everything that git would not ignore, tracked files that it would, and precious ones,
 * nested repositories in their places. One git process when warm, none in a small tree where only contents changed; works on private
 * copies of the kept indexes and renames them back, so nobody waits. A failure leaves nothing behind, never an older state under a new name.
 */
export async function capture(request: CaptureRequest): Promise<Captured> {
  const leave = enter(request.store, request.budget);
  if (leave === undefined) return { kind: 'left out', because: 'busy', why: 'the store is being tidied up' };
  try {
    return await captureInside(request);
  } finally {
    leave();
  }
}

async function captureInside(request: CaptureRequest): Promise<Captured> {
  const { store, root, config } = request;
  const started = Date.now();
  const deadline = started + request.budget;
  const project = touchProject(store, root);
  const kept = readKept(store, project.key);
  const order = nextOrder(store.home);
  const taken: Taken[] = [];
  const exclude = await excludesOf(root, config);
  const excludes = writeExcludes(store, project.key, exclude);
  try {
    const owner = ownerOfFolder(root);
    const nested = takeTrees({
      ...request,
      key: project.key,
      kept,
      started,
      deadline,
      exclude,
      excludes,
      owner,
      taken,
    });
    if ('why' in nested) return nested;
    const files = taken.reduce((sum, { scan }) => sum + scan.files, 0);
    const { generation } = project;
    const { notCaptured } = nested;
    const record = recordOf({
      root,
      config,
      generation,
      order,
      taken: started,
      owner,
      trees: taken,
      notCaptured,
      exclude,
    });
    const meta = metaHash(record);
    const trees = Object.fromEntries(taken.map(({ at, kept: tree }) => [at, tree]));
    const next: Kept = { v: 3, m: 0, order, taken: started, ms: 0, files, meta, exclude, owner, trees };
    if (kept !== undefined && isSameState(kept, next) && hasCapture(store, project.key, kept.m)) {
      keepAll(store, project.key, taken, { ...next, m: kept.m, ms: Date.now() - started });
      return { kind: 'unchanged', key: project.key, m: kept.m, leftOut: record.leftOut };
    }
    const floor = Math.max(project.nextCapture, (kept?.m ?? 0) + 1);
    const m = writeCapture(store, project.key, floor, record, taken, deadline);
    keepAll(store, project.key, taken, { ...next, m, ms: Date.now() - started });
    const lags = m + 1 >= project.nextCapture + LAG || started - project.last_touch > LONGEST_LAG_MS;
    if (kept === undefined || lags) updateProject(store, project.key, root, { nextCapture: m + 1 });
    return { kind: 'captured', key: project.key, m, leftOut: record.leftOut };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    return error.slow
      ? { kind: 'left out', because: 'too slow', why: whySlow(error, deadline, request.budget) }
      : { kind: 'failed', why: error.message };
  } finally {
    for (const { index } of taken) dropIndex(index);
    if (excludes !== undefined) dropIndex(excludes);
  }
}

const whySlow = (error: CaptureError, deadline: number, budget: number): string =>
  Date.now() < deadline ? error.message : `over budget (${budget} ms)`;

function ownerOfFolder(root: Bytes): Owner {
  try {
    const { uid, gid } = fs.statSync(toBuffer(root));
    return [uid, gid];
  } catch (error) {
    throw new CaptureError(`the project's folder cannot be looked at (${codeOf(error)})`);
  }
}

/** Writing the project's file takes as long as a small capture's git: so long, its last touch is young enough. */
const LONGEST_LAG_MS = 60_000;

function isSameState(old: Kept, now: Kept): boolean {
  const trees = (kept: Kept): string =>
    Object.entries(kept.trees)
      .map(([at, { tree }]) => `${at}\0${tree}`)
      .sort()
      .join('\n');
  return old.meta === now.meta && trees(old) === trees(now);
}

/**
 * Each index goes back under the kept name; what is known goes with it. It has the stamp of the private index: another capture may
 * put its own in place meanwhile, and what is known of ours must not be believed of that.
 */
function keepAll(store: Store, key: string, taken: readonly Taken[], kept: Kept): void {
  for (const { name, index, written } of taken) if (written) keepIndex(store, key, name, index);
  writeKept(store, key, kept);
}
