import { type Bytes, fromBuffer } from '../platform/bytes.ts';
import { git } from '../platform/git.ts';
import { LooseReader } from './loose-read.ts';
import type { CaptureRecord, CheckpointRecord } from './record.ts';
import { readRefs } from './refs.ts';
import { type Store, StoreError } from './store.ts';

/** A checkpoint as the store has it. */
export interface Checkpoint {
  /** The commit's full name. */
  readonly id: string;
  readonly record: CheckpointRecord;
  /** The tree's entries by name (`before`, `after`, `git`, `meta.json`). */
  readonly tree: ReadonlyMap<string, string>;
}

export interface CaptureRef {
  readonly m: number;
  readonly id: string;
}

export interface History {
  /** Newest first. */
  readonly checkpoints: readonly Checkpoint[];
  /** Newest first. */
  readonly captures: readonly CaptureRef[];
  /** The states that imported checkpoints rest on, `m` being the checkpoint's number. */
  readonly imported: readonly CaptureRef[];
  /** Checkpoints as they were pushed by a sync. */
  readonly sent: readonly CaptureRef[];
  /** Refs whose record cannot be read; nothing else knows of them. */
  readonly broken: readonly string[];
}

export const NO_HISTORY: History = { checkpoints: [], captures: [], imported: [], sent: [], broken: [] };

interface Built {
  readonly checkpoints: Checkpoint[];
  readonly captures: CaptureRef[];
  readonly imported: CaptureRef[];
  readonly sent: CaptureRef[];
  readonly broken: string[];
}

/** Everything kept of one project, in one git process at most. */
export function readHistory(store: Store, key: string): History {
  return readHistories(store, [key]).get(key) ?? NO_HISTORY;
}

/** The same for several projects at once, still in one git process; of all projects where no key is given. */
export function readHistories(store: Store, keys?: readonly string[]): Map<string, History> {
  const out = new Map<string, History>();
  const found = readRefs(store, keys);
  const turns = found.filter((ref) => ref.kind === 'turns').sort((a, b) => b.n - a.n);
  const objects = readNamed(
    store,
    turns.flatMap(({ id }) => [`${id}^{tree}`, `${id}:meta.json`]),
  );
  const built = new Map<string, Built>();
  const of = (key: string): Built => {
    const known = built.get(key) ?? { checkpoints: [], captures: [], imported: [], sent: [], broken: [] };
    built.set(key, known);
    return known;
  };
  turns.forEach(({ key, n, id }, i) => {
    const tree = objects[2 * i];
    const record = parseRecord(objects[2 * i + 1], n);
    if (tree === undefined || record === undefined) of(key).broken.push(`turns/${n}`);
    else of(key).checkpoints.push({ id, record, tree: parseTree(tree) });
  });
  for (const { kind, key, n, id } of [...found].sort((a, b) => b.n - a.n))
    if (kind !== 'turns') of(key)[kind].push({ m: n, id });
  for (const [key, history] of built) out.set(key, history);
  return out;
}

/** Parts of commits; git is started only for what does not lie in files of its own. */
function readNamed(store: Store, names: readonly string[]): (Buffer | undefined)[] {
  const reader = new LooseReader(store);
  const loose = names.map((name) => reader.named(name));
  const rest = readObjects(
    store,
    names.filter((_, i) => loose[i] === undefined),
  );
  let at = 0;
  return loose.map((found) => found ?? rest[at++]);
}

