import { clearProject } from '../../checkpoint/clear.ts';
import { projectKey } from '../../checkpoint/projects.ts';
import { openStore } from '../../checkpoint/store.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { restingOn } from '../../saving/resting.ts';
import { type Removal, removeWorktree } from '../../worktrees/remove.ts';
import type { Tree } from '../../worktrees/trees.ts';
import { confirm } from '../ask.ts';
import { locked } from '../checkpoints/locked.ts';
import { type Answer, type Call, refused } from '../command.ts';
import { pathKeys, shown, shownText } from '../paths.ts';
import { alone, named, openPlace, type Place, reclaim, wishFor } from './open.ts';

/** `belay worktree remove NAME`. */
export async function remove(call: Call, name: Bytes): Promise<Answer> {
  const place = await openPlace(call);
  const tree = named(place, name);
  const forget = call.values['forget'] === true;
  if (forget) await confirm(call, `Remove ${shown(tree.path)} and all its checkpoints, for good?`);
  const done = await removeOne(place, tree);
  if (done.is === 'kept')
    throw refused(
      'worktree_kept',
      `${shown(tree.path)} was not removed: ${shownText(done.reason)}`,
      'Nothing was changed. belay worktree list says it of each.',
    );
  const reclaimed = await reclaim(place, [tree.path]);
  const forgotten = forget ? forgetCheckpoints(place, tree.path) : 0;
  return {
    json: {
      ...pathKeys(tree.path),
      removed: true,
      archive: done.archive?.id ?? null,
      branch_deleted: done.branch === undefined ? null : shown(done.branch),
      reclaimed: reclaimed.map(({ state, bytes }) => ({ key: state.key, bytes })),
      ...(forget ? { checkpoints_forgotten: forgotten } : {}),
    },
    text: `${tellRemoval(tree, done)}\n`,
  };
}

/** One removal, with its lock. */
export async function removeOne(place: Place, tree: Tree): Promise<Removal> {
  const lock = await alone(place);
  try {
    return await removeWorktree(tree, wishFor(place, 0));
  } finally {
    lock.release();
  }
}

export const tellRemoval = (tree: Tree, done: Removal): string =>
  done.is === 'kept'
    ? `kept ${shown(tree.path)}: ${shownText(done.reason)}`
    : [
        `removed ${shown(tree.path)}`,
        ...(done.branch === undefined ? [] : [`and its branch ${shown(done.branch)}`]),
        ...(done.archive === undefined ? [] : [`(belay worktree restore ${done.archive.id} brings it back)`]),
      ].join(' ');

function forgetCheckpoints({ world }: Place, tree: Bytes): number {
  const store = openStore(world.home);
  return locked(store, () => clearProject(store, projectKey(store, tree), () => restingOn(store))).dropped.length;
}
