import { projectKey } from '../../checkpoint/projects.ts';
import type { Store } from '../../checkpoint/store.ts';
import { differ } from '../../checkpoint/version.ts';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { type Look, lookAt } from '../../platform/files.ts';
import { log } from '../../platform/log.ts';
import { join } from '../../platform/paths.ts';
import { pendingTurns, readTurn } from '../../turns/pending.ts';
import { type BeforeLine, capturesOf } from '../before.ts';
import { capture } from '../capture/capture.ts';
import { firstVersions, manifestsOf } from '../end.ts';
import { basesOf } from '../place.ts';
import type { World } from '../world.ts';
import type { Seen, SeenChange } from './draft.ts';
import { seenChanges } from './seen.ts';

/** Background captures take their time; a reader who waits for one is told nothing untrue. */
const AFTER_BUDGET = 60_000;

/** What was seen in the projects in which something unknown ran: one project's captures, of each line or call, taken together. */
export async function seenBy(world: World, store: Store, folder: Bytes): Promise<Seen[]> {
  const next = heldNext(folder, world.home);
  const byRoot = new Map<Bytes, BeforeLine[]>();
  for (const note of capturesOf(folder)) {
    const notes = byRoot.get(note.root);
    if (notes === undefined) byRoot.set(note.root, [note]);
    else notes.push(note);
  }
  const out: Seen[] = [];
  for (const [root, notes] of byRoot) {
    if (lookAt(root) === undefined) continue;
    const around = notes.filter(({ start }) => !start);
    const isOpen = around.some(({ after }) => after === undefined);
    const now = isOpen ? await captureNow(world, store, root) : undefined;
    const seen = seenIn(store, root, notes, around, now);
    if (seen !== undefined)
      out.push({ ...seen, changes: seen.changes.filter((change) => !isNexts(root, change, next)) });
  }
  return out;
}

/** What the lines after this one found there, as far as they are pending. */
function heldNext(folder: Bytes, home: Bytes | undefined): ReadonlyMap<Bytes, Look> {
  const out = new Map<Bytes, Look>();
  const own = readTurn(folder);
  if (home === undefined || own.is !== 'turn' || capturesOf(folder).length === 0) return out;
  const later = basesOf(home)
    .flatMap(pendingTurns)
    .filter(({ turn }) => turn.order > own.turn.order)
    .sort((a, b) => a.turn.order - b.turn.order);
  const met = new Set<Bytes>();
  for (const one of later)
    for (const [path, { entry }] of firstVersions(manifestsOf(one.folder))) {
      if (!met.has(path) && entry.look !== undefined) out.set(path, entry.look);
      met.add(path);
    }
  return out;
}

/**
 * Lines that follow each other at once (pasted ones): the capture after this one may be taken when the next is through. What the next
 * still found, last changed before the capture from before this one, is not gone by this one, nor otherwise.
 */
function isNexts(root: Bytes, { path, before, taken }: SeenChange, next: ReadonlyMap<Bytes, Look>): boolean {
  const look = next.get(join(root, path));
  if (look === undefined || taken === undefined) return false;
  if (before.kind === 'folder') return look.type === 'folder' && look.mode === before.mode;
  const isOld = Number(BigInt(look.ctime) / 1_000_000n) < taken;
  return isOld && look.type === before.kind && (before.kind !== 'file' || look.size === before.size);
}

type Now = { readonly m: number } | { readonly why: string };

async function captureNow(world: World, store: Store, root: Bytes): Promise<Now> {
  const done = await capture({ store, root, config: world.config, budget: AFTER_BUDGET });
  if (done.kind === 'captured' || done.kind === 'unchanged') return done;
  log(world.home, `capture of ${toText(root)}: ${done.why}`);
  return done;
}

/** "Nothing changed" and "nobody can tell" are two answers: the second is said. Undefined where nothing unknown ran and there is no capture. */
function seenIn(
  store: Store,
  root: Bytes,
  notes: readonly BeforeLine[],
  around: readonly BeforeLine[],
  now: Now | undefined,
): Seen | undefined {
  const first = notes.flatMap((note) => captureOf(note) ?? [])[0];
  if (first === undefined && around.length === 0) return undefined;
  const key = projectKey(store, root);
  const changes = new Map<Bytes, SeenChange>();
  const nested = new Set<Bytes>();
  const whys = new Set<string>();
  let last: number | undefined;
  let asOf: number | undefined;
  for (const note of around) {
    const before = captureOf(note);
    const after = note.after ?? (now !== undefined && 'm' in now ? now.m : undefined);
    if (before === undefined) whys.add(note.kind === 'left out' ? note.why : 'there is no capture from before it');
    else if (after === undefined)
      whys.add(now !== undefined && 'why' in now ? now.why : 'it was not captured after it');
    if (before === undefined || after === undefined) continue;
    // What a call did and what was changed by hand after it are one, where it was not captured when it was over.
    const uncertain = note.kind !== 'captured' || (note.call === true && note.after === undefined);
    const seen = seenChanges({ store, key, before, after, uncertain });
    if (seen.kind === 'lost') {
      whys.add('the capture from before it is gone');
      continue;
    }
    last = Math.max(last ?? 0, after);
    if (note.kind !== 'captured') asOf = Math.min(asOf ?? seen.taken, seen.taken);
    for (const path of seen.nested) nested.add(path);
    for (const change of seen.changes) add(changes, { ...change, holds: note.holds, taken: seen.taken });
  }
  return {
    root,
    ...(first === undefined ? {} : { captureBefore: first }),
    ...(last === undefined ? {} : { captureAfter: last }),
    ...(asOf === undefined ? {} : { asOf }),
    changes: [...changes.values()].filter(({ before, after }) => differ(before, after)),
    nested: [...nested],
    leftOut: whys.size === 0 ? [] : [{ path: root, reason: cannotTell([...whys]) }],
  };
}

const cannotTell = (whys: readonly string[]): string =>
  `what an unknown program changed in the project cannot be told (${whys.join('; ')})`;

const captureOf = (note: BeforeLine): number | undefined => (note.kind === 'captured' ? note.m : note.last);

/** A path that several calls changed: from before the first to after the last. */
function add(changes: Map<Bytes, SeenChange>, change: SeenChange): void {
  const earlier = changes.get(change.path);
  if (earlier === undefined) return void changes.set(change.path, change);
  const uncertain = earlier.uncertain || change.uncertain ? { uncertain: true } : {};
  const { before, holds, taken } = earlier;
  changes.set(change.path, { ...change, before, holds, taken, ...uncertain });
}
