import type { Bytes } from '../../platform/bytes.ts';
import { lookAt, namesVisible, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';

/** Lines of a longer log outlive most lines that drop one; a repository with more of them is not read through before a line runs. */
const LONGEST = 256 << 10;
const MOST = 500;

/**
 * The reflogs of branches and other refs by their ref's name: a ref that goes or is renamed takes its log along. Not that of HEAD, which
 * only `git reflog` takes lines from (that line holds the file), nor the stash's, which is the list of stashes.
 */
export function readReflogs(commonDir: Bytes): [Bytes, Bytes][] {
  const out: [Bytes, Bytes][] = [];
  const visit = (name: Bytes): void => {
    for (const entry of namesVisible(join(commonDir, `logs/${name}`))) {
      const below = `${name}/${entry}`;
      const look = out.length < MOST ? lookAt(join(commonDir, `logs/${below}`)) : undefined;
      if (look?.type === 'folder') visit(below);
      else if (look?.type === 'file' && look.size <= LONGEST && below !== 'refs/stash' && !entry.endsWith('.lock'))
        out.push([below, readBytesIfAny(join(commonDir, `logs/${below}`))?.toString('latin1') ?? '']);
    }
  };
  visit('refs');
  return out.length < MOST ? out.sort(([a], [b]) => (a < b ? -1 : 1)) : [];
}