function parseRecord(bytes: Uint8Array | undefined, n: number): CheckpointRecord | undefined {
  if (bytes === undefined) return undefined;
  try {
    const record = JSON.parse(Buffer.from(bytes).toString('utf8')) as CheckpointRecord;
    return record?.v === 1 && record.n === n && Array.isArray(record.changes) ? record : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** git's raw tree: `<mode> <name>\0<20 bytes>`, one after the other. */
function parseTree(bytes: Uint8Array): Map<string, string> {
  const buffer = Buffer.from(bytes);
  const out = new Map<string, string>();
  for (let at = 0; at < buffer.length; ) {
    const space = buffer.indexOf(0x20, at);
    const end = buffer.indexOf(0, space);
    if (space < 0 || end < 0) break;
    out.set(buffer.toString('latin1', space + 1, end), buffer.toString('hex', end + 1, end + 21));
    at = end + 21;
  }
  return out;
}

/** The contents of these objects (any names git knows), in their order; undefined where there is none. One git process. */
export function readObjects(store: Store, names: readonly string[]): (Buffer | undefined)[] {
  if (names.length === 0) return [];
  const out = must(
    git(['cat-file', '--batch', '--buffer'], {
      gitDir: store.gitDir,
      input: `${names.join('\n')}\n`,
      timeout: 600_000,
    }),
  );
  const found: (Buffer | undefined)[] = [];
  let at = 0;
  for (const _ of names) {
    const end = out.indexOf(0x0a, at);
    const head = out.toString('latin1', at, end);
    const size = /^[0-9a-f]+ \w+ (\d+)$/.exec(head)?.[1];
    at = end + 1;
    if (size === undefined) {
      found.push(undefined);
      continue;
    }
    found.push(out.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** The sizes of these objects; those that are missing are left away. One git process. */
export function readSizes(store: Store, oids: readonly string[]): Map<string, number> {
  const out = new Map<string, number>();
  if (oids.length === 0) return out;
  const answer = git(['cat-file', '--batch-check', '--buffer'], {
    gitDir: store.gitDir,
    input: `${[...new Set(oids)].join('\n')}\n`,
    timeout: 120_000,
  });
  for (const line of fromBuffer(must(answer)).split('\n')) {
    const hit = /^([0-9a-f]+) \w+ (\d+)$/.exec(line);
    if (hit?.[1]) out.set(hit[1], Number(hit[2]));
  }
  return out;
}

const BATCH_BYTES = 64 << 20;

/**
 * Hands each blob's bytes to `use`, about 64 MB at a time, so that a large restore never holds all of it. Throws where a blob
 * is missing.
 */
export function eachBlob(
  store: Store,
  wanted: readonly { readonly oid: string; readonly size: number }[],
  use: (oid: string, content: Buffer) => void,
): void {
  for (let i = 0; i < wanted.length; ) {
    const batch: string[] = [];
    for (let bytes = 0; i < wanted.length && (batch.length === 0 || bytes < BATCH_BYTES); i++) {
      const next = wanted[i];
      if (next === undefined) break;
      batch.push(next.oid);
      bytes += next.size;
    }
    readObjects(store, batch).forEach((content, j) => {
      const oid = batch[j] ?? '';
      if (content === undefined) throw new StoreError('no_content', `the store has lost object ${oid}`);
      use(oid, content);
    });
  }
}

/** One entry of a captured tree. */
export interface TreeEntry {
  readonly path: Bytes;
  /** git's: 100644, 100755, 120000, 160000. */
  readonly mode: string;
  readonly oid: string;
  readonly size: number;
}

export interface Capture {
  readonly id: string;
  readonly record: CaptureRecord;
}

/** What captures say of themselves, by number; those that cannot be read are left away. One git process. */
export function readCaptures(store: Store, refs: readonly CaptureRef[]): Map<number, Capture> {
  const found = readObjects(
    store,
    refs.map(({ id }) => `${id}:meta.json`),
  );
  const out = new Map<number, Capture>();
  refs.forEach(({ m, id }, i) => {
    const bytes = found[i];
    if (bytes === undefined) return;
    const record = parseCapture(bytes);
    if (record !== undefined) out.set(m, { id, record });
  });
  return out;
}

function parseCapture(bytes: Uint8Array): CaptureRecord | undefined {
  try {
    const record = JSON.parse(Buffer.from(bytes).toString('utf8')) as CaptureRecord;
    if (record?.v !== 1 || !Array.isArray(record.modes) || !Array.isArray(record.nested)) return undefined;
    // The folder itself is `''`.
    const isFit = ([path]: readonly [Bytes, ...unknown[]]): boolean => path === '' || !isStray(path);
    const { modes, emptyFolders, owners } = record;
    return {
      ...record,
      modes: modes.filter(isFit),
      emptyFolders: emptyFolders.filter(isFit),
      ...(owners === undefined ? {} : { owners: owners.filter(isFit) }),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A capture of an empty project has no such entry: git keeps no empty trees. */
const FILES = 'files/';

/**
 * A name that no path of a project has: it leads out of it, or into a repository's own folder. Trees are checked when they are taken
 * over; a store that was tampered with is read as if they were not there.
 */
export const isStrayName = (name: Bytes): boolean => name.includes('/') || isStray(name);

const isStray = (path: Bytes): boolean => /(?:^|\/)(?:\.{0,2}|\.git|git~1)(?:\/|$)|\0/i.test(path);

/** All files of a capture. One git process. */
export const captureTree = (store: Store, id: string): TreeEntry[] =>
  listTree(store, id, true).map(({ head, path }) => {
    const [mode = '', , oid = '', size = '-'] = head.split(/ +/);
    return { mode, oid, size: size === '-' ? 0 : Number(size), path };
  });

/** The same without sizes: git need not look at each object, which in a large tree takes most of the time. */
export const captureNames = (store: Store, id: string): Omit<TreeEntry, 'size'>[] =>
  listTree(store, id, false).map(({ head, path }) => {
    const [mode = '', , oid = ''] = head.split(' ');
    return { mode, oid, path };
  });

/** `<mode> <type> <oid>[ <size>]` of each file, and its path. */
function listTree(store: Store, id: string, sizes: boolean): { readonly head: string; readonly path: Bytes }[] {
  const answer = git(['ls-tree', '-r', '-z', ...(sizes ? ['-l'] : []), '--full-tree', id, FILES], {
    gitDir: store.gitDir,
    timeout: 120_000,
  });
  const out: { head: string; path: Bytes }[] = [];
  for (const line of fromBuffer(must(answer)).split('\0')) {
    const tab = line.indexOf('\t');
    const path = line.slice(tab + 1 + FILES.length);
    if (tab > 0 && !isStray(path)) out.push({ head: line.slice(0, tab), path });
  }
  return out;
}

export interface Between {
  readonly path: Bytes;
  readonly before?: Omit<TreeEntry, 'path' | 'size'>;
  readonly after?: Omit<TreeEntry, 'path' | 'size'>;
}

/** The files in which two captures differ. One git process. */
export function betweenCaptures(store: Store, before: string, after: string): Between[] {
  const answer = git(['diff-tree', '-r', '-z', '--no-renames', `--relative=${FILES}`, before, after], {
    gitDir: store.gitDir,
    timeout: 120_000,
  });
  const parts = fromBuffer(must(answer)).split('\0');
  const out: Between[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const hit = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) \w/.exec(parts[i] ?? '');
    const path = parts[i + 1];
    if (!hit?.[1] || !hit[2] || !hit[3] || !hit[4] || path === undefined || isStray(path)) continue;
    out.push({
      path,
      ...(hit[1] === '000000' ? {} : { before: { mode: hit[1], oid: hit[3] } }),
      ...(hit[2] === '000000' ? {} : { after: { mode: hit[2], oid: hit[4] } }),
    });
  }
  return out;
}

function must(answer: ReturnType<typeof git>): Buffer {
  if (answer.ok) return answer.out;
  throw new StoreError('store_broken', `the store cannot be read: ${answer.err.trim() || answer.code}`);
}
