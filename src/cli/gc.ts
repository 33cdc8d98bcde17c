import { projectKey, projectOf } from '../checkpoint/projects.ts';
import { findStore, openStore } from '../checkpoint/store.ts';
import { collectInstalls, type Gc } from '../installs/gc.ts';
import { recall } from '../installs/known.ts';
import { installKey } from '../installs/layout.ts';
import { wishOf } from '../installs/sweep.ts';
import { toolHome, tools } from '../installs/tools/find.ts';
import { collectTools, type ToolState } from '../installs/tools/gc.ts';
import type { Bytes } from '../platform/bytes.ts';
import { realAsFar } from '../platform/files.ts';
import { resolve } from '../platform/paths.ts';
import { pruneBy, rulesOf, takeAll } from '../saving/prune.ts';
import { type Answer, type Call, type Command, refused } from './command.ts';
import { checkoutKeys } from './installs/list.ts';
import { type Homed, openHome } from './installs/place.ts';
import { pathKeys, shown } from './paths.ts';
import { withProgress } from './progress.ts';
import { bytes, count, padLeft } from './style.ts';

/** `belay gc`: the install states of checkouts that are proved to be deleted are given back. */
export const gc: Command = {
  summary: 'give back the install states of deleted checkouts',
  usage: ['belay gc [--dry-run] [--all-tools] [--removed DIR]'],
  help: `
Only what is proved goes: the checkout is missing, the folder that it lay in is still there and still the same one, and that folder is a
\`.worktrees/\`, or lies under belay's own home, or the repository no longer lists the worktree. An unmounted volume, a container's path, a
missing parent prove nothing; a state without a record is never touched; one that is locked or leased is held.

  --dry-run      says what would go, and why everything else stays
  --all-tools    also lists what pipenv, Bazel, VS Code, direnv and Claude Code keep for deleted checkouts; it is removed only of those
                 that installs.tools names
  --removed DIR  only what belongs to the worktree DIR, which was just removed: its install state, and its checkpoints that are older
                 than retention_days (the newest one stays). hooks/post-worktree-remove calls it`,
  options: { 'dry-run': { type: 'boolean' }, removed: { type: 'string' }, 'all-tools': { type: 'boolean' } },
  words: 0,
  run: async (call) => {
    const world = await openHome();
    const { home, userHome, config, unsure } = world;
    const dryRun = call.values['dry-run'] === true;
    if (unsure !== undefined && !dryRun)
      throw refused(
        'configuration',
        `nothing is deleted while it is not sure what you want: ${unsure}`,
        'Mend the configuration (`belay doctor` shows the place), then run this again.',
      );
    const removed = removedFolder(call);
    const done = await withProgress(call, 'deleting', ({ part }) =>
      collectInstalls({
        ...wishOf(home, userHome, config),
        ...(removed === undefined ? {} : { only: installKey(removed) }),
        dryRun,
        tell: part,
      }),
    );
    if (removed !== undefined && !dryRun) dropOldOf(world, removed);
    const others = removed === undefined ? await toolsOf(call, world, dryRun) : [];
    return answer(done, others, dryRun, call.values['all-tools'] === true);
  },
};

/** Those that the configuration names; with `--all-tools` the others, too, but they are only listed. */
async function toolsOf({ values }: Call, world: Homed, dryRun: boolean): Promise<readonly ToolState[]> {
  const where = toolHome(world.env);
  const enabled = new Set(world.config.installs.tools);
  const wanted = tools.filter(({ name }) => values['all-tools'] === true || enabled.has(name));
  if (where === undefined || wanted.length === 0) return [];
  return collectTools(wanted, {
    where,
    enabled,
    home: world.home,
    known: (key) => recall(world.home, key),
    dryRun,
  });
}

function removedFolder({ values, cwd }: Call): Bytes | undefined {
  const given = values['removed'];
  return typeof given === 'string' ? realAsFar(resolve(cwd ?? '/', given)) : undefined;
}

/** Its checkpoints by age, as if the worktree were there; the newest stays, for `belay rollback N --to DIR`. */
function dropOldOf({ home, config }: Homed, removed: Bytes): void {
  const store = config.checkpoints.auto_prune ? findStore(home) : undefined;
  if (store === undefined || projectOf(store, removed) === undefined) return;
  const locks = takeAll(store.base, LOCK_PATIENCE);
  if (locks === undefined) return; // somebody writes there: they go another time
  try {
    pruneBy(openStore(home), rulesOf(config), { removed: new Set([projectKey(store, removed)]) });
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** In the background, ms. */
const LOCK_PATIENCE = 10_000;

function answer(done: Gc, others: readonly ToolState[], dryRun: boolean, allTools: boolean): Answer {
  const freed = done.reclaimed.reduce((sum, one) => sum + one.bytes, 0);
  const staying = done.kept.filter(({ is }) => is !== 'live');
  const live = done.kept.length - staying.length;
  return {
    json: {
      reclaimed: done.reclaimed.map(({ state, checkout, by, bytes: size }) => ({
        key: state.key,
        ...checkoutKeys(checkout),
        bytes: size,
        reason: by,
      })),
      kept: done.kept.map(({ state, is, reason }) => ({
        key: state.key,
        ...(typeof state.record === 'object' ? checkoutKeys(state.record.path) : { checkout: null }),
        state: is,
        reason,
      })),
      moved: done.moved.map(({ state, to }) => ({ key: state.key, to: pathKeys(to).path })),
      finished: done.finished,
      ...(done.stuck.length === 0 ? {} : { stuck: done.stuck.map((path) => pathKeys(path).path) }),
      tools: others.map(({ tool, path, checkout, bytes: size, removed, why }) => ({
        tool: tool.name,
        ...pathKeys(path),
        ...checkoutKeys(checkout),
        bytes: size,
        removed: removed && !dryRun,
        ...(why === undefined ? {} : { reason: why }),
      })),
      freed_bytes: freed,
      ...(dryRun ? { dry_run: true } : {}),
    },
    text: `${[
      ...done.reclaimed.map(({ checkout, bytes: size }) => `${padLeft(bytes(size), 10)}  ${shown(checkout)}`),
      ...done.moved.map(({ to }) => `moved to ${shown(to)}, and its state with it`),
      ...(live > 0 ? [`${live} in use by checkouts that are there`] : []),
      ...staying.map(
        ({ state, reason }) =>
          `kept ${typeof state.record === 'object' ? shown(state.record.path) : state.key}: ${reason}`,
      ),
      ...(done.finished > 0 ? [`${done.finished} that an earlier run had left half deleted`] : []),
      ...done.stuck.map((path) => `${shown(path)} is half deleted, and cannot be deleted whole`),
      ...others.map(
        ({ tool, path, bytes: size, removed, why }) =>
          `${padLeft(bytes(size), 10)}  ${tool.name}: ${shown(path)}${removed ? '' : ` (${why ?? 'listed only'})`}`,
      ),
      ...(allTools && others.length === 0 ? ['the other tools keep nothing for deleted checkouts'] : []),
      `${dryRun ? 'would be reclaimed: ' : ''}${count(done.reclaimed.length, 'install state')} of deleted checkouts${freed > 0 ? `, ${bytes(freed)}` : ''}`,
    ].join('\n')}\n`,
  };
}
