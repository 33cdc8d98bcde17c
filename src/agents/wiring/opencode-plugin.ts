import { OWN_MARK } from './wiring.ts';

/** opencode knows no hook commands: this is the few lines of a plugin that calls belay. */
export const opencodePlugin = (belay: string): string => `// ${OWN_MARK} opencode takes this file out
// Tells belay what opencode is about to do, so that it can be taken back. When belay fails, opencode goes on.
import { spawn } from 'node:child_process';

const tell = (event, input) =>
  new Promise((resolve) => {
    let said = '';
    const done = () => {
      clearTimeout(patience);
      try {
        resolve(JSON.parse(said || '{}'));
      } catch {
        resolve({});
      }
    };
    const hook = spawn('/bin/sh', ['-c', ${JSON.stringify(`exec ${belay} hook opencode`)}], { stdio: ['pipe', 'pipe', 'ignore'] });
    const patience = setTimeout(() => hook.kill(), 60_000);
    hook.on('error', done);
    hook.on('close', done);
    hook.stdin.on('error', () => {});
    hook.stdout.on('data', (part) => (said += part));
    hook.stdin.end(JSON.stringify({ event, ...input }));
  });

const EVENTS = ['session.created', 'session.idle', 'session.error', 'session.deleted'];

export const Belay = async ({ directory }) => {
  let tidings;
  const answers = new Map(); // what each conversation's model said last, by message: only those of a model count
  return {
    'chat.message': async ({ sessionID, model }, { message, parts }) => {
      const prompt = parts.map((part) => part.text ?? '').join(' ');
      answers.delete(sessionID);
      const used = model ?? message?.model;
      const named = used && { model: \`\${used.providerID}/\${used.modelID}\` };
      tidings = (await tell('chat.message', { directory, sessionID, prompt, ...named })).tell;
    },
    'experimental.chat.system.transform': async (_, { system }) => {
      if (tidings) system.push(tidings);
      tidings = undefined;
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const { deny } = await tell('tool.execute.before', { directory, sessionID, callID, tool, args });
      if (deny) throw new Error(deny);
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }) => {
      await tell('tool.execute.after', { directory, sessionID, callID, tool, args });
    },
    event: async ({ event: { type, properties } }) => {
      const { info, part, sessionID = info?.id } = properties ?? {};
      if (type === 'message.updated' && info?.role === 'assistant')
        answers.set(info.sessionID, { id: info.id, text: answers.get(info.sessionID)?.text });
      if (type === 'message.part.updated' && part?.type === 'text' && answers.get(part.sessionID)?.id === part.messageID)
        answers.get(part.sessionID).text = part.text;
      if (!EVENTS.includes(type)) return;
      const message = answers.get(sessionID)?.text;
      answers.delete(sessionID); // a turn that failed comes to rest, too: its answer is told once
      await tell(type, { directory, sessionID, parentID: info?.parentID, message });
    },
  };
};
`;
