import fs from 'node:fs';
import { type Bytes, fromText, toBuffer, toText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';
import { journalFile } from '../turns/journal.ts';
import type { JournalEvent } from '../turns/journal-events.ts';
import { journalNames, readJournal } from './journal.ts';
import { type Story, storyOf } from './story.ts';
import { knownTitles } from './titles.ts';

export type Found =
  | { readonly is: 'session'; readonly session: string }
  | { readonly is: 'none' }
  | { readonly is: 'several'; readonly sessions: readonly string[] };

/** A session by its id, the beginning of one, `last`, its title, or a part of its title. */
export function findSession(home: Bytes, word: string): Found {
  if (word === 'last') return one(newest(home));
  if (lookAt(journalFile(home, word)) !== undefined) return { is: 'session', session: word };
  const names = journalNames(home);
  const begun = word.length >= 4 ? names.filter((name) => name.startsWith(fromText(word))) : [];
  if (begun.length > 0) return chosen(home, begun);
  const titles = knownTitles(home);
  const there = names.filter((name) => titles.has(name));
  const same = there.filter((name) => titles.get(name)?.toLowerCase() === word.toLowerCase());
  if (same.length > 0) return chosen(home, same);
  return chosen(
    home,
    there.filter((name) => titles.get(name)?.toLowerCase().includes(word.toLowerCase())),
  );
}

const one = (session: string | undefined): Found =>
  session === undefined ? { is: 'none' } : { is: 'session', session };

function chosen(home: Bytes, names: readonly Bytes[]): Found {
  if (names.length > 1) return { is: 'several', sessions: names.map(toText) };
  const [name] = names;
  return one(name === undefined ? undefined : idOf(home, name));
}

/**
 * The id behind a journal's name: the same, but for ids that are no file names. What a journal says of itself counts where it bears that
 * name, for it may have been written elsewhere.
 */
function idOf(home: Bytes, name: Bytes): string {
  for (const { event } of readJournal(fileNamed(home, name)))
    if (event.e === 'session' && journalFile(home, toText(event.id)) === fileNamed(home, name)) return toText(event.id);
  return toText(name);
}

/** The session whose record was written last, of those that `wanted` lets through. */
export function newest(home: Bytes, wanted: (story: Story) => boolean = () => true): string | undefined {
  const names = journalNames(home)
    .map((name) => ({ name, at: fs.statSync(toBuffer(fileNamed(home, name))).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of names) {
    const session = idOf(home, name);
    const story = readStory(home, session);
    if (story.events > 0 && wanted(story)) return session;
  }
  return undefined;
}

/** A journal's name is also a session id of its own kind: `=6e…` is the name of that id, not an id to be named. */
export const fileNamed = (home: Bytes, name: Bytes): Bytes => join(dirname(journalFile(home, 'x')), `${name}.jsonl`);

export const readStory = (home: Bytes, session: string): Story => storyOf(eventsOf(home, session));

export function* eventsOf(home: Bytes, session: string): Generator<JournalEvent> {
  for (const { event } of readJournal(journalFile(home, session))) yield event;
}

export const isRecorded = (home: Bytes, session: string): boolean => lookAt(journalFile(home, session)) !== undefined;
