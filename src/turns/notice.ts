import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { lookAt, readBytesIfAny, removeFile } from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { join } from '../platform/paths.ts';
import { folderName } from './ids.ts';

const noticeFile = (home: Bytes, session: string): Bytes => join(home, `sessions/${folderName(session)}.notice`);

/** An agent's context is no place for a novel: the end of a longer notice is cut, in bytes. */
const LONGEST = 4096;

/** How long the one waits for the other, ms: each takes a moment. */
const PATIENCE = 2000;

const locked = <T>(home: Bytes, work: () => T): T | undefined => {
  const lock = acquire(join(home, 'sessions/notices.lock'), PATIENCE);
  if (lock === undefined) return undefined;
  try {
    return work();
  } finally {
    lock.release();
  }
};

/**
 * Leaves a line for a session, which gets it at its next prompt (an agent through its hook's answer): its memory no longer fits
 * the disk. Several lines wait in their order. Throws where it could not be left.
 */
export function tellSession(home: Bytes, session: string, text: string): void {
  const file = noticeFile(home, session);
  const line = text.replace(/[\0-\x1f\x7f]+/g, ' ').trim();
  const left = locked(home, () => {
    fs.appendFileSync(toBuffer(file), `${line}\n`, { mode: 0o600 });
    return true;
  });
  if (left === undefined) throw new Error(`the notices of session ${session} are locked`);
}

/**
 * What waits for a session, which is then told. Undefined where nothing waits, or somebody is at it: then it is told the next time. One
 * who is killed while he takes it leaves it to be told again.
 */
export function takeSessionNotice(home: Bytes, session: string): string | undefined {
  const file = noticeFile(home, session);
  if (lookAt(file) === undefined) return undefined;
  const text = locked(home, () => {
    const read = readBytesIfAny(file)?.toString('utf8').trim() ?? '';
    removeFile(file);
    return read;
  });
  if (text === undefined || text === '') return undefined;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
