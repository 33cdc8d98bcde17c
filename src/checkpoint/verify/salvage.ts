import { fromBuffer, toText } from '../../platform/bytes.ts';
import { git } from '../../platform/git.ts';
import { projectKey, projects } from '../projects.ts';
import { readObjects } from '../read.ts';
import type { CaptureRecord, CheckpointRecord } from '../record.ts';
import { readRefs } from '../refs.ts';
import { forgetLostRefs, hasLostRefs, type Store, StoreError } from '../store.ts';
import { captureRef, importedRef, turnRef } from '../write.ts';

/**
 * The refs are gone, the objects are not: each commit that nothing leads to says of itself which checkpoint or capture of which project
 * it is. Only where all refs were lost: else what nothing leads to was let go on purpose.
 */
export function salvage(store: Store): string[] {
  if (!hasLostRefs(store)) return [];
  const refs = readRefs(store);
  const named = new Set(refs.map(({ id }) => id));
  // `fsck --unreachable` finds nothing where there is no ref at all.
  const found = git(['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objecttype) %(objectname)'], {
    gitDir: store.gitDir,
    timeout: 600_000,
  });
  // Without the list nothing is found again, and what nothing names may be collected: the mark has to stay.
  if (!found.ok) throw new StoreError('store_failed', toText(found.err.trim()));
  const ids = [...fromBuffer(found.out).matchAll(/^commit ([0-9a-f]{40})$/gm)]
    .map(([, id]) => id ?? '')
    .filter((id) => !named.has(id));
  const metas = readObjects(
    store,
    ids.map((id) => `${id}:meta.json`),
  );
  const keys = new Set(projects(store).map(({ key }) => key));
  const taken = new Set(refs.map(({ key, kind, n }) => `refs/belay/${key}/${kind}/${n}`));
  const made = new Map<string, string>();
  ids.forEach((id, i) => {
    const ref = refOf(store, metas[i], keys);
    // Two that say they are the same: one was written anew, by a repair or a forget. Which one counts nobody knows.
    if (ref !== undefined && !taken.has(ref)) made.set(ref, made.has(ref) ? '' : id);
  });
  const sure = [...made].filter(([, id]) => id !== '');
  const done = git(['update-ref', '--stdin'], {
    gitDir: store.gitDir,
    input: sure.map(([ref, id]) => `create ${ref} ${id}\n`).join(''),
    timeout: 120_000,
  });
  if (!done.ok) throw new StoreError('store_failed', toText(done.err.trim()));
  forgetLostRefs(store);
  const unsure = made.size - sure.length;
  return [
    `the refs were lost: ${sure.length} checkpoints and captures found again${unsure > 0 ? `, ${unsure} of which there are two stay lost` : ''}`,
  ];
}

function refOf(store: Store, bytes: Uint8Array | undefined, keys: ReadonlySet<string>): string | undefined {
  const meta = parse(bytes);
  if (typeof meta?.root !== 'string') return undefined;
  const key = projectKey(store, meta.root);
  if (!keys.has(key)) return undefined;
  if ('changes' in meta && Number.isSafeInteger(meta.n)) return turnRef(key, meta.n);
  if (!('modes' in meta) || !Number.isSafeInteger(meta.m)) return undefined;
  // The state of an imported checkpoint has half a place in the order, and its number.
  return Number.isInteger(meta.order) ? captureRef(key, meta.m) : importedRef(key, meta.m);
}

function parse(bytes: Uint8Array | undefined): CheckpointRecord | CaptureRecord | undefined {
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as CheckpointRecord | CaptureRecord;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
