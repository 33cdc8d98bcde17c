import { projectKey } from '../checkpoint/projects.ts';
import type { LeftOut } from '../checkpoint/record.ts';
import { openStore } from '../checkpoint/store.ts';
import type { Plan, Target } from '../effects/types.ts';
import { type Bytes, fromText, toText } from '../platform/bytes.ts';
import { realAsFar } from '../platform/files.ts';
import { describe, log } from '../platform/log.ts';
import { basename, isInside, join } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import type { BeforeLine } from './before.ts';
import { ignoredIn } from './capture/ignored.ts';
import { standIns } from './hold/far.ts';
import { hold } from './hold/hold.ts';
import { pathsBelow, tryLook } from './now.ts';
import type { World } from './world.ts';

type Why = 'unknown' | 'opaque';

/** So many paths are put aside for one line: of one that destroys nobody knows what, and of any program nobody can parse. */
const MOST = { unknown: 2000, opaque: 500 } as const;

const TOO_MUCH = 'git ignores it, and it is too much to put aside for a line of which nobody knows what it destroys';

/**
 * Puts aside what git ignores in the projects that were captured because nobody knows what a line destroys there: no capture has it. By
 * copy where it is small, else by link; a program that writes in place through such a link is found out when the turn is settled.
 * Returns what is not put aside, where it has to be said before the line runs.
 */
export async function holdIgnored(
  captures: readonly BeforeLine[],
  plan: Plan,
  turnFolder: Bytes,
  world: World,
): Promise<LeftOut[]> {
  const said: LeftOut[] = [];
  for (const capture of captures) {
    const here = plan.captures.filter(({ folder }) => projectRoot(folder, world.userHome) === capture.root);
    const why: Why | undefined = here.some((one) => one.why === 'unknown') ? 'unknown' : here[0]?.why;
    if (why === undefined || (why === 'opaque' && capture.kind !== 'captured')) continue;
    try {
      const leftOut = await holdIn(capture.root, why, plan, turnFolder, world);
      if (why === 'unknown') said.push(...leftOut);
    } catch (error) {
      // What the line names is held, and the project captured: they stand.
      log(world.home, `ignored files of ${toText(capture.root)}: ${describe(error)}`);
      if (why === 'unknown') said.push({ path: capture.root, reason: 'what git ignores in it could not be put aside' });
    }
  }
  return said;
}

async function holdIn(root: Bytes, why: Why, plan: Plan, turnFolder: Bytes, world: World): Promise<readonly LeftOut[]> {
  const { home, config } = world;
  if (home === undefined) return [];
  const { budget_ms, opaque_budget_ms, hold: rules } = config.checkpoints;
  const deadline = Date.now() + (why === 'unknown' ? budget_ms : opaque_budget_ms);
  const store = openStore(home);
  const found = await ignoredIn({ store, key: projectKey(store, root), root, config, deadline });
  const belayFolders = [realAsFar(home), ...standIns(realAsFar(home))];
  const leftOut: LeftOut[] = [];
  // Of any program, at every call: as it was before there was time for it, and no news.
  if (found === undefined && why === 'unknown')
    leftOut.push({ path: root, reason: 'what git ignores in it could not be listed in time' });
  const skip = rules.skip.map(fromText);
  const named = plan.targets.map(({ path }) => path);
  const targets: Target[] = [];
  let room: number = MOST[why];
  for (const path of (found ?? []).map((below) => join(root, below))) {
    if (skip.includes(basename(path)) || named.some((target) => isInside(path, target))) continue;
    const count = countUpTo(path, room, { skip, never: belayFolders });
    if (count === undefined) leftOut.push({ path, reason: TOO_MUCH });
    else {
      room -= count;
      const recursive = tryLook(path)?.type === 'folder';
      targets.push({ path, way: 'delete', recursive, deferred: false, exposed: false });
    }
  }
  if (targets.length + leftOut.length === 0) return [];
  const request = { plan: { targets, git: [], verbs: plan.verbs }, turnFolder, belayFolders, home: world.userHome };
  return hold({ ...request, config, opaque: true, leftOut, aside: why }).leftOut;
}

/** How many paths there are, itself one; undefined where there are more than `most`. */
function countUpTo(path: Bytes, most: number, rules: Parameters<typeof pathsBelow>[1]): number | undefined {
  let count = 0;
  for (const _ of pathsBelow(path, rules)) if (++count > most) return undefined;
  return count;
}
