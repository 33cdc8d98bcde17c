import type { Bytes } from '../../platform/bytes.ts';
import { heldOid, holdPath, holdState } from '../holds.ts';
import { type Event, isAfter, type Ledger, movedTo } from '../ledger.ts';
import { readObjects } from '../read.ts';
import type { Content, Version } from '../record.ts';
import type { Store } from '../store.ts';
import { oidOf } from '../version.ts';
import { isNow, sameBytes } from './compare.ts';
import type { Goal } from './goals.ts';
import { finderOf } from './moved-on.ts';
import type { World } from './world.ts';

type FileVersion = Version & { readonly kind: 'file' };

/** Where the bytes of a file can be had now. */
export type Source =
  | { readonly at: 'blob'; readonly oid: string }
  | { readonly at: 'hold'; readonly path: Bytes; readonly linked: boolean; readonly rewritten?: true }
  /** The file itself lies there now: it was moved. */
  | { readonly at: 'disk'; readonly path: Bytes }
  | { readonly at: 'none'; readonly why: string; readonly lastWritten?: Bytes };

export interface Sources {
  of(goal: Goal): Source;
  /** Where a moved path lies now, provided that what lies there still is what was moved. */
  movedNow(goal: Goal): Bytes | undefined;
  /** Names the bytes of a hold whose record does not. */
  holdOid(content: Content): string | undefined;
}

/** Finds contents: in the store, in a hold, at the other end of a move, or under the same name in another record. */
export function sourcesOf(store: Store, ledger: Ledger, world: World): Sources {
  const holdOids = new Map<Content, string | undefined>();
  let built: Contents | undefined;
  const contents = (): Contents => {
    built ??= contentsOf(ledger);
    return built;
  };
  const inStore = new Map<string, boolean>();
  const movedOn = finderOf(world);

  const direct = (version: FileVersion, event: Event | undefined): Source => {
    const { content } = version;
    if (content.at === 'git') return { at: 'blob', oid: content.oid };
    if (content.at === 'hold' && event) {
      const path = holdPath(store, event.key, event.record, content);
      const state = holdState(path, version.size, content);
      if (state.is === 'whole') return { at: 'hold', path, linked: content.linked };
      return {
        at: 'none',
        ...(state.is === 'rewritten' ? { lastWritten: state.path } : {}),
        why:
          state.is === 'gone' ? 'the held copy is gone' : 'the held link was written through another name of the file',
      };
    }
    return { at: 'none', why: content.at === 'nowhere' ? content.why : 'only its hash was kept' };
  };

  const sameName = (version: FileVersion): Source | undefined => {
    const oid = oidOf(version.content);
    if (oid === undefined) return undefined;
    for (const other of contents().byOid.get(oid) ?? []) {
      const source = direct(other.version, other.event);
      if (source.at !== 'none') return source;
    }
    if (!inStore.has(oid)) inStore.set(oid, readObjects(store, [oid])[0] !== undefined);
    return inStore.get(oid) ? { at: 'blob', oid } : undefined;
  };

  /** The places that a moved path went through, each with the event that took it on from there, if any. */
  function* journey(
    goal: Goal,
  ): Generator<{ readonly path: Bytes; readonly arrived: Event; readonly next: Event | undefined }> {
    let arrived = goal.event;
    let to = goal.event && goal.change ? movedTo(goal.event, goal.change) : undefined;
    for (let steps = 0; arrived && to !== undefined && steps < 1000; steps++) {
      const here: Event = arrived;
      const path: Bytes = to;
      const next = ledger.touched.get(path)?.find((event) => isAfter(event, here));
      yield { path, arrived: here, next };
      const change = next?.changes.get(path);
      to = next && change ? movedTo(next, change) : undefined;
      arrived = next;
    }
  }

  const sources: Sources = {
    holdOid: (content) => {
      if (content.at !== 'hold') return undefined;
      if (!holdOids.has(content)) {
        const event = contents().owners.get(content);
        holdOids.set(content, event && heldOid(holdPath(store, event.key, event.record, content)));
      }
      return holdOids.get(content);
    },
    movedNow: (goal) => {
      for (const { path, arrived, next } of journey(goal)) {
        if (next) continue;
        const left = arrived.changes.get(path)?.after ?? goal.version;
        return canBe(left, goal.version) && isNow(left, path, world, sources.holdOid) ? path : undefined;
      }
      return undefined;
    },
    of: (goal) => {
      const { version } = goal;
      if (version.kind !== 'file') return { at: 'none', why: 'no file' };
      const own = direct(version, goal.event ?? contents().owners.get(version.content));
      if (own.at !== 'none') return own;
      for (const { path, arrived, next } of journey(goal)) {
        const change = next?.changes.get(path);
        if (next && change?.before.kind === 'file' && change.movedTo === undefined && canBe(change.before, version)) {
          const source = direct(change.before, next);
          if (source.at !== 'none') return source;
        }
        const left = arrived.changes.get(path)?.after;
        if (
          !next &&
          left?.kind === 'file' &&
          canBe(left, version) &&
          sameBytes(left, path, world.at(path), world, sources.holdOid)
        )
          return { at: 'disk', path };
      }
      const named = sameName(version);
      if (named !== undefined || goal.change?.movedTo === undefined || goal.event === undefined)
        return named ?? orLastWritten(own);
      // Moved by the turn, and on by hand: the bytes are copied back, and where the hand has put them they stay.
      const found = movedOn(goal.event.record.root, version);
      return found === undefined ? orLastWritten(own) : { at: 'disk', path: found };
    },
  };
  return sources;
}

/** Every content that the records name: whose it is, and where else the same bytes are. */
interface Contents {
  readonly owners: ReadonlyMap<Content, Event>;
  readonly byOid: ReadonlyMap<string, readonly { readonly event: Event; readonly version: FileVersion }[]>;
}

function contentsOf(ledger: Ledger): Contents {
  const owners = new Map<Content, Event>();
  const byOid = new Map<string, { readonly event: Event; readonly version: FileVersion }[]>();
  for (const event of ledger.events)
    for (const change of event.changes.values())
      for (const version of [change.before, change.after, ...(change.later ?? [])]) {
        if (version.kind !== 'file') continue;
        owners.set(version.content, event);
        const oid = oidOf(version.content);
        if (oid === undefined || (version.content.at !== 'git' && version.content.at !== 'hold')) continue;
        const list = byOid.get(oid);
        if (list) list.push({ event, version });
        else byOid.set(oid, [{ event, version }]);
      }
  return { owners, byOid };
}

/** A file that somebody had open and wrote on after its name was gone: its last bytes are more than nothing, and said to be that. */
const orLastWritten = (source: Source): Source =>
  source.at === 'none' && source.lastWritten !== undefined
    ? { at: 'hold', path: source.lastWritten, linked: false, rewritten: true }
    : source;

/** Whether what arrived somewhere can be what set out: an inode's number alone proves nothing, it may have been given out again. */
function canBe(arrived: Version, gone: Version): boolean {
  if (arrived.kind !== 'file' || gone.kind !== 'file') return arrived.kind === gone.kind;
  const [a, b] = [oidOf(arrived.content), oidOf(gone.content)];
  return arrived.size === gone.size && (a === undefined || b === undefined || a === b);
}
