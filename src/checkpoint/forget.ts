import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { makeFolder, removeFile, removeTree } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { isAbsolute, isInside, join, relativeTo } from '../platform/paths.ts';
import { ImportStream, runImport } from './fast-import.ts';
import { holdPath, holdsFolder } from './holds.ts';
import { movedTo as movedToOf, placeOf } from './ledger.ts';
import { deleteRefs, dropFar, existing } from './let-go.ts';
import {
  type Capture,
  type CaptureRef,
  captureTree,
  readCaptures,
  readHistories,
  readHistory,
  readSizes,
} from './read.ts';
import type { CaptureRecord, Change, CheckpointRecord, Version } from './record.ts';
import { type Store, StoreError } from './store.ts';
import { dropIndexes } from './verify/indexes.ts';
import { oidOf } from './version.ts';
import { captureRef, importedRef, rewriteRecord, sentRef } from './write.ts';

/** Everything that the checkpoints and captures of these projects know by path: absolute path → whether it is a folder. */
export function recordedPaths(store: Store, root: Bytes, key: string): Map<Bytes, boolean> {
  const out = new Map<Bytes, boolean>();
  for (const { checkpoints } of readHistories(store).values())
    for (const { record } of checkpoints)
      for (const change of record.changes) {
        const path = placeOf(record.root, change);
        if (path !== undefined) out.set(path, change.before.kind === 'folder' || change.after.kind === 'folder');
      }
  for (const { id, record } of statesOf(store, key).map(({ capture }) => capture)) {
    for (const { path } of captureTree(store, id)) out.set(join(root, path), false);
    for (const path of ignoreFiles(record)) out.set(join(root, path), false);
  }
  return out;
}

/** The captures of a project, and the states that its imported checkpoints rest on, each with its ref. */
function statesOf(store: Store, key: string): { readonly ref: string; readonly capture: Capture }[] {
  const { captures, imported } = readHistory(store, key);
  const read = (refs: readonly CaptureRef[], ref: (key: string, m: number) => string) =>
    [...readCaptures(store, refs)].map(([m, capture]) => ({ ref: ref(key, m), capture }));
  return [...read(captures, captureRef), ...read(imported, importedRef)];
}

/** Ignore files whose texts a capture has beside its tree. */
const ignoreFiles = ({ ignores }: CaptureRecord): Bytes[] =>
  (ignores?.files ?? []).map(([folder]) => (folder === '' ? '.gitignore' : join(folder, '.gitignore')));

export interface Forgotten {
  /** Checkpoints and captures that were written anew without the paths. */
  readonly checkpoints: number;
  readonly captures: number;
  /** git's names of the contents that were named under these paths. */
  readonly oids: ReadonlySet<string>;
}

/**
 * Writes every checkpoint and capture anew that names one of these paths (absolute), without them, and drops their held files. The
 * contents themselves go with the collection after it. To be called with the locks of all who write. Killed anywhere, it is simply
 * done again.
 */
export function forget(store: Store, key: string, root: Bytes, paths: ReadonlySet<Bytes>): Forgotten {
  const oids = new Set<string>();
  let checkpoints = 0;
  for (const [owner, history] of readHistories(store))
    for (const { record } of history.checkpoints) {
      const going = record.changes.filter((change) => isNamed(record, change, paths));
      if (going.length === 0) continue;
      for (const change of going) dropContents(store, owner, record, change, oids);
      const gone = new Set(going);
      rewriteRecord(store, owner, { ...record, changes: record.changes.filter((change) => !gone.has(change)) });
      checkpoints++;
    }
  const inside = new Set([...paths].filter((path) => isInside(path, root)).map((path) => relativeTo(root, path)));
  // What was pushed of them is out of reach; the next sync pushes them anew.
  for (const [owner, history] of readHistories(store))
    deleteRefs(
      store,
      history.sent.map(({ m }) => sentRef(owner, m)),
    );
  let captures = 0;
  for (const { ref, capture } of statesOf(store, key)) {
    const going = captureTree(store, capture.id).filter(({ path }) => inside.has(path));
    for (const { oid } of going) oids.add(oid);
    if (going.length > 0 || ignoreFiles(capture.record).some((path) => inside.has(path))) {
      rewriteCapture(
        store,
        ref,
        capture,
        inside,
        going.map(({ path }) => path),
      );
      captures++;
    }
  }
  // The kept index names the contents as they are now: the next capture makes it anew.
  deleteRefs(store, existing(store, `refs/belay/${key}/index`));
  dropIndexes(store, key);
  return { checkpoints, captures, oids };
}

