import { type LoadedConfig, loadConfig } from '../../platform/config.ts';
import { compact } from '../../sessions/compact.ts';
import { type Answer, type Command, refused } from '../command.ts';
import { type Asked, askedBy, sessionOf } from './asked.ts';

/** `belay sessions compact [ID]`. */
export async function compactSession(asked: Asked): Promise<Answer> {
  const session = sessionOf(asked, asked.words[0]);
  const { config }: LoadedConfig = await loadConfig(asked.env);
  const done = compact({ home: asked.home, config }, session);
  if (done.is === 'empty') throw refused('nothing_done', `nothing was done in session ${session} yet`);
  if (done.is === 'already')
    throw refused('compacted', `${session} goes on as ${done.into} already`, `belay resume ${done.into}`);
  const { into, title, by } = done;
  return {
    json: { session, into, title, by },
    text: `${into} goes on from it: ${title}\nbelay resume ${into}   goes on in it, here\n`,
  };
}

/** `belay compact`: the same. */
export const compactHere: Command = {
  summary: 'a session goes on as a new one that begins with its summary',
  usage: ['belay compact [ID]'],
  help: `
The session stays as it is, with its checkpoints; the next one is numbered, begins with a summary of it and names it. \`belay resume\` and
\`belay run -c\` do this by themselves with a session that has grown past compression.threshold of compression.context_tokens, and always
go on in the newest of such a row. The summary is the brief, unless compression.summarizer makes another one. This is belay's record: an
agent's own window is the agent's.`,
  words: 1,
  run: (call) => compactSession(askedBy(call, call.words)),
};
