import { isAbsentError, lookThrough } from '../platform/files.ts';
import { dirname } from '../platform/paths.ts';
import { identityOf, type Project } from './projects.ts';

/**
 * Where a project is now. `orphan`: its folder was deleted, proved by the folder above it, which is still the same one.
 * `unreachable`: nobody can tell (a volume that is not mounted, a folder above it that is gone or closed): never let go by itself.
 */
export type Place = 'live' | 'orphan' | 'unreachable';

export function placeOfProject(project: Project): Place {
  try {
    if (lookThrough(project.workdir)?.type === 'folder') {
      // Another device under the old name: the mount point of a volume that is not there, or another volume.
      return identityOf(project.workdir)?.device === project.device ? 'live' : 'unreachable';
    }
    const above = identityOf(dirname(project.workdir));
    const { parent } = project;
    if (above === undefined || parent === undefined) return 'unreachable';
    return above.device === parent.device && above.inode === parent.inode ? 'orphan' : 'unreachable';
  } catch (error) {
    if (isAbsentError(error) || error instanceof Error) return 'unreachable';
    throw error;
  }
}
