import { fromBuffer } from '../../platform/bytes.ts';
import { git } from '../../platform/git.ts';
import { readObjects } from '../read.ts';
import type { Store } from '../store.ts';
import { type Arrived, arrive } from './arrive.ts';
import { type ForeignRecord, Refused, readForeign } from './foreign-record.ts';
import type { Parcel } from './parcel.ts';
import { lookIntoTree } from './trees.ts';

export type Unpacked =
  | ({ readonly is: 'taken'; readonly from: ForeignRecord['origin'] } & Arrived)
  | { readonly is: 'refused'; readonly why: string };

/** The record of one checkpoint is no larger than that, whoever wrote it. */
const MOST_META = 32 << 20;

/** Takes a checkpoint in its portable form over from a parcel that stands on its own feet, once everything of it was looked into. */
export function unpack(
  store: Store,
  root: string,
  parcel: Parcel,
  commit: string,
  now: number,
  /** Where it was found, which must be where it says that it comes from. */
  found?: { readonly owner: string; readonly n: number },
): Unpacked {
  try {
    const parts = partsOf(parcel, commit);
    const foreign = readForeign(JSON.parse(metaOf(parcel, commit)));
    const { draft, origin, state, oids } = foreign;
    if (found !== undefined && (found.owner !== origin.key || found.n !== origin.n))
      return { is: 'refused', why: 'it says that it is another one' };
    const looked = lookIntoTree(parcel, `${parts.tree}`);
    if (looked.is === 'refused') return looked;
    for (const oid of oids)
      if (!looked.blobs.has(oid)) return { is: 'refused', why: `the content ${oid} did not come with it` };
    const nested = looked.links.map((path) => ({ path: path.replace(/^state\//, ''), captured: false }));
    const done = arrive(store, root, parcel, {
      draft,
      origin: { ...origin, imported: now },
      state:
        state === undefined
          ? undefined
          : { tree: parts.entries.get('state'), record: { ...state, nested: [...state.nested, ...nested] } },
      objects: [...parts.entries].filter(([name]) => name !== 'meta.json').map(([, oid]) => oid),
    });
    return { is: 'taken', from: origin, ...done };
  } catch (error) {
    if (error instanceof Refused) return { is: 'refused', why: error.message };
    if (error instanceof SyntaxError) return { is: 'refused', why: 'its record is no JSON' };
    throw error;
  }
}

function metaOf(parcel: Parcel, commit: string): string {
  const [kind, size] = describe(parcel, `${commit}:meta.json`);
  if (kind !== 'blob') throw new Refused('it has no record');
  if (size > MOST_META) throw new Refused(`its record has ${size} bytes, which is too much`);
  return readObjects(parcel, [`${commit}:meta.json`])[0]?.toString('utf8') ?? '';
}

/** The commit's tree, and its entries by name. */
function partsOf(parcel: Parcel, commit: string): { tree: string; entries: ReadonlyMap<string, string> } {
  const [kind, size, tree] = describe(parcel, `${commit}^{tree}`);
  if (kind !== 'tree' || size > 4096) throw new Refused('it is no checkpoint of belay');
  const listed = git(['ls-tree', '-z', tree], { gitDir: parcel.gitDir });
  const entries = new Map<string, string>();
  for (const line of listed.ok ? fromBuffer(listed.out).split('\0') : []) {
    const hit = /^(?:040000 tree|100644 blob) ([0-9a-f]{40})\t(before|after|later|git|state|meta\.json)$/.exec(line);
    if (line !== '' && hit === null) throw new Refused('it has a part that no checkpoint of belay has');
    if (hit?.[1] && hit[2]) entries.set(hit[2], hit[1]);
  }
  return { tree, entries };
}

function describe(parcel: Parcel, name: string): readonly [kind: string, size: number, oid: string] {
  const answer = git(['cat-file', '--batch-check'], { gitDir: parcel.gitDir, input: `${name}\n` });
  const hit = /^([0-9a-f]{40}) (\w+) (\d+)$/m.exec(fromBuffer(answer.out));
  return [hit?.[2] ?? '', Number(hit?.[3] ?? 0), hit?.[1] ?? ''];
}
