import type { Bytes } from '../../platform/bytes.ts';
import { dirname } from '../../platform/paths.ts';
import type { Version } from '../record.ts';
import { sameBytes } from './compare.ts';
import type { Goal } from './goals.ts';
import type { Sources } from './sources.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

/** What puts one path there, as it is wanted and as it lies there now. */
export function stepFor(goal: Goal, world: World, sources: Sources, moves: ReadonlyMap<Bytes, Bytes>): Step {
  const { path, version } = goal;
  const present = world.at(path);
  const seen = present.is === 'there' ? present.look : undefined;
  const common = { path, key: goal.key, seen, becomes: version };
  const from = moves.get(path);
  const fromPresent = from === undefined ? undefined : world.at(from);
  if (from !== undefined && fromPresent?.is === 'there') {
    const folder = version.kind === 'folder';
    return { ...common, do: 'move', from, fromSeen: fromPresent.look, mode: modeOf(version), folder };
  }
  switch (version.kind) {
    case 'file': {
      if (sameBytes(version, path, present, world, sources.holdOid))
        return { ...common, do: 'mode', mode: version.mode };
      const source = sources.of(goal);
      const itself = seen === undefined && !(source.at === 'hold' && source.rewritten);
      return {
        ...common,
        do: 'file',
        mode: version.mode,
        size: version.size,
        // A file that comes back is the one that was there; one that changes is news to `make`.
        ...(version.mtime !== undefined && itself ? { mtime: version.mtime } : {}),
        source,
        inPlace: seen !== undefined && isInPlace(goal, seen.nlink, seen.ino),
      };
    }
    case 'link':
      return { ...common, do: 'link', target: version.target };
    case 'folder':
      return seen?.type === 'folder'
        ? { ...common, do: 'mode', mode: version.mode }
        : { ...common, do: 'folder', mode: version.mode };
    case 'special':
      return { ...common, do: 'fifo', mode: version.mode };
    default:
      return { ...common, do: 'remove' };
  }
}

/** Folders that nobody names, and that must be there for what comes back into them. */
export function missingParents(steps: readonly Step[], world: World, modeOf: (path: Bytes) => number): Step[] {
  const known = new Set(steps.filter((step) => step.do !== 'remove').map(({ path }) => path));
  const gone = new Map(steps.filter((step) => step.do === 'remove').map((step) => [step.path, step]));
  const out: Step[] = [];
  for (const step of steps) {
    if (step.do === 'remove') continue;
    for (let at = dirname(step.path); at !== '/' && !known.has(at); at = dirname(at)) {
      const present = world.at(at);
      if (present.is === 'there' && present.look.type === 'folder') break;
      known.add(at);
      const mode = modeOf(at);
      const seen = gone.get(at)?.seen;
      out.push({ do: 'folder', path: at, key: step.key, seen, mode, becomes: { kind: 'folder', mode } });
    }
  }
  return out;
}

const modeOf = (version: Version): number =>
  version.kind === 'file' || version.kind === 'folder' || version.kind === 'special' ? version.mode : 0o777;

/** Several names, and the turn wrote into the very file: the same inode before, after and now. */
function isInPlace(goal: Goal, names: number, ino: string): boolean {
  const { version, expected } = goal;
  return (
    names > 1 &&
    version.kind === 'file' &&
    (version.names ?? 1) > 1 &&
    version.ino === ino &&
    (expected?.kind !== 'file' || (expected.ino ?? ino) === ino)
  );
}
