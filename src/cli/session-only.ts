import { toText } from '../platform/bytes.ts';
import { chainOf } from '../sessions/chain.ts';
import { readStory } from '../sessions/find.ts';
import { appendEvents } from '../turns/journal.ts';
import { type Answer, type Call, notThere, refused } from './command.ts';
import { askedBy, sessionOf, textOf } from './sessions/asked.ts';
import { lineTitle } from './title.ts';

/** `belay undo --session-only`: the newest turn counts as undone in the session's record; files stay. */
export function undoInSession(call: Call): Answer {
  const asked = askedBy(call, []);
  if (asked.env.get('BELAY_GRANT') === 'read')
    throw refused('not_granted', 'this caller may read checkpoints and sessions, not change them (BELAY_GRANT=read)');
  const session = sessionOf(asked, textOf(call, 'session'));
  const wanted = textOf(call, 'turn');
  // Compressed, a session goes on from others: they count as one.
  const found = [...chainOf(asked.home, session)].flatMap((of) =>
    readStory(asked.home, of)
      .turns.filter((one) => (wanted === undefined ? !one.undone : one.turn === wanted))
      .slice(-1)
      .map((turn) => ({ of, turn })),
  )[0];
  if (found === undefined) throw notThere('no_checkpoint', 'no turn of this session is left to undo');
  const { of, turn } = found;
  appendEvents(asked.home, of, [
    {
      e: 'undone',
      t: Date.now(),
      turns: [turn.turn],
      by: toText(asked.env.get('BELAY_SESSION') ?? ''),
      what: 'session-only',
    },
  ]);
  const name = lineTitle(turn.label ?? turn.commands[0]?.line ?? '');
  return {
    json: { session: of, turn: turn.turn },
    text: `Marked turn ${turn.turn} undone in the session: ${name}\nFiles stay as they are.\n`,
  };
}
