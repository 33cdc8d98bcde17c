import { legacyFolders } from '../../checkpoint/clear.ts';
import { heldBytes } from '../../checkpoint/free.ts';
import { type Place, placeOfProject } from '../../checkpoint/place.ts';
import { takenBy, uniqueBytes } from '../../checkpoint/size.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { lastLetGo } from '../../saving/prune.ts';
import { columns } from '../columns.ts';
import { type Answer, type Call, wrongUsage } from '../command.ts';
import { type Context, known } from '../context.ts';
import { pathKeys, shown } from '../paths.ts';
import { ago, bytes, count, styleFor } from '../style.ts';

interface Row {
  readonly workdir: Bytes;
  readonly key: string;
  readonly checkpoints: number;
  /** Milliseconds since 1970. */
  readonly last_touch: number;
  readonly state: Place;
  /** What removing all of it would give back. */
  readonly bytes: number;
}

const SORTS: Readonly<Record<string, (a: Row, b: Row) => number>> = {
  path: (a, b) => (a.workdir < b.workdir ? -1 : 1),
  size: (a, b) => b.bytes - a.bytes,
  touch: (a, b) => b.last_touch - a.last_touch,
  checkpoints: (a, b) => b.checkpoints - a.checkpoints,
};

/** `belay checkpoints`: the base folder, what it takes on disk, a row a project, archived stores. */
export function status(context: Context, call: Call): Answer {
  const { store } = context;
  const base = join(context.home, 'checkpoints');
  const rows = store === undefined ? [] : chosen(rowsOf(store), call);
  const total = takenBy(base);
  const inStore = takenBy(join(base, 'store')).bytes;
  const holds = takenBy(join(base, 'holds'));
  const legacy = (store ? legacyFolders(store) : []).map((name) => ({
    name: toText(name),
    bytes: takenBy(join(base, name)).bytes,
  }));
  const letGo = lastLetGo(context.world);
  const style = styleFor(process.stdout);
  const now = Date.now();
  const table = rows.map((row) => [
    shown(row.workdir),
    String(row.checkpoints),
    ago(row.last_touch, now),
    bytes(row.bytes),
    row.state === 'live' ? row.state : style.red(row.state),
  ]);
  const head = ['project', 'checkpoints', 'last touch', 'alone', 'state'];
  const line = columns(head, table, [1, 3]);
  return {
    json: {
      ...named('base', base),
      total_bytes: total.bytes,
      store_bytes: inStore,
      holds_bytes: holds.ours,
      holds_linked_bytes: holds.bytes - holds.ours,
      projects: rows.map((row) => ({
        ...row,
        ...named('workdir', row.workdir),
        last_touch: new Date(row.last_touch).toISOString(),
      })),
      legacy,
      let_go: letGo === undefined ? null : { ...letGo, time: new Date(letGo.time).toISOString() },
    },
    text: [
      `${style.bold(shown(base))}  ${bytes(total.bytes)}: the store ${bytes(inStore)}, held files ${bytes(holds.ours)}${holds.bytes > holds.ours ? ` (and ${bytes(holds.bytes - holds.ours)} that are still elsewhere, too)` : ''}`,
      count(rows.length, 'project'),
      '',
      ...(table.length > 0
        ? [style.bold(line(head)), ...table.map(line), '', 'alone: what letting all of that project go would give back']
        : ['nothing was saved yet']),
      ...(legacy.length > 0
        ? [
            '',
            ...legacy.map(({ name, bytes: size }) => `${name}  ${bytes(size)}`),
            'Stores of an older layout: plain git reads them, `belay checkpoints import DIR` takes them over,',
            '`belay checkpoints clear-legacy` removes them.',
          ]
        : []),
      ...(letGo === undefined
        ? []
        : [
            '',
            `${ago(letGo.time, now)}, for room, held files went before their time that nothing else keeps: ${bytes(letGo.bytes)} of ${count(letGo.checkpoints, 'checkpoint')}`,
            '(checkpoints.hold.max_mb, checkpoints.max_total_size_mb, checkpoints.max_snapshots)',
          ]),
      '',
    ].join('\n'),
  };
}

/** A path under a key of its own, with its bytes beside it where it is no text. */
function named(name: string, path: Bytes): Record<string, string> {
  const keys = pathKeys(path);
  return { [name]: keys.path, ...(keys.path_bytes === undefined ? {} : { [`${name}_bytes`]: keys.path_bytes }) };
}

function rowsOf(store: Store): Row[] {
  const all = known(store).filter(({ history }) => history.checkpoints.length + history.captures.length > 0);
  const unique = uniqueBytes(
    store,
    all.map(({ project }) => project.key),
  );
  return all.map(({ project, history }) => ({
    workdir: project.workdir,
    key: project.key,
    checkpoints: history.checkpoints.length,
    last_touch: project.last_touch,
    state: placeOfProject(project),
    bytes:
      (unique.get(project.key) ?? 0) +
      history.checkpoints.reduce((sum, { record }) => sum + heldBytes(store, project.key, record), 0),
  }));
}

/** `--sort` and `--state`; words are parts of the path. */
function chosen(rows: readonly Row[], call: Call): Row[] {
  const { sort = 'path', state } = call.values;
  const by = typeof sort === 'string' && Object.hasOwn(SORTS, sort) ? SORTS[sort] : undefined;
  if (by === undefined) throw wrongUsage(`--sort takes one of ${Object.keys(SORTS).join(', ')}`);
  if (state !== undefined && !['live', 'orphan', 'unreachable'].includes(String(state)))
    throw wrongUsage('--state takes one of live, orphan, unreachable');
  const parts = call.words.slice(1);
  return rows
    .filter((row) => state === undefined || row.state === state)
    .filter(({ workdir }) => parts.every((part) => workdir.includes(part)))
    .sort(by);
}
