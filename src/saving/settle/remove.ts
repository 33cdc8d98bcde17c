import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, removeTree } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { pendingFolder, readTurn } from '../../turns/pending.ts';
import { dropIfEmpty } from '../hold/far.ts';
import type { Manifest } from '../hold/manifest.ts';
import type { ProjectDraft } from './draft.ts';

/** Out of sight first, at once: a turn half removed must not be settled again. Returns where it lies now. */
export function putAside(folder: Bytes): Bytes {
  const gone = `${folder}.gone`;
  removeTree(gone);
  fs.renameSync(toBuffer(folder), toBuffer(gone));
  return gone;
}

/** The held files on other file systems that records name: of these drafts, and of earlier parts of the turn (`done`: their paths). */
export function namedFar(
  manifests: readonly Manifest[],
  drafts: readonly ProjectDraft[],
  done: ReadonlySet<Bytes>,
): ReadonlySet<Bytes> {
  const named = new Set<Bytes>();
  for (const { draft } of drafts)
    for (const { before, later } of draft.changes)
      for (const version of [before, ...(later ?? [])])
        if (version.kind === 'file' && version.content.at === 'hold') named.add(version.content.path);
  for (const { entries } of manifests)
    for (const { path, hold } of entries)
      if (hold !== undefined && hold.how !== 'pack' && done.has(path)) named.add(hold.file);
  return named;
}

/** A far folder stays while a record names a file in it; everything else in it goes. */
export function removeUnless(far: Bytes, named: ReadonlySet<Bytes>): void {
  for (const name of namesInOrNone(far)) if (!named.has(join(far, name))) removeTree(join(far, name));
  dropIfEmpty(far);
}

const DAY_MS = 86_400_000;

/** Marks of settled turns, holds that never began and empty sessions, once nobody can speak of them any more. A base that only stands in for the home goes when it is empty. */
export function sweep(base: Bytes, standsIn: boolean): void {
  const pending = pendingFolder(base);
  for (const session of namesInOrNone(pending)) {
    const folder = join(pending, session);
    for (const name of namesInOrNone(folder)) {
      const path = join(folder, name);
      if (name.endsWith('.gone')) removeTree(path);
      const look = lookAt(path);
      if (look === undefined || Date.now() - Number(BigInt(look.mtime) / 1_000_000n) < DAY_MS) continue;
      if (name.endsWith('.done')) fs.rmSync(toBuffer(path), { force: true });
      else if (readTurn(path).is === 'none') removeTree(path);
    }
    removeIfEmpty(folder);
  }
  if (!standsIn || namesInOrNone(pending).length > 0) return;
  removeTree(base);
  removeIfEmpty(dirname(base));
}

function removeIfEmpty(folder: Bytes): void {
  try {
    fs.rmdirSync(toBuffer(folder));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
  }
}
