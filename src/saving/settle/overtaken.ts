import { projectKey } from '../../checkpoint/projects.ts';
import { readHistory } from '../../checkpoint/read.ts';
import { openStore } from '../../checkpoint/store.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { lastOrder } from '../../turns/order.ts';
import { type PendingTurn, pendingTurns } from '../../turns/pending.ts';
import { type EndManifest, firstVersions, manifestsOf } from '../end.ts';
import type { Manifest } from '../hold/manifest.ts';
import { basesOf } from '../place.ts';

/**
 * The end of a turn that ran on, with what a later turn brought back (`rm f &`, then a checkout that has `f`): the later one's record
 * says that there was no such file when it began, so this turn has removed it, and its hold is how the file was.
 */
export function withOvertaken(
  home: Bytes,
  turn: PendingTurn,
  manifests: readonly Manifest[],
  seenAtEnd: EndManifest,
  end: EndManifest,
): EndManifest {
  const held = [...firstVersions(manifests)].filter(([, { entry }]) => entry.look !== undefined);
  if (held.length === 0 || lastOrder(home) <= turn.order) return end;
  const gone = goneSince(home, turn, new Set(held.map(([path]) => path)), manifests);
  if (gone.size === 0) return end;
  const known = new Set(seenAtEnd.paths.filter(({ look }) => look === undefined).map(({ path }) => path));
  return {
    ...end,
    paths: [
      ...end.paths.filter(({ path }) => !gone.has(path)),
      ...[...gone].map((path) => (known.has(path) ? { path } : { path, uncertain: true })),
    ],
  };
}

/** Of these paths those that the first later turn which names them found missing. */
function goneSince(
  home: Bytes,
  { order }: PendingTurn,
  paths: ReadonlySet<Bytes>,
  manifests: readonly Manifest[],
): Set<Bytes> {
  const first = new Map<Bytes, { readonly order: number; readonly isGone: boolean }>();
  const note = (path: Bytes, at: number, isGone: boolean): void => {
    const known = first.get(path);
    if (at > order && paths.has(path) && (known === undefined || at < known.order))
      first.set(path, { order: at, isGone });
  };
  for (const base of basesOf(home))
    for (const { folder, turn } of pendingTurns(base))
      if (turn.order > order)
        for (const [path, { entry }] of firstVersions(manifestsOf(folder)))
          note(path, turn.order, entry.look === undefined);
  const store = openStore(home);
  const roots = new Set(manifests.flatMap(({ header }) => header.roots.filter((root) => root !== null)));
  for (const root of roots)
    for (const { record } of readHistory(store, projectKey(store, root)).checkpoints)
      if (record.kind === 'turn' && record.order > order)
        for (const { path, before, by } of record.changes)
          if (by === 'named')
            note(path.startsWith('/') ? path : join(root, path), record.order, before.kind === 'absent');
  return new Set([...first].filter(([, { isGone }]) => isGone).map(([path]) => path));
}
