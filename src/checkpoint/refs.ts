import { type Bytes, fromBuffer } from '../platform/bytes.ts';
import { namesInOrNone, readBytesIfAny } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { Store } from './store.ts';

export interface Ref {
  readonly key: string;
  /** `imported`: the state that imported checkpoint n rests on. `sent`: checkpoint n as it was pushed by a sync. */
  readonly kind: 'turns' | 'captures' | 'imported' | 'sent';
  readonly n: number;
  readonly id: string;
}

const KINDS = ['turns', 'captures', 'imported', 'sent'] as const;
const isKind = (name: string): name is Ref['kind'] => (KINDS as readonly string[]).includes(name);

/**
 * The store's refs, read from its files: one git process less in every command. The store is ours and uses git's plain files
 * (gitrepository-layout(5)): a loose ref outranks a packed one.
 */
export function readRefs(store: Store, keys?: readonly string[]): Ref[] {
  const found = new Map<string, Ref>();
  const wanted = keys && new Set(keys);
  const put = (name: Bytes, id: Bytes): void => {
    const hit = /^refs\/belay\/([0-9a-f]+)\/([a-z]+)\/(\d+)$/.exec(name);
    const kind = hit?.[2] ?? '';
    if (!hit?.[1] || !hit[3] || !isKind(kind) || !/^[0-9a-f]{40}$/.test(id) || (wanted && !wanted.has(hit[1]))) return;
    found.set(name, { key: hit[1], kind, n: Number(hit[3]), id });
  };
  // Loose first: who packs refs writes the packed file before the loose ones go, so none is missed in between.
  const loose = looseRefs(store, keys);
  const packed = readBytesIfAny(join(store.gitDir, 'packed-refs'));
  for (const line of packed === undefined ? [] : fromBuffer(packed).split('\n')) {
    const hit = /^([0-9a-f]{40}) (refs\/belay\/\S+)$/.exec(line);
    if (hit?.[1] && hit[2]) put(hit[2], hit[1]);
  }
  for (const [name, id] of loose) put(name, id);
  return [...found.values()];
}

function looseRefs(store: Store, keys: readonly string[] | undefined): [Bytes, Bytes][] {
  const out: [Bytes, Bytes][] = [];
  const top = join(store.gitDir, 'refs/belay');
  for (const key of keys ?? namesInOrNone(top))
    for (const kind of KINDS)
      for (const n of namesInOrNone(join(top, `${key}/${kind}`))) {
        if (!/^\d+$/.test(n)) continue;
        const bytes = readBytesIfAny(join(top, `${key}/${kind}/${n}`));
        if (bytes !== undefined) out.push([`refs/belay/${key}/${kind}/${n}`, fromBuffer(bytes).trim()]);
      }
  return out;
}
