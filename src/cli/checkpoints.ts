import { holdsFolder } from '../checkpoint/holds.ts';
import { clearProject, legacyFolders, prune } from '../checkpoint/retention.ts';
import { bytesBelow, objectBytes } from '../checkpoint/size.ts';
import { openStore, type Store } from '../checkpoint/store.ts';
import { repair } from '../checkpoint/verify/repair.ts';
import { verify } from '../checkpoint/verify/verify.ts';
import { toText } from '../platform/bytes.ts';
import { lookAt, removeTree } from '../platform/files.ts';
import { acquire, type Lock } from '../platform/lock.ts';
import { join } from '../platform/paths.ts';
import { confirm } from './ask.ts';
import { type Answer, type Call, type Command, refused, wrongUsage } from './command.ts';
import { type Context, known, knownHere, openContext } from './context.ts';
import { list } from './list.ts';
import { pathKeys, shown } from './paths.ts';
import { bytes, count, padLeft, padRight, styleFor, widthOf } from './style.ts';

export const checkpoints: Command = {
  summary: 'the store: status, list, prune, clear, verify',
  usage: ['belay checkpoints [status|list|prune|clear|clear-legacy]', 'belay checkpoints verify [--repair]'],
  help: `
  status        every project, its checkpoints and what they take (the default)
  list          the same as belay list
  prune         lets checkpoints go that are too old or too many, and the space of what only they held
  clear         lets every checkpoint of this project go (asks)
  clear-legacy  removes archived stores of an older layout (asks)
  verify        proves that everything listed can be brought back; --repair lets go what is proved broken,
                and says what`,
  words: 1,
  options: { session: { type: 'string' }, repair: { type: 'boolean' } },
  run: async (call) => {
    const [what] = call.words;
    if (what === 'list') return list.run({ ...call, words: [] });
    const repairing = call.values['repair'] === true;
    if (repairing && what !== 'verify') throw wrongUsage('--repair goes with verify');
    const context = await openContext(call);
    switch (what ?? 'status') {
      case 'status':
        return status(context);
      case 'prune':
        return pruneNow(context);
      case 'clear':
        return clear(context, call);
      case 'clear-legacy':
        return clearLegacy(context, call);
      case 'verify':
        return repairing ? repairNow(context) : verifyNow(context);
      default:
        throw wrongUsage(`'${toText(what ?? '')}' is none of status, list, prune, clear, clear-legacy, verify`);
    }
  },
};

function status(context: Context): Answer {
  const { store } = context;
  const all = store === undefined ? [] : known(store);
  const rows = all.map(({ project, history, generation }) => {
    const there = lookAt(project.workdir)?.type === 'folder';
    const held = store ? bytesBelow(holdsFolder(store, project.key)) : 0;
    return {
      workdir: project.workdir,
      key: project.key,
      checkpoints: history.checkpoints.length,
      last_touch: project.last_touch,
      state: !there ? 'gone' : generation === project.generation ? 'here' : 'replaced',
      bytes: held + (store ? objectBytes(store, project.key) : 0),
    };
  });
  const base = join(context.home, 'checkpoints');
  const total = bytesBelow(base);
  const holds = bytesBelow(join(base, 'holds'));
  const legacy = store
    ? legacyFolders(store).map((name) => ({ name: toText(name), bytes: bytesBelow(join(store.base, name)) }))
    : [];
  const style = styleFor(process.stdout);
  const widths = [Math.max(0, ...rows.map(({ workdir }) => widthOf(shown(workdir)))), 4, 10];
  return {
    json: {
      base: pathKeys(base).path,
      total_bytes: total,
      holds_bytes: holds,
      projects: rows.map((row) => ({
        ...row,
        workdir: pathKeys(row.workdir).path,
        last_touch: new Date(row.last_touch).toISOString(),
      })),
      legacy,
    },
    text: [
      `${style.bold(shown(base))}  ${bytes(total)}, of it ${bytes(holds)} held files`,
      ...(rows.length > 0 ? [''] : ['nothing was saved yet']),
      ...rows.map((row) =>
        `${padRight(shown(row.workdir), widths[0] ?? 0)}  ${padLeft(String(row.checkpoints), 4)}  ${padLeft(bytes(row.bytes), 10)}  ${row.state === 'here' ? '' : style.red(row.state)}`.trimEnd(),
      ),
      ...legacy.map(({ name, bytes: size }) => `${name}  ${bytes(size)}  (belay checkpoints clear-legacy)`),
      '',
    ].join('\n'),
  };
}

/** Nobody writes into the store while something is taken out of it. */
function locked<T>(store: Store, act: () => T): T {
  const locks: Lock[] = [];
  try {
    for (const name of ['.restore.lock', '.settle.lock', '.capture.lock']) {
      const lock = acquire(join(store.base, name), 30_000);
      if (lock === undefined) throw refused('busy', 'the store is being written', 'Run this again in a moment.');
      locks.push(lock);
    }
    return act();
  } finally {
    for (const lock of locks) lock.release();
  }
}

function pruneNow(context: Context): Answer {
  if (context.store === undefined) return { json: { dropped: [], freed_bytes: 0 }, text: 'nothing was saved yet\n' };
  const store = openStore(context.home);
  const { max_snapshots, max_total_size_mb, retention_days } = context.world.config.checkpoints;
  const rules = {
    maxSnapshots: max_snapshots,
    maxTotalBytes: max_total_size_mb * 1e6,
    retentionMs: retention_days * 86_400_000,
  };
  const done = locked(store, () => prune(store, rules, Date.now()));
  return {
    json: { dropped: done.dropped, freed_bytes: done.freed },
    text: `${count(done.dropped.length, 'checkpoint')} dropped, ${bytes(done.freed)} freed\n`,
  };
}

async function clear(context: Context, call: Call): Promise<Answer> {
  const here = knownHere(context);
  if (here === undefined) return { json: { dropped: [] }, text: 'this project has no checkpoints\n' };
  const store = openStore(context.home);
  const total = here.history.checkpoints.length;
  await confirm(call, `Let all ${count(total, 'checkpoint')} of ${shown(context.root)} go, for good?`);
  const dropped = locked(store, () => clearProject(store, here.project.key));
  return { json: { dropped }, text: `${count(dropped.length, 'checkpoint')} dropped\n` };
}

async function clearLegacy(context: Context, call: Call): Promise<Answer> {
  const { store } = context;
  const names = store ? legacyFolders(store) : [];
  if (store === undefined || names.length === 0)
    return { json: { removed: [] }, text: 'there are no archived stores\n' };
  await confirm(call, `Remove ${names.map(shown).join(', ')}, for good?`);
  for (const name of names) removeTree(join(openStore(context.home).base, name));
  return { json: { removed: names.map(toText) }, text: `removed ${names.map(shown).join(', ')}\n` };
}

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

function repairNow(context: Context): Answer {
  if (context.store === undefined) return verifyNow(context);
  const store = openStore(context.home);
  const { done, problems } = locked(store, () => repair(store));
  const whole = problems.length === 0;
  return {
    exit: whole ? 0 : 1,
    json: { whole, repaired: done, problems },
    text: [...done, ...problems, whole ? WHOLE : ''].join('\n'),
  };
}
