import { toText } from '../platform/bytes.ts';
import { type Command, wrongUsage } from './command.ts';
import { execIn } from './installs/exec.ts';
import { list } from './installs/list.ts';
import { prepareHere } from './installs/prepare.ts';

/** `belay installs`: the dependency environments that each checkout has of its own. */
export const installs: Command = {
  summary: 'dependency environments, one a checkout: list, prepare, exec',
  usage: ['belay installs [list]', 'belay installs prepare [--setup CMD]', 'belay installs exec -- CMD…'],
  help: `
  list      every state: its checkout, size and age, and whether the checkout is there (live), was deleted (orphan), somebody has it
            (held), nobody can tell (unproved) or it does not say whose it is (no record)
  prepare   runs CMD (installs.setup where none is given) in the checkout, with BELAY_INSTALL_DIR naming a new folder; what it put there
            becomes the checkout's environment only if CMD succeeded
  exec      runs CMD with that environment's bin first in PATH; nobody reclaims it meanwhile

\`belay gc\` gives the states of deleted checkouts back.`,
  options: { setup: { type: 'string' } },
  strayOption: 'belay installs exec -- CMD…',
  run: (call) => {
    const [what = 'list', ...rest] = call.words;
    if (what === 'exec') return execIn(call, rest);
    if (rest.length > 0) throw wrongUsage(`'${toText(rest[0] ?? '')}' is one word too many`);
    if (call.values['setup'] !== undefined && what !== 'prepare') throw wrongUsage('--setup goes with prepare');
    if (what === 'prepare') return prepareHere(call);
    if (what === 'list') return list();
    throw wrongUsage(`'${toText(what)}' is none of list, prepare, exec`);
  },
};
