import fs from 'node:fs';
import { fromText, toBuffer, toText } from '../../platform/bytes.ts';
import { codeOf, lookAt, removeFile, writeAtomic } from '../../platform/files.ts';
import { resolve } from '../../platform/paths.ts';
import { exportLine, importLines, NotAnExport } from '../../sessions/archive.ts';
import { environmentFile } from '../../sessions/environment/kept.ts';
import { fileNamed, isRecorded, readStory } from '../../sessions/find.ts';
import { journalNames, readJournal } from '../../sessions/journal.ts';
import { giveTitle, knownTitles, noteTitle } from '../../sessions/titles.ts';
import { folderName } from '../../turns/ids.ts';
import { journalFile, touch } from '../../turns/journal.ts';
import { confirm } from '../ask.ts';
import { type Answer, failed, notThere, refused, wrongUsage } from '../command.ts';
import { count } from '../style.ts';
import { type Asked, numberOf, sessionOf, textOf } from './asked.ts';

/** `export FILE [ID…]`: one session a line, with its full history. `-` is standard output. */
export function exportSessions(asked: Asked): Answer | number {
  const [file, ...ids] = asked.words;
  if (file === undefined) throw wrongUsage('export wants a file, or - for standard output');
  const sessions = ids.length > 0 ? ids.map((id) => sessionOf(asked, id)) : allSessions(asked);
  const text = sessions.map((session) => exportLine(asked.home, session)).join('');
  if (file === '-') {
    process.stdout.write(text);
    return 0;
  }
  const path = resolve(asked.call.cwd ?? '/', fromText(file));
  if (lookAt(path) !== undefined)
    throw refused('would_overwrite', `${toText(path)} is there already`, 'Name another file.');
  writeAtomic(path, text);
  return {
    json: { file: toText(path), sessions },
    text: `${count(sessions.length, 'session')} written to ${toText(path)}\n`,
  };
}

/** Every session that is recorded, by its own id, the oldest name first. */
export const allSessions = ({ home }: Asked): string[] =>
  journalNames(home).map((name) => {
    for (const { event } of readJournal(fileNamed(home, name))) if (event.e === 'session') return toText(event.id);
    return toText(name);
  });

/** `import FILE`: what is not here yet is taken in. */
export function importSessions(asked: Asked): Answer {
  const [file] = asked.words;
  if (file === undefined) throw wrongUsage('import wants a file, or - for standard input');
  const text = file === '-' ? fs.readFileSync(0, 'utf8') : readFile(resolve(asked.call.cwd ?? '/', fromText(file)));
  try {
    const sessions = importLines(asked.home, text);
    for (const { id } of sessions) {
      const { title } = readStory(asked.home, id);
      if (title !== undefined) noteTitle(asked.home, folderName(id), toText(title));
    }
    const taken = sessions.filter(({ was }) => was === 'new' || was === 'extended').length;
    const others = sessions.filter(({ was }) => was === 'other');
    const left =
      others.length === 0
        ? ''
        : `Left alone, another history of that name is here: ${others.map(({ id }) => id).join(', ')}\n`;
    return {
      json: { sessions },
      text: `${count(taken, 'session')} taken in, ${count(sessions.length - taken - others.length, 'session')} here already\n${left}`,
      exit: others.length > 0 ? 1 : 0,
    };
  } catch (error) {
    if (error instanceof NotAnExport) throw refused('not_an_export', `${error.message}: nothing was taken in`);
    throw error;
  }
}

function readFile(path: string): string {
  try {
    return fs.readFileSync(toBuffer(path), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw notThere('no_file', `${toText(path)} is not there`);
    throw failed('failed', `${toText(path)} cannot be read: ${codeOf(error)}`);
  }
}

/** `rename ID TITLE`. */
export function renameSession(asked: Asked): Answer {
  const [id, ...title] = asked.words;
  if (id === undefined || title.length === 0) throw wrongUsage('rename wants a session and a title');
  const session = sessionOf(asked, id);
  const given = giveTitle(asked.home, session, title.join(' '), 'person');
  if (given === '') throw wrongUsage('a title has letters or digits');
  return { json: { session, title: given }, text: `${given}\n` };
}

/** `delete ID…`: from the record and the index. What its turns saved stays. */
export async function deleteSessions(asked: Asked): Promise<Answer> {
  if (asked.words.length === 0) throw wrongUsage('delete wants a session');
  const sessions = asked.words.map((word) => sessionOf(asked, word));
  await confirm(
    asked.call,
    `Delete the record of ${sessions.length === 1 ? sessions[0] : count(sessions.length, 'session')}? Checkpoints stay.`,
  );
  for (const session of sessions) remove(asked, session);
  return { json: { deleted: sessions }, text: `${count(sessions.length, 'session')} deleted\n` };
}

function remove({ home }: Asked, session: string): void {
  removeFile(journalFile(home, session));
  removeFile(journalFile(home, session).replace(/jsonl$/, 'brief'));
  removeFile(environmentFile(home, session));
  touch(home, session);
  if (knownTitles(home).has(folderName(session))) noteTitle(home, folderName(session), '');
}

/** `prune --older-than DAYS`. */
export async function pruneSessions(asked: Asked, retentionDays: number): Promise<Answer> {
  const days = numberOf(asked.call, 'older-than', retentionDays);
  const before = Date.now() - days * 86_400_000;
  const old = allSessions(asked).filter((session) => {
    if (!isRecorded(asked.home, session)) return false;
    const { mtimeMs } = fs.statSync(toBuffer(journalFile(asked.home, session)));
    return mtimeMs < before && readStory(asked.home, session).last < before;
  });
  if (old.length === 0)
    return { json: { deleted: [], days }, text: `No session is older than ${count(days, 'day')}.\n` };
  if (textOf(asked.call, 'older-than') === undefined || !asked.call.yes)
    await confirm(
      asked.call,
      `Delete the records of ${count(old.length, 'session')} older than ${count(days, 'day')}? Checkpoints stay.`,
    );
  for (const session of old) remove(asked, session);
  return { json: { deleted: old, days }, text: `${count(old.length, 'session')} deleted\n` };
}
