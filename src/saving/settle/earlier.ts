import type { Plan } from '../../effects/types.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { isInside } from '../../platform/paths.ts';
import { holdFolders, type Pending } from '../../turns/pending.ts';
import { readHeader } from '../hold/manifest.ts';
import type { World } from '../world.ts';
import { endNow, endRules } from './end-turn.ts';
import { isLong } from './found-next.ts';

/**
 * Ends turns of lines before the one that is about to run, so that each shows its own work and not what this line does. A long look (a tree
 * of 50,000 files takes seconds) is left to the process that the prompt has started for it: what this line may change is held, which
 * tells how that turn has left it (`asFoundNext`). Only where this line may change what it does not hold is the look taken here.
 */
export function endEarlier(earlier: readonly Pending[], plan: Plan, world: World, home: Bytes): void {
  for (const { folder, turn } of earlier)
    if (!isLong(folder) || mayChangeUnheld(plan, folder)) endNow(folder, turn, Date.now(), endRules(world, home));
}

/** Whether the plan may change anything that the turn's end tells of and that no hold of its own tells: an unknown program, git in its folder. */
function mayChangeUnheld(plan: Plan, folder: Bytes): boolean {
  if (plan.captures.length > 0) return true;
  const repositories = plan.git.flatMap(({ gitDir, commonDir }) => [gitDir, commonDir]);
  return holdFolders(folder).some((hold) => {
    const header = readHeader(hold);
    if (header === undefined) return false; // never finished: its line did not run under it
    if (header.opaque || header.git.length > 0 || header.aside !== undefined) return true;
    const theirs = header.targets.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
    return repositories.some((own) => theirs.some((one) => isInside(own, one)));
  });
}
