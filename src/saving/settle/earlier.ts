import type { Plan } from '../../effects/types.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { lookAt, readBytesIfAny } from '../../platform/files.ts';
import { isInside, join } from '../../platform/paths.ts';
import { holdFolders, type PendingTurn } from '../../turns/pending.ts';
import type { ManifestHeader } from '../hold/manifest.ts';
import type { World } from '../world.ts';
import { endNow, endRules } from './end-turn.ts';

interface Pending {
  readonly folder: Bytes;
  readonly turn: PendingTurn;
}

/**
 * Ends turns of lines before the one that is about to run, so that each shows its own work and not what this line does. A long look (a tree
 * of 50,000 files takes seconds) is left to the process that the prompt has started for it, where this line does nothing in any place of
 * that turn: then whatever it is that has changed there since the prompt is told by its time, as an edit by hand is.
 */
export function endEarlier(earlier: readonly Pending[], plan: Plan, world: World, home: Bytes): void {
  for (const { folder, turn } of earlier)
    if (!isLong(folder) || meets(plan, folder)) endNow(folder, turn, Date.now(), endRules(world, home));
}

/** A manifest of more bytes has so many entries that somebody would notice: some 2,000. */
const LONG = 512 * 1024;

const manifestFile = (hold: Bytes): Bytes => join(hold, 'manifest.jsonl');

const isLong = (folder: Bytes): boolean =>
  holdFolders(folder).some((hold) => (lookAt(manifestFile(hold))?.size ?? 0) > LONG);

/** More comparisons than this cost as much as the look. */
const MANY = 100_000;

/** Whether the plan may change anything that the turn's end tells of. */
function meets(plan: Plan, folder: Bytes): boolean {
  if (plan.captures.length > 0 || plan.git.length > 0) return true;
  const tops = plan.targets.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
  return holdFolders(folder).some((hold) => {
    const { header, made } = outlineOf(hold) ?? {};
    if (header === undefined) return false; // never finished: its line did not run under it
    if (header.opaque || header.git.length > 0 || header.aside !== undefined) return true;
    const theirs = header.targets.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
    if ((theirs.length + (made?.length ?? 0)) * tops.length > MANY) return true;
    return tops.some(
      (top) =>
        theirs.some((one) => isInside(top, one) || isInside(one, top)) ||
        made?.some((one) => isInside(top, one)) === true,
    );
  });
}

interface Outline {
  readonly header: ManifestHeader;
  /** What was not there: folders on the way to a target among them, which the line may have made. */
  readonly made: readonly Bytes[];
}

/** Of a manifest what is quickly read. */
function outlineOf(hold: Bytes): Outline | undefined {
  const bytes = readBytesIfAny(manifestFile(hold));
  if (bytes === undefined) return undefined;
  const lines = bytes.toString('utf8').trimEnd().split('\n');
  const header = JSON.parse(lines.pop() ?? '') as ManifestHeader;
  const made = lines
    .filter((line) => !line.includes('"look":['))
    .map((line) => (JSON.parse(line) as { path: Bytes }).path);
  return { header, made };
}
