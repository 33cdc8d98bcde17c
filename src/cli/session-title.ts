import { toText } from '../platform/bytes.ts';
import { readStory } from '../sessions/find.ts';
import { giveTitle, titleFor } from '../sessions/titles.ts';
import { type Command, wrongUsage } from './command.ts';
import { askedBy, sessionOf } from './sessions/asked.ts';

/** `belay title [TEXT]`: of the session that it is typed in. */
export const title: Command = {
  summary: 'the title of this session, or another one for it',
  usage: ['belay title [TEXT]'],
  help: 'Without TEXT it prints the title. Titles are unique: one that another session has gets a number, `Refactor auth (2)`.',
  run: (call) => {
    const asked = askedBy(call, call.words);
    const session = sessionOf(asked, undefined);
    const wanted = asked.words.join(' ');
    if (wanted === '') {
      const story = readStory(asked.home, session);
      const now = story.title === undefined ? titleFor(story) : toText(story.title);
      return { json: { session, title: now ?? null }, text: now === undefined ? '' : `${now}\n` };
    }
    const given = giveTitle(asked.home, session, wanted, 'person');
    if (given === '') throw wrongUsage('a title has letters or digits');
    return { json: { session, title: given }, text: `${given}\n` };
  },
};
