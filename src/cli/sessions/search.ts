import { toText } from '../../platform/bytes.ts';
import { eventsOf } from '../../sessions/find.ts';
import { readQuestion } from '../../sessions/index/question.ts';
import { newestEvents } from '../../sessions/index/rows.ts';
import { type Hit, search } from '../../sessions/index/search.ts';
import type { JournalEvent } from '../../turns/journal-events.ts';
import { type Answer, wrongUsage } from '../command.ts';
import { ago, count, cut, localTime, styleFor } from '../style.ts';
import { type Asked, indexed, numberOf, sessionOf, sinceOf, sourceOf, textOf } from './asked.ts';
import { nameOf } from './list.ts';
import { showSession } from './show.ts';

/**
 * `belay sessions search`: by words (the best sessions first; with `--in` each hit of one), `--in ID --around K` a window of events,
 * `--read ID` a whole session, `--browse` events of all sessions, newest first.
 */
export async function searchSessions(asked: Asked): Promise<Answer> {
  const { call, words } = asked;
  const read = textOf(call, 'read');
  if (read !== undefined) return showSession({ ...asked, words: [read] });
  if (call.values['browse'] === true) return browse(asked);
  const within = textOf(call, 'in');
  if (textOf(call, 'around') !== undefined) return around(asked, sessionOf(asked, within));
  const question = readQuestion(words.join(' '));
  if (question.is === 'wrong')
    throw wrongUsage(
      question.why,
      'belay sessions search QUERY, where QUERY is words (all of them), a OR b, a NOT b, "a phrase", pre*, ( )',
    );
  const filter = {
    ...sourceOf(call),
    ...sinceOf(call),
    ...(within === undefined ? {} : { session: sessionOf(asked, within) }),
    limit: numberOf(call, 'limit', 10),
  };
  const hits = await indexed(asked, (db) => search(db, question, filter));
  return {
    json: { hits: hits.map(documentOf) },
    text: hits.length === 0 ? 'Nothing matches.\n' : asText(hits),
    page: true,
  };
}

const documentOf = ({ session, title, source, turn, kind, at, t, snippet, hits }: Hit): Record<string, unknown> => ({
  session,
  title,
  source,
  turn,
  kind,
  at,
  time: new Date(t).toISOString(),
  snippet: snippet.replace(/\u0001/g, '»').replace(/\u0002/g, '«'),
  hits,
});

/** Control characters of what somebody said do nothing to this terminal. */
const safe = (text: string): string => text.replace(/[\0\x03-\x1f\x7f-\x9f]+/g, ' ');

function asText(hits: readonly Hit[]): string {
  const style = styleFor(process.stdout);
  const marked = (text: string): string =>
    safe(text).replace(/\x01([^\x02]*)\x02/g, (_, hit: string) =>
      style.bold('x') === 'x' ? `»${hit}«` : style.bold(style.red(hit)),
    );
  return hits
    .map(({ session, title, preview, source, last, turn, at, snippet, hits: n }) =>
      [
        `${style.yellow(session)}  ${style.cyan(source ?? '?')}  ${style.dim(ago(last, Date.now()))}  ${style.bold(cut(nameOf({ title, preview }), 60))}`,
        `    ${turn === null ? '' : `turn ${turn}, `}event ${at}: ${marked(snippet)}${n > 1 ? style.dim(`  (${count(n, 'hit')})`) : ''}`,
      ].join('\n'),
    )
    .map((text) => `${text}\n`)
    .join('');
}

/** Events K-W to K+W of one session, by their number in its record. */
function around(asked: Asked, session: string): Answer {
  const [k, window] = [numberOf(asked.call, 'around', 0), numberOf(asked.call, 'window', 10)];
  const all = [...eventsOf(asked.home, session)].map((event, at) => ({ at, event }));
  const events = all.slice(Math.max(0, k - window), k + window + 1);
  const text =
    events.length > 0 ? events.map(eventLine).join('') : `${session} has ${count(all.length, 'event')}, from 0 on.\n`;
  return { json: { session, events: events.map(eventDocument) }, text, page: true };
}

const textIn = (event: JournalEvent): string => {
  switch (event.e) {
    case 'command':
      return `$ ${toText(event.line)}`;
    case 'turn':
      return toText(event.label);
    case 'message':
      return `${toText(event.role)}: ${toText(event.text)}`;
    case 'write':
      return toText(event.path);
    case 'checkpoint':
      return `checkpoint ${event.n}: ${event.verbs.map(toText).join(', ')} (${event.paths.map(toText).join(' ')})`;
    case 'title':
      return toText(event.title);
    case 'undone':
    case 'redone':
      return `${event.e}: turn ${event.turns.join(', ')}`;
    default:
      return '';
  }
};

type Numbered = { readonly at: number; readonly event: JournalEvent };

const eventDocument = ({ at, event }: Numbered): Record<string, unknown> => ({
  at,
  time: new Date(event.t).toISOString(),
  kind: event.e,
  turn: 'turn' in event ? event.turn : null,
  text: textIn(event),
});

const eventLine = ({ at, event }: Numbered): string =>
  `${String(at).padStart(5)}  ${localTime(event.t)}  ${event.e.padEnd(10)} ${cut(safe(textIn(event)), 200)}`.trimEnd() +
  '\n';

/** What was done, across sessions, newest first. */
async function browse(asked: Asked): Promise<Answer> {
  const { call } = asked;
  const filter = { ...sourceOf(call), ...sinceOf(call), limit: numberOf(call, 'limit', 50) };
  const rows = await indexed(asked, (db) => newestEvents(db, filter));
  return {
    json: {
      events: rows.map(({ t, kind, turn, seq, text, session, title }) => ({
        session,
        title,
        turn,
        kind,
        at: seq,
        time: new Date(t).toISOString(),
        text,
      })),
    },
    text: rows
      .map(({ t, kind, text, session }) => `${localTime(t)}  ${session}  ${kind.padEnd(10)} ${cut(safe(text), 120)}\n`)
      .join(''),
    page: true,
  };
}
