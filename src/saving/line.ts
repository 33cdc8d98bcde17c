import { planLine } from '../effects/plan.ts';
import type { Plan } from '../effects/types.ts';
import type { Line } from '../shell/types.ts';
import { setWhole } from '../turns/markers.ts';
import type { TurnIdentity } from '../turns/types.ts';
import { beginPlanned, type Outcome } from './begin.ts';
import { runtimeOf, type World } from './world.ts';

/** Plans a line and saves what it can destroy, before it runs. `begins`: it is the text that the turn consists of. */
export async function beginLine(
  identity: TurnIdentity,
  line: Line,
  world: World,
  begins: boolean = false,
): Promise<Outcome> {
  if (world.off || world.home === undefined) return { kind: 'off' };
  const plan = planLine(line);
  const outcome = await beginPlanned(identity, plan, world);
  if (begins && isWhole(plan) && (outcome.kind !== 'saved' || outcome.leftOut.length === 0)) {
    const runtime = runtimeOf(world, true);
    if (runtime !== undefined) setWhole(runtime, identity.session, identity.turn);
  }
  return outcome;
}

/** Nothing in it is opaque or unknown, and nothing is done later than what was held now can vouch for (`(sleep 9; rm x) &`). */
const isWhole = (plan: Plan): boolean =>
  plan.parsed &&
  plan.captures.length === 0 &&
  plan.unknownPrograms.length === 0 &&
  plan.targets.every((target) => !target.deferred) &&
  plan.effects.every((effect) => effect.certainty !== 'unknown' && !effect.deferred);
