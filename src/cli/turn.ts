import { beginByHand, endByHand, isByHand } from '../agents/by-hand.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { settleAll } from '../saving/settle/settle.ts';
import { openWorld } from '../saving/world.ts';
import { type Answer, type Call, type Command, failed, notThere, refused, wrongUsage } from './command.ts';
import { isTypedAt } from './own-shell.ts';
import { shown } from './paths.ts';
import { count } from './style.ts';

export const turn: Command = {
  summary: 'begins and ends a turn, for scripts and agents without hooks',
  usage: ['belay turn begin [--session ID] [--label TEXT] [--source NAME]', 'belay turn end [--session ID]'],
  help: `
\`begin\` keeps the whole project as it is and prints what the shell should know. In a script, which has ~/.local/bin in its PATH:

  begun=$(belay turn begin --label 'nightly update') || exit
  eval "$begun"

\`end\` files what changed since then: one checkpoint, which \`belay undo\` takes back. Without --session: BELAY_SESSION.

  --session ID   turns of one session; a new one where there is none
  --label TEXT   what the turn is called
  --source NAME  how sessions of this kind are called (default: script)`,
  options: { session: { type: 'string' }, label: { type: 'string' }, source: { type: 'string' } },
  run: async (call) => {
    const [what, ...more] = call.words;
    if (more.length > 0 || (what !== 'begin' && what !== 'end'))
      throw wrongUsage(
        what === undefined
          ? 'it wants begin or end'
          : `'${toText(more[0] ?? what)}' is ${more.length > 0 ? 'one word too many' : 'neither begin nor end'}`,
      );
    const world = await openWorld();
    if (world.home === undefined)
      throw failed('no_home', 'neither BELAY_HOME nor HOME says where checkpoints are kept');
    if (world.off) return { json: { off: true }, text: '' };
    const homed = { ...world, home: world.home };
    const inherited = toText(world.env.get('BELAY_SESSION') ?? '');
    const session = optionOf(call, 'session') ?? (isByHand(homed, inherited) ? inherited : '');
    if (what === 'begin' && isTypedAt(world.env) && (world.env.get('BELAY_DISABLE') ?? '') === '')
      throw refused('at_prompt', 'each line that is typed in this shell is a turn already, so none was begun');
    const parent = inherited === '' || isByHand(homed, inherited) ? undefined : inherited;
    if (what === 'begin') return begin(call, homed, session, parent);
    const ended = await endByHand(homed, session);
    if (ended === undefined)
      throw notThere('no_session', session === '' ? 'no turn was begun here' : `session ${session} is in no turn`);
    const done = await settleAll(homed, { wait: 10_000 });
    if (done.is === 'busy')
      throw failed(
        'busy',
        'another belay is filing turns',
        'This one is ended, and is filed with the next: belay list.',
      );
    const { settled } = done;
    const checkpoints = settled.map(({ root, n, changes }) => ({ root: toText(root), n, changes }));
    return {
      json: { session, turn: String(ended.turn), checkpoints },
      text: `${settled.map(({ root, n, changes }) => `checkpoint ${n} of ${shown(root)}: ${count(changes, 'path')} changed`).join('\n') || 'nothing changed'}\n`,
    };
  },
};

async function begin(
  call: Call,
  world: Parameters<typeof beginByHand>[0],
  session: string,
  parent: string | undefined,
): Promise<Answer> {
  if (call.cwd === undefined)
    throw failed('no_folder', 'the current folder was deleted', 'Name another one with -C DIR.');
  const begun = await beginByHand(world, {
    session: session || undefined,
    ...(parent === undefined ? {} : { parent }),
    label: bytesOf(call, 'label') ?? '',
    source: optionOf(call, 'source') ?? 'script',
    cwd: call.cwd,
  });
  return {
    json: { session: begun.session, turn: begun.turn },
    text: `export BELAY_SESSION=${begun.session} BELAY_TURN=${begun.turn}\n`,
    ...(begun.leftOut.length > 0 ? { note: `belay: not saved: ${begun.leftOut.map(shown).join(', ')}` } : {}),
  };
}

const bytesOf = (call: Call, name: string): Bytes | undefined => {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
};

function optionOf(call: Call, name: string): string | undefined {
  const value = bytesOf(call, name);
  if (value === undefined) return undefined;
  if (!/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/.test(value))
    throw wrongUsage(`--${name} is letters, digits, and _ . : -, not '${toText(value)}'`);
  return value;
}
