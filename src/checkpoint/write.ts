import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer, toText } from '../platform/bytes.ts';
import { lookAt, makeFolder, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';
import {
  type Commit,
  type Entry,
  type Imported,
  ImportStream,
  runImport,
  type Source,
  sourceBytes,
} from './fast-import.ts';
import { writing } from './gate.ts';
import { isOwnTree, writeLoose } from './loose.ts';
import { type Project, projectsFolder, touchProject, updateProject, withProject } from './projects.ts';
import { readSizes } from './read.ts';
import type { CheckpointRecord, ManualRecord, SafetyRecord, TurnRecord, Version } from './record.ts';
import { spoken } from './spoken.ts';
import { type Store, StoreError } from './store.ts';

type Given = 'v' | 'n' | 'generation' | 'root';

/** A record before it has a number. */
export type Draft = Omit<TurnRecord, Given> | Omit<ManualRecord, Given> | Omit<SafetyRecord, Given>;

export interface Written {
  readonly key: string;
  readonly n: number;
  readonly record: CheckpointRecord;
  /** False: this session and turn had a record of this project already, which stays as it is. */
  readonly fresh: boolean;
}

/** What the record's subject line says: the reason, one line. */
export function subjectOf(record: Draft): Bytes {
  return reasonOf(record) + nestedNote(record.nested);
}

/** `before rm: rm -rf build`, for lists and subject lines. */
export function reasonOf(record: Draft): Bytes {
  const line = spoken(record.line)
    .replace(/[\0-\x1f\x7f]+/g, ' ')
    .trim();
  if (record.kind === 'manual')
    return record.label ? `checkpoint: ${Buffer.from(record.label, 'utf8').toString('latin1')}` : 'checkpoint by hand';
  if (record.kind === 'safety') return `before ${line || record.did.what}`;
  const verbs = record.verbs.slice(0, 3).join(', ');
  if (line === '' || line === verbs) return `before ${verbs || 'a line'}`;
  return verbs === '' ? `before ${line}` : `before ${verbs}: ${line}`;
}

/** For a subject line: `[nested git repos not captured: a, b, c (+2)]`. */
export function nestedNote(nested: readonly Bytes[]): Bytes {
  if (nested.length === 0) return '';
  const more = nested.length > 3 ? ` (+${nested.length - 3})` : '';
  const names = nested.slice(0, 3).map((path) => path.replace(/[\0-\x1f\x7f]+/g, '?'));
  return ` [nested git repos not captured: ${names.join(', ')}${more}]`;
}

/**
 * Keeps a turn, a checkpoint by hand or a safety checkpoint as `refs/belay/<key>/turns/<n>` and gives it its number. `contents`
 * has the bytes of each blob (by its oid) that the store may not hold yet. A session and turn that has a record in this
 * project already gets no second one, so a settle that was killed is simply run again.
 */
export function writeRecord(store: Store, root: Bytes, draft: Draft, contents: ReadonlyMap<string, Source>): Written {
  const project = touchProject(store, root);
  const known = readTurns(store, project.key);
  const before = known.get(turnName(draft));
  if (before !== undefined)
    return { key: project.key, n: before, record: numbered(draft, project, before), fresh: false };
  let n = Math.max(project.next, 1 + Math.max(0, ...known.values()));
  for (let unexplained = 0; ; ) {
    const record = numbered(draft, project, n);
    const commit: Commit = {
      ref: turnRef(project.key, n),
      subject: `${subjectOf(draft)}\n\nbelay-turn: ${turnName(draft)}\n`,
      when: draft.started,
      entries: entriesOf(record),
    };
    const done = writing(store, () => importAll(store, commit, blobsOf(record), contents));
    if (done.is === 'failed') throw new StoreError('store_failed', `checkpoint ${n} was not written: ${done.why}`);
    if (done.is === 'written') {
      noteTurns(store, project.key, [[turnName(draft), n]]);
      updateProject(store, project.key, root, { next: n + 1 });
      return { key: project.key, n, record, fresh: true };
    }
    // Somebody took the number, perhaps an earlier try at this very turn that was killed before it was noted.
    const listed = listTurns(store, project.key);
    noteTurns(
      store,
      project.key,
      [...listed].filter(([name]) => !known.has(name)),
    );
    const own = listed.get(turnName(draft));
    if (own !== undefined) return { key: project.key, n: own, record: numbered(draft, project, own), fresh: false };
    const next = Math.max(n, ...listed.values()) + 1;
    if ([...listed.values()].includes(n) || next > n + 1) n = next;
    else if (isLeft(store, turnRef(project.key, n))) n++;
    else if (++unexplained > TRIES)
      throw new StoreError('store_failed', `checkpoint ${n} was not written: ${toText(done.why)}`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25 * unexplained);
  }
}

/** So many bytes of contents are in memory at a time, and the largest one more. */
const BATCH = 32 << 20;

/** So many new contents get a file each where they are small, others a pack. */
const MOST_LOOSE = 50;
const LARGEST_LOOSE = 1 << 20;

/** A record with more entries was a pack once, which git waits for until it is on the disk. */
const MANY = 100;

/** Contents beyond one batch go into packs of their own first: however much a turn has held, it is not held in memory. */
function importAll(
  store: Store,
  commit: Commit,
  oids: ReadonlySet<string>,
  contents: ReadonlyMap<string, Source>,
): Imported {
  const fresh = new Map<string, Source>();
  for (const oid of oids) {
    const source = contents.get(oid);
    if (source !== undefined) fresh.set(oid, source);
  }
  const isSmall = fresh.size <= MOST_LOOSE && [...fresh.values()].every((source) => sizeOf(source) <= LARGEST_LOOSE);
  if (isSmall && isOwnTree(commit)) {
    const sync = commit.entries.length >= MANY;
    const lost = missingOf(
      store,
      [...oids].filter((oid) => !fresh.has(oid)),
    );
    if (lost !== undefined) return { is: 'failed', why: `the store has lost object ${lost}` };
    return writeLoose(store, { commit, blobs: fresh, refs: [commit.ref], over: 'new', sync });
  }
  let stream = new ImportStream();
  for (const [oid, source] of fresh) {
    stream.blob(oid, sourceBytes(source));
    if (stream.size < BATCH) continue;
    const done = runImport(store, stream, { pack: true });
    if (done.is !== 'written') return { is: 'failed', why: done.why };
    stream = new ImportStream();
  }
  stream.commit(commit);
  return runImport(store, stream);
}

const sizeOf = (source: Source): number =>
  source instanceof Uint8Array ? source.byteLength : (source.length ?? lookAt(source.path)?.size ?? 0);

/** One of these objects that the store does not have. A git process only for those in packs. */
function missingOf(store: Store, oids: readonly string[]): string | undefined {
  const isLoose = (oid: string): boolean =>
    lookAt(join(store.gitDir, `objects/${oid.slice(0, 2)}/${oid.slice(2)}`)) !== undefined;
  const rest = oids.length > MANY ? oids : oids.filter((oid) => !isLoose(oid));
  const there = readSizes(store, rest);
  return rest.find((oid) => !there.has(oid));
}

/** Nobody has the number and yet it cannot be had: another writer is just taking it, or the store cannot be written at all. */
const TRIES = 8;

/** A killed git's lock on this ref: nobody will ever have its number. */
function isLeft(store: Store, ref: string): boolean {
  const look = lookAt(join(store.gitDir, `${ref}.lock`));
  return look !== undefined && Date.now() - Number(BigInt(look.mtime) / 1_000_000n) > 60_000;
}

/** Writes a record once more under its number, without what the store has lost (a repair). Every blob that it names is there. */
export function rewriteRecord(store: Store, key: string, record: CheckpointRecord): void {
  const stream = new ImportStream();
  stream.commit({
    ref: turnRef(key, record.n),
    subject: `${subjectOf(record)}\n\nbelay-turn: ${turnName(record)}\n`,
    when: record.started,
    entries: entriesOf(record),
  });
  const done = runImport(store, stream, { force: true });
  if (done.is !== 'written') throw new StoreError('store_failed', `checkpoint ${record.n} could not be written anew`);
}

export const turnRef = (key: string, n: number): string => `refs/belay/${key}/turns/${n}`;
export const captureRef = (key: string, m: number): string => `refs/belay/${key}/captures/${m}`;

/** The state that imported checkpoint n rests on. */
export const importedRef = (key: string, n: number): string => `refs/belay/${key}/imported/${n}`;
/** Checkpoint n as it was pushed by a sync. */
export const sentRef = (key: string, n: number): string => `refs/belay/${key}/sent/${n}`;

/** What was taken over from elsewhere may be this very store's own, under another number. */
const turnName = ({ session, turn, origin }: Pick<Draft, 'session' | 'turn' | 'origin'>): string =>
  `${encodeURIComponent(session)} ${encodeURIComponent(turn)}${origin === undefined ? '' : `@${origin.key}`}`;

function numbered(draft: Draft, project: Project, n: number): CheckpointRecord {
  return { v: 1, n, generation: project.generation, root: project.workdir, ...draft } as CheckpointRecord;
}

/** Every blob that the record's tree names, once each. */
export function blobsOf(record: CheckpointRecord): Set<string> {
  const out = new Set<string>();
  for (const change of record.changes)
    for (const version of [change.before, change.after, ...(change.later ?? [])]) {
      const oid = gitOid(version);
      if (oid !== undefined) out.add(oid);
    }
  for (const state of [...record.gitBefore, ...record.gitAfter]) if (state.index !== undefined) out.add(state.index);
  return out;
}

export function gitOid(version: Version): string | undefined {
  return version.kind === 'file' && version.content.at === 'git' ? version.content.oid : undefined;
}

/** Numbered names: a hostile path never becomes the name of a tree's entry. */
function entriesOf(record: CheckpointRecord): Entry[] {
  return [...contentEntries(record), { path: 'meta.json', data: Buffer.from(JSON.stringify(record), 'utf8') }];
}

/** The same without the record itself. */
export function contentEntries(record: CheckpointRecord): Entry[] {
  const out: Entry[] = [];
  record.changes.forEach((change, i) => {
    for (const side of ['before', 'after'] as const) {
      const oid = gitOid(change[side]);
      if (oid !== undefined) out.push({ path: `${side}/${i}`, blob: oid });
    }
    change.later?.forEach((version, j) => {
      const oid = gitOid(version);
      if (oid !== undefined) out.push({ path: `later/${i}.${j}`, blob: oid });
    });
  });
  [...record.gitBefore, ...record.gitAfter].forEach((state, i) => {
    if (state.index !== undefined) out.push({ path: `git/${i}`, blob: state.index });
  });
  return out;
}

const turnsFile = (store: Store, key: string): Bytes => join(projectsFolder(store), `${key}.turns`);

/** Session and turn → number, as noted beside the project: saves a git process on every settle. */
function readTurns(store: Store, key: string): Map<string, number> {
  const out = new Map<string, number>();
  const bytes = readBytesIfAny(turnsFile(store, key));
  for (const line of bytes === undefined ? [] : fromBuffer(bytes).split('\n')) {
    const [session, turn, n] = line.split(' ');
    if (session !== undefined && turn !== undefined && n !== undefined && /^\d+$/.test(n))
      out.set(`${session} ${turn}`, Number(n));
  }
  return out;
}

function noteTurns(store: Store, key: string, turns: readonly (readonly [string, number])[]): void {
  if (turns.length === 0) return;
  makeFolder(projectsFolder(store));
  withProject(store, key, () =>
    fs.appendFileSync(toBuffer(turnsFile(store, key)), turns.map(([name, n]) => `${name} ${n}\n`).join(''), {
      mode: 0o600,
    }),
  );
}

/** Takes the turns out of a project's notes whose checkpoints are gone; what was given a number since (`next` and up) stays. */
export function compactTurns(store: Store, key: string, listed: ReadonlySet<number>, next: number): void {
  withProject(store, key, () => {
    const known = [...readTurns(store, key)];
    const staying = known.filter(([, n]) => listed.has(n) || n >= next);
    if (staying.length === known.length) return;
    writeAtomic(turnsFile(store, key), staying.map(([name, n]) => `${name} ${n}\n`).join(''));
  });
}

/** The same from the refs themselves. */
function listTurns(store: Store, key: string): Map<string, number> {
  const answer = git(['for-each-ref', '--format=%(refname:lstrip=4) %(contents:body)', `refs/belay/${key}/turns/`], {
    gitDir: store.gitDir,
  });
  if (!answer.ok) throw new StoreError('store_broken', `the store cannot be read: ${answer.err.trim()}`);
  const out = new Map<string, number>();
  for (const line of fromBuffer(answer.out).split('\n')) {
    const hit = /^(\d+) belay-turn: (\S+ \S+)$/.exec(line);
    if (hit?.[1] !== undefined && hit[2] !== undefined) out.set(hit[2], Number(hit[1]));
  }
  return out;
}
