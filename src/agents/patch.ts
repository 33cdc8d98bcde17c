import type { Bytes } from '../platform/bytes.ts';
import type { FileChange } from './event.ts';

/**
 * The files of a patch in the form that models write (`*** Begin Patch`, `*** Update File: PATH`, `*** Move to: PATH`): a line each
 * says what becomes of which file. Empty where the text is no such patch.
 */
export function filesOfPatch(text: Bytes): FileChange[] {
  const out: FileChange[] = [];
  for (const line of text.split('\n')) {
    const [, what, path] = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/.exec(line) ?? [];
    if (what === undefined || path === undefined) continue;
    const last = out.at(-1);
    if (what === 'Move to') {
      // The new name may be taken: what lies there is held like any file that is written.
      if (last !== undefined) out.splice(-1, 1, { does: 'delete', path: last.path }, { does: 'write', path });
    } else out.push({ does: what === 'Delete File' ? 'delete' : 'write', path });
  }
  return out;
}
