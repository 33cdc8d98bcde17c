import { toText } from '../platform/bytes.ts';
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
  const { turns } = readStory(asked.home, session);
  const wanted = textOf(call, 'turn');
  const turn = turns.findLast((one) => (wanted === undefined ? !one.undone : one.turn === wanted));
  if (turn === undefined) throw notThere('no_checkpoint', 'no turn of this session is left to undo');
  appendEvents(asked.home, session, [
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
    json: { session, turn: turn.turn },
    text: `Marked turn ${turn.turn} undone in the session: ${name}\nFiles stay as they are.\n`,
  };
}