function isNamed(record: CheckpointRecord, change: Change, paths: ReadonlySet<Bytes>): boolean {
  const path = placeOf(record.root, change);
  if (path !== undefined && paths.has(path)) return true;
  const to = movedToOf({ record } as Parameters<typeof movedToOf>[0], change);
  return to !== undefined && paths.has(to);
}

function dropContents(store: Store, key: string, record: CheckpointRecord, change: Change, oids: Set<string>): void {
  for (const version of [change.before, change.after, ...(change.later ?? [])] satisfies Version[]) {
    if (version.kind !== 'file') continue;
    const oid = oidOf(version.content);
    if (oid !== undefined) oids.add(oid);
    if (version.content.at !== 'hold') continue;
    const path = holdPath(store, key, record, version.content);
    if (isInside(path, holdsFolder(store, key))) removeFile(path);
    else if (isAbsolute(version.content.path)) dropFar(path);
  }
}

/** The same capture under its number, without these files; its tree comes from a private index. */
function rewriteCapture(
  store: Store,
  ref: string,
  { id, record }: Capture,
  forgotten: ReadonlySet<Bytes>,
  files: readonly Bytes[],
): void {
  const folder = join(store.base, `.staging-${process.pid}-${record.m}`);
  makeFolder(folder);
  try {
    const on = { gitDir: store.gitDir, index: join(folder, 'index'), workTree: folder, cwd: folder, timeout: 120_000 };
    must(git(['read-tree', `${id}:files`], on));
    must(
      git(['update-index', '--force-remove', '-z', '--stdin'], {
        ...on,
        input: toBuffer(files.map((path) => `${path}\0`).join('')),
      }),
    );
    const tree = must(git(['write-tree'], on))
      .toString('latin1')
      .trim();
    const stream = new ImportStream();
    const { ignores, ...rest } = record;
    const known = ignoreFiles(record).some((path) => forgotten.has(path)) ? undefined : ignores;
    const meta: CaptureRecord = {
      ...rest,
      // Without the text nobody knows any more what git ignored: then nothing is proved absent.
      ...(known === undefined ? {} : { ignores: known }),
      modes: record.modes.filter(([path]) => !forgotten.has(path)),
      emptyFolders: record.emptyFolders.filter(([path]) => !forgotten.has(path)),
      ...(record.owners ? { owners: record.owners.filter(([path]) => !forgotten.has(path)) } : {}),
      // Their names stay: what is merely not in a capture counts as absent then, and as made since.
      leftOut: [
        ...record.leftOut.filter(({ path }) => !files.includes(path)),
        ...files.map((path) => ({ path, reason: 'it was erased by `belay forget`' })),
      ],
    };
    stream.commit({
      ref,
      subject: `capture ${record.m}`,
      when: record.taken,
      entries: [
        { path: 'files', tree },
        { path: 'meta.json', data: Buffer.from(JSON.stringify(meta), 'utf8') },
      ],
    });
    const done = runImport(store, stream, { force: true });
    if (done.is !== 'written')
      throw new StoreError('store_failed', `capture ${record.m} could not be written anew: ${toText(done.why)}`);
  } finally {
    removeTree(folder);
  }
}

function must(answer: ReturnType<typeof git>): Buffer {
  if (answer.ok) return answer.out;
  throw new StoreError('store_failed', toText(answer.err.trim()) || String(answer.code));
}

/** Contents that the store still has, each with somebody who names it: another file had the same bytes. Empty names: nobody does. */
export function stillThere(store: Store, oids: ReadonlySet<string>): Map<string, Bytes | undefined> {
  const out = new Map<string, Bytes | undefined>(
    [...readSizes(store, [...oids]).keys()].map((oid) => [oid, undefined]),
  );
  if (out.size === 0) return out;
  for (const { checkpoints, captures, imported } of readHistories(store).values()) {
    for (const { record } of checkpoints) {
      for (const change of record.changes)
        for (const version of [change.before, change.after, ...(change.later ?? [])])
          if (version.kind === 'file') note(out, oidOf(version.content), placeOf(record.root, change));
      for (const { index, gitDir } of [...record.gitBefore, ...record.gitAfter]) note(out, index, gitDir);
    }
    for (const { root, id } of [captures, imported]
      .flatMap((refs) => [...readCaptures(store, refs).values()])
      .map(({ id, record }) => ({ id, root: record.root })))
      for (const { oid, path } of captureTree(store, id)) note(out, oid, join(root, path));
  }
  return out;
}

function note(out: Map<string, Bytes | undefined>, oid: string | undefined, path: Bytes | undefined): void {
  if (oid !== undefined && out.has(oid) && out.get(oid) === undefined) out.set(oid, path);
}
