import type { Bytes } from '../../platform/bytes.ts';
import { isInside } from '../../platform/paths.ts';
import { entriesIn, exists, isFolder, namesIn, real } from '../disk.ts';
import { matches } from './match.ts';
import { compile, GLOB_CHARACTERS, type Matching } from './pattern.ts';

export interface GlobOptions extends Matching {
  /** `**` is any depth of folders. */
  readonly globstar: boolean;
  /** As fish has it: `**` enters links too, and is never the folder itself. */
  readonly fish?: boolean;
}

/** How many names may be looked at: past it the answer is `too many`. */
export interface GlobBudget {
  /** False when nothing is left. */
  spend(names: number): boolean;
}

/** A look at a folder or a file costs as much as so many names. */
const LOOK = 8;

/**
 * Pathname expansion against the file system as it is now (bash(1), *Pathname Expansion*): the matches sorted by bytes, none
 * included; or `too many` where the budget ends first. `cwd` undefined: only absolute patterns match.
 */
export function globFiles(
  pattern: Bytes,
  cwd: Bytes | undefined,
  options: GlobOptions,
  budget: GlobBudget,
): readonly Bytes[] | 'too many' {
  if (cwd === undefined && !pattern.startsWith('/')) return [];
  const search: Search = { cwd: cwd ?? '/', options, budget };
  const parts = splitSlashes(pattern);
  let found: readonly Bytes[] = [leadingSlashes(pattern)];
  let wild = false;
  for (const [i, part] of parts.entries()) {
    const next: Bytes[] = [];
    for (const base of found) {
      const more = expandPart(base, { ...part, last: i === parts.length - 1, wild }, search);
      if (more === 'too many') return more;
      for (const path of more) next.push(path);
    }
    if (next.length === 0) return [];
    found = next;
    wild ||= hasGlob(part.text);
  }
  return [...new Set(found)].sort();
}

export const hasGlob = (pattern: Bytes): boolean => GLOB_CHARACTERS.test(pattern.replace(/\\[\s\S]/g, ''));

const leadingSlashes = (pattern: Bytes): Bytes => /^\/+/.exec(pattern)?.[0] ?? '';

interface Search {
  readonly cwd: Bytes;
  readonly options: GlobOptions;
  readonly budget: GlobBudget;
}

interface Part {
  readonly text: Bytes;
  /** The slashes that follow it. */
  readonly slashes: Bytes;
}

/** A part with where it stands: the last one, after a wildcard. */
interface Step extends Part {
  readonly last: boolean;
  readonly wild: boolean;
}

/** The names between slashes; a slash inside a bracket or group of a pattern still separates, as in bash. */
function splitSlashes(pattern: Bytes): Part[] {
  const parts: Part[] = [];
  for (const match of pattern.slice(leadingSlashes(pattern).length).matchAll(/((?:\\[^/]|[^/])*)(\/*)/g)) {
    if (match[0] !== '') parts.push({ text: match[1] ?? '', slashes: match[2] ?? '' });
  }
  return parts;
}

function expandPart(base: Bytes, part: Step, search: Search): readonly Bytes[] | 'too many' {
  const { options, budget } = search;
  if (options.globstar && part.text === '**') return descend(base, part, search);
  if (!hasGlob(part.text)) {
    const path = base + unescapePattern(part.text) + part.slashes;
    if (!budget.spend(LOOK)) return 'too many';
    const there = part.slashes === '' ? exists(absolute(path, search)) : isFolder(absolute(path, search));
    return there ? [path] : [];
  }
  if (!budget.spend(LOOK)) return 'too many';
  const compiled = compile(part.text, options);
  const folder = absolute(base, search);
  const hit = (name: Bytes): boolean => matches(compiled, name, options);
  if (part.slashes === '') {
    const names = namesIn(folder);
    return budget.spend(names.length) ? names.filter(hit).map((name) => base + name) : 'too many';
  }
  const entries = entriesIn(folder);
  if (!budget.spend(entries.length)) return 'too many';
  const folders = entries.filter(
    ({ name, type }) =>
      (type === 'folder' || type === 'link') &&
      hit(name) &&
      (type === 'folder' || isFolder(absolute(base + name, search))),
  );
  return folders.map(({ name }) => base + name + part.slashes);
}

/** `**`: the folder itself and everything below, links to folders not entered. */
function descend(base: Bytes, part: Step, search: Search): readonly Bytes[] | 'too many' {
  const out: Bytes[] = [];
  const { last } = part;
  const wantsFolders = part.slashes !== '';
  // The folder itself: with its slash where it was written so, without where a wildcard found it.
  const { fish = false } = search.options;
  if (!last) out.push(base);
  else if (base !== '' && !fish) out.push(part.wild && !wantsFolders ? base.replace(/\/+$/, '') : base);
  const folders = [base];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesIn(absolute(folder, search));
    if (!search.budget.spend(entries.length + LOOK)) return 'too many';
    for (const { name, type } of entries) {
      if (name.startsWith('.') && !search.options.dots) continue;
      const path = folder + name;
      if (type === 'folder' || (fish && type === 'link' && leadsDown(path, folder, search))) {
        folders.push(`${path}/`);
        out.push(last && !wantsFolders ? path : `${path}/`);
      } else if (last && !wantsFolders) out.push(path);
      else if (last && type === 'link' && isFolder(absolute(path, search))) out.push(path + part.slashes);
    }
  }
  return out;
}

/** A link to a folder that is not one of those it lies in. */
function leadsDown(path: Bytes, folder: Bytes, search: Search): boolean {
  if (!search.budget.spend(LOOK) || !isFolder(absolute(path, search))) return false;
  return !isInside(real(absolute(folder, search)), real(absolute(path, search)));
}

const unescapePattern = (text: Bytes): Bytes => text.replace(/\\([\s\S])/g, '$1');

const absolute = (path: Bytes, search: Search): Bytes =>
  path.startsWith('/') ? path : `${search.cwd}/${path === '' ? '.' : path}`;
