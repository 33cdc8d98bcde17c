import { pendingTurns } from '../turns/pending.ts';
import { basesOf } from './place.ts';
import type { World } from './world.ts';

/** Whether any turn waits to be settled; nothing is settled where belay is off. */
export const isAnythingPending = ({ off, home }: World): boolean =>
  !off && home !== undefined && basesOf(home).some((base) => pendingTurns(base).length > 0);
