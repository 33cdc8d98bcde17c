import { fromBuffer, toText } from '../platform/bytes.ts';
import { git } from '../platform/git.ts';
import { holdPath, holdState } from './holds.ts';
import { projects } from './projects.ts';
import { readCaptures, readHistories } from './read.ts';
import type { Store } from './store.ts';

/**
 * Proves the store: every object that a checkpoint names is there and whole, every record can be read, every held file is what
 * was put aside. Returns what is wrong, one line each.
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
    if (!known.has(key)) problems.push(`${key}: no file of its own under projects/`);
    for (const ref of history.broken) problems.push(`${name}: ${ref} cannot be read`);
    const captures = readCaptures(store, history.captures);
    for (const { m } of history.captures) if (!captures.has(m)) problems.push(`${name}: capture ${m} cannot be read`);
    for (const { record } of history.checkpoints)
      for (const { path, before } of record.changes) {
        if (before.kind !== 'file' || before.content.at !== 'hold') continue;
        const state = holdState(holdPath(store, key, record, before.content), before.size, before.content);
        if (state.is === 'gone')
          problems.push(`${name}: checkpoint ${record.n}: the held copy of ${toText(path)} is gone`);
        if (state.is === 'changed')
          problems.push(
            `${name}: checkpoint ${record.n}: the held link to ${toText(path)} was written through another name of the file`,
          );
      }
  }
  return problems;
}
