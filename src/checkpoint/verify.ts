import { fromBuffer, toText } from '../platform/bytes.ts';
import { git } from '../platform/git.ts';
import { freedOf } from './free.ts';
import { heldOid, holdPath, holdState } from './holds.ts';
import { heldBy } from './let-go.ts';
import { parseProject, projects } from './projects.ts';
import { type Checkpoint, readCaptures, readHistories } from './read.ts';
import type { Store } from './store.ts';

/**
 * Proves the store: every object that a checkpoint names is there and whole, every record can be read, every held file has the bytes
 * that were put aside (by its hash where the record has one: not above 256 MB, where a link's seal and the size tell). What was given
 * back on purpose (`belay free`) is no damage. Returns what is wrong, one line each.
 */
export function verify(store: Store): string[] {
  const problems: string[] = [];
  const fsck = git(['fsck', '--full', '--no-dangling', '--no-reflogs', '--no-progress'], {
    gitDir: store.gitDir,
    timeout: 600_000,
  });
  if (!fsck.ok)
    for (const line of fromBuffer(Buffer.concat([fsck.out, Buffer.from(fsck.err, 'latin1')])).split('\n'))
      if (line.trim() !== '' && !line.startsWith('notice:')) problems.push(`store: ${toText(line)}`);
  const known = new Map(projects(store).map((project) => [project.key, project]));
  for (const [key, history] of readHistories(store)) {
    const name = toText(known.get(key)?.workdir ?? key);
    if (!known.has(key))
      problems.push(`${key}: its file under projects/ is ${parseProject(store, key) === 'damaged' ? 'damaged' : 'missing'}`);
    for (const ref of history.broken) problems.push(`${name}: ${ref} cannot be read`);
    const captures = readCaptures(store, history.captures);
    for (const { m } of history.captures) if (!captures.has(m)) problems.push(`${name}: capture ${m} cannot be read`);
    for (const { record } of history.checkpoints)
      for (const problem of holdsOf(store, key, record)) problems.push(`${name}: checkpoint ${record.n}: ${problem}`);
  }
  return problems;
}

function* holdsOf(store: Store, key: string, record: Checkpoint['record']): Generator<string> {
  const held = heldBy(record);
  const freed = held.length === 0 ? new Set() : freedOf(store, key, record.n);
  for (const { path, size, content } of held) {
    if (freed.has(content.path)) continue;
    const state = holdState(holdPath(store, key, record, content), size, content);
    if (state.is === 'gone') yield `the held copy of ${toText(path)} is gone`;
    else if (state.is === 'changed' && content.linked)
      yield `the held link to ${toText(path)} was written through another name of the file`;
    else if (state.is === 'changed' || (content.oid !== undefined && heldOid(state.path) !== content.oid))
      yield `the held copy of ${toText(path)} is not what was put aside`;
  }
}
