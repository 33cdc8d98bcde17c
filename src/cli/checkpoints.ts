import { openStore } from '../checkpoint/store.ts';
import { repair } from '../checkpoint/verify/repair.ts';
import { salvage } from '../checkpoint/verify/salvage.ts';
import { verify } from '../checkpoint/verify/verify.ts';
import { replaceLink, storeTrouble } from '../checkpoint/verify/whole-store.ts';
import { toText } from '../platform/bytes.ts';
import { mendTurns } from '../saving/settle/mend-turns.ts';
import { settleAll } from '../saving/settle/settle.ts';
import { openWorld } from '../saving/world.ts';
import { clear, clearLegacy } from './checkpoints/clear.ts';
import { locked, unmarked } from './checkpoints/locked.ts';
import { pruneNow } from './checkpoints/prune.ts';
import { exportNow, importNow } from './checkpoints/share.ts';
import { status } from './checkpoints/status.ts';
import { type Answer, type Command, wrongUsage } from './command.ts';
import { type Context, openContext } from './context.ts';
import { lookAfter } from './look-after.ts';

export const checkpoints: Command = {
  summary: 'the store: status, prune, clear, verify, export, import',
  usage: [
    'belay checkpoints [status|list] [--sort path|size|touch|checkpoints] [--state live|orphan|unreachable] [PART…]',
    'belay checkpoints prune [--retention-days D] [--max-size-mb M] [--orphans] [--holds] [--dry-run] [--yes]',
    'belay checkpoints clear [--project DIR] [--yes]',
    'belay checkpoints clear-legacy [--yes]',
    'belay checkpoints verify [--repair]',
    'belay checkpoints export N… [--with-secrets] > FILE',
    'belay checkpoints import FILE|DIR [--project DIR]',
  ],
  help: `
  status        every project: its checkpoints, when it was last touched, what it takes alone (letting all of it go would
                give that back; what several share counts for none), and whether its folder is there (live), was
                deleted (orphan), or cannot be seen now (unreachable); the default, also \`list\`
  prune         lets checkpoints go that are too old or too many, and the space of what only they held
    --orphans   also projects whose folder was deleted (asks)
    --holds     also gives back all held files, as \`belay free\` does (asks)
    --dry-run   says what would go
  clear         lets every checkpoint of every project go, or of the one in DIR (asks)
  clear-legacy  removes archived stores of an older layout (asks)
  verify        proves that everything listed can be brought back; --repair lets go what is proved broken,
                and says what
  export        checkpoints of this project as one file (a git bundle) that stands on its own; or -o FILE
    --with-secrets  also precious and ignored files, held files, and lines as they were recorded
  import        such a file into this project; or the history in DIR, a store of Hermes Agent or an older layout,
                into the projects of its folders. Imported checkpoints get numbers of their own, and say where
                they come from`,
  options: {
    'retention-days': { type: 'string' },
    'max-size-mb': { type: 'string' },
    orphans: { type: 'boolean' },
    holds: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    repair: { type: 'boolean' },
    project: { type: 'string' },
    output: { type: 'string', short: 'o' },
    'with-secrets': { type: 'boolean' },
    sort: { type: 'string' },
    state: { type: 'string' },
  },
  run: async (call) => {
    const [what = 'status', ...rest] = call.words;
    const isStatus = what === 'status' || what === 'list';
    const takesWords = isStatus || what === 'export' || what === 'import';
    if (rest.length > 0 && !takesWords) throw wrongUsage(`${toText(rest.join(' '))}: one word is enough`);
    const repairing = call.values['repair'] === true;
    if (repairing && what !== 'verify') throw wrongUsage('--repair goes with verify');
    const mended = what === 'verify' ? await wholeFirst(repairing) : [];
    if (!Array.isArray(mended)) return mended;
    const context = await openContext(call);
    switch (what) {
      case 'status':
      case 'list':
        return status(context, call);
      case 'prune':
        return pruneNow(context, call);
      case 'clear':
        return clear(context, call);
      case 'clear-legacy':
        return clearLegacy(context, call);
      case 'export':
        return exportNow(context, call, rest);
      case 'import': {
        const answer = await importNow(context, call, rest);
        await lookAfter(call.install);
        return answer;
      }
      case 'verify':
        return repairing ? repairNow(context, mended) : verifyNow(context);
      default:
        throw wrongUsage(
          `'${toText(what)}' is none of status, list, prune, clear, clear-legacy, verify, export, import`,
        );
    }
  },
};

function verifyNow(context: Context): Answer {
  const problems = context.store === undefined ? [] : verify(context.store);
  const whole = problems.length === 0;
  return {
    exit: whole ? 0 : 1,
    json: { whole, problems },
    text: whole ? WHOLE : `${problems.join('\n')}\n`,
  };
}

const WHOLE = 'whole: everything that is listed can be brought back\n';

/** A store that cannot be opened as it is: said, or mended before everything else. */
async function wholeFirst(repairing: boolean): Promise<string[] | Answer> {
  const { home } = await openWorld();
  const trouble = home === undefined ? undefined : storeTrouble(home);
  if (home === undefined || trouble === undefined) return [];
  if (!repairing) return { exit: 1, json: { whole: false, problems: [trouble] }, text: `${trouble}\n` };
  const done = replaceLink(home);
  const store = openStore(home);
  return [...done, ...locked(store, () => salvage(store))];
}

async function repairNow(context: Context, mended: readonly string[]): Promise<Answer> {
  if (context.store === undefined) return verifyNow(context);
  const store = openStore(context.home);
  const turns = mendTurns(context.world, context.home);
  if (turns.length > 0) await settleAll(context.world, { wait: 10_000, reader: true });
  const { done: rest, problems } = locked(store, () => unmarked(context.world, () => repair(store)));
  const done = [...mended, ...turns, ...rest];
  const whole = problems.length === 0;
  return {
    exit: whole ? 0 : 1,
    json: { whole, repaired: done, problems },
    text: [...done, ...problems, whole ? WHOLE : ''].join('\n'),
  };
}
