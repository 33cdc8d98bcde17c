import { planLine } from '../effects/plan.ts';
import type { Line } from '../shell/types.ts';
import type { TurnIdentity } from '../turns/types.ts';
import { beginPlanned, type Outcome } from './begin.ts';
import type { World } from './world.ts';

/** Plans a line and saves what it can destroy, before it runs. */
export async function beginLine(identity: TurnIdentity, line: Line, world: World): Promise<Outcome> {
  if (world.off || world.home === undefined) return { kind: 'off' };
  return beginPlanned(identity, planLine(line), world);
}
