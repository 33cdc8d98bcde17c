import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer, toText } from '../platform/bytes.ts';
import {
  lookAt,
  makeFolder,
  namesInOrNone,
  readBytesIfAny,
  removeFile,
  removeTree,
  writeAtomic,
} from '../platform/files.ts';
import { newerHome, noteFormat } from '../platform/format.ts';
import { foreignHome } from '../platform/home.ts';
import { join } from '../platform/paths.ts';
import { randomHex } from '../platform/random.ts';

/** One bare git repository for every project, and the folders beside it (docs/format.md). */
export interface Store {
  readonly home: Bytes;
  /** `<home>/checkpoints`. */
  readonly base: Bytes;
  /** `<home>/checkpoints/store`. */
  readonly gitDir: Bytes;
  /** Part of every project's key: the same path on two machines is two projects. */
  readonly machine: string;
}

/** The store cannot be used as it is: `code` for programs, the message for people. */
export class StoreError extends Error {
  readonly code:
    | 'store_not_ours'
    | 'store_newer'
    | 'store_broken'
    | 'store_failed'
    | 'no_content'
    | 'busy'
    | 'remote_failed';
  constructor(code: StoreError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Conversions of every kind are off whatever the project's own `.gitattributes` say; objects are not squeezed hard, because the next turn must not wait for it.
 */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
\tcompression = 1
\tlooseCompression = 1
\tautocrlf = false
\tsafecrlf = false
\tsymlinks = true
\tignorecase = false
\tprecomposeunicode = false
\tfsmonitor = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[pack]
\tcompression = 1
[advice]
\taddEmbeddedRepo = false
`;
const ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding\n';

/** The store under this home, made when it is not there yet. Throws a StoreError where it is not ours to write. */
export function openStore(home: Bytes): Store {
  refuseForeign(home);
  const base = join(home, 'checkpoints');
  const gitDir = join(base, 'store');
  if (lookAt(gitDir) === undefined) {
    archiveLegacy(base);
    create(base, gitDir);
    noteFormat(home);
  }
  refuseLink(gitDir);
  if (isRefsLost(gitDir)) noteLostRefs(gitDir);
  // A line has removed it while somebody wrote: what is left of it is a store again, and the next turn is saved.
  if (lookAt(join(gitDir, 'HEAD')) === undefined) furnish(gitDir);
  makeEmptyFolders(gitDir);
  return { home, base, gitDir, machine: machineId(base, true) };
}

/** The store under this home for reading; undefined where nothing was ever saved. Makes nothing but what git needs to see it. */
export function findStore(home: Bytes): Store | undefined {
  const base = join(home, 'checkpoints');
  const gitDir = join(base, 'store');
  refuseLink(gitDir);
  if (lookAt(gitDir)?.type !== 'folder') return undefined;
  if (isRefsLost(gitDir) || hasLostRefs({ gitDir }))
    throw new StoreError('store_broken', `${toText(gitDir)} has lost its refs, which say what is in it`);
  if (lookAt(gitDir)?.uid === process.getuid?.()) makeEmptyFolders(gitDir);
  return { home, base, gitDir, machine: machineId(base, false) };
}

/** The same for whoever takes all of it away, whatever it has lost. */
export function storeToRemove(home: Bytes): Store | undefined {
  const base = join(home, 'checkpoints');
  const gitDir = join(base, 'store');
  return lookAt(gitDir)?.type === 'folder' ? { home, base, gitDir, machine: machineId(base, false) } : undefined;
}

/** A collection that packs the last loose ref away may take `refs` with it, and git then sees no repository. */
function makeEmptyFolders(gitDir: Bytes): void {
  for (const folder of ['refs', 'objects'])
    if (lookAt(join(gitDir, folder)) === undefined) makeFolder(join(gitDir, folder));
}

/** Nothing is saved through a link: where it leads may be anybody's, and may not be there tomorrow. */
function refuseLink(gitDir: Bytes): void {
  if (lookAt(gitDir)?.type === 'link')
    throw new StoreError('store_broken', `${toText(gitDir)} is a link: a store is a folder of its own`);
}

/** git itself leaves one of them wherever there was ever a ref. */
const isRefsLost = (gitDir: Bytes): boolean =>
  ['refs', 'packed-refs'].every((name) => lookAt(join(gitDir, name)) === undefined) &&
  namesInOrNone(join(gitDir, 'objects')).some(
    (name) => name !== 'info' && namesInOrNone(join(join(gitDir, 'objects'), name)).length > 0,
  );

const MARK = 'refs-lost';

/** So that nobody takes objects for nobody's, until they were looked through. */
function noteLostRefs(gitDir: Bytes): void {
  writeAtomic(join(gitDir, MARK), '');
}

export const hasLostRefs = ({ gitDir }: Pick<Store, 'gitDir'>): boolean => lookAt(join(gitDir, MARK)) !== undefined;

/** The objects were looked through, and what could be found again has its ref. */
export const forgetLostRefs = ({ gitDir }: Store): void => removeFile(join(gitDir, MARK));

/** An older belay would misread it. */
function refuseNewer(home: Bytes): void {
  const why = newerHome(home);
  if (why !== undefined) throw new StoreError('store_newer', why);
}

function refuseForeign(home: Bytes): void {
  const why = foreignHome(home);
  if (why !== undefined) throw new StoreError('store_not_ours', why);
  refuseNewer(home);
}

/**
 * An older layout had a repository for each folder, named by a hash, beside each other. At the first run they go into
 * `legacy-<time>/` as they are: plain git reads them.
 */
function archiveLegacy(base: Bytes): void {
  if (lookAt(base)?.type !== 'folder') return;
  const old = namesInOrNone(base).filter(
    (name) =>
      /^[0-9a-f]{8,64}$/.test(name) &&
      ['HEAD', 'objects', 'refs'].every((part) => lookAt(join(join(base, name), part)) !== undefined),
  );
  if (old.length === 0) return;
  const folder = join(
    base,
    `legacy-${new Date()
      .toISOString()
      .replace(/[:.]/g, '')
      .replace(/\d{3}Z$/, 'Z')}`,
  );
  makeFolder(folder);
  for (const name of old) fs.renameSync(toBuffer(join(base, name)), toBuffer(join(folder, name)));
}

/** Built whole beside its place and renamed there, so that nobody ever sees half a repository. */
function create(base: Bytes, gitDir: Bytes): void {
  makeFolder(base);
  const staging = join(base, `.store-${process.pid}-${randomHex(4)}`);
  furnish(staging);
  try {
    fs.renameSync(toBuffer(staging), toBuffer(gitDir));
  } catch (error) {
    removeTree(staging);
    if (lookAt(gitDir)?.type !== 'folder') throw error;
  }
}

/** What makes a folder a store: HEAD comes last, and says that the rest is there. */
function furnish(gitDir: Bytes): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'indexes', 'projects'])
    makeFolder(join(gitDir, folder));
  const files = { config: CONFIG, 'info/attributes': ATTRIBUTES, 'info/exclude': '', HEAD: 'ref: refs/heads/none\n' };
  for (const [name, text] of Object.entries(files)) writeAtomic(join(gitDir, name), text);
}

/** `/etc/machine-id`; where there is none, an id of our own, kept beside the store. */
function machineId(base: Bytes, make: boolean): string {
  const system = read('/etc/machine-id');
  if (system) return system;
  const file = join(base, 'machine-id');
  const own = read(file);
  if (own || !make) return own ?? '';
  writeAtomic(file, `${randomHex(16)}\n`);
  return read(file) ?? '';
}

function read(path: Bytes): string | undefined {
  const bytes = readBytesIfAny(path);
  return bytes === undefined ? undefined : fromBuffer(bytes).trim() || undefined;
}
