import { clearProject, legacyFolders } from '../../checkpoint/clear.ts';
import { collect } from '../../checkpoint/collect.ts';
import { projectKey } from '../../checkpoint/projects.ts';
import { bytesOnDisk } from '../../checkpoint/size.ts';
import { openStore } from '../../checkpoint/store.ts';
import { toText } from '../../platform/bytes.ts';
import { removeTree } from '../../platform/files.ts';
import { join, resolve } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';
import { restingOn } from '../../saving/resting.ts';
import { confirm } from '../ask.ts';
import type { Answer, Call } from '../command.ts';
import { type Context, known } from '../context.ts';
import { shown } from '../paths.ts';
import { bytes, count } from '../style.ts';
import { locked } from './locked.ts';

/** `belay checkpoints clear`: every checkpoint of every project, or of `--project DIR`; names what is lost, and asks. */
export async function clear(context: Context, call: Call): Promise<Answer> {
  const given = call.values['project'];
  const nothing = { json: { dropped: [], freed_bytes: 0 }, text: 'there are no checkpoints\n' };
  if (context.store === undefined) return nothing;
  const folder = typeof given === 'string' ? resolve(context.cwd, given) : undefined;
  const root = folder === undefined ? undefined : (projectRoot(folder, context.world.userHome) ?? folder);
  const keys = root === undefined ? undefined : [projectKey(context.store, root)];
  const going = known(context.store, keys).filter(
    ({ history }) => history.checkpoints.length + history.captures.length > 0,
  );
  if (going.length === 0) return nothing;
  const store = openStore(context.home);
  const rows = going.map(
    ({ project, history }) => `  ${shown(project.workdir)}  ${count(history.checkpoints.length, 'checkpoint')}`,
  );
  await confirm(call, `Let these go, for good? Nothing of them can be undone then.\n${rows.join('\n')}\n`);
  const done = locked(store, () => {
    const before = bytesOnDisk(store.base);
    const cleared = going.map(({ project }) => clearProject(store, project.key, () => restingOn(store)));
    collect(store);
    return {
      dropped: cleared.flatMap(({ dropped }) => dropped),
      kept: cleared.reduce((sum, { captures }) => sum + captures, 0),
      freed: Math.max(0, before - bytesOnDisk(store.base)),
    };
  });
  const stay =
    done.kept === 0
      ? ''
      : `${count(done.kept, 'capture')} of the projects stay: lines that still run may rest on them. Run this again when they are over.\n`;
  return {
    json: { dropped: done.dropped, freed_bytes: done.freed, captures_kept: done.kept },
    text: `${count(done.dropped.length, 'checkpoint')} dropped, ${bytes(done.freed)} freed\n${stay}`,
  };
}

/** `belay checkpoints clear-legacy`: archived stores of an older layout. */
export async function clearLegacy(context: Context, call: Call): Promise<Answer> {
  const { store } = context;
  const names = store ? legacyFolders(store) : [];
  if (store === undefined || names.length === 0)
    return { json: { removed: [], freed_bytes: 0 }, text: 'there are no archived stores\n' };
  await confirm(call, `Remove ${names.map(shown).join(', ')}, for good?`);
  const { base } = openStore(context.home);
  const before = bytesOnDisk(base);
  for (const name of names) removeTree(join(base, name));
  const freed = Math.max(0, before - bytesOnDisk(base));
  return {
    json: { removed: names.map(toText), freed_bytes: freed },
    text: `removed ${names.map(shown).join(', ')}: ${bytes(freed)} freed\n`,
  };
}
