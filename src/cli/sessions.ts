import type { Bytes } from '../platform/bytes.ts';
import { toText } from '../platform/bytes.ts';
import { loadConfig } from '../platform/config.ts';
import { discardIndex, indexFile } from '../sessions/index/open.ts';
import { statsOf } from '../sessions/index/rows.ts';
import { type Answer, type Command, wrongUsage } from './command.ts';
import { didYouMean } from './nearest.ts';
import { deleteSessions, exportSessions, importSessions, pruneSessions, renameSession } from './sessions/archive.ts';
import { type Asked, askedBy, indexed } from './sessions/asked.ts';
import { briefSession } from './sessions/brief.ts';
import { compactSession } from './sessions/compact.ts';
import { listSessions } from './sessions/list.ts';
import { PART_NAMES } from './sessions/names.ts';
import { searchSessions } from './sessions/search.ts';
import { showSession } from './sessions/show.ts';
import { sessionStats } from './sessions/stats.ts';
import { count } from './style.ts';

type Part = (asked: Asked) => Promise<Answer | number> | Answer | number;

/** The parts of `belay sessions`, and how many words each takes at most. */
const PARTS: Readonly<Record<(typeof PART_NAMES)[number], readonly [part: Part, words: number]>> = {
  list: [listSessions, 0],
  browse: [async (asked) => (await import('./sessions/browse.ts')).browseSessions(asked), 1],
  show: [showSession, 1],
  search: [searchSessions, Number.POSITIVE_INFINITY],
  export: [exportSessions, Number.POSITIVE_INFINITY],
  import: [importSessions, 1],
  stats: [sessionStats, 0],
  brief: [briefSession, 1],
  rename: [renameSession, Number.POSITIVE_INFINITY],
  delete: [deleteSessions, Number.POSITIVE_INFINITY],
  prune: [async (asked) => pruneSessions(asked, (await loadConfig(asked.env)).config.sessions.retention_days), 0],
  compact: [compactSession, 1],
  reindex: [reindex, 0],
};

export const sessions: Command = {
  summary: 'what was run, found again: list, browse, show, search, export, import, stats, rename, delete, prune',
  usage: [
    'belay sessions [list] [--source S] [--here] [--since DAYS] [--limit N]',
    'belay sessions browse [ID] [--source S] [--here] [--since DAYS]',
    'belay sessions show [ID]',
    'belay sessions search QUERY [--source S] [--since DAYS] [--in ID] [--limit N]',
    'belay sessions search --in ID --around K [--window W] | --read ID | --browse',
    'belay sessions brief [ID] [--tokens N]',
    'belay sessions export FILE [ID…]    belay sessions import FILE',
    'belay sessions stats | rename ID TITLE | delete ID… | prune [--older-than DAYS] | compact [ID] | reindex',
  ],
  help: `
A session is one shell, agent conversation, cron job or batch run. Its record is \`sessions/<id>.jsonl\` in belay's folder; the index that
it is searched by is made from that. ID is an id, the beginning of one, a title or a part of one, or last; without it the caller's own.

  browse   on a terminal: choose a session, then a turn, see what it changed; enter on a turn goes back to before its checkpoint, after
           a summary and a question. / filters by title, folder and all that was typed; elsewhere it is the list
  search   QUERY is words (all of them have to be there), a OR b, a NOT b, "a phrase", pre*, and ( ); sessions are ranked, and where no
           word matches, parts of words are. --in ID finds within one session; --around K shows the events around number K
  brief    what one has to know to go on: the newest turns whole, older ones in a line each, within so many tokens (2000)
  export   one session a line, byte for byte; - is standard output. import takes in what is not here yet
  prune    asks; without --older-than it proposes sessions.retention_days. Nothing goes by itself
  delete   the record only: what its turns saved stays, and belay undo knows it
  compact  the session goes on as a numbered one that begins with its summary; nothing is lost
  reindex  throws the index away and makes it anew

  --source S     sessions of that kind: cli, run, cron, batch, claude, …
  --here         sessions that began in this folder
  --since DAYS   not older than so many days`,
  options: {
    source: { type: 'string' },
    here: { type: 'boolean' },
    since: { type: 'string' },
    limit: { type: 'string' },
    in: { type: 'string' },
    around: { type: 'string' },
    window: { type: 'string' },
    read: { type: 'string' },
    browse: { type: 'boolean' },
    'older-than': { type: 'string' },
    tokens: { type: 'string' },
  },
  run: (call) => {
    const [first, ...words] = call.words;
    const name = toText(first ?? 'list');
    const known = PART_NAMES.find((one) => one === name);
    if (known === undefined) throw wrongUsage(`there is no 'belay sessions ${name}'${didYouMean(name, PART_NAMES)}`);
    const [run, most] = PARTS[known];
    if (words.length > most) throw wrongUsage(`'${toText(words[most] as Bytes)}' is one word too many`);
    return run(askedBy(call, words));
  },
};

async function reindex(asked: Asked): Promise<Answer> {
  discardIndex(indexFile(asked.home, asked.env));
  const stats = await indexed(asked, statsOf);
  const { sessions: n, events } = stats;
  return { json: { sessions: n, events }, text: `${count(n, 'session')}, ${count(events, 'event')}\n` };
}
