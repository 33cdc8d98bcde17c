import type { Command } from './command.ts';
import { documentOf, inTurn } from './in-process.ts';
import { VERSION } from './main.ts';

/** What agents can ask for by themselves. The protocol's library is only loaded here: nobody else pays for it. */
export const mcp: Command = {
  summary: 'a Model Context Protocol server on stdin and stdout: list, diff, show, undo, rollback, session_search',
  usage: ['belay mcp'],
  help: `
An agent starts it (\`claude mcp add belay -- ~/.local/bin/belay mcp\`). It answers for the project of the folder it was started in, and for the
conversation of the agent that started it: with \`agents.restore: own\` (the default) undo and rollback take back that conversation's own
turns only, with \`deny\` it lists and compares, with \`allow\` it restores anything.`,
  run: async (call) => {
    // Whoever speaks this protocol is an agent, and has its grants, also where its conversation is not known.
    process.env['BELAY_AGENT'] ||= 'mcp';
    const { serve } = await import('./mcp/server.ts');
    const folder = call.cwd === undefined ? [] : ['-C', call.cwd];
    await serve(
      VERSION,
      inTurn((words: readonly string[]) => documentOf([...folder, ...words])),
    );
    return 0;
  },
};
