import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { readBytesIfAny } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { clearAbandoned } from './abandoned.ts';
import { blobOid } from './oid.ts';
import { type Store, StoreError } from './store.ts';

/** Where the bytes of a blob come from: memory, or a stretch of a file (a hold's pack). */
export type Source = Uint8Array | { readonly path: Bytes; readonly offset?: number; readonly length?: number };

/** One entry of a commit's tree. Only a nested work tree's path is the user's (bytes, docs/format.md). */
export type Entry =
  | { readonly path: string; readonly data: Uint8Array }
  | { readonly path: string; readonly blob: string }
  | { readonly path: string; readonly tree: string };

export interface Commit {
  readonly ref: string;
  readonly subject: Bytes;
  /** Milliseconds since 1970. */
  readonly when: number;
  readonly entries: readonly Entry[];
}

/** The bytes of a source, whole. Throws where it is shorter than it should be. */
export function sourceBytes(source: Source): Uint8Array {
  if (source instanceof Uint8Array) return source;
  if (source.length === undefined) {
    const whole = readBytesIfAny(source.path);
    if (whole === undefined) throw new StoreError('no_content', `${source.path} is gone`);
    return whole;
  }
  const buffer = Buffer.allocUnsafe(source.length);
  const fd = fs.openSync(toBuffer(source.path), 'r');
  try {
    let done = 0;
    while (done < source.length) {
      const got = fs.readSync(fd, buffer, done, source.length - done, (source.offset ?? 0) + done);
      if (got === 0) throw new StoreError('no_content', `${source.path} is shorter than recorded`);
      done += got;
    }
  } finally {
    fs.closeSync(fd);
  }
  return buffer;
}

/** Text for one `git fast-import`: blobs once each, then commits without parents. */
export class ImportStream {
  readonly #parts: Uint8Array[] = [];
  readonly #marks = new Map<string, number>();
  /** Bytes so far, and how many objects they make at most. */
  size = 0;
  objects = 0;

  constructor() {
    this.#text('feature done\n');
  }

  /** No blob is in it. */
  get isEmpty(): boolean {
    return this.#marks.size === 0;
  }

  /** Adds a blob that must be the one called `oid`: a hold that was changed since is found here, before it is kept. */
  blob(oid: string, content: Uint8Array): void {
    if (this.#marks.has(oid)) return;
    if (blobOid(content) !== oid) throw new StoreError('no_content', `content is not ${oid} any more`);
    const mark = this.#marks.size + 1;
    this.#marks.set(oid, mark);
    this.objects++;
    this.#text(`blob\nmark :${mark}\n`);
    this.#data(content);
  }

  commit(commit: Commit): void {
    this.#text(`commit ${commit.ref}\ncommitter belay <belay@localhost> ${Math.floor(commit.when / 1000)} +0000\n`);
    this.#data(toBuffer(commit.subject));
    for (const entry of commit.entries) {
      if ('tree' in entry) this.#text(`M 040000 ${entry.tree} ${quoted(entry.path)}\n`);
      else if ('blob' in entry) {
        const mark = this.#marks.get(entry.blob);
        this.#text(`M 100644 ${mark === undefined ? entry.blob : `:${mark}`} ${entry.path}\n`);
      } else {
        this.#text(`M 100644 inline ${entry.path}\n`);
        this.#data(entry.data);
      }
    }
    this.#text('\n');
    this.objects += 2 + new Set(commit.entries.flatMap(({ path }) => namesOn(path))).size;
  }

  /** Moves `ref` to the tip of another one of this stream. An older tip is only replaced by an import that is forced. */
  pointAt(ref: string, tip: string): void {
    this.#text(`reset ${ref}\nfrom ${tip}\n\n`);
  }

  /** The whole stream; nothing can be added after. */
  bytes(): Uint8Array {
    this.#text('done\n');
    return Buffer.concat(this.#parts);
  }

  #text(text: string): void {
    this.#add(Buffer.from(text, 'latin1'));
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.size += bytes.byteLength;
  }

  #data(content: Uint8Array): void {
    this.#text(`data ${content.byteLength}\n`);
    this.#add(content);
    this.#text('\n');
  }
}

/** `a`, `a/b`, `a/b/c` of `a/b/c`: an object each. */
const namesOn = (path: string): string[] => path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/'));

/** A path as fast-import reads it: in C's quotes where it needs them (git-fast-import(1), `<path>`). */
const quoted = (path: Bytes): Bytes =>
  /^[A-Za-z0-9_./-]+$/.test(path)
    ? path
    : `"${path.replace(/["\\\0-\x1f\x7f-\xff]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;

/** Fewer objects than git would keep in a pack (`fastimport.unpackLimit`): each becomes a file, and nobody waits until the pack that goes is on the disk. */
const FEW = 100;
const NO_SYNC = ['core.fsync=-pack,-pack-metadata'];
const KEEP_PACK = ['fastimport.unpackLimit=1'];

export type Imported =
  | { readonly is: 'written' }
  /** A ref could not be made: somebody else has it, or nobody can have it (no room, no right); the refs tell. */
  | { readonly is: 'taken'; readonly why: Bytes }
  | { readonly is: 'failed'; readonly why: Bytes };

/**
 * One `git fast-import`. A ref that exists already and is no ancestor stays as it was and the answer is `taken` (git's own
 * check, in one transaction with its lock): so numbers are given out without a lock of ours. `force` moves refs whatever
 * they were: only for numbers that nobody else can have. `pack`: what it brings stays together, however few objects.
 */
export function runImport(
  store: Store,
  stream: ImportStream,
  options: { readonly force?: boolean; readonly pack?: boolean } = {},
): Imported {
  const force = options.force ? ['--force'] : [];
  const answer = git(['fast-import', '--quiet', '--date-format=raw', '--done', ...force], {
    gitDir: store.gitDir,
    input: stream.bytes(),
    timeout: 600_000,
    config: options.pack ? KEEP_PACK : stream.objects < FEW ? NO_SYNC : [],
  });
  if (answer.ok) return { is: 'written' };
  clearAbandoned(store);
  if (/Not updating refs|cannot lock ref|reference already exists|Failed to update/i.test(answer.err))
    return { is: 'taken', why: answer.err.trim() };
  return { is: 'failed', why: answer.err.trim() || String(answer.code) };
}
