import type { Bytes } from './bytes.ts';
import { codeOf, type Entry, entriesIn } from './files.ts';
import { join } from './paths.ts';

/**
 * The files of these folders and of those below them, the nearest first, each folder once, never those in `never`; as long as `more` says so
 * at each entry. A folder that is closed or gone has none.
 */
export function* filesFrom(tops: readonly Bytes[], never: readonly Bytes[], more: () => boolean): Generator<Bytes> {
  const searched = new Set<Bytes>(never);
  for (const top of tops) {
    const queue = [top];
    for (const folder of queue) {
      if (searched.has(folder)) continue;
      searched.add(folder);
      for (const { name, type } of entriesOf(folder)) {
        if (!more()) return;
        if (type === 'folder') queue.push(join(folder, name));
        else if (type === 'file') yield join(folder, name);
      }
    }
  }
}

function entriesOf(folder: Bytes): readonly Entry[] {
  try {
    return entriesIn(folder);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return []; // what the system refuses to show is not found: whoever asks says so
  }
}
