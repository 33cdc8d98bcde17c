import { projectKey } from '../checkpoint/projects.ts';
import type { Resting } from '../checkpoint/resting.ts';
import type { Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { lookAt, namesInOrNone } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { pendingFolder, readTurn } from '../turns/pending.ts';
import { capturesOf } from './before.ts';
import { manifestsOf } from './end.ts';
import { basesOf } from './place.ts';

/** What the turns of this home that are not settled yet rest on. What cannot be read of them counts as everything. */
export function restingOn(store: Store): Resting {
  const captures = new Map<string, Set<number>>();
  const far = new Set<Bytes>();
  let oldestOrder = Number.POSITIVE_INFINITY;
  let unknown = false;
  for (const folder of turnFolders(store.home)) {
    const turn = readTurn(folder);
    if (turn.is === 'turn') oldestOrder = Math.min(oldestOrder, turn.turn.order);
    if (turn.is === 'damaged') unknown = true;
    try {
      for (const before of capturesOf(folder)) {
        const key = projectKey(store, before.root);
        for (const m of [before.kind === 'captured' ? before.m : before.last, before.after])
          if (m !== undefined) captures.set(key, (captures.get(key) ?? new Set()).add(m));
      }
      for (const { header } of manifestsOf(folder)) for (const path of header.far) far.add(path);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      unknown = true;
    }
  }
  return { captures, oldestOrder, far, unknown };
}

function turnFolders(home: Bytes): Bytes[] {
  return basesOf(home)
    .map(pendingFolder)
    .flatMap((pending) => namesInOrNone(pending).map((session) => join(pending, session)))
    .flatMap((session) => namesInOrNone(session).map((turn) => join(session, turn)))
    .filter((turn) => !turn.endsWith('.gone') && !turn.endsWith('.done') && lookAt(turn)?.type === 'folder');
}
