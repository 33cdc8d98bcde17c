import { projectKey } from '../../checkpoint/projects.ts';
import type { Change } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { sameVersion } from '../../checkpoint/version.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { log } from '../../platform/log.ts';
import { type BeforeLine, capturesOf } from '../before.ts';
import { type Captured, capture } from '../capture/capture.ts';
import type { World } from '../world.ts';
import type { Seen } from './draft.ts';
import { seenChanges } from './seen.ts';

/** Background captures take their time; a reader who waits for one is told nothing untrue. */
const AFTER_BUDGET = 60_000;

type Done = Extract<Captured, { kind: 'captured' | 'unchanged' }>;

/** What was seen in the projects in which something unknown ran: one project's captures, of each line or call, taken together. */
export async function seenBy(world: World, store: Store, folder: Bytes): Promise<Seen[]> {
  const byRoot = new Map<Bytes, BeforeLine[]>();
  for (const note of capturesOf(folder)) {
    const notes = byRoot.get(note.root);
    if (notes === undefined) byRoot.set(note.root, [note]);
    else notes.push(note);
  }
  const out: Seen[] = [];
  for (const [root, notes] of byRoot) {
    const around = notes.filter(({ start }) => !start);
    const isOpen = around.some(({ after }) => after === undefined);
    const now = isOpen ? await captureNow(world, store, root) : undefined;
    const seen = seenIn(store, root, notes, around, now);
    if (seen !== undefined) out.push(seen);
  }
  return out;
}

async function captureNow(world: World, store: Store, root: Bytes): Promise<Done | undefined> {
  if (lookAt(root) === undefined) return undefined;
  const done = await capture({ store, root, config: world.config, budget: AFTER_BUDGET });
  if (done.kind === 'captured' || done.kind === 'unchanged') return done;
  log(world.home, `capture of ${root}: ${done.why}`);
  return undefined;
}

/** Undefined where there is no capture to compare with. */
function seenIn(
  store: Store,
  root: Bytes,
  notes: readonly BeforeLine[],
  around: readonly BeforeLine[],
  now: Done | undefined,
): Seen | undefined {
  const first = notes.flatMap((note) => captureOf(note) ?? [])[0];
  if (first === undefined || lookAt(root) === undefined) return undefined;
  const key = projectKey(store, root);
  const changes = new Map<Bytes, Change>();
  let last: number | undefined;
  for (const note of around) {
    const [before, after] = [captureOf(note), note.after ?? now?.m];
    if (before === undefined || after === undefined) continue;
    last = Math.max(last ?? 0, after);
    const uncertain = note.kind !== 'captured';
    for (const change of seenChanges({ store, key, before, after, uncertain })) add(changes, change);
  }
  return {
    root,
    captureBefore: first,
    ...(last === undefined ? {} : { captureAfter: last }),
    changes: [...changes.values()].filter(({ before, after }) => !sameVersion(before, after)),
  };
}

const captureOf = (note: BeforeLine): number | undefined => (note.kind === 'captured' ? note.m : note.last);

/** A path that several calls changed: from before the first to after the last. */
function add(changes: Map<Bytes, Change>, change: Change): void {
  const earlier = changes.get(change.path);
  changes.set(change.path, earlier === undefined ? change : { ...change, before: earlier.before });
}
