import { type Call, type Command, Failure } from './command.ts';
import { answerTo, VERSION } from './main.ts';

/** What agents can ask for by themselves. The protocol's library is only loaded here: nobody else pays for it. */
export const mcp: Command = {
  summary: 'a Model Context Protocol server on stdin and stdout: list, diff, show, undo, rollback, session_search',
  usage: ['belay mcp'],
  help: `
An agent starts it (\`claude mcp add belay -- belay mcp\`). It answers for the project of the folder it was started in, and for the
conversation of the agent that started it: with \`agents.restore: own\` (the default) undo and rollback take back that conversation's own
turns only, with \`deny\` it lists and compares, with \`allow\` it restores anything.`,
  run: async (call) => {
    // Whoever speaks this protocol is an agent, and has its grants, also where its conversation is not known.
    process.env['BELAY_AGENT'] ||= 'mcp';
    const { serve } = await import('./mcp/server.ts');
    await serve(
      VERSION,
      inTurn((words) => ask(call, words)),
    );
    return 0;
  },
};

/** The command of that name, in this process: the same refusals, the same grants (permission.ts), the same documents (docs/json.md). */
async function ask(call: Call, words: readonly string[]): Promise<{ document: unknown; failed: boolean }> {
  const folder = call.cwd === undefined ? [] : ['-C', call.cwd];
  try {
    const answer = await answerTo([...folder, ...words]);
    return { document: typeof answer === 'number' ? { exit: answer } : answer.json, failed: false };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint, more } = error;
    return { document: { error: { code, message, ...(hint === undefined ? {} : { hint }), ...more } }, failed: true };
  }
}

/** One after the other: a restore beside another one would only be refused. */
function inTurn<A, T>(work: (asked: A) => Promise<T>): (asked: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (asked) => {
    const done = last.then(() => work(asked));
    last = done.catch(() => undefined); // whoever asked has the failure
    return done;
  };
}
