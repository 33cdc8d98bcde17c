import { changedSomething, type Event, find, isSafety, isUndone, type Ledger, turnId, undoneTurns } from './ledger.ts';

/** All that one turn did: its events in every project that it touched. */
export interface Turn {
  readonly id: string;
  readonly events: readonly Event[];
  readonly order: number;
}

/** Turns that changed something and stand, newest first. */
export function standingTurns(ledger: Ledger, wanted: (event: Event) => boolean): Turn[] {
  const undone = undoneTurns(ledger);
  const stands = ({ record }: Event): boolean => record.kind === 'turn' && !isUndone(undone, record);
  return groupTurns(ledger, (event) => stands(event) && wanted(event))
    .map((turn) => ({ ...turn, events: turn.events.filter(stands) }))
    .filter(({ events }) => events.some(({ record }) => changedSomething(record)));
}

/** Turns told by their events, newest first. The events that belong to a turn come from all projects. */
export function groupTurns(ledger: Ledger, wanted: (event: Event) => boolean): Turn[] {
  const ids = new Set(ledger.events.filter(wanted).map(({ record }) => turnId(record)));
  const groups = new Map<string, Event[]>();
  for (const event of ledger.events) {
    const id = turnId(event.record);
    if (!ids.has(id) || event.record.kind !== 'turn') continue;
    const list = groups.get(id);
    if (list) list.push(event);
    else groups.set(id, [event]);
  }
  return [...groups]
    .map(([id, events]) => ({ id, events, order: Math.max(...events.map(({ record }) => record.order)) }))
    .sort((a, b) => b.order - a.order);
}

/** Sessions and those that `belay run` began from them, and from those in turn. */
export function sessionsOf(ledger: Ledger, sessions: Iterable<string>): ReadonlySet<string> {
  const out = new Set(sessions);
  for (let before = 0; before < out.size; ) {
    before = out.size;
    for (const { record } of ledger.events)
      if (record.kind === 'turn' && record.parent !== undefined && out.has(record.parent)) out.add(record.session);
  }
  return out;
}

/**
 * Undos and rollbacks that stand, newest first: each restore in every project that it reached. Going back to before a restore (a
 * redo, or `rollback` to a safety checkpoint) brings back what stood then.
 */
export function standingRestores(ledger: Ledger, wanted: (event: Event) => boolean): Turn[] {
  const groups = new Map<string, Event[]>();
  for (const event of ledger.events) {
    if (!isSafety(event)) continue;
    const list = groups.get(restoreId(event));
    if (list) list.push(event);
    else groups.set(restoreId(event), [event]);
  }
  let standing: readonly string[] = [];
  const before = new Map<string, readonly string[]>();
  for (const [id, [event]] of groups) {
    before.set(id, standing);
    if (event === undefined || !isSafety(event)) continue;
    const { what, to, partial } = event.record.did;
    const target = to === undefined || partial ? undefined : find(ledger, event.key, to);
    if (target && isSafety(target)) standing = before.get(restoreId(target)) ?? standing;
    else if (what !== 'redo') standing = [...standing, id];
  }
  return standing
    .map((id) => {
      const events = groups.get(id) ?? [];
      return { id, events, order: Math.max(...events.map(({ record }) => record.order)) };
    })
    .filter(({ events }) => events.some(wanted))
    .sort((a, b) => b.order - a.order);
}

const restoreId = (event: Event): string => `${event.record.session}\0${event.record.turn}`;
