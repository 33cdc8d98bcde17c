import type { LeftOut } from '../../checkpoint/record.ts';
import type { Finds } from '../../effects/finds.ts';
import type { Looks } from '../../effects/looks.ts';
import type { Plan } from '../../effects/types.ts';
import { type Bytes, fromText } from '../../platform/bytes.ts';
import { bytesOf, type Config } from '../../platform/config.ts';
import { type Look, lookAt, removeTree } from '../../platform/files.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';
import { newHoldFolder } from '../../turns/pending.ts';
import { ClosedFolders } from './closed.ts';
import { farMark } from './far.ts';
import { holdGit } from './gitfiles.ts';
import { Keeper } from './keep.ts';
import { ManifestWriter, syncFolder } from './manifest.ts';
import { OtherNames } from './other-names.ts';
import { heldAlready, isHeld } from './versions.ts';
import { type Wanted, walkTargets } from './wanted.ts';

export interface HoldRequest {
  readonly plan: Pick<Plan, 'targets' | 'git' | 'verbs'> & Partial<Pick<Plan, 'dirs'>>;
  /** How things were when the line was planned. */
  readonly seen?: Looks | undefined;
  /** What the line would take as well if it were made before it runs: asked where a hold has to lie near its target. */
  readonly finds?: () => Finds | undefined;
  /** The folder of the turn (turns/pending.ts). */
  readonly turnFolder: Bytes;
  /** The home first, its links followed; then what can stand in for it. */
  readonly belayFolders: readonly Bytes[];
  readonly home: Bytes | undefined;
  readonly config: Config;
  readonly opaque: boolean;
  /** What is known beforehand to be out of reach. */
  readonly leftOut?: readonly LeftOut[];
  readonly aside?: 'unknown' | 'opaque';
}

export interface HoldResult {
  readonly folder: Bytes;
  readonly leftOut: readonly LeftOut[];
  /** Bytes that stay taken on the disk until they are forgotten. */
  readonly linkedBytes: number;
  /** Of the disks that large files lie on, what the fullest has free. */
  readonly freePercent?: number;
  readonly held: number;
  /** Files and links among them. */
  readonly files: number;
}

/**
 * Puts aside, before a line runs, what it can destroy: no git, no lock; the cost grows with the targets. When it
 * returns, everything is on disk and readable from `manifest.jsonl`; when it throws, nothing of it is left.
 */
export function hold(request: HoldRequest): HoldResult {
  const { plan, config, turnFolder } = request;
  const rules = config.checkpoints.hold;
  const sync = config.checkpoints.durability === 'power';
  const already = heldAlready(turnFolder);
  const folder = newHoldFolder(turnFolder);
  const keeper = new Keeper({
    folder,
    name: `${farMark(request.belayFolders[0] ?? turnFolder)}${basename(turnFolder)}-${process.pid}-${Date.now().toString(36)}`,
    forbidden: {
      targets: plan.targets.map((target) => target.path),
      home: request.home,
      finds: request.finds,
      dirs: plan.dirs,
    },
    maxCopyBytes: bytesOf(rules.max_mb),
    minFreePercent: rules.min_free_percent,
    sync,
  });
  keeper.leftOut.push(...(request.leftOut ?? []));
  const closed = new ClosedFolders(plan.verbs);
  try {
    const limits = {
      skip: rules.skip.map(fromText),
      never: request.belayFolders,
      open: (path: Bytes) => closed.open(path),
      // Where the turn holds versions already, it is what is there now that is compared with them.
      seen: already.size === 0 ? request.seen : undefined,
    };
    const manifest = new ManifestWriter(folder, sync);
    const types = new Array<Look['type'] | undefined>(plan.targets.length);
    let files = 0;
    const holdOne = (wanted: Wanted): void => {
      if (isHeld(wanted, already)) return;
      const kept = keeper.keep(wanted);
      if (kept.hold !== undefined || kept.look?.type === 'link') files++;
      manifest.add(kept);
    };
    const others = new OtherNames();
    walkTargets(plan.targets, limits, keeper.leftOut, (wanted) => {
      const target = plan.targets[wanted.of];
      if (target?.path === wanted.path) types[wanted.of] = wanted.look?.type;
      others.met(wanted, target?.parted === true);
      holdOne(wanted);
    });
    for (const wanted of others.find(request.home, request.belayFolders, keeper.leftOut)) holdOne(wanted);
    const git = plan.git.map((target, i) => holdGit(target, folder, i, keeper.leftOut));
    keeper.close();
    manifest.finish({
      v: 1,
      verbs: plan.verbs,
      targets: plan.targets,
      roots: rootsOf(plan.targets, types, request.home),
      git,
      leftOut: keeper.leftOut,
      far: keeper.far,
      opaque: request.opaque,
      ...(request.aside === undefined ? {} : { aside: request.aside }),
    });
    if (sync) for (const path of [...keeper.far, turnFolder, join(turnFolder, '..')]) syncFolder(path);
    const { leftOut, linkedBytes, freePercent } = keeper;
    const free = freePercent === undefined ? {} : { freePercent };
    return { folder, leftOut, linkedBytes, ...free, held: manifest.entries, files };
  } catch (error) {
    for (const path of [folder, ...keeper.far]) removeTree(path);
    throw error;
  } finally {
    closed.close();
  }
}

/** Found before the line runs: afterwards the marker of the project may be gone with it. */
function rootsOf(
  targets: Plan['targets'],
  types: readonly (Look['type'] | undefined)[],
  home: Bytes | undefined,
): (Bytes | null)[] {
  const known = new Map<Bytes, Bytes | null>();
  return targets.map(({ path }, of) => {
    if ((types[of] ?? lookAt(path)?.type) === 'folder') return projectRoot(path, home) ?? null;
    const folder = dirname(path);
    const before = known.get(folder);
    if (before !== undefined) return before;
    const root = projectRoot(folder, home) ?? null;
    known.set(folder, root);
    return root;
  });
}
