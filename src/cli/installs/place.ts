import type { Bytes } from '../../platform/bytes.ts';
import { projectRoot } from '../../platform/roots.ts';
import { openWorld, type World } from '../../saving/world.ts';
import { type Call, failed, refused } from '../command.ts';

export type Homed = World & { readonly home: Bytes };

/** Where belay keeps its data, and what the user wants; nothing is settled for that. */
export async function openHome(): Promise<Homed> {
  const world = await openWorld();
  if (world.home === undefined) throw failed('no_home', 'neither BELAY_HOME nor HOME says where installs are kept');
  if (world.foreign !== undefined) throw refused('store_not_ours', world.foreign);
  return world as Homed;
}

/** The checkout that the call is about. */
export function checkoutOf({ cwd }: Call, { userHome }: World): Bytes {
  if (cwd === undefined) throw failed('no_folder', 'the current folder was deleted', 'Name another one with -C DIR.');
  return projectRoot(cwd, userHome) ?? cwd;
}
