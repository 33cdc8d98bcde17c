import os from 'node:os';
import { type Bytes, fromBuffer, toText } from '../../platform/bytes.ts';
import { git } from '../../platform/git.ts';
import { isAbsolute } from '../../platform/paths.ts';
import { maskSecrets } from '../../platform/secrets.ts';
import { type Entry, ImportStream, runImport } from '../fast-import.ts';
import { holdPath, holdState } from '../holds.ts';
import { type Event, eventOf, type Ledger } from '../ledger.ts';
import { EMPTY_TREE } from '../oid.ts';
import { captureBefore } from '../plan/whole.ts';
import { type History, readCaptures } from '../read.ts';
import type { CaptureRecord, Change, CheckpointRecord, Content, LeftOut, Origin, Version } from '../record.ts';
import { type Store, StoreError } from '../store.ts';
import { contentEntries } from '../write.ts';
import type { Parcel } from './parcel.ts';
import { type PrivateRules, privatePaths } from './private.ts';
import { stateBefore } from './state.ts';

/** `meta.json` of a checkpoint that travels: as in the store, but standing on its own, and without what stays at home. */
export interface Portable {
  readonly belay: 'portable';
  readonly v: 1;
  readonly origin: Omit<Origin, 'imported'>;
  readonly record: CheckpointRecord;
  /** What is beside the tree `state/`: the whole project before it; absent where no capture told that. */
  readonly state?: Omit<CaptureRecord, 'm'>;
}

type FileVersion = Version & { readonly kind: 'file' };

/** git's name of a held file's bytes, once they are in the parcel; undefined where they stay at home. */
export type CarryHold = (path: Bytes, version: FileVersion) => string | undefined;

export interface PortableRequest {
  readonly store: Store;
  /** Where it is put together; it sees the store's objects. */
  readonly parcel: Parcel;
  readonly key: string;
  /** Names the project to others. */
  readonly owner: string;
  readonly root: Bytes;
  readonly history: History;
  readonly ledger: Ledger;
  readonly target: Event;
  readonly rules: PrivateRules;
  /** Where the commit goes. */
  readonly ref: string;
}

/** Writes a checkpoint in its portable form; returns what stayed at home. */
export function writePortable(request: PortableRequest): readonly LeftOut[] {
  const { store, parcel, root, target, rules, key } = request;
  const { record } = target;
  const capture = captureOf(request);
  const isPrivate = (paths: readonly Bytes[]): ReadonlySet<Bytes> => privatePaths(store, root, capture, paths, rules);
  const carry = carrier(store, parcel, key, record, rules.secrets);
  const { record: stripped, stayed } = strip(record, isPrivate, carry, rules);
  const { ledger } = request;
  const { secrets } = rules;
  const state =
    capture === undefined
      ? undefined
      : stateBefore({ store, parcel, key, root, ledger, target, capture, isPrivate, carry, secrets });
  const portable: Portable = {
    belay: 'portable',
    v: 1,
    origin: originOf(request),
    record: stripped,
    ...(state === undefined ? {} : { state: state.record }),
  };
  const entries: Entry[] = [
    ...contentEntries(stripped),
    ...(state === undefined || state.tree === EMPTY_TREE ? [] : [{ path: 'state', tree: state.tree }]),
    { path: 'meta.json', data: Buffer.from(JSON.stringify(portable), 'utf8') },
  ];
  const stream = new ImportStream();
  stream.commit({ ref: request.ref, subject: subjectOf(record.n, rules), when: record.started, entries });
  const done = runImport(parcel, stream, { force: true });
  if (done.is !== 'written')
    throw new StoreError('no_content', `checkpoint ${record.n} cannot be put together: ${toText(done.why)}`);
  return [...stayed, ...(state?.record.leftOut.filter(({ reason }) => /stayed/.test(reason)) ?? [])];
}

/** Where it comes from: of an imported one that stays what it was. */
function originOf({ owner, root, target: { record } }: PortableRequest): Portable['origin'] {
  if (record.origin === undefined) return { key: owner, n: record.n, root, host: os.hostname(), from: 'belay' };
  const { imported: _, ...origin } = record.origin;
  return origin;
}

