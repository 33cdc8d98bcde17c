import type { Bytes } from '../platform/bytes.ts';
import { lookAt, namesInOrNone, removeFile } from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { join } from '../platform/paths.ts';
import { stateOf } from '../platform/processes.ts';
import { conversationsFolder, readConversation } from './conversation.ts';

const DAY_MS = 24 * 3_600_000;

/** A conversation that is taken up again later than this is a new session of belay. */
const KEPT_MS = 30 * DAY_MS;

/**
 * Lets the notes of conversations go that nobody has heard of for 30 days, or for as long as checkpoints are kept where that is
 * longer: every helper of an agent leaves one. One whose process lives stays. Returns how many went.
 */
export function forgetConversations(home: Bytes, retentionDays: number, now: number): number {
  const folder = conversationsFolder(home);
  const names = namesInOrNone(folder);
  const limit = now - Math.max(KEPT_MS, retentionDays * DAY_MS);
  const isOld = (file: Bytes): boolean => {
    const look = lookAt(file);
    const conversation = readConversation(file);
    if (look === undefined || Number(BigInt(look.mtime) / 1_000_000n) > limit) return false;
    return !(conversation?.process?.sure && stateOf(conversation.process) === 'alive');
  };
  let gone = 0;
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const file = join(folder, name);
    const lock = isOld(file) ? acquire(`${file}.lock`, 0) : undefined;
    if (lock === undefined) continue;
    if (isOld(file)) {
      removeFile(file);
      gone++;
    }
    lock.release();
  }
  // Their locks: nobody asks for one after so long, but to begin anew.
  for (const name of namesInOrNone(folder)) {
    const of = name.indexOf('.json.lock.');
    if (
      of >= 0 &&
      names.includes(`${name.slice(0, of)}.json`) &&
      lookAt(join(folder, `${name.slice(0, of)}.json`)) === undefined
    )
      removeFile(join(folder, name));
  }
  return gone;
}
