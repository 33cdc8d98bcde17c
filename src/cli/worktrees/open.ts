import { collectInstalls, type Gc } from '../../installs/gc.ts';
import { installKey } from '../../installs/layout.ts';
import { wishOf } from '../../installs/sweep.ts';
import { type Bytes, fromText, toText } from '../../platform/bytes.ts';
import { realAsFar } from '../../platform/files.ts';
import type { Lock } from '../../platform/lock.ts';
import { basename, resolve } from '../../platform/paths.ts';
import { checkpointNow } from '../../saving/manual.ts';
import type { Inquiry } from '../../worktrees/facts.ts';
import { type RemoveWish, recover, removing } from '../../worktrees/remove.ts';
import { repositoryOf, type Tree, treesOf } from '../../worktrees/trees.ts';
import { type Call, failed, notThere, refused } from '../command.ts';
import { type Homed, openHome } from '../installs/place.ts';
import { shown } from '../paths.ts';

export interface Place {
  readonly world: Homed;
  readonly inquiry: Inquiry;
  readonly trees: readonly Tree[];
  readonly cwd: Bytes;
}

export const HOUR_MS = 3_600_000;

/** The repository that the call is about, and its worktrees. */
export async function openPlace({ cwd }: Call): Promise<Place> {
  const world = await openHome();
  if (cwd === undefined) throw failed('no_folder', 'the current folder was deleted', 'Name another one with -C DIR.');
  if (!world.off) await recover(world.home);
  const repository = repositoryOf(cwd);
  const trees = repository === undefined ? undefined : treesOf(repository.commonDir);
  if (repository === undefined || trees === undefined)
    throw failed(
      'no_repository',
      `${shown(cwd)} is in no repository whose worktrees git can list`,
      'Name one with -C DIR.',
    );
  return { world, inquiry: { repository, config: world.config, belayHome: world.home }, trees, cwd };
}

/** By path, by the last part of it, or by branch, with or without the prefix of belay's branches. */
export function named({ trees, inquiry, cwd }: Place, name: Bytes): Tree {
  const path = realAsFar(resolve(cwd, name));
  const prefix = fromText(inquiry.config.worktrees.branch_prefix);
  const found =
    trees.find((tree) => tree.path === path) ??
    trees.find(
      (tree) => !tree.main && (basename(tree.path) === name || tree.branch === prefix + name || tree.branch === name),
    );
  if (found !== undefined) return found;
  const names = trees.filter(({ main }) => !main).map((tree) => shown(basename(tree.path)));
  throw notThere(
    'no_worktree',
    `there is no worktree ${toText(name)}`,
    names.length === 0 ? 'The repository has none.' : `There are: ${names.join(', ')}`,
  );
}

/** How a removal saves the tree first: a checkpoint of its own, which stays restorable with `belay rollback N --to DIR`. */
export const wishFor = ({ world, inquiry }: Place, maxAge: number): RemoveWish => ({
  inquiry,
  limits: { maxAge },
  checkpoint: async (tree) => {
    if (world.off) return undefined; // switched off: git has what it tracks, the archive the rest
    const label = 'before the worktree was removed';
    const done = await checkpointNow(world, tree, { label, cwd: tree, session: undefined });
    // Too large to be captured: what git tracks is in commits that stay, everything else is archived.
    return done.is === 'written' || done.because === 'too large' ? undefined : done.why;
  },
});

/** The lock of removals; whoever has it is at it for moments. */
export async function alone(place: Place): Promise<Lock> {
  if (place.world.unsure !== undefined)
    throw refused(
      'configuration',
      `nothing is removed while it is not sure what you want to keep: ${place.world.unsure}`,
      'Mend the configuration (`belay doctor` shows the place), then run this again.',
    );
  const lock = await removing(place.world.home, 30_000);
  if (lock === undefined)
    throw refused('busy', 'worktrees are being removed by another belay', 'Run this again in a moment.');
  return lock;
}

/** The install states of worktrees that went. */
export async function reclaim({ world }: Place, paths: readonly Bytes[]): Promise<Gc['reclaimed']> {
  const out: Gc['reclaimed'][number][] = [];
  for (const path of paths) {
    const done = await collectInstalls({ ...wishOf(world.home, world.userHome, world.config), only: installKey(path) });
    out.push(...done.reclaimed);
  }
  return out;
}
