import { linkedOf } from '../../installs/checkout.ts';
import { remember } from '../../installs/known.ts';
import type { Answer, Call } from '../command.ts';
import { checkoutOf, openHome } from '../installs/place.ts';
import { shown } from '../paths.ts';

/** `belay worktree record`, by hooks/post-checkout: remembers a linked worktree while it is there. */
export async function recordHere(call: Call): Promise<Answer> {
  const world = await openHome();
  const checkout = checkoutOf(call, world);
  const linked = linkedOf(checkout) !== undefined;
  if (linked && !world.off) remember(world.home, checkout);
  return {
    json: { recorded: linked },
    text: linked ? `${shown(checkout)} is recorded\n` : `${shown(checkout)} is no linked worktree\n`,
  };
}
