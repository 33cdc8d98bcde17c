import { briefOf } from '../../sessions/brief.ts';
import { readStory } from '../../sessions/find.ts';
import type { Answer } from '../command.ts';
import { type Asked, numberOf, sessionOf } from './asked.ts';

/** `belay sessions brief [ID] [--tokens N]`. */
export function briefSession(asked: Asked): Answer {
  const session = sessionOf(asked, asked.words[0]);
  const brief = briefOf(session, readStory(asked.home, session), numberOf(asked.call, 'tokens', 2000));
  return { json: { session, brief }, text: brief };
}
