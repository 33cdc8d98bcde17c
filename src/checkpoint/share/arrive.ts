import { type Bytes, fromBuffer, toText } from '../../platform/bytes.ts';
import { makeFolder, namesInOrNone, removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { ImportStream, runImport } from '../fast-import.ts';
import { writing } from '../gate.ts';
import { readProject } from '../projects.ts';
import { readSizes } from '../read.ts';
import type { CaptureRecord, Origin } from '../record.ts';
import { readRefs } from '../refs.ts';
import { type Store, StoreError } from '../store.ts';
import { compactTurns, type Draft, importedRef, turnRef, type Written, writeRecord } from '../write.ts';
import type { Parcel } from './parcel.ts';

/** A checkpoint from elsewhere that was looked into, and is about to get a number here. */
export interface Arriving {
  readonly draft: Draft;
  readonly origin: Origin;
  /** The whole project before it: its tree, none where it was empty, and what is said beside it. */
  readonly state:
    | { readonly tree: string | undefined; readonly record: Omit<CaptureRecord, 'm' | 'generation' | 'root'> }
    | undefined;
  /** Trees and blobs of the parcel that all of its contents are reached from. */
  readonly objects: readonly string[];
}

export interface Arrived {
  readonly n: number;
  /** False: it has come before, and is still here. */
  readonly fresh: boolean;
}

/**
 * Copies the contents into the store, gives the checkpoint a number of this project, and keeps its state beside it. Killed in between,
 * it is done again: the same one gets no second number.
 */
export function arrive(store: Store, root: Bytes, parcel: Parcel, arriving: Arriving): Arrived {
  return writing(store, () => {
    copyObjects(store, parcel, arriving.objects, 'missing');
    const done = record(store, root, arriving);
    // What the store had was perhaps nobody's and went while this was written.
    if (!isWhole(store, done)) copyObjects(store, parcel, arriving.objects, 'all');
    return { n: done.n, fresh: done.fresh };
  });
}

interface Recorded extends Arrived {
  readonly refs: readonly string[];
}

function record(store: Store, root: Bytes, { draft, origin, state }: Arriving): Recorded {
  const written = writeFresh(store, root, { ...draft, origin });
  const { key, n, fresh } = written;
  const refs = [turnRef(key, n)];
  if (state === undefined) return { n, fresh, refs };
  const ref = importedRef(key, n);
  if (fresh || !readRefs(store, [key]).some((one) => one.kind === 'imported' && one.n === n)) {
    const meta: CaptureRecord = {
      ...state.record,
      m: n,
      generation: written.record.generation,
      root: written.record.root,
    };
    const stream = new ImportStream();
    stream.commit({
      ref,
      subject: `state of checkpoint ${n}`,
      when: state.record.taken,
      entries: [
        ...(state.tree === undefined ? [] : [{ path: 'files', tree: state.tree }]),
        { path: 'meta.json', data: Buffer.from(JSON.stringify(meta), 'utf8') },
      ],
    });
    const done = runImport(store, stream, { force: true });
    if (done.is !== 'written')
      throw new StoreError('store_failed', `the state of checkpoint ${n}: ${toText(done.why)}`);
  }
  return { n, fresh, refs: [...refs, ref] };
}

/** The notes may still have the number of one that was let go, or was broken: it comes under a new one. */
function writeFresh(store: Store, root: Bytes, draft: Draft): Written {
  const written = writeRecord(store, root, draft, new Map());
  const { key, n, fresh } = written;
  const listed = new Set(readRefs(store, [key]).flatMap((ref) => (ref.kind === 'turns' ? [ref.n] : [])));
  if (fresh || listed.has(n)) return written;
  compactTurns(store, key, listed, readProject(store, key)?.next ?? 0);
  return writeRecord(store, root, draft, new Map());
}

const isWhole = (store: Store, { refs }: Recorded): boolean =>
  git(['rev-list', '--objects', '--quiet', ...refs], { gitDir: store.gitDir, timeout: 600_000 }).ok;

/**
 * What the store lacks of these objects, and of all below them, as one pack: git computes each name anew from the bytes it unpacks, so
 * nothing comes in under a name that is not its own.
 */
function copyObjects(store: Store, parcel: Parcel, objects: readonly string[], which: 'missing' | 'all'): void {
  if (objects.length === 0) return;
  const listed = must(
    git(['rev-list', '--objects', '--no-object-names', '--stdin'], {
      gitDir: parcel.gitDir,
      input: `${objects.join('\n')}\n`,
      timeout: 600_000,
    }),
  );
  const all = fromBuffer(listed)
    .split('\n')
    .filter((oid) => oid !== '');
  const there = which === 'all' ? new Map<string, number>() : readSizes(store, all);
  const wanted = all.filter((oid) => !there.has(oid));
  if (wanted.length === 0) return;
  const folder = join(parcel.folder, 'packed');
  const base = join(folder, 'pack');
  makeFolder(folder);
  must(git(['pack-objects', '-q', base], { gitDir: parcel.gitDir, input: `${wanted.join('\n')}\n`, timeout: 600_000 }));
  const pack = namesInOrNone(folder).find((name) => name.endsWith('.pack'));
  if (pack === undefined) throw new StoreError('store_failed', 'what was to be taken over could not be packed');
  const path = join(folder, pack);
  must(git(['index-pack', '--stdin'], { gitDir: store.gitDir, inputFile: path, timeout: 600_000 }));
  for (const name of namesInOrNone(folder)) if (name.startsWith('pack-')) removeFile(join(folder, name));
}

function must(answer: ReturnType<typeof git>): Buffer {
  if (answer.ok) return answer.out;
  throw new StoreError('store_failed', `it could not be taken over: ${toText(answer.err.trim()) || answer.code}`);
}