/** Tells a checkpoint that was pushed with secrets from one without. */
export const subjectOf = (n: number, { secrets }: PrivateRules): string =>
  `belay checkpoint ${n}${secrets ? ' with secrets' : ''}`;

/** The nearest capture before; of an imported checkpoint the state that came with it. */
function captureOf({ store, history, target }: PortableRequest) {
  const { record } = target;
  const captures = record.origin === undefined ? history.captures : history.imported.filter(({ m }) => m === record.n);
  const own = captures.find(({ m }) => m === record.captureBefore);
  if (own !== undefined) return readCaptures(store, [own]).get(own.m);
  return captureBefore(store, captures, record.order, record.generation);
}

const HELD = 'a held file: it stayed where it was exported';

/** Held files travel as blobs, and only with everything else that is private. */
function carrier(store: Store, parcel: Parcel, key: string, record: CheckpointRecord, secrets: boolean): CarryHold {
  return (_path, version) => {
    const { content } = version;
    if (!secrets || content.at !== 'hold') return undefined;
    const path = holdPath(store, key, record, content);
    if (holdState(path, version.size, content).is !== 'whole') return undefined;
    const answer = git(['hash-object', '-w', '--no-filters', '--stdin'], {
      gitDir: parcel.gitDir,
      inputFile: path,
      timeout: 600_000,
    });
    return answer.ok ? fromBuffer(answer.out).trim() : undefined;
  };
}

interface Stripped {
  readonly record: CheckpointRecord;
  readonly stayed: readonly LeftOut[];
}

/** The record without what is private, what lies outside the project, and what only means something on this machine. */
function strip(
  record: CheckpointRecord,
  isPrivate: (paths: readonly Bytes[]) => ReadonlySet<Bytes>,
  carry: CarryHold,
  rules: PrivateRules,
): Stripped {
  const inside = record.changes.filter(({ path }) => !isAbsolute(path));
  const paths = inside.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]));
  const hidden = isPrivate(paths.filter((path) => !isAbsolute(path)));
  const stayed: LeftOut[] = [];
  const version = (path: Bytes, one: Version): Version => {
    if (one.kind !== 'file' || one.content.at !== 'hold') return one;
    const oid = carry(path, one);
    if (oid === undefined) stayed.push({ path, reason: HELD });
    const name = one.content.oid;
    const content: Content =
      oid !== undefined
        ? { at: 'git', oid }
        : name === undefined
          ? { at: 'nowhere', why: HELD }
          : { at: 'hash', oid: name };
    return { ...one, content };
  };
  const changes: Change[] = [];
  for (const change of inside) {
    const { path, movedTo, before, after, later, ...rest } = change;
    if (hidden.has(path)) {
      stayed.push({ path, reason: 'it is private: it stayed where it was exported' });
      continue;
    }
    const goesOn = movedTo !== undefined && !isAbsolute(movedTo) && !hidden.has(movedTo);
    changes.push({
      ...rest,
      path,
      before: version(path, before),
      after: version(path, after),
      ...(later === undefined ? {} : { later: later.map((one) => version(path, one)) }),
      ...(goesOn ? { movedTo } : {}),
    });
  }
  for (const { path } of record.changes)
    if (isAbsolute(path)) stayed.push({ path, reason: 'it lies outside the project: it stayed where it was exported' });
  const { captureBefore: _b, captureAfter: _a, origin: _o, ...rest } = record;
  return {
    stayed,
    record: {
      ...rest,
      line: rules.secrets ? record.line : maskSecrets(record.line),
      changes,
      leftOut: [
        ...record.leftOut.filter(({ path }) => !isAbsolute(path)),
        ...stayed.filter(({ path }) => !isAbsolute(path)),
      ],
      gitBefore: [],
      gitAfter: [],
    } as CheckpointRecord,
  };
}

/** The event of a checkpoint in its ledger; one of an earlier folder stands alone. */
export const eventFor = (ledger: Ledger, key: string, checkpoint: Parameters<typeof eventOf>[1]): Event =>
  ledger.events.find((event) => event.checkpoint === checkpoint) ?? eventOf(key, checkpoint);
