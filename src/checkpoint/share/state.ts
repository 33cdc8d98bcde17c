import { type Bytes, toBuffer, toText } from '../../platform/bytes.ts';
import { removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { dirname, isInside, join, relativeTo } from '../../platform/paths.ts';
import { ImportStream, runImport } from '../fast-import.ts';
import { type Event, type Ledger, undoneTurns } from '../ledger.ts';
import { blobOid } from '../oid.ts';
import { asItWas } from '../plan/as-it-was.ts';
import { wholeState } from '../plan/chosen.ts';
import { eventsFrom, goalsBefore } from '../plan/goals.ts';
import type { Capture } from '../read.ts';
import type { CaptureRecord, LeftOut, Version } from '../record.ts';
import { type Store, StoreError } from '../store.ts';
import type { Parcel } from './parcel.ts';
import type { CarryHold } from './portable.ts';

/** The whole project as it was before an event, as one tree: what an exported checkpoint rests on where no turn of here is known. */
export interface State {
  readonly tree: string;
  readonly record: Omit<CaptureRecord, 'm'>;
}

export interface StateRequest {
  readonly store: Store;
  readonly parcel: Parcel;
  readonly key: string;
  readonly root: Bytes;
  readonly ledger: Ledger;
  readonly target: Event;
  /** The nearest capture before. */
  readonly capture: Capture;
  /** Nothing stays at home. */
  readonly secrets: boolean;
  /** Those of these paths that stay at home. */
  readonly isPrivate: (paths: readonly Bytes[]) => ReadonlySet<Bytes>;
  /** Puts a held file's bytes into the parcel; undefined where it stays at home. */
  readonly carry: CarryHold;
}

const PRIVATE = 'it is private: it stayed where it was exported';

/** The nearest capture and the turns since in one tree; what is private or only held is left out, and named. */
export function stateBefore(request: StateRequest): State {
  const { store, parcel, key, root, ledger, target, capture, carry } = request;
  const versions = new Map<Bytes, Version>();
  const whole = wholeState(store, key, root, ledger, target, capture);
  const named = goalsBefore(ledger, eventsFrom(ledger, target), undoneTurns(ledger), true);
  const sure = asItWas(named, { store, root, ledger, target, capture, state: () => whole });
  for (const { path, version } of [...whole.goals, ...sure])
    if (isInside(path, root) && path !== root) versions.set(relativeTo(root, path), version);
  const hidden = request.isPrivate([...versions.keys()]);
  const leftOut: LeftOut[] = [...capture.record.leftOut];
  const modes: [Bytes, number][] = [];
  const folders = new Map<Bytes, number>();
  const links = new ImportStream();
  const entries: Bytes[] = [];
  const full = new Set<Bytes>();
  const put = (mode: string, oid: string, path: Bytes): void => {
    entries.push(`${mode} ${oid}\t${path}\0`);
    for (let at = dirname(path); at !== '.' && !full.has(at); at = dirname(at)) full.add(at);
  };
  for (const [path, version] of versions) {
    if (version.kind === 'absent') continue;
    if (hidden.has(path)) leftOut.push({ path, reason: PRIVATE });
    else if (version.kind === 'folder') folders.set(path, version.mode);
    else if (version.kind === 'link') {
      const target = toBuffer(version.target);
      links.blob(blobOid(target), target);
      put('120000', blobOid(target), path);
    } else if (version.kind === 'file') {
      const { content } = version;
      const oid = content.at === 'git' ? content.oid : content.at === 'hold' ? carry(path, version) : undefined;
      if (oid === undefined) {
        leftOut.push({ path, reason: 'its content was not in the store that it was exported from' });
        continue;
      }
      put((version.mode & 0o111) === 0 ? '100644' : '100755', oid, path);
      if (version.mode !== 0o644 && version.mode !== 0o755) modes.push([path, version.mode]);
    } else leftOut.push({ path, reason: 'it was no file, link or folder' });
  }
  const { ignores, nested, taken, generation } = capture.record;
  for (const [path, mode] of capture.record.modes) if (full.has(path)) modes.push([path, mode]);
  return {
    tree: writeTree(parcel, links, entries),
    record: {
      v: 1,
      generation,
      root,
      order: target.record.order - 0.5,
      taken,
      modes,
      emptyFolders: [...folders].filter(([path]) => !full.has(path)),
      leftOut,
      nested: nested.map(({ path, captured }) => ({ path, captured })),
      // What was precious is not here: so it is not proved absent, either. An ignore file that is itself ignored stays at home, and without
      // it nobody knows what was ignored: then nothing is proved absent at all.
      ...(ignores === undefined || (ignores.files.length > 0 && !request.secrets)
        ? {}
        : { ignores: { exclude: ignores.exclude, files: ignores.files } }),
    },
  };
}

function writeTree(parcel: Parcel, links: ImportStream, entries: readonly Bytes[]): string {
  const made = links.isEmpty ? undefined : runImport(parcel, links);
  if (made !== undefined && made.is !== 'written') throw new StoreError('store_failed', toText(made.why));
  const index = join(parcel.folder, 'index');
  const on = { gitDir: parcel.gitDir, index, workTree: parcel.folder, cwd: parcel.folder, timeout: 120_000 };
  removeFile(index);
  must(git(['update-index', '--replace', '-z', '--index-info'], { ...on, input: toBuffer(entries.join('')) }));
  return must(git(['write-tree'], on))
    .toString('latin1')
    .trim();
}

function must(answer: ReturnType<typeof git>): Buffer {
  if (answer.ok) return answer.out;
  throw new StoreError('no_content', `a content is missing in the store: ${toText(answer.err.trim())}`);
}
