import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { copyWhole } from '../../platform/copy.ts';
import { codeOf, lookAt, makeFolder, removeFile } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Move } from './contents.ts';

/**
 * Takes held files to their record's folder. A settle that was killed here is done again: a name that is taken has what belongs
 * there, as each is called after its own hold and gets its name when it is whole.
 */
export function moveHeld(moves: readonly Move[], folder: Bytes): void {
  if (moves.length > 0) makeFolder(folder);
  for (const move of moves) moveFile(move.from, join(folder, move.to));
}

/** By rename; across file systems by copy. Gone already: an earlier try has moved it. */
function moveFile(from: Bytes, to: Bytes): void {
  if (lookAt(from) === undefined || lookAt(to) !== undefined) return;
  try {
    fs.renameSync(toBuffer(from), toBuffer(to));
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    const part = `${to}.part`;
    removeFile(part);
    copyWhole(toBuffer(from), toBuffer(part));
    fs.renameSync(toBuffer(part), toBuffer(to));
    fs.rmSync(toBuffer(from));
  }
}
