import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { codeOf, isAbsentError, lookAt, lookThrough } from '../../platform/files.ts';
import { matches } from './match.ts';
import { compile, GLOB_CHARACTERS, type Matching } from './pattern.ts';

export interface GlobOptions extends Matching {
  /** `**` is any depth of folders. */
  readonly globstar: boolean;
}

/** How many names may be looked at and found: past it the answer is `too many`. */
export interface GlobBudget {
  /** False when nothing is left. */
  spend(names: number): boolean;
}

/**
 * Pathname expansion against the file system as it is now (bash(1), *Pathname Expansion*): the sorted matches, none included; or
 * `too many` where the budget ends first.
 */
export function globFiles(
  pattern: Bytes,
  cwd: Bytes | undefined,
  options: GlobOptions,
  budget: GlobBudget,
): readonly Bytes[] | 'too many' {
  const parts = splitSlashes(pattern);
  let found: Bytes[] = [pattern.startsWith('/') ? leadingSlashes(pattern) : ''];
  let wild = false;
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    const next: Bytes[] = [];
    for (const base of found) {
      const more = expandPart(base, { ...part, last, wild }, cwd, options, budget);
      if (more === 'too many') return more;
      for (const path of more) next.push(path);
    }
    found = next;
    wild ||= hasGlob(part.text);
    if (found.length === 0) return [];
  }
  return [...new Set(found)].sort();
}

export const hasGlob = (pattern: Bytes): boolean => GLOB_CHARACTERS.test(pattern.replace(/\\[\s\S]/g, ''));

const leadingSlashes = (pattern: Bytes): Bytes => /^\/+/.exec(pattern)?.[0] ?? '';

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

function expandPart(
  base: Bytes,
  part: Step,
  cwd: Bytes | undefined,
  options: GlobOptions,
  budget: GlobBudget,
): readonly Bytes[] | 'too many' {
  if (options.globstar && part.text === '**') return descend(base, part, cwd, options, budget);
  if (!hasGlob(part.text)) {
    const path = base + unescapePattern(part.text) + part.slashes;
    if (!budget.spend(1)) return 'too many';
    return exists(path, cwd, part.slashes !== '') ? [path] : [];
  }
  const names = namesOf(base, cwd);
  if (!budget.spend(names.length + 1)) return 'too many';
  const compiled = compile(part.text, options);
  const out: Bytes[] = [];
  for (const name of names) {
    if (!matches(compiled, name, options)) continue;
    const path = base + name + part.slashes;
    if (part.slashes === '' || isFolder(path, cwd)) out.push(path);
  }
  return out;
}

/** `**`: the folder itself and everything below, links to folders not entered. */
function descend(
  base: Bytes,
  part: Step,
  cwd: Bytes | undefined,
  options: GlobOptions,
  budget: GlobBudget,
): Bytes[] | 'too many' {
  const out: Bytes[] = [];
  const { last } = part;
  // The folder itself: with its slash where it was written so, without where a wildcard found it.
  if (!last) out.push(base);
  else if (base !== '') out.push(part.wild && part.slashes === '' ? base.replace(/\/+$/, '') : base);
  const folders = [base];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const names = namesOf(folder, cwd);
    if (!budget.spend(names.length + 1)) return 'too many';
    for (const name of names) {
      if (name.startsWith('.') && !options.dots) continue;
      const path = folder + name;
      const folderHere = lookAt(absolute(path, cwd))?.type === 'folder';
      if (folderHere) folders.push(`${path}/`);
      if (folderHere) out.push(last && part.slashes === '' ? path : `${path}/`);
      else if (last && (part.slashes === '' || isFolder(path, cwd))) out.push(path + part.slashes);
    }
  }
  return out;
}

const unescapePattern = (text: Bytes): Bytes => text.replace(/\\([\s\S])/g, '$1');

const absolute = (path: Bytes, cwd: Bytes | undefined): Bytes =>
  path.startsWith('/') ? path : `${cwd ?? ''}/${path === '' ? '.' : path}`;

function exists(path: Bytes, cwd: Bytes | undefined, folder: boolean): boolean {
  if (cwd === undefined && !path.startsWith('/')) return false;
  return folder ? isFolder(path, cwd) : lookOrNone(absolute(path, cwd)) !== undefined;
}

function isFolder(path: Bytes, cwd: Bytes | undefined): boolean {
  try {
    return lookThrough(absolute(path, cwd))?.type === 'folder';
  } catch (error) {
    if (codeOf(error) === 'EACCES') return false;
    throw error;
  }
}

function lookOrNone(path: Bytes): ReturnType<typeof lookAt> {
  try {
    return lookAt(path);
  } catch (error) {
    if (codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}

/** The names in a folder, unsorted: the matches are sorted once at the end. None where it cannot be read. */
function namesOf(base: Bytes, cwd: Bytes | undefined): Bytes[] {
  if (cwd === undefined && !base.startsWith('/')) return [];
  try {
    return fs.readdirSync(toBuffer(absolute(base, cwd)), 'buffer').map(fromBuffer);
  } catch (error) {
    if (isAbsentError(error) || codeOf(error) === 'EACCES') return [];
    throw error;
  }
}
