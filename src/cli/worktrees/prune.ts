import { factsOf } from '../../worktrees/facts.ts';
import { type Removal, removeWorktree } from '../../worktrees/remove.ts';
import type { Tree } from '../../worktrees/trees.ts';
import { verdictOf } from '../../worktrees/verdict.ts';
import { confirm } from '../ask.ts';
import { numberOf } from '../checkpoints/prune.ts';
import type { Answer, Call } from '../command.ts';
import { pathKeys, shown, shownText } from '../paths.ts';
import { count } from '../style.ts';
import { alone, HOUR_MS, openPlace, type Place, reclaim, wishFor } from './open.ts';
import { tellRemoval } from './remove.ts';

/** `belay worktree prune`. */
export async function prune(call: Call): Promise<Answer> {
  const place = await openPlace(call);
  const { world, inquiry, trees } = place;
  const maxAge = (numberOf(call, 'max-age-hours') ?? world.config.worktrees.max_age_hours) * HOUR_MS;
  const facts = await factsOf(trees, inquiry);
  const judged = facts.map((one) => ({ tree: one.tree, verdict: verdictOf(one, { maxAge }) }));
  const going = judged.filter(({ verdict }) => verdict.verdict !== 'keep');
  const staying = judged.filter(({ tree, verdict }) => verdict.verdict === 'keep' && !tree.main);
  const plan = [
    ...going.map(({ tree, verdict }) => `${verdict.verdict} ${shown(tree.path)}: ${shownText(verdict.reason)}`),
    ...staying.map(({ tree, verdict }) => `keep ${shown(tree.path)}: ${shownText(verdict.reason)}`),
  ];
  if (call.values['dry-run'] === true || going.length === 0)
    return {
      json: {
        removed: going.map(({ tree, verdict }) => ({ ...pathKeys(tree.path), ...verdict })),
        kept: staying.map(({ tree, verdict }) => ({ ...pathKeys(tree.path), reason: verdict.reason })),
        reclaimed: [],
        ...(call.values['dry-run'] === true ? { dry_run: true } : {}),
      },
      text: `${[...plan, `${count(going.length, 'worktree')} ${call.values['dry-run'] === true ? 'would be removed' : 'removed'}`].join('\n')}\n`,
    };
  await confirm(call, `${plan.join('\n')}\nRemove ${count(going.length, 'worktree')}?`);
  const done = await removeAll(
    place,
    going.map(({ tree }) => tree),
    maxAge,
  );
  const gone = done.filter(({ removal }) => removal.is === 'removed');
  const reclaimed = await reclaim(
    place,
    gone.map(({ tree }) => tree.path),
  );
  const kept = [
    ...staying.map(({ tree, verdict }) => ({ tree, reason: verdict.reason })),
    ...done.flatMap(({ tree, removal }) => (removal.is === 'kept' ? [{ tree, reason: removal.reason }] : [])),
  ];
  return {
    json: {
      removed: gone.map(({ tree, removal }) => ({ ...pathKeys(tree.path), ...told(removal) })),
      kept: kept.map(({ tree, reason }) => ({ ...pathKeys(tree.path), reason })),
      reclaimed: reclaimed.map(({ state, bytes }) => ({ key: state.key, bytes })),
    },
    text: `${[...done.map(({ tree, removal }) => tellRemoval(tree, removal)), `${count(gone.length, 'worktree')} removed`, `${reclaimed.length} install state dir(s) of deleted checkouts`].join('\n')}\n`,
  };
}

async function removeAll(
  place: Place,
  trees: readonly Tree[],
  maxAge: number,
): Promise<{ tree: Tree; removal: Removal }[]> {
  const lock = await alone(place);
  const out: { tree: Tree; removal: Removal }[] = [];
  try {
    for (const tree of trees) {
      lock.beat();
      out.push({ tree, removal: await removeWorktree(tree, wishFor(place, maxAge)) });
    }
  } finally {
    lock.release();
  }
  return out;
}

function told(removal: Removal): object {
  if (removal.is === 'kept') return {};
  return {
    verdict: removal.archive === undefined ? 'remove' : 'archive',
    archive: removal.archive?.id ?? null,
    branch_deleted: removal.branch === undefined ? null : shown(removal.branch),
  };
}
