import type { Event } from '../checkpoint/ledger.ts';
import { captureBefore } from '../checkpoint/plan/whole.ts';
import { type Capture, readCaptures } from '../checkpoint/read.ts';
import type { Store } from '../checkpoint/store.ts';
import { capturesFor, type Known } from './context.ts';

/** The capture that the record itself rests on. */
export function ownCapture(store: Store, here: Known, { record }: Event): Capture | undefined {
  const ref = capturesFor(here, record).find(({ m }) => m === record.captureBefore);
  return ref && readCaptures(store, [ref]).get(ref.m);
}

/** What tells the state before an event where no turn does: its own capture, else the newest before it. */
export const nearestCapture = (store: Store, here: Known, target: Event): Capture | undefined =>
  ownCapture(store, here, target) ??
  captureBefore(store, capturesFor(here, target.record), target.record.order, target.record.generation);
