import { projectKey } from '../checkpoint/projects.ts';
import { NO_HISTORY } from '../checkpoint/read.ts';
import { addressOf, nameOf } from '../checkpoint/share/address.ts';
import { type Remote, shownUrl } from '../checkpoint/share/remote.ts';
import { type Synced, sync as syncWith } from '../checkpoint/share/sync.ts';
import { openStore } from '../checkpoint/store.ts';
import { toText } from '../platform/bytes.ts';
import { confirm } from './ask.ts';
import { hasAgreed, noteAgreed } from './checkpoints/agreed.ts';
import { ownerOf } from './checkpoints/owner.ts';
import { privateRules } from './checkpoints/share.ts';
import { type Answer, type Command, notThere, refused, wrongUsage } from './command.ts';
import { knownHere, ledgerFor, openContext } from './context.ts';
import { shown } from './paths.ts';
import { withProgress } from './progress.ts';
import { count } from './style.ts';

export const sync: Command = {
  summary: 'checkpoints of this project to and from a git remote',
  writes: true,
  usage: ['belay sync REMOTE [--as NAME] [--with-secrets] [--prune] [--yes]'],
  help: `
Pushes what REMOTE (a remote of the project, an address, a path) does not have, under refs/belay/NAME/, and takes over what other
machines have pushed there: with numbers of this project, and where they come from. Any git server will do. Asks the first time.

  --as NAME       what the project is called there; else the name of its origin, or of its folder
  --with-secrets  also precious and ignored files, held files, and lines as they were recorded
  --prune         what this machine pushed and no longer lists goes there, too

Interrupted, it goes on the next time. One machine at a time: one that was not heard of for 15 minutes is not waited for.`,
  words: 1,
  options: { as: { type: 'string' }, 'with-secrets': { type: 'boolean' }, prune: { type: 'boolean' } },
  run: async (call) => {
    const [word] = call.words;
    if (word === undefined) throw wrongUsage('with what? belay sync REMOTE');
    const context = await openContext(call);
    const { root, world } = context;
    if (context.agent !== undefined || toText(world.env.get('BELAY_GRANT') ?? '') !== '')
      throw refused('not_granted', 'only a person sends checkpoints to another machine');
    if (world.foreign !== undefined) throw refused('store_not_ours', world.foreign);
    const url = addressOf(root, context.cwd, word);
    if (url === undefined)
      throw notThere('no_remote', `${toText(word)} is no remote of ${shown(root)}, no address and no path`);
    const given = call.values['as'];
    if (typeof given === 'string' && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(given))
      throw wrongUsage('--as takes a name of letters, digits, dots, dashes and underscores');
    const remote: Remote = { url, name: typeof given === 'string' ? given : nameOf(root) };
    const store = openStore(context.home);
    const key = projectKey(store, root);
    const here = knownHere(context);
    const rules = await privateRules(context, call);
    const agreed = `${shownUrl(url)} ${remote.name}${rules.secrets ? ' with secrets' : ''}`;
    if (!hasAgreed(store, key, agreed))
      await confirm(
        call,
        `Push the checkpoints of ${shown(root)}${rules.secrets ? ', private files among them,' : ''} to ${shownUrl(url)}, as ${remote.name}?`,
      );
    noteAgreed(store, key, agreed);
    const done = await withProgress(call, 'syncing', ({ doing }) =>
      syncWith({
        store,
        key,
        owner: ownerOf(store, key),
        root,
        history: here?.history ?? NO_HISTORY,
        ledger: ledgerFor(here === undefined ? [] : [here]),
        rules,
        remote,
        prune: call.values['prune'] === true,
        now: Date.now(),
        tell: (what) => doing(`syncing: ${what}`),
      }),
    );
    return told(remote, done);
  },
};

function told(remote: Remote, { pushed, fetched, dropped, refused: not }: Synced): Answer {
  return {
    exit: not.length > 0 ? 1 : 0,
    json: {
      remote: shownUrl(remote.url),
      as: remote.name,
      pushed,
      fetched: fetched.map(({ n, owner, there }) => ({ n, origin: { key: owner, n: there } })),
      dropped,
      refused: not.map(({ owner, there, why }) => ({ origin: { key: owner, n: there }, reason: why })),
    },
    text: [
      `${shownUrl(remote.url)}, as ${remote.name}: ${count(pushed.length, 'checkpoint')} pushed, ${fetched.length} taken over${dropped.length > 0 ? `, ${dropped.length} dropped there` : ''}`,
      ...(fetched.length > 0 ? [`  here: ${fetched.map(({ n }) => n).join(', ')}`] : []),
      ...not.map(({ owner, there, why }) => `  not taken over: ${owner.slice(0, 8)} #${there}: ${why}`),
      '',
    ].join('\n'),
  };
}
