import { randomBytes } from 'node:crypto';
import { type Bytes, fromBuffer, toText } from '../../platform/bytes.ts';
import { lookThrough, removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { dirname, isInside, join, relativeTo, resolve } from '../../platform/paths.ts';
import type { Store } from '../store.ts';

export interface Selected {
  /** The chosen ones of the given paths. */
  readonly paths: ReadonlySet<Bytes>;
  /** Chosen by a path that was written out: it comes back although it was edited by hand. */
  readonly literally: ReadonlySet<Bytes>;
  /** Pathspecs that chose nothing. */
  readonly empty: readonly Bytes[];
}

export interface SelectRequest {
  readonly store: Store;
  readonly root: Bytes;
  readonly cwd: Bytes;
  /** Recorded paths, absolute: the pathspecs choose among them, never among today's files. */
  readonly paths: readonly Bytes[];
  /** Those of them that are folders: git's index knows none, so each stands there as a file of its own in it. */
  readonly folders: ReadonlySet<Bytes>;
  readonly specs: readonly Bytes[];
  /** `--literal`: no magic, no wildcards. */
  readonly literal: boolean;
}

/** git's own complaint of a pathspec. */
export class BadPathspec extends Error {}

/** No one's file is called that. */
const STAND_IN = '\x01belay-folder';

/** What git's pathspecs (gitglossary(7), from the current folder) choose among recorded paths. Throws git's own complaint. */
export function select(request: SelectRequest): Selected {
  const paths = new Set<Bytes>();
  const literally = new Set<Bytes>();
  const empty: Bytes[] = [];
  const magic: Bytes[] = [];
  for (const spec of request.specs) {
    const path = literalPath(spec, request);
    if (path === undefined) {
      magic.push(spec);
      continue;
    }
    const found = request.paths.filter((one) => isInside(one, path));
    if (found.length === 0) empty.push(spec);
    for (const one of found) {
      paths.add(one);
      literally.add(one);
    }
  }
  const excluding = magic.filter(isExclusion);
  if (magic.length > excluding.length || (excluding.length > 0 && request.specs.length === excluding.length)) {
    const found = askGit(request, magic);
    if (found.length === 0) empty.push(...magic.filter((spec) => !isExclusion(spec)));
    for (const path of found) paths.add(path);
  }
  if (excluding.length > 0) {
    const kept = new Set(askGit(request, excluding));
    for (const path of [...paths])
      if (isInside(path, request.root) && !kept.has(path)) {
        paths.delete(path);
        literally.delete(path);
      }
  }
  return { paths, literally, empty };
}

const isExclusion = (spec: Bytes): boolean => /^:[!^]/.test(spec) || /^:\([^)]*\bexclude\b/.test(spec);

/** The path that a pathspec without wildcards and magic names, absolute; undefined for any other. */
function literalPath(spec: Bytes, { root, cwd, literal }: SelectRequest): Bytes | undefined {
  if (literal) return resolve(cwd, spec);
  const top = /^:(?:\/|\(top\))(?![!^(])(.*)$/s.exec(spec)?.[1];
  if (top !== undefined) return /[*?[\\]/.test(top) ? undefined : resolve(root, top || '.');
  const word = /^:\(literal\)(.*)$/s.exec(spec)?.[1];
  if (word !== undefined) return resolve(cwd, word);
  return spec.startsWith(':') || /[*?[\\]/.test(spec) ? undefined : resolve(cwd, spec);
}

/** A throwaway index of the recorded paths, and `git ls-files` over it. */
function askGit({ store, root, cwd, paths, folders }: SelectRequest, specs: readonly Bytes[]): Bytes[] {
  const index = join(store.gitDir, `.select-${randomBytes(6).toString('hex')}`);
  const inside = paths.filter((path) => path !== root && isInside(path, root) && !isGits(relativeTo(root, path)));
  const names = new Map<Bytes, Bytes>();
  for (const path of inside) {
    const name = relativeTo(root, path);
    names.set(folders.has(path) ? `${name}/${STAND_IN}` : name, path);
  }
  const files = new Set([...names].filter(([, path]) => !folders.has(path)).map(([name]) => name));
  // A path that is a file at one time and a folder at another cannot be both in one index: the folder's entries stand for it.
  const above = new Set<Bytes>();
  for (const name of names.keys())
    for (let at = dirname(name); at !== '.' && !above.has(at); at = dirname(at)) above.add(at);
  const entries = [...names.keys()].filter((name) => !files.has(name) || !above.has(name));
  const input = entries.map((name) => `100644 ${'0'.repeat(39)}1\t${name}\0`).join('');
  try {
    const made = git(['update-index', '-z', '--index-info'], {
      gitDir: store.gitDir,
      index,
      input: Buffer.from(input, 'latin1'),
      timeout: 60_000,
    });
    if (!made.ok) throw new Error(toText(made.err.trim()));
    const here = isInside(cwd, root) && lookThrough(cwd)?.type === 'folder' ? cwd : root;
    const answer = git(['--no-literal-pathspecs', 'ls-files', '-z', '--full-name', '--cached', '--'], {
      words: specs,
      gitDir: store.gitDir,
      workTree: root,
      cwd: here,
      index,
      timeout: 60_000,
    });
    if (!answer.ok) throw new BadPathspec(toText(answer.err.trim().replace(/^fatal: /, '')));
    return fromBuffer(answer.out)
      .split('\0')
      .flatMap((name) => names.get(name) ?? []);
  } finally {
    removeFile(index);
    removeFile(`${index}.lock`);
  }
}

/** git takes no such name into an index; written out it can be chosen all the same. */
const isGits = (name: Bytes): boolean => name.split('/').some((part) => part.toLowerCase() === '.git');
