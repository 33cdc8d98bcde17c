import { createHash } from 'node:crypto';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { projectRoot } from '../../platform/roots.ts';
import { EMPTY_TREE } from '../oid.ts';
import type { Store } from '../store.ts';
import { arrive } from './arrive.ts';
import { objectsOf, withParcel } from './parcel.ts';
import { type Shadow, type Snapshot, snapshotsOf } from './shadow.ts';
import { lookIntoTree } from './trees.ts';

export interface TakenOver {
  readonly root: Bytes;
  readonly taken: readonly { readonly n: number; readonly fresh: boolean; readonly id: string }[];
  readonly refused: readonly { readonly id: string; readonly why: string }[];
}

/**
 * Another program's history of a folder as checkpoints of that folder here: each commit the whole state, with its message as label.
 * What that program left out is not proved to have been absent, so going back to one removes nothing.
 */
export function takeOver(store: Store, shadow: Shadow, root: Bytes, now: number, most: number): TakenOver {
  return withParcel(store, [objectsOf(shadow.gitDir)], (parcel) => {
    const taken: TakenOver['taken'][number][] = [];
    const refused: TakenOver['refused'][number][] = [];
    snapshotsOf(shadow, most).forEach((snapshot, i) => {
      const { id, tree } = snapshot;
      const looked = lookIntoTree(parcel, tree);
      if (looked.is === 'refused') {
        refused.push({ id, why: looked.why });
        return;
      }
      const order = i + 1;
      const done = arrive(store, root, parcel, {
        draft: draftOf(shadow, snapshot, order, root),
        origin: {
          key: keyOf(shadow),
          n: order,
          root: shadow.workdir ?? root,
          host: '',
          from: shadow.from,
          imported: now,
        },
        state: {
          tree: tree === EMPTY_TREE ? undefined : tree,
          record: {
            v: 1,
            order: order - 0.5,
            taken: snapshot.when,
            modes: [],
            emptyFolders: [],
            leftOut: [],
            nested: looked.links.map((path) => ({ path, captured: false })),
          },
        },
        objects: [tree],
      });
      taken.push({ ...done, id });
    });
    return { root, taken, refused };
  });
}

const keyOf = ({ name, gitDir }: Shadow): string =>
  createHash('sha256')
    .update(name === '' ? gitDir : name)
    .digest('hex')
    .slice(0, 16);

/** That program writes its commits anew when it prunes: what stays of one is its time and its tree. */
function draftOf({ from, name }: Shadow, { when, tree, subject }: Snapshot, order: number, root: Bytes) {
  return {
    kind: 'manual' as const,
    scope: 'full' as const,
    session: `${from}_${name === '' ? 'store' : name}`,
    turn: `${when / 1000}-${tree.slice(0, 12)}`,
    order,
    started: when,
    ended: when,
    line: '',
    verbs: [],
    cwd: root,
    shell: '',
    source: from,
    label: toText(subject),
    changes: [],
    leftOut: [],
    nested: [],
    gitBefore: [],
    gitAfter: [],
  };
}

/** The project that a history belongs to here, or why it cannot be one. */
export function rootFor(shadow: Shadow, userHome: Bytes | undefined): Bytes | { readonly why: string } {
  const { workdir } = shadow;
  if (workdir === undefined) return { why: 'nothing says which folder it is of: name it with --project DIR' };
  if (workdir === userHome) return { why: 'it is of the home folder, which is no project' };
  const above = projectRoot(workdir, userHome);
  if (above === undefined || above === workdir) return workdir;
  return { why: `${toText(workdir)} lies in the project ${toText(above)}, whose state it is not` };
}
