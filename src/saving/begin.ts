import type { LeftOut } from '../checkpoint/record.ts';
import { allSeenFor, findsOf } from '../effects/plan.ts';
import type { Plan } from '../effects/types.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, realAsFar } from '../platform/files.ts';
import { projectRoot } from '../platform/roots.ts';
import { setMarker } from '../turns/markers.ts';
import { isEnded, openTurn, pendingOf } from '../turns/pending.ts';
import type { TurnIdentity } from '../turns/types.ts';
import type { BeforeLine, ToolCall } from './before.ts';
import { standIns } from './hold/far.ts';
import { hold } from './hold/hold.ts';
import { baseFor, basesOf } from './place.ts';
import { runtimeOf, type World } from './world.ts';

export type Outcome =
  /** Switched off, or nowhere to keep anything. */
  | { readonly kind: 'off' }
  /** The line destroys nothing that belay knows of. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'saved';
      readonly turnFolder: Bytes;
      /** The targets. */
      readonly paths: readonly Bytes[];
      readonly leftOut: readonly LeftOut[];
      /** How many files and links were put aside. */
      readonly files: number;
      readonly captures: readonly BeforeLine[];
      /** Bytes that stay taken although the line deletes them. */
      readonly linkedBytes: number;
      /** Of the disks that large files of the line lie on, what the fullest has free. */
      readonly freePercent?: number;
    };

/**
 * Saves what the plan names, before the line runs, and marks the turn after. Throws where that failed: nothing half-done is
 * left behind, and the caller lets the line run all the same.
 */
export async function beginPlanned(
  identity: TurnIdentity,
  plan: Plan,
  world: World,
  call?: ToolCall,
): Promise<Outcome> {
  if (world.off || world.home === undefined) return { kind: 'off' };
  if (plan.verbs.includes('git worktree')) (await import('./leaving.ts')).noteLeaving(plan, world.home);
  const holds = world.config.checkpoints.hold.enabled && (plan.targets.length > 0 || plan.git.length > 0);
  const opaque = plan.captures.length > 0 || (call !== undefined && call.start.length > 0);
  if (!holds && !opaque) return { kind: 'nothing' };
  const targets = holds ? plan.targets : [];
  await endEarlier(identity, plan, world, world.home);
  const base = baseFor(world.home, targets, world.userHome);
  const held = await retried(() => {
    const turnFolder = openTurn(base, world.home ?? base, identity, Date.now());
    const result = hold({
      plan: { ...plan, targets, git: holds ? plan.git : [] },
      seen: allSeenFor(plan),
      finds: () => findsOf(plan),
      turnFolder,
      belayFolders: [realAsFar(world.home ?? base), ...standIns(realAsFar(world.home ?? base))],
      home: world.userHome,
      config: world.config,
      opaque,
      leftOut: outsideProjects(plan, world.userHome),
    });
    return { turnFolder, ...result };
  });
  const captures = opaque ? await (await import('./before.ts')).captureBefore(plan, held.turnFolder, world, call) : [];
  const ignored =
    captures.length > 0 && world.config.checkpoints.hold.enabled
      ? await (await import('./ignored.ts')).holdIgnored(captures, plan, held.turnFolder, world)
      : [];
  const runtime = runtimeOf(world, true);
  if (runtime !== undefined) setMarker(runtime, identity.session, identity.turn);
  const leftOut = [...held.leftOut, ...captures.flatMap(leftOutOf), ...ignored];
  const paths = targets.map(({ path }) => path);
  const { turnFolder, linkedBytes, freePercent, files } = held;
  const free = freePercent === undefined ? {} : { freePercent };
  return { kind: 'saved', turnFolder, paths, leftOut, files, captures, linkedBytes, ...free };
}

/** Folders in no project in which the line destroys nobody knows what: nothing is captured there. */
const outsideProjects = ({ captures }: Plan, userHome: Bytes | undefined): LeftOut[] =>
  captures
    .filter(({ folder, why }) => why === 'unknown' && projectRoot(folder, userHome) === undefined && mayBeThere(folder))
    .map(({ folder }) => ({
      path: folder,
      reason: 'what the line destroys here cannot be known, and it is no project',
    }));

/** A folder that the line itself is to make (a name that stands for mktemp's) has nothing to lose; what may not be looked at may. */
function mayBeThere(folder: Bytes): boolean {
  try {
    return lookAt(folder) !== undefined;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return true;
  }
}

const leftOutOf = (capture: BeforeLine): LeftOut[] =>
  capture.kind === 'left out' && capture.said ? [{ path: capture.root, reason: capture.why }] : [];

/**
 * Lines typed ahead: the shell has come to this line, so its earlier ones have ended, though the process that ends them may not have
 * got that far. They are ended here, so that each shows its own work and not what this line is about to do. A part (`7~1`) belongs
 * to a job that runs on: it has not ended.
 */
async function endEarlier(identity: TurnIdentity, plan: Plan, world: World, home: Bytes): Promise<void> {
  const { session, turn, pid } = identity;
  if (pid === undefined) return;
  const earlier = basesOf(home)
    .flatMap((base) => pendingOf(base, session))
    .filter((pending) => pending.turn.pid === pid && pending.turn.turn !== turn && !pending.turn.turn.includes('~'))
    .filter((pending) => !isEnded(pending.folder));
  if (earlier.length === 0) return;
  (await import('./settle/earlier.ts')).endEarlier(earlier, plan, world, home);
}

/** A turn that is settled at this very moment takes its folder away: a new part of it is begun then. */
async function retried<T>(save: () => T): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return save();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries === 3) throw error;
    }
  }
}

/** What is left out, for people: the first three with their reasons. */
export function namedLeftOut(leftOut: readonly LeftOut[]): string {
  const first = leftOut.slice(0, 3).map(({ path, reason }) => `${toText(path)} (${reason})`);
  const more = leftOut.length - first.length;
  return first.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
