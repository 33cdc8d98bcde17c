import { projectKey } from '../checkpoint/projects.ts';
import { openStore } from '../checkpoint/store.ts';
import { writeRecord } from '../checkpoint/write.ts';
import { toText } from '../platform/bytes.ts';
import { capture } from '../saving/capture/capture.ts';
import { newSessionId } from '../turns/ids.ts';
import { type Command, failed, refused } from './command.ts';
import { openContext } from './context.ts';
import { shown } from './paths.ts';

/** A person waits for it, so it may take its time. */
const BUDGET_MS = 600_000;

export const checkpoint: Command = {
  summary: 'a checkpoint by hand',
  usage: ['belay checkpoint [-m TEXT]'],
  help: `
Captures the whole project as it is now and lists it, with TEXT as its reason. \`belay rollback N\` leads back to it.`,
  options: { message: { type: 'string', short: 'm' } },
  run: async (call) => {
    const context = await openContext(call);
    const { world, root, cwd } = context;
    if (world.foreign !== undefined) throw refused('store_not_ours', world.foreign);
    if (world.off)
      throw refused('off', 'belay is switched off (BELAY_DISABLE, or checkpoints.enabled in the configuration)');
    const message = call.values['message'];
    const label = typeof message === 'string' ? toText(message) : call.words.map(toText).join(' ');
    const store = openStore(context.home);
    const order = context.nextOrder();
    const done = await capture({ store, root, config: world.config, budget: BUDGET_MS });
    if (done.kind === 'failed' || done.kind === 'left out')
      throw failed('not_captured', `${shown(root)} could not be captured: ${done.why}`);
    const now = Date.now();
    const written = writeRecord(
      store,
      root,
      {
        kind: 'manual',
        scope: 'full',
        session: context.session ?? newSessionId(new Date()),
        turn: `manual-${order}`,
        order: context.nextOrder(),
        started: now,
        ended: now,
        line: '',
        verbs: [],
        cwd,
        shell: '',
        source: 'cli',
        ...(label === '' ? {} : { label }),
        changes: [],
        leftOut: done.leftOut,
        nested: [],
        captureBefore: done.m,
        gitBefore: [],
        gitAfter: [],
      },
      new Map(),
    );
    const left = done.leftOut.length;
    return {
      json: { n: written.n, key: projectKey(store, root), capture: done.m, left_out: left },
      text: `Checkpoint ${written.n}${label === '' ? '' : `: ${label}`}\n${left > 0 ? `${left} left out (\`belay list --json\` names them)\n` : ''}Back to it: belay rollback ${written.n} --all\n`,
    };
  },
};
