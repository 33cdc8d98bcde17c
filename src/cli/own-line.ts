import { partOf } from '../checkpoint/part.ts';
import type { Bytes } from '../platform/bytes.ts';
import { manifestsOf } from '../saving/end.ts';
import type { HeldEntry } from '../saving/hold/manifest.ts';
import { tryLook } from '../saving/now.ts';
import { basesOf } from '../saving/place.ts';
import { isEnded, pendingOf } from '../turns/pending.ts';
import { type Call, refused } from './command.ts';
import type { Context } from './context.ts';
import { fromRoot, pathKeys, shown } from './paths.ts';

/**
 * `rm b; belay undo`: what the line itself has done is in no record before the line is over, and the turn before it is not what anybody
 * means. Refuses where something that the line names is otherwise already; an agent's turn goes on over many calls and is its own matter.
 */
export function refuseWithinLine(context: Context, call: Call): void {
  const { values, words } = call;
  if (words.length > 0 || values['turn'] !== undefined || values['session'] !== undefined) return;
  if (context.agent !== undefined || values['force'] === true) return;
  const paths = changedByOwnLine(context);
  if (paths.length === 0) return;
  const names = paths.slice(0, 3).map((path) => shown(fromRoot(context.root, path)));
  const more = paths.length > 3 ? `, and ${paths.length - 3} more` : '';
  throw refused(
    'turn_active',
    `this line itself has changed ${names.join(', ')}${more}, and it is not over`,
    'On a line of its own, `belay undo` takes this one back. The turn before it: belay undo --force',
    { paths: paths.map((path) => pathKeys(fromRoot(context.root, path))) },
  );
}

function changedByOwnLine({ home, session, turn }: Context): Bytes[] {
  if (session === undefined || turn === undefined) return [];
  const own = basesOf(home).flatMap((base) =>
    pendingOf(base, session).filter((one) => partOf(one.turn.turn) === turn && !isEnded(one.folder)),
  );
  const entries = own.flatMap(({ folder }) => manifestsOf(folder).flatMap((manifest) => manifest.entries));
  return [...new Set(entries.filter(isOtherwise).map(({ path }) => path))].sort();
}

/** A hold by link has given the file another ctime; what lies in a folder is told by its own entries. */
function isOtherwise({ path, look }: HeldEntry): boolean {
  const now = tryLook(path);
  if (now === undefined || look === undefined) return now !== look;
  if (now.type !== look.type || now.type === 'folder') return now.type !== look.type;
  return now.size !== look.size || now.mtime !== look.mtime || now.ino !== look.ino;
}
