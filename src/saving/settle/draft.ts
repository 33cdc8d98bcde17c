import type { Source } from '../../checkpoint/fast-import.ts';
import type { Change, GitState, LeftOut } from '../../checkpoint/record.ts';
import type { Draft } from '../../checkpoint/write.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { basename, isInside, join, relativeTo } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';
import { maskSecrets } from '../../platform/secrets.ts';
import type { PendingTurn } from '../../turns/pending.ts';
import { type EndEntry, type EndManifest, firstVersions } from '../end.ts';
import type { Manifest } from '../hold/manifest.ts';
import { type Gathering, isUnchanged, type Move, versionAfter, versionBefore } from './contents.ts';
import { addGit, shorten } from './git-states.ts';
import { heldLater, laterVersions } from './later.ts';

/** One project's record of a turn, ready to be written. */
export interface ProjectDraft {
  readonly root: Bytes;
  readonly draft: Draft;
  readonly blobs: ReadonlyMap<string, Source>;
  readonly moves: readonly Move[];
}

export interface DraftRules {
  readonly userHome: Bytes | undefined;
  readonly largestBlob: number;
  /** What two captures around an opaque program tell. */
  readonly seen: readonly Seen[];
  /** Paths that an earlier part of the turn has recorded: those that lines named, and those that captures told of. */
  readonly done?: ReadonlySet<Bytes>;
  readonly doneSeen?: ReadonlySet<Bytes>;
  /** Where what is read of the turn's work stays until the record is written; else in memory. */
  readonly keep?: (bytes: Uint8Array) => Source;
}

/** One project between two captures. */
export interface Seen {
  readonly root: Bytes;
  /** Absent where there is none. */
  readonly captureBefore?: number;
  /** Absent where nothing unknown ran: then the capture before is all there is to it. */
  readonly captureAfter?: number;
  /** When the capture before was taken, where it is older than the line (ms since 1970). */
  readonly asOf?: number;
  readonly changes: readonly SeenChange[];
  /** Repositories that the capture before does not have. */
  readonly nested: readonly Bytes[];
  /** Where nobody can tell what was done, and why. */
  readonly leftOut: readonly LeftOut[];
}

/** `holds`: how many holds the turn had when the capture before was taken, the line's own among them; `taken`: when, ms since 1970. */
export type SeenChange = Change & { readonly holds?: number | undefined; readonly taken?: number | undefined };

/** A record under way. */
interface Building extends Gathering {
  readonly root: Bytes;
  readonly changes: Change[];
  readonly leftOut: LeftOut[];
  readonly gitBefore: GitState[];
  readonly gitAfter: GitState[];
  readonly nested: Bytes[];
  captures?: Pick<Seen, 'captureBefore' | 'captureAfter' | 'asOf'>;
}

/**
 * What a turn did, one record for each project it touched: for every path that is otherwise than before, both versions. A turn
 * that changed nothing is recorded as such, in the project of its folder.
 */
