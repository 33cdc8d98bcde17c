import { handOff } from '../sessions/handoff.ts';
import { type Command, wrongUsage } from './command.ts';
import { askedBy, sessionOf, textOf } from './sessions/asked.ts';

/** `belay handoff [ID] --to SOURCE`. */
export const handoff: Command = {
  summary: 'hands a session to another source, which goes on in it',
  usage: ['belay handoff [ID] --to SOURCE'],
  help: `
The next \`belay run --source SOURCE\` goes on in this session: same id, history and checkpoints. It finds the brief of what was done in
the file that BELAY_BRIEF names. Who had the session is told at the next prompt of an agent.`,
  words: 1,
  options: { to: { type: 'string' } },
  run: (call) => {
    const to = textOf(call, 'to');
    if (to === undefined || !/^[A-Za-z0-9_.-]+$/.test(to))
      throw wrongUsage('--to wants the name of a source: telegram, claude, …');
    const asked = askedBy(call, call.words);
    const session = sessionOf(asked, asked.words[0]);
    handOff(asked.home, session, to);
    return { json: { session, to }, text: `${session} waits for the next session of ${to}\n` };
  },
};
