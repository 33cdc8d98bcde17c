import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import type { Change, Found } from './changes.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { statOf } from './status.ts';

/** More paths than this are not held one by one: a capture of the project keeps them. */
const MOST = 5000;

/** What the files that a command leaves behind say: nothing was lost, something was, or nobody knows. */
export type Loss = 'none' | 'lost' | 'unknown';

/**
 * Says what a command does to the work tree. `frames`: what the command names, from the top (`''`): shown when something in it is lost.
 */
export function reportChanges(scene: Scene, repo: Repository, found: Found, frames: readonly Bytes[]): Loss {
  const { out, verb } = scene;
  const top = repo.workTree;
  if (top === undefined || found.kind === 'nothing') return 'none';
  if (found.kind === 'unknown') {
    out.unknown(verb, top, 'git could not be asked what this changes');
    return 'unknown';
  }
  const state = scene.state(repo);
  const loses = (change: Change): boolean =>
    change.lost && !(state.saved === 'all' || (state.saved === 'tracked' && change.tracked));
  const lost = found.changes.some(loses);
  const many = found.changes.length > MOST;
  if (many) {
    if (lost) out.unknown(verb, top, `changes ${found.changes.length} paths`);
    else out.opaque(verb, { kind: 'known', path: top });
  }
  for (const change of found.changes) {
    // a capture holds what git tracks, and not what it ignores
    if (many && (change.tracked || !change.lost)) continue;
    out.effect({
      verb,
      path: join(top, change.path.replace(/\/$/, '')),
      way: change.way,
      destructive: loses(change),
      ...(change.maybe ? { certainty: 'maybe' as const } : {}),
      ...(change.recursive ? { recursive: true } : {}),
    });
  }
  if (lost) reportFrames(scene, top, frames);
  return lost ? 'lost' : 'none';
}

/** Folders only: a file that is named is reported by itself. */
export function reportFrames(scene: Scene, top: Bytes, frames: readonly Bytes[], way: Change['way'] = 'replace'): void {
  for (const frame of new Set(frames)) {
    const path = frame === '' ? top : join(top, frame);
    if (statOf(path)?.isDirectory())
      scene.out.effect({ verb: scene.verb, path, way, frame: true, recursive: true, destructive: true });
  }
}

/** HEAD, index, refs or stash change. */
export function reportState(
  scene: Scene,
  repo: Repository,
  destructive = false,
  options: { readonly maybe?: boolean; readonly note?: string } = {},
): void {
  // the plan is written down: nothing of the configuration goes into it
  const { gitDir, commonDir, workTree } = repo;
  scene.out.gitState(
    scene.verb,
    { gitDir, commonDir, workTree },
    {
      destructive,
      ...(options.maybe ? { certainty: 'maybe' as const } : {}),
      ...(options.note === undefined ? {} : { note: options.note }),
    },
  );
}
