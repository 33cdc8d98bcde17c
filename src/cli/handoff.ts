import { isConversation } from '../agents/calling.ts';
import { runtimeFolder } from '../platform/home.ts';
import { leaveNotice } from '../platform/log.ts';
import { handOff } from '../sessions/handoff.ts';
import { sessionFolder } from '../turns/markers.ts';
import { tellSession } from '../turns/notice.ts';
import { type Command, wrongUsage } from './command.ts';
import { type Asked, askedBy, sessionOf, textOf } from './sessions/asked.ts';

/** `belay handoff [ID] --to SOURCE`. */
export const handoff: Command = {
  summary: 'hands a session to another source, which goes on in it',
  usage: ['belay handoff [ID] --to SOURCE'],
  help: `
The next \`belay run --source SOURCE\` goes on in this session: same id, history and checkpoints. It finds the brief of what was done in
the file that BELAY_BRIEF names. Who had the session is told: an agent in its next hook's answer, a shell at its next prompt.`,
  words: 1,
  options: { to: { type: 'string' } },
  run: (call) => {
    const to = textOf(call, 'to');
    if (to === undefined || !/^[A-Za-z0-9_.-]+$/.test(to))
      throw wrongUsage('--to wants the name of a source: telegram, claude, …');
    const asked = askedBy(call, call.words);
    const session = sessionOf(asked, asked.words[0]);
    handOff(asked.home, session, to);
    tell(asked, session, `belay: this session was handed to ${to}: what comes next is done there.`);
    return { json: { session, to }, text: `${session} waits for the next session of ${to}\n` };
  },
};

/** Whoever has the session now. A shell looks in the folder of its markers, at each prompt. */
function tell({ home, env }: Asked, session: string, text: string): void {
  const runtime = runtimeFolder(env, true);
  if (isConversation(home, session)) tellSession(home, session, text);
  else if (runtime !== undefined) leaveNotice(sessionFolder(runtime, session), text);
}
