import { type Bytes, fromText, toText } from '../platform/bytes.ts';
import { makeFolder, readBytesIfAny, removeFile, writeAtomic } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';
import { folderName } from '../turns/ids.ts';
import { appendEvents, sessionsFolder } from '../turns/journal.ts';
import { readStory } from './find.ts';

/** What waits for the next session of a source: shims/run.bash looks whether it is there. */
const handoffFile = (home: Bytes, source: string): Bytes =>
  join(sessionsFolder(home), `handoffs/${folderName(source)}`);

/** The session goes on elsewhere: same id, history and checkpoints. The next session of that source is this one. */
export function handOff(home: Bytes, session: string, to: string): void {
  const { source } = readStory(home, session);
  appendEvents(home, session, [{ e: 'handoff', t: Date.now(), to, from: source ?? '?' }], { known: true });
  const file = handoffFile(home, to);
  makeFolder(dirname(file));
  writeAtomic(file, fromText(session));
}

export function takeHandoff(home: Bytes, source: string): string | undefined {
  const file = handoffFile(home, source);
  const session = readBytesIfAny(file)?.toString('latin1');
  if (session === undefined || session === '') return undefined;
  removeFile(file);
  return toText(session);
}