export function draftsOf(
  turn: PendingTurn,
  manifests: readonly Manifest[],
  end: EndManifest,
  rules: DraftRules,
): ProjectDraft[] {
  const home = looseRoot(turn, rules);
  const building = new Map<Bytes, Building>();
  const of = (root: Bytes): Building => {
    const known = building.get(root) ?? {
      root,
      largestBlob: rules.largestBlob,
      blobs: new Map(),
      keep: rules.keep ?? ((bytes) => bytes),
      moves: [],
      changes: [],
      leftOut: [],
      gitBefore: [],
      gitAfter: [],
      nested: [],
    };
    building.set(root, known);
    return known;
  };
  const first = firstVersions(manifests);
  const roots = rootsByTarget(manifests);
  const rootOf = (path: Bytes): Bytes => {
    const held = first.get(path);
    const own = held === undefined ? undefined : held.manifest.header.roots[held.entry.of];
    return own ?? (own === null ? undefined : roots.find(({ target }) => isInside(path, target))?.root) ?? home;
  };
  const moved = movedPaths(manifests, end, first);
  const early = seenEarlier(rules, first);
  const heldAgain = heldLater(manifests, first, early);

  /** Written in place, or touched: a link does not tell. */
  const written: LeftOut[] = [];
  for (const entry of end.paths) {
    if (rules.done?.has(entry.path)) continue;
    const held = first.get(entry.path);
    const root = rootOf(entry.path);
    const to = of(root);
    const moves = to.moves.length;
    const earlier = early.get(entry.path);
    const before = earlier?.before ?? versionBefore(held?.entry, held?.manifest, to, entry.look);
    const after = versionAfter(entry, to, earlier === undefined ? held?.entry.look : undefined);
    const looks = {
      ...(held?.entry.look === undefined || earlier !== undefined ? {} : { before: held.entry.look }),
      ...(entry.look === undefined ? {} : { after: entry.look }),
    };
    const isAsBefore = isUnchanged(before, after, looks);
    const later = isAsBefore && earlier === undefined ? [] : laterVersions(entry.path, heldAgain, [before, after], to);
    if (isAsBefore && later.length === 0) {
      to.moves.length = moves; // what nobody needs is not kept: its hold goes with the turn
      continue;
    }
    if (held?.manifest.header.aside !== undefined && before.kind === 'file' && before.content.at === 'nowhere') {
      written.push({ path: entry.path, reason: `git ignores it, and how it was is not known: ${before.content.why}` });
      continue;
    }
    const movedTo = moved.get(entry.path);
    to.changes.push({
      path: shorten(entry.path, root),
      before,
      after,
      by: 'named',
      ...(entry.uncertain || earlier?.uncertain ? { uncertain: true } : {}),
      ...(movedTo === undefined ? {} : { movedTo: shorten(movedTo, root) }),
      ...(later.length === 0 ? {} : { later }),
    });
  }
  // As before the turn in the end, but not all the time: what was there in between is lost to nobody.
  const changed = new Set(end.paths.map(({ path }) => path));
  for (const path of heldAgain.keys()) {
    if (changed.has(path) || rules.done?.has(path) || early.has(path)) continue;
    const root = rootOf(path);
    const to = of(root);
    const moves = to.moves.length;
    const held = first.get(path);
    const before = versionBefore(held?.entry, held?.manifest, to);
    const later = laterVersions(path, heldAgain, [before], to);
    if (later.length === 0) to.moves.length = moves;
    else to.changes.push({ path: shorten(path, root), before, after: before, by: 'named', later });
  }
  for (const { header } of manifests)
    for (const left of header.aside === 'opaque' ? [] : header.leftOut) {
      const root = projectRoot(left.path, rules.userHome) ?? home;
      of(root).leftOut.push({ path: shorten(left.path, root), reason: left.reason });
    }
  addGit(manifests, end, of, (path) => projectRoot(path, rules.userHome) ?? home);
  const isTold = (path: Bytes): boolean =>
    rules.doneSeen?.has(path) === true || (first.has(path) && (changed.has(path) || !early.has(path)));
  for (const seen of rules.seen) addSeen(seen, of, building, isTold);
  // Of what was put aside for a program: that some of it is not there is said where the program did something else.
  for (const { path, reason } of [...written, ...asideLeftOut(manifests)]) {
    const built = building.get(projectRoot(path, rules.userHome) ?? home);
    if (built !== undefined && !saysNothing(built)) built.leftOut.push({ path: shorten(path, built.root), reason });
  }
  const isNamed = manifests.some(({ header: { targets, opaque, aside } }) =>
    aside === undefined ? targets.length > 0 || !opaque : false,
  );
  if (building.size === 0 && isNamed) of(home);
  const telling = isNamed ? [...building] : [...building].filter(([, built]) => !saysNothing(built));
  return telling.map(([root, built]) => ({
    root,
    draft: draft(turn, manifests, end, built),
    blobs: built.blobs,
    moves: built.moves,
  }));
}

const asideLeftOut = (manifests: readonly Manifest[]): LeftOut[] =>
  manifests.flatMap(({ header }) => (header.aside === 'opaque' ? header.leftOut : []));

/** A file that was merely touched is no work of a program. */
const saysNothing = ({ changes, leftOut, gitBefore }: Building): boolean =>
  changes.length + leftOut.length + gitBefore.length === 0;

/**
 * What a capture from before the first hold of a path saw of it: an unknown program had changed it before it was named (`make`, then `rm`
 * of what it made). The turn began as the capture says; what was held is a version in between.
 */
