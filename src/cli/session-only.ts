import type { Bytes } from '../platform/bytes.ts';
import { toText } from '../platform/bytes.ts';
import { chainOf } from '../sessions/chain.ts';
import { eventsOf, readStory } from '../sessions/find.ts';
import type { TurnStory } from '../sessions/story.ts';
import { appendEvents } from '../turns/journal.ts';
import { type Answer, type Call, notThere, refused } from './command.ts';
import { type Asked, askedBy, sessionOf, textOf } from './sessions/asked.ts';
import { lineTitle } from './title.ts';

interface Found {
  /** The session that has it: compressed, one goes on from others, and they count as one. */
  readonly of: string;
  readonly turn: TurnStory;
}

/** `belay undo --session-only`: the newest turn counts as undone in the session's record; files stay. */
export function undoInSession(call: Call): Answer {
  const [asked, session] = askedFor(call);
  const wanted = textOf(call, 'turn');
  // The line that it is typed in is no work to take back.
  const typedIn = `${toText(asked.env.get('BELAY_SESSION') ?? '')} ${toText(asked.env.get('BELAY_TURN') ?? '')}`;
  const isMeant = ({ of, turn }: Found): boolean =>
    wanted === undefined ? !turn.undone && `${of} ${turn.turn}` !== typedIn : turn.turn === wanted;
  const found = turnsOf(asked.home, session).find(isMeant);
  if (found === undefined) throw notThere('no_checkpoint', 'no turn of this session is left to undo');
  return marked(asked, found, 'undone');
}

/** `belay redo --session-only`: the turn that was marked last so counts as done again. */
export function redoInSession(call: Call): Answer {
  const [asked, session] = askedFor(call);
  const marks = new Map<string, number>();
  for (const of of chainOf(asked.home, session))
    for (const event of eventsOf(asked.home, of))
      if (event.e === 'undone')
        for (const turn of event.turns) marks.set(`${of} ${turn}`, event.what === 'session-only' ? event.t : -1);
  const when = ({ of, turn }: Found): number => (turn.undone ? (marks.get(`${of} ${turn.turn}`) ?? -1) : -1);
  const found = turnsOf(asked.home, session).reduceRight<Found | undefined>(
    (last, one) => (when(one) >= 0 && (last === undefined || when(one) >= when(last)) ? one : last),
    undefined,
  );
  if (found === undefined) throw notThere('no_checkpoint', 'no turn of this session was marked by undo --session-only');
  return marked(asked, found, 'redone');
}

function askedFor(call: Call): readonly [Asked, string] {
  const asked = askedBy(call, []);
  if (asked.env.get('BELAY_GRANT') === 'read')
    throw refused('not_granted', 'this caller may read checkpoints and sessions, not change them (BELAY_GRANT=read)');
  return [asked, sessionOf(asked, textOf(call, 'session'))];
}

/** Newest first. */
const turnsOf = (home: Bytes, session: string): readonly Found[] =>
  [...chainOf(home, session)].flatMap((of) =>
    readStory(home, of)
      .turns.map((turn) => ({ of, turn }))
      .reverse(),
  );

function marked({ home, env }: Asked, { of, turn }: Found, e: 'undone' | 'redone'): Answer {
  const by = toText(env.get('BELAY_SESSION') ?? '');
  appendEvents(home, of, [{ e, t: Date.now(), turns: [turn.turn], by, what: 'session-only' }]);
  const name = lineTitle(turn.label ?? turn.commands[0]?.line ?? '');
  const said = e === 'undone' ? 'undone' : 'done again';
  return {
    json: { session: of, turn: turn.turn },
    text: `Marked turn ${turn.turn} ${said} in the session: ${name}\nFiles stay as they are.\n`,
  };
}
