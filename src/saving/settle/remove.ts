import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, removeTree } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { pendingFolder, readTurn } from '../../turns/pending.ts';
import { dropIfEmpty } from '../hold/far.ts';
import type { ProjectDraft } from './draft.ts';

/** Out of sight first, at once: a turn half removed must not be settled again. */
export function removeWhole(folder: Bytes): void {
  const gone = `${folder}.gone`;
  removeTree(gone);
  fs.renameSync(toBuffer(folder), toBuffer(gone));
  removeTree(gone);
}

/** A far folder stays while a record names a file in it; everything else in it goes. */
export function removeUnless(far: Bytes, drafts: readonly ProjectDraft[]): void {
  const named = new Set<Bytes>();
  for (const { draft } of drafts)
    for (const { before } of draft.changes)
      if (before.kind === 'file' && before.content.at === 'hold') named.add(before.content.path);
  for (const name of namesInOrNone(far)) if (!named.has(join(far, name))) removeTree(join(far, name));
  dropIfEmpty(far);
}

const DAY_MS = 86_400_000;

/** Marks of settled turns, holds that never began and empty sessions, once nobody can speak of them any more. */
export function sweep(base: Bytes): void {
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
  const standsIn = dirname(base).includes('/.belay-');
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
