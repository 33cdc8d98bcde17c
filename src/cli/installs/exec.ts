import { leaseCurrent } from '../../installs/prepare.ts';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { type Call, notThere, wrongUsage } from '../command.ts';
import { shown } from '../paths.ts';
import { startChild, withInstall } from './child.ts';
import { checkoutOf, openHome } from './place.ts';

/** `belay installs exec -- CMD…`: its status is the command's. */
export async function execIn(call: Call, words: readonly Bytes[]): Promise<number> {
  const [program, ...args] = words.map(toText);
  if (program === undefined) throw wrongUsage('which command? belay installs exec -- CMD…');
  const world = await openHome();
  const checkout = checkoutOf(call, world);
  const leased = leaseCurrent(world.home, checkout);
  if (leased === undefined)
    throw notThere('no_install', `${shown(checkout)} has no environment`, 'belay installs prepare makes one.');
  const { child, status } = startChild(program, args, call.cwd ?? '/', withInstall(leased.environment));
  const lease = leased.lease(child.pid ?? process.pid);
  try {
    return await status;
  } finally {
    lease.end();
  }
}
