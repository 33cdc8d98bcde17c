import { type LoadedConfig, loadConfig } from '../../platform/config.ts';
import { runtimeFolder } from '../../platform/home.ts';
import { compact } from '../../sessions/compact.ts';
import { setNext } from '../../turns/markers.ts';
import { type Answer, type Command, failed, refused } from '../command.ts';
import { type Asked, askedBy, sessionOf } from './asked.ts';

/** `belay sessions compact [ID]`. */
export async function compactSession(asked: Asked): Promise<Answer> {
  const session = sessionOf(asked, asked.words[0]);
  const { config }: LoadedConfig = await loadConfig(asked.env);
  const done = compact({ home: asked.home, config }, session);
  if (done.is === 'empty') throw refused('nothing_done', `nothing was done in session ${session} yet`);
  if (done.is === 'already')
    throw refused('compacted', `${session} goes on as ${done.into} already`, `belay resume ${done.into}`);
  if (done.is === 'busy') throw failed('busy', 'another compression has not ended yet', 'Run it again later.');
  const { into, title, by } = done;
  const runtime = runtimeFolder(asked.env, true);
  if (runtime !== undefined) setNext(runtime, session, into);
  return {
    json: { session, into, title, by },
    text: `${into} goes on from it: ${title}\nbelay resume ${into}   goes on in it, here; a shell that is in ${session} does at its next prompt\n`,
  };
}

/** `belay compact`: the same. */
export const compactHere: Command = {
  summary: 'a session goes on as a new one that begins with its summary',
  usage: ['belay compact [ID]'],
  help: `
The session stays as it is, with its checkpoints; the next one is numbered, begins with a summary of it and names it. Whoever is in it goes
on in that: a shell at its next prompt, an agent at its next turn, and \`belay undo\` there reaches the turns of both. A session that grows
past compression.threshold of compression.context_tokens is compressed by itself, between two turns, in the background; \`belay resume\`
and \`belay run -c\` always go on in the newest of such a row. The summary is the brief, unless compression.summarizer makes another one. This is belay's record: an
agent's own window is the agent's.`,
  words: 1,
  run: (call) => compactSession(askedBy(call, call.words)),
};
