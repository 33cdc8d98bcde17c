import fs from 'node:fs';
import type { LeftOut, Owner } from '../../checkpoint/record.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { isTooLong, type Look, lookAt, namesIn } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Tester } from '../../platform/wild.ts';
import { type IgnoreRule, readIgnore, ruleOn } from '../ignore.ts';
import { excludeListOf } from '../repository.ts';

/** What git cannot say of a work tree, and what it must not be asked to read. Paths are relative to the work tree. */
export interface Scan {
  /** Every folder that belongs to the tree, `` for the work tree itself. */
  readonly folders: ReadonlyMap<Bytes, FolderScan>;
  /** Work trees of repositories inside. */
  readonly nested: readonly Bytes[];
  /** Not to be added: too large, unreadable, not a file. */
  readonly leftOut: readonly LeftOut[];
  /** Ignored by git, saved all the same. */
  readonly precious: readonly Bytes[];
  /** Files of a precious name that are not among them: too large, unreadable. */
  readonly unsure: readonly Bytes[];
  /** The search for precious files came to its end. */
  readonly preciousWhole: boolean;
  /** Where it did not: ignored files of a precious name beyond what a capture takes, ignored folders not looked through. */
  readonly unsearched: readonly LeftOut[];
  /** Folders whose ignore file is itself ignored, so that no tree has it. */
  readonly hiddenIgnores: readonly Bytes[];
  /** The same folders as are known, none of which has got or lost an entry, and the same ignore files. */
  readonly isAsKnown: boolean;
  /** Regular files and links, ignored ones among them. */
  readonly files: number;
  /** Modes of files that git has no words for, ignored files among them; only where every folder was read. */
  readonly modes: ReadonlyMap<Bytes, number> | undefined;
}

/** One folder as it was read; stands as long as the folder's own inode and mtime do. */
export interface FolderScan {
  readonly ino: string;
  readonly mtime: string;
  readonly mode: number;
  /** Where it is not the project's folder's. */
  readonly owner?: Owner;
  readonly folders: readonly Bytes[];
  readonly leftOut: readonly LeftOut[];
  readonly precious: readonly Bytes[];
  readonly unsure: readonly Bytes[];
  readonly files: number;
  readonly empty: boolean;
  /** It has an ignore file: a change of that is no change of the folder. */
  readonly ignores: string;
}

export interface ScanRules {
  readonly maxFiles: number;
  readonly maxFileSize: number;
  readonly precious: Tester;
  readonly skip: readonly Bytes[];
  readonly exclude: readonly IgnoreRule[];
  /** belay's own folders, absolute. */
  readonly never: readonly Bytes[];
  /** Whose the project's folder is. */
  readonly owner: Owner;
  readonly deadline: number;
}

export type Scanned =
  | { readonly kind: 'scanned'; readonly scan: Scan }
  | { readonly kind: 'too large' }
  | { readonly kind: 'too slow' };

/** Precious files: this size at most, this many in all, looked for in so many ignored entries. */
const PRECIOUS_SIZE = 1 << 20;
const PRECIOUS_COUNT = 500;
const IGNORED_LOOKS = 2000;

const TOO_LONG = 'its path is too long for git';
const BEYOND_COUNT = `git ignores it, and there are more than ${PRECIOUS_COUNT} files of such names`;
const BEYOND_LOOKS = 'git ignores it, and it has too many entries to look for files that are kept all the same';

class TooMuch extends Error {}

/**
 * Reads the folders of a work tree, using what `known` says of those that did not change. Folders that git ignores are only
 * looked through for precious files; nested repositories are named and not entered.
 */
