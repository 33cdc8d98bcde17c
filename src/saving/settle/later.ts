import type { Version } from '../../checkpoint/record.ts';
import type { Bytes } from '../../platform/bytes.ts';
import type { firstVersions } from '../end.ts';
import type { HeldEntry, Manifest } from '../hold/manifest.ts';
import { type Gathering, isUnchanged, versionBefore } from './contents.ts';
import type { SeenChange } from './draft.ts';

/** What later lines of the turn found there, when that is neither how the turn began nor how it ended. */
export function laterVersions(path: Bytes, index: LaterIndex, known: readonly Version[], to: Gathering): Version[] {
  const out: Version[] = [];
  for (const { entry, manifest } of index.get(path) ?? []) {
    const version = versionBefore(entry, manifest, to);
    if (version.kind === 'file' && ![...known, ...out].some((other) => isUnchanged(other, version, {})))
      out.push(version);
  }
  return out;
}

export type LaterIndex = ReadonlyMap<Bytes, readonly { entry: HeldEntry; manifest: Manifest }[]>;

/** Every holding of a path that is not how the turn began. */
export function heldLater(
  manifests: readonly Manifest[],
  first: ReturnType<typeof firstVersions>,
  early: ReadonlyMap<Bytes, SeenChange>,
): LaterIndex {
  const out = new Map<Bytes, { entry: HeldEntry; manifest: Manifest }[]>();
  for (const manifest of manifests)
    for (const entry of manifest.entries) {
      const isFirst = first.get(entry.path)?.entry === entry && !early.has(entry.path);
      if (entry.look?.type !== 'file' || isFirst) continue;
      const list = out.get(entry.path);
      if (list === undefined) out.set(entry.path, [{ entry, manifest }]);
      else list.push({ entry, manifest });
    }
  return out;
}
