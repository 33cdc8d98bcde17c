import type { Bytes } from '../../platform/bytes.ts';
import { dirname } from '../../platform/paths.ts';
import type { FolderScan } from './scan.ts';

/** So many files are read anew in half a minute, on a slow disk too. */
const MOST_FILES = 10_000;

/**
 * The folders of a tree that nothing is known of yet, in pieces of which git adds each in a bounded time. Files of a folder that is too
 * large for one piece are in none: whoever adds all of it in the end finds only those left. One piece is as good as none.
 */
export function piecesOf(folders: ReadonlyMap<Bytes, FolderScan>, most = MOST_FILES): Bytes[][] {
  const totals = new Map<Bytes, number>();
  const above = (path: Bytes): Bytes => (path.includes('/') ? dirname(path) : '');
  // A folder stands before those in it.
  for (const [path, { files }] of [...folders].reverse()) {
    const total = files + (totals.get(path) ?? 0);
    totals.set(path, total);
    if (path !== '') totals.set(above(path), total + (totals.get(above(path)) ?? 0));
  }
  if ((totals.get('') ?? 0) <= most) return [];
  const pieces: Bytes[][] = [];
  let [piece, count]: [Bytes[], number] = [[], 0];
  for (const [path, total] of totals) {
    const outer = path === '' ? most + 1 : (totals.get(above(path)) ?? 0);
    if (path === '' || total === 0 || total > most || outer <= most) continue;
    if (count + total > most && piece.length > 0) {
      pieces.push(piece);
      [piece, count] = [[], 0];
    }
    piece.push(path);
    count += total;
  }
  return piece.length > 0 ? [...pieces, piece] : pieces;
}
