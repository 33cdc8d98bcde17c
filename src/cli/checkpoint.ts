import { projectKey } from '../checkpoint/projects.ts';
import { openStore } from '../checkpoint/store.ts';
import { toText } from '../platform/bytes.ts';
import { isInside } from '../platform/paths.ts';
import { checkpointNow } from '../saving/manual.ts';
import { type Command, failed, refused } from './command.ts';
import { openContext } from './context.ts';
import { shown } from './paths.ts';
import { withProgress } from './progress.ts';

export const checkpoint: Command = {
  summary: 'a checkpoint by hand',
  writes: true,
  usage: ['belay checkpoint [-m TEXT]'],
  help: `
Captures the whole project as it is now and lists it, with TEXT as its reason. \`belay rollback N\` leads back to it. Your home folder
is no project, nor is what it lies in.`,
  options: { message: { type: 'string', short: 'm' } },
  run: async (call) => {
    const context = await openContext(call);
    const { world, home, root, cwd, session } = context;
    if (world.foreign !== undefined) throw refused('store_not_ours', world.foreign);
    if (world.off)
      throw refused('off', 'belay is switched off (BELAY_DISABLE, or checkpoints.enabled in the configuration)');
    const { userHome } = world;
    if (root === '/' || (userHome !== undefined && isInside(userHome, root)))
      throw refused(
        'no_project',
        `${shown(root)} is no project: nothing was captured`,
        'Go to the folder that is meant, or name it: belay -C DIR checkpoint.',
      );
    const message = call.values['message'];
    const label = [...(typeof message === 'string' ? [message] : []), ...call.words].map(toText).join(' ');
    const done = await withProgress(call, `saving ${shown(root)}`, () =>
      checkpointNow({ ...world, home }, root, { label, cwd, session }),
    );
    if (done.is === 'not captured') throw failed('not_captured', `${shown(root)} could not be captured: ${done.why}`);
    const { n, leftOut } = done;
    return {
      json: { n, key: projectKey(openStore(home), root), capture: done.capture, left_out: leftOut },
      text: `Checkpoint ${n}${label === '' ? '' : `: ${label}`}\n${leftOut > 0 ? `${leftOut} left out (\`belay list --json\` names them)\n` : ''}Back to it: belay rollback ${n} --all\n`,
    };
  },
};
