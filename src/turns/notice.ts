import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, makeFolder, readBytes, removeFile } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { folderName } from './ids.ts';

const noticeFile = (home: Bytes, session: string): Bytes => join(home, `sessions/${folderName(session)}.notice`);

/** An agent's context is no place for a novel: the end of a longer notice is cut, in bytes. */
const LONGEST = 4096;

/**
 * Leaves a line for a session, which gets it at its next prompt (an agent through its hook's answer): its memory no longer fits
 * the disk. Several lines wait in their order; one append each, so that two at once never mix.
 */
export function tellSession(home: Bytes, session: string, text: string): void {
  makeFolder(join(home, 'sessions'));
  const line = text.replace(/[\0-\x1f\x7f]+/g, ' ').trim();
  fs.appendFileSync(toBuffer(noticeFile(home, session)), `${line}\n`, { mode: 0o600 });
}

/** What waits for a session, which is then told: nobody gets it twice. Undefined where nothing waits. */
export function takeSessionNotice(home: Bytes, session: string): string | undefined {
  const file = noticeFile(home, session);
  const taken = `${file}.${process.pid}`;
  try {
    fs.renameSync(toBuffer(file), toBuffer(taken));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
  const text = readBytes(taken).toString('utf8').trim();
  removeFile(taken);
  if (text === '') return undefined;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
