import { newerHome } from '../platform/format.ts';
import { belayHome, environment } from '../platform/home.ts';
import { refused } from './command.ts';

/** Commands that read and write nothing of the home, or have to work whatever lies there. */
const WITHOUT_HOME: ReadonlySet<string> = new Set(
  'agent completion config demo doctor explain hook init logs off on profile prompt run setup uninstall'.split(' '),
);

/** A home that a newer belay has written is left as it is: an older one would misread it. */
export function refuseNewer(command: string): void {
  if (WITHOUT_HOME.has(command)) return;
  const home = belayHome(environment());
  const why = home === undefined ? undefined : newerHome(home);
  if (why !== undefined)
    throw refused(
      'store_newer',
      why,
      'Nothing was changed. Install the newer belay again; or keep both apart: BELAY_HOME=DIR for this one.',
    );
}