function seenEarlier(rules: DraftRules, first: ReturnType<typeof firstVersions>): ReadonlyMap<Bytes, SeenChange> {
  const out = new Map<Bytes, SeenChange>();
  for (const { root, changes } of rules.seen)
    for (const change of changes) {
      const path = join(root, change.path);
      const held = first.get(path);
      if (held === undefined || change.holds === undefined || rules.doneSeen?.has(path)) continue;
      if (Number(basename(held.manifest.folder)) > change.holds && change.before.kind !== 'unknown')
        out.set(path, change);
    }
  return out;
}

/** The project of the turn's folder; in none, the folder itself stands for one (scope `targets`, never captured). */
function looseRoot(turn: PendingTurn, rules: DraftRules): Bytes {
  return projectRoot(turn.cwd, rules.userHome) ?? turn.cwd;
}

/** Deepest targets first. */
function rootsByTarget(manifests: readonly Manifest[]): { target: Bytes; root: Bytes | undefined }[] {
  return manifests
    .flatMap(({ header }) =>
      header.targets.flatMap((target, i) => {
        const root = header.roots[i] ?? undefined;
        return [target.path, ...(target.to === undefined ? [] : [target.to])].map((path) => ({ target: path, root }));
      }),
    )
    .sort((a, b) => b.target.length - a.target.length);
}

/** Where the inode of a path went, for what the turn renamed. */
function movedPaths(
  manifests: readonly Manifest[],
  end: EndManifest,
  first: ReturnType<typeof firstVersions>,
): Map<Bytes, Bytes> {
  const out = new Map<Bytes, Bytes>();
  const now = new Map<Bytes, EndEntry>(end.paths.map((entry) => [entry.path, entry]));
  for (const { header } of manifests)
    for (const { way, path, to } of header.targets) {
      if (way !== 'move' || to === undefined) continue;
      for (const [from, { entry }] of first) {
        if (!isInside(from, path) || now.get(from)?.look !== undefined || !now.has(from)) continue;
        const there = from === path ? to : join(to, relativeTo(path, from));
        const look = now.get(there)?.look;
        if (look !== undefined && look.ino === entry.look?.ino && look.dev === entry.look.dev) out.set(from, there);
      }
    }
  return out;
}

/**
 * Named paths are known exactly; the captures tell the rest. A program that did nothing leaves no record; one of which nobody can tell
 * what it did leaves one that says so.
 */
function addSeen(
  seen: Seen,
  of: (root: Bytes) => Building,
  building: ReadonlyMap<Bytes, Building>,
  isTold: (path: Bytes) => boolean,
): void {
  const changes = seen.changes.flatMap(({ holds: _, taken: __, ...change }) =>
    isTold(join(seen.root, change.path)) ? [] : [change],
  );
  if (changes.length + seen.leftOut.length === 0 && !building.has(seen.root)) return;
  const to = of(seen.root);
  to.changes.push(...changes);
  to.nested.push(...seen.nested);
  to.leftOut.push(...seen.leftOut);
  const { captureBefore, captureAfter, asOf } = seen;
  if (captureBefore === undefined) return;
  to.captures = {
    captureBefore,
    ...(captureAfter === undefined ? {} : { captureAfter }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

function draft(turn: PendingTurn, manifests: readonly Manifest[], end: EndManifest, built: Building): Draft {
  const verbs = [...new Set(manifests.flatMap(({ header }) => header.verbs))];
  return {
    kind: 'turn',
    scope: built.captures === undefined ? 'targets' : 'full',
    session: turn.session,
    turn: turn.turn,
    order: turn.order,
    started: turn.started,
    ended: end.ended,
    line: turn.hidden ? verbs.join(', ') : maskSecrets(turn.line),
    verbs,
    cwd: turn.cwd,
    shell: turn.shell,
    source: turn.source,
    ...(turn.label === undefined ? {} : { label: turn.label }),
    ...(turn.parent === undefined ? {} : { parent: turn.parent }),
    ...(turn.hidden ? { hidden: true } : {}),
    ...(turn.mounts === undefined ? {} : { mounts: turn.mounts }),
    changes: built.changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    leftOut: unique(built.leftOut),
    nested: built.nested,
    gitBefore: built.gitBefore,
    gitAfter: built.gitAfter,
    ...built.captures,
  };
}

const unique = (list: readonly LeftOut[]): LeftOut[] => [...new Map(list.map((left) => [left.path, left])).values()];
