import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, makeFolder, removeTree, writeAtomic } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Kept } from '../plan/steps.ts';
import type { GitState } from '../record.ts';

export interface OperationGoal {
  readonly wanted: GitState;
  readonly left: GitState;
  readonly present: GitState;
}

/** Folders whose being there, even empty, tells git that something is under way. */
const FOLDERS = ['rebase-merge', 'rebase-apply', 'sequencer'];

/**
 * `MERGE_HEAD`, `rebase-merge/`, `BISECT_LOG` and their like as they were, so that an operation that was given up goes on, and one that
 * the turn began is not under way. Only what the turn changed; a file that names a lost commit is not made again, and is named.
 */
export function setOperation({ wanted, left, present }: OperationGoal, lost: ReadonlySet<string>): Kept[] {
  if (wanted.files === undefined || left.files === undefined || present.files === undefined) return [];
  const { gitDir } = wanted;
  const kept: Kept[] = [];
  const [want, leave, now] = [new Map(wanted.files), new Map(left.files), new Map(present.files)];
  for (const name of new Set([...want.keys(), ...leave.keys()])) {
    const to = want.get(name);
    if (to === leave.get(name) || to === now.get(name) || !isPlain(name)) continue;
    const path = join(gitDir, name);
    const gone = to?.split('\n').find((line) => lost.has(line));
    if (gone !== undefined) kept.push({ path, why: 'failed', reason: `git: its commit ${gone} is gone` });
    else if (to === undefined) fs.rmSync(toBuffer(path), { force: true });
    else if (isReached(gitDir, path)) {
      makeFolder(dirname(path));
      writeAtomic(path, Buffer.from(to, 'latin1'));
      fs.chmodSync(toBuffer(path), 0o644);
    }
  }
  for (const folder of FOLDERS) {
    const isWanted = [...want.keys()].some((name) => name.startsWith(`${folder}/`));
    const wasLeft = [...leave.keys()].some((name) => name.startsWith(`${folder}/`));
    if (wasLeft && !isWanted && lookAt(join(gitDir, folder))?.type === 'folder') removeTree(join(gitDir, folder));
  }
  return kept;
}

/** No folder on the way is a link. */
function isReached(gitDir: Bytes, path: Bytes): boolean {
  for (let at = dirname(path); at !== gitDir; at = dirname(at))
    if ((lookAt(at)?.type ?? 'folder') !== 'folder') return false;
  return true;
}

/** A damaged or forged record leads nowhere else. */
const isPlain = (name: Bytes): boolean =>
  /^(?:[A-Z]+_[A-Z_]+|(?:rebase-merge|rebase-apply|sequencer)\/[^\0]+)$/.test(name) && !name.split('/').includes('..');