export function scanTree(root: Bytes, known: ReadonlyMap<Bytes, FolderScan> | undefined, rules: ScanRules): Scanned {
  const folders = new Map<Bytes, FolderScan>();
  const nested: Bytes[] = [];
  const leftOut: LeftOut[] = [];
  const precious: Bytes[] = [];
  const unsure: Bytes[] = [];
  const unsearched: LeftOut[] = [];
  const hiddenIgnores: Bytes[] = [];
  const modes = new Map<Bytes, number>();
  let files = 0;
  let standing = 0;
  let ignoredLooks = 0;
  const user = process.getuid?.() ?? 0;
  const base: Layer[] = [
    { at: '', rules: readIgnore(excludeListOf(root)) },
    { at: '', rules: rules.exclude },
  ];
  try {
    visit('', base);
  } catch (error) {
    if (error instanceof TooMuch) return { kind: Date.now() > rules.deadline ? 'too slow' : 'too large' };
    throw error;
  }
  const preciousWhole = unsearched.length === 0;
  const found = { precious, preciousWhole, unsearched, unsure };
  const isAsKnown = standing === folders.size && standing === known?.size;
  const all = { folders, nested, leftOut, ...found, hiddenIgnores, isAsKnown, files };
  return { kind: 'scanned', scan: { ...all, modes: known === undefined ? modes : undefined } };

  function visit(path: Bytes, layers: readonly Layer[]): void {
    const absolute = path === '' ? root : join(root, path);
    const look = lookAt(absolute);
    if (look?.type !== 'folder') return;
    const ignoreFile = join(absolute, '.gitignore');
    const ignores = signature(ignoreFile);
    const before = known?.get(path);
    const stands =
      before !== undefined && before.ino === look.ino && before.mtime === look.mtime && before.ignores === ignores;
    const read = stands ? before : readFolder(path, absolute, look, ignores);
    if (read === 'nested') {
      nested.push(path);
      return;
    }
    const { owner: _, ...rest } = read;
    const isTheirs = look.uid !== rules.owner[0] || look.gid !== rules.owner[1];
    const folder: FolderScan = { ...rest, mode: look.mode, ...(isTheirs ? { owner: [look.uid, look.gid] } : {}) };
    folders.set(path, folder);
    if (stands) standing++;
    leftOut.push(...folder.leftOut);
    unsure.push(...folder.unsure);
    files += folder.files;
    if (files > rules.maxFiles || Date.now() > rules.deadline) throw new TooMuch();
    const deeper: readonly Layer[] = ignores === '' ? layers : [...layers, { at: path, rules: readIgnore(ignoreFile) }];
    if (ignores !== '' && isIgnored(path === '' ? '.gitignore' : `${path}/.gitignore`, deeper))
      hiddenIgnores.push(path);
    for (const file of folder.precious) {
      if (precious.length < PRECIOUS_COUNT) precious.push(file);
      else if (isIgnored(file, deeper)) unsearched.push({ path: file, reason: BEYOND_COUNT });
    }
    for (const name of folder.folders) {
      const below = path === '' ? name : `${path}/${name}`;
      if (rules.never.includes(join(root, below))) continue;
      if (!isIgnored(below, deeper)) visit(below, deeper);
      else if (!rules.skip.includes(name)) searchIgnored(below);
    }
  }

  function readFolder(path: Bytes, absolute: Bytes, look: Look, ignores: string): FolderScan | 'nested' {
    const names = tryNames(absolute);
    if (names === undefined) {
      const reason = 'its entries cannot be read';
      return { ...empty(look, ignores), leftOut: [{ path, reason }], empty: false };
    }
    if (path !== '' && names.includes('.git')) return 'nested';
    const out = {
      folders: [] as Bytes[],
      leftOut: [] as LeftOut[],
      precious: [] as Bytes[],
      unsure: [] as Bytes[],
      files: 0,
    };
    for (const name of names) {
      if (name === '.git') continue;
      const below = path === '' ? name : `${path}/${name}`;
      // git goes there from the work tree, and not by steps.
      if (isTooLong(below)) out.leftOut.push({ path: below, reason: TOO_LONG });
      const entry = isTooLong(below) ? undefined : tryLook(join(root, below));
      if (entry === undefined) continue;
      if (entry.type === 'folder') out.folders.push(name);
      else if (entry.type === 'file' || entry.type === 'link') {
        out.files++;
        if (entry.type === 'file' && entry.mode !== 0o644 && entry.mode !== 0o755) modes.set(below, entry.mode);
        const why = entry.type === 'file' ? unfit(join(root, below), entry) : undefined;
        if (why !== undefined) out.leftOut.push({ path: below, reason: why });
        else if (isPrecious(name, entry)) (entry.size <= PRECIOUS_SIZE ? out.precious : out.unsure).push(below);
      } else out.leftOut.push({ path: below, reason: `a ${entry.type}` });
    }
    return { ...empty(look, ignores), ...out, empty: names.length === 0 };
  }

  function unfit(path: Bytes, look: Look): string | undefined {
    if (look.size > rules.maxFileSize) return 'larger than max_file_size_mb';
    if (user === 0 || (look.mode & 0o444) === 0o444) return undefined;
    try {
      fs.accessSync(toBuffer(path), fs.constants.R_OK);
      return undefined;
    } catch {
      return 'it may not be read';
    }
  }

  function isPrecious(name: Bytes, look: Look): boolean {
    return look.type === 'file' && rules.precious.test(name);
  }

  function searchIgnored(path: Bytes): void {
    for (const name of tryNames(join(root, path)) ?? []) {
      if (++ignoredLooks > IGNORED_LOOKS) {
        if (unsearched.at(-1)?.path !== path) unsearched.push({ path, reason: BEYOND_LOOKS });
        return;
      }
      const look = tryLook(join(root, `${path}/${name}`));
      if (look === undefined || name === '.git') continue;
      if (look.type === 'folder') {
        if (!rules.skip.includes(name)) searchIgnored(`${path}/${name}`);
      } else if (isPrecious(name, look)) {
        const fits = look.size <= PRECIOUS_SIZE && unfit(join(root, `${path}/${name}`), look) === undefined;
        if (fits && precious.length >= PRECIOUS_COUNT)
          unsearched.push({ path: `${path}/${name}`, reason: BEYOND_COUNT });
        else (fits ? precious : unsure).push(`${path}/${name}`);
      }
    }
  }
}

interface Layer {
  readonly at: Bytes;
  readonly rules: readonly IgnoreRule[];
}

/** The deepest ignore file that says something about it decides. */
function isIgnored(path: Bytes, layers: readonly Layer[]): boolean {
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i];
    if (layer === undefined) continue;
    const verdict = ruleOn(layer.rules, layer.at === '' ? path : path.slice(layer.at.length + 1));
    if (verdict !== undefined) return verdict;
  }
  return false;
}

const empty = (look: Look, ignores: string): FolderScan => ({
  ino: look.ino,
  mtime: look.mtime,
  mode: look.mode,
  folders: [],
  leftOut: [],
  precious: [],
  unsure: [],
  files: 0,
  empty: true,
  ignores,
});

function signature(file: Bytes): string {
  const look = tryLook(file);
  return look === undefined ? '' : `${look.ino} ${look.size} ${look.mtime}`;
}

function tryLook(path: Bytes): Look | undefined {
  try {
    return lookAt(path);
  } catch {
    return undefined; // no right to look at it: git will not read it either
  }
}

function tryNames(folder: Bytes): Bytes[] | undefined {
  try {
    return namesIn(folder);
  } catch {
    return undefined;
  }
}
