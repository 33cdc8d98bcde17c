import { reachableBytes } from '../../checkpoint/collect.ts';
import { freeHolds } from '../../checkpoint/free.ts';
import { placeOfProject } from '../../checkpoint/place.ts';
import { projects } from '../../checkpoint/projects.ts';
import { readHistories } from '../../checkpoint/read.ts';
import type { RetentionRules } from '../../checkpoint/retention.ts';
import { openStore, type Store } from '../../checkpoint/store.ts';
import { toText } from '../../platform/bytes.ts';
import { bytesOf } from '../../platform/config.ts';
import { pruneBy, rulesOf } from '../../saving/prune.ts';
import { ask } from '../ask.ts';
import { type Answer, type Call, refused, wrongUsage } from '../command.ts';
import type { Context } from '../context.ts';
import { shown } from '../paths.ts';
import { withProgress } from '../progress.ts';
import { bytes, count } from '../style.ts';
import { locked } from './locked.ts';

/** `belay checkpoints prune`, now, whenever the last time was. Says what the disk has more. */
export async function pruneNow(context: Context, call: Call): Promise<Answer> {
  const { world } = context;
  if (world.unsure !== undefined)
    throw refused(
      'configuration',
      `nothing is deleted while it is not sure what you want to keep: ${world.unsure}`,
      'Mend the configuration (`belay doctor` shows the place), then run this again.',
    );
  if (context.store === undefined)
    return { json: { dropped: [], freed_holds: [], freed_bytes: 0, notes: [] }, text: 'nothing was saved yet\n' };
  const store = openStore(context.home);
  const rules = rulesFor(call, rulesOf(world.config));
  const dryRun = call.values['dry-run'] === true;
  const notes: string[] = [];
  if (dryRun && reachableBytes(store) > rules.maxTotalBytes)
    notes.push(
      `the store is over ${bytes(rules.maxTotalBytes)}: the oldest of each project would go as well, until it fits`,
    );
  const orphans = call.values['orphans'] === true && (await mayDropOrphans(store, call, dryRun, notes));
  const holds = call.values['holds'] === true && !dryRun && (await mayFreeHolds(call, notes));
  const told = await withProgress(call, 'pruning', ({ doing }) =>
    locked(store, () => {
      const freed = holds ? freeAll(store) : [];
      const done = pruneBy(store, rules, { orphans, dryRun, tell: (what) => doing(`pruning: ${what}`) });
      return { ...done, freedHolds: [...freed, ...done.freedHolds] };
    }),
  );
  const loud = told.dropped.filter(({ held }) => held > 0);
  const held = loud.reduce((sum, { held: size }) => sum + size, 0);
  return {
    json: {
      dropped: told.dropped.map(({ key, n, held: size }) => ({ key, n, held_bytes: size })),
      freed_holds: told.freedHolds.map(({ key, n, held: size }) => ({ key, n, held_bytes: size })),
      legacy: told.legacy.map(toText),
      freed_bytes: told.freed,
      ...(dryRun ? { dry_run: true } : {}),
      notes,
    },
    text: `${[
      `${count(told.dropped.length, 'checkpoint')} ${dryRun ? 'would be dropped' : `dropped, ${bytes(told.freed)} freed`}`,
      ...(loud.length > 0
        ? [
            `with ${loud.length === 1 ? 'it' : 'them'} ${dryRun ? 'would go' : 'went'} ${bytes(held)} of held files that nothing else keeps`,
          ]
        : []),
      ...(told.freedHolds.length > 0
        ? [
            `held files of ${count(told.freedHolds.length, 'checkpoint')} ${dryRun ? 'would be' : 'were'} given back; the checkpoints stay`,
          ]
        : []),
      ...(told.legacy.length > 0
        ? [
            `${dryRun ? 'would be removed' : 'removed'}, archived longer ago than anything is kept: ${told.legacy.map(shown).join(', ')}`,
          ]
        : []),
      ...notes,
    ].join('\n')}\n`,
  };
}

function rulesFor(call: Call, rules: RetentionRules): RetentionRules {
  const days = numberOf(call, 'retention-days');
  const size = numberOf(call, 'max-size-mb');
  return {
    ...rules,
    ...(days === undefined ? {} : { retentionMs: days * 86_400_000 }),
    ...(size === undefined ? {} : { maxTotalBytes: bytesOf(size) }),
  };
}

/** A number of an option, 0 or more; undefined where it was not given. */
export function numberOf(call: Call, name: string): number | undefined {
  const given = call.values[name];
  if (given === undefined) return undefined;
  const value = typeof given === 'string' && /^\d+(?:\.\d+)?$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isFinite(value)) throw wrongUsage(`--${name} takes a number, 0 or more; not '${toText(String(given))}'`);
  return value;
}

/** Names the projects whose folder was deleted, and asks. Nobody there to ask: they stay. */
async function mayDropOrphans(store: Store, call: Call, dryRun: boolean, notes: string[]): Promise<boolean> {
  const histories = readHistories(store);
  const orphans = projects(store).filter(
    (project) => (histories.get(project.key)?.checkpoints.length ?? 0) > 0 && placeOfProject(project) === 'orphan',
  );
  if (orphans.length === 0) return false;
  const names = orphans.map(({ workdir }) => shown(workdir)).join('\n  ');
  if (dryRun || call.yes) return true;
  if (
    !call.json &&
    (await ask(`The folders of these projects were deleted:\n  ${names}\nLet all their checkpoints go, for good?`))
  )
    return true;
  notes.push(`kept, because nobody said yes (--yes): ${orphans.map(({ workdir }) => shown(workdir)).join(', ')}`);
  return false;
}

async function mayFreeHolds(call: Call, notes: string[]): Promise<boolean> {
  if (
    call.yes ||
    (!call.json && (await ask('Give back all held files? Large files that were deleted cannot be brought back then.')))
  )
    return true;
  notes.push('held files were kept, because nobody said yes (--yes)');
  return false;
}

const freeAll = (store: Store) =>
  [...readHistories(store)].flatMap(([key, { checkpoints }]) =>
    checkpoints.map(({ record }) => freeHolds(store, key, record)).filter(({ paths }) => paths.length > 0),
  );
