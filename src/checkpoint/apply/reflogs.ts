import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, makeFolder, readBytesIfAny, writeAtomic } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Kept } from '../plan/steps.ts';
import type { GitState } from '../record.ts';
import { messageOf } from './work.ts';

export interface ReflogGoal {
  readonly wanted: GitState;
  readonly left: GitState;
  /** With all its reflogs. */
  readonly present: GitState;
}

/**
 * Reflogs from which the turn took lines have them again, with what came since behind them; after the refs are set, whose own way back
 * would be one line more. A ref that had none, and came back, has none.
 */
export function setReflogs({ wanted, left, present }: ReflogGoal, lost: ReadonlySet<string>): Kept[] {
  const { commonDir } = wanted;
  const [want, leave, now] = [wanted, left, present].map((state) => new Map(state.logs));
  const [refs, refsLeft] = [new Map(wanted.refs), new Map(left.refs)];
  const kept: Kept[] = [];
  for (const [name, oid] of refs) {
    const text = want?.get(name);
    const [after, current] = [leave?.get(name) ?? '', now?.get(name) ?? ''];
    const path = join(commonDir, `logs/${name}`);
    if (name === 'refs/stash' || lost.has(oid) || !isPlain(name) || !isReached(commonDir, path)) continue;
    try {
      if (text === undefined) {
        if (!refsLeft.has(name) && current === '') fs.rmSync(toBuffer(path), { force: true });
      } else if (current.startsWith(after)) write(path, text + current.slice(after.length));
    } catch (error) {
      kept.push({ path, why: 'failed', reason: `git: ${messageOf(error)}` });
    }
  }
  return kept;
}

function write(path: Bytes, text: Bytes): void {
  if (readBytesIfAny(path)?.toString('latin1') === text) return;
  const mode = lookAt(path)?.mode ?? 0o644;
  makeFolder(dirname(path));
  writeAtomic(path, toBuffer(text));
  fs.chmodSync(toBuffer(path), mode);
}

/** A damaged or forged record leads nowhere else. */
const isPlain = (name: Bytes): boolean => /^refs\/(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\0]+$/.test(name);

function isReached(commonDir: Bytes, path: Bytes): boolean {
  for (let at = dirname(path); at !== commonDir; at = dirname(at))
    if ((lookAt(at)?.type ?? 'folder') !== 'folder') return false;
  return (lookAt(path)?.type ?? 'file') === 'file';
}
