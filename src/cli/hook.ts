import { protocols } from '../agents/protocols/index.ts';
import { type Command, wrongUsage } from './command.ts';

const NAMES = protocols.map(({ name }) => name).join('|');

/** `belay hook` itself is belay-snap's, which starts faster (bin/belay): what comes here is what it was not meant for. */
export const hook: Command = {
  summary: "an agent's hook: one event as JSON on stdin",
  usage: [`belay hook ${NAMES}`],
  help: `\`belay agent install NAME\` puts it into the agent's own configuration. It saves before a tool writes, and ends
the turn when the agent stops. It prints only what the agent's protocol asks for and always exits 0: when belay fails,
the tool runs as if belay were not there.`,
  raw: true,
  run: () => {
    throw wrongUsage(`the agent's name is missing: belay hook ${NAMES}`);
  },
};
