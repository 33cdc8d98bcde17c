import fs from 'node:fs';
import { type Bytes, fromText, toBuffer, toText } from '../platform/bytes.ts';
import { readBytesIfAny } from '../platform/files.ts';
import { basename, join } from '../platform/paths.ts';
import { folderName } from '../turns/ids.ts';
import { appendEvents, sessionsFolder } from '../turns/journal.ts';
import type { Story } from './story.ts';

const LONGEST = 100;
const MOST_WORDS = 7;

/** Letters, digits and what a title is written with; nothing that a terminal or a shell would take for more. */
export const cleanTitle = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\p{M} ._\-/+',&()#:]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .trim();

/** Three to seven words that say what a session was about; undefined where it has done nothing yet. */
export function titleFor(story: Story): string | undefined {
  const label = story.turns.map((turn) => cleanTitle(toText(turn.label ?? ''))).find((text) => text !== '');
  const where = placeOf(story);
  if (label !== undefined) {
    const words = label.split(' ').slice(0, MOST_WORDS);
    return cleanTitle(words.length < 3 && where !== '' ? `${words.join(' ')} in ${where}` : words.join(' '));
  }
  const typed = verbsIn(story.turns.flatMap(({ commands }) => commands.map(({ line }) => VERB.exec(line)?.[1] ?? '')));
  const done = verbsIn(story.turns.flatMap(({ checkpoints }) => checkpoints.flatMap((one) => one.verbs)));
  // First what destroyed something; of what a script did nobody has typed the names.
  const first = typed.filter((name) => done.includes(name));
  const telling = typed.filter((name) => !SAYS_LITTLE.has(name));
  const told = [...new Set([...first, ...telling])];
  const verbs = (told.length > 0 ? told : typed.length > 0 ? typed : done).slice(0, 4);
  return verbs.length === 0 ? undefined : cleanTitle(`${verbs.join(', ')} in ${where}`);
}

/** The program that a line begins with, behind what only says how it is started. */
const VERB = /^\s*(?:(?:[A-Za-z_]\w*=\S*|sudo|doas|command|builtin|env|nohup|time|exec)\s+)*([\w.+-]+)/;

/** What everybody types in every session. */
const SAYS_LITTLE = new Set(
  'cd ls ll la pwd clear exit logout history export set source echo cat less true'.split(' '),
);

/** A redirection's verb is a sign. */
const verbsIn = (verbs: readonly Bytes[]): string[] => [
  ...new Set(verbs.map((verb) => cleanTitle(toText(verb))).filter((name) => /[\p{L}\p{N}]/u.test(name))),
];

function placeOf({ turns, beginning }: Story): string {
  const root = turns.flatMap(({ checkpoints }) => checkpoints.map((one) => one.root))[0];
  return cleanTitle(toText(basename(root ?? turns[0]?.commands[0]?.cwd ?? beginning?.cwd ?? '') || '/'));
}

/** Every title that was given, `<name>\t<title>` a line, the last one of a name counts: so that nobody has to read every journal. */
const titlesFile = (home: Bytes): Bytes => join(sessionsFolder(home), 'titles');

/** Session (as its journal is called) → title. */
export function knownTitles(home: Bytes): Map<Bytes, string> {
  const out = new Map<Bytes, string>();
  for (const line of (readBytesIfAny(titlesFile(home))?.toString('latin1') ?? '').split('\n')) {
    const at = line.indexOf('\t');
    if (at <= 0) continue;
    if (at === line.length - 1) out.delete(line.slice(0, at));
    else out.set(line.slice(0, at), toText(line.slice(at + 1)));
  }
  return out;
}

/** Gives a session a title that no other has: where one has it, a number is put behind it. Returns the title. */
export function giveTitle(home: Bytes, session: string, wanted: string, by: 'belay' | 'person' | 'titler'): string {
  const name = folderName(session);
  const taken = new Set([...knownTitles(home)].filter(([other]) => other !== name).map(([, title]) => title));
  const title = unlike(cleanTitle(wanted), taken);
  const known = appendEvents(home, session, [{ e: 'title', t: Date.now(), title: fromText(title), by }], {
    known: true,
  });
  if (known) noteTitle(home, name, title);
  return title;
}

/** `Refactor auth`, `Refactor auth (2)`, … */
function unlike(title: string, taken: ReadonlySet<string>): string {
  if (!taken.has(title)) return title;
  const bare = title.replace(/ \(\d+\)$/, '');
  for (let n = 2; ; n++) {
    const numbered = `${bare.slice(0, LONGEST - 8)} (${n})`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** An empty title forgets the name. */
export function noteTitle(home: Bytes, name: Bytes, title: string): void {
  fs.appendFileSync(toBuffer(titlesFile(home)), toBuffer(`${name}\t${fromText(title)}\n`), { mode: 0o600 });
}
