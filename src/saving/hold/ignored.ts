import type { Bytes } from '../../platform/bytes.ts';
import { lookThrough, readBytesIfAny } from '../../platform/files.ts';
import { dirname, isInside, join, relativeTo } from '../../platform/paths.ts';

/**
 * Whether git would ignore a folder, read from the ignore files without starting git (gitignore(5)). Asked only about folders
 * that `hold.skip` names: where this cannot tell, it says no, and the folder is held.
 */
export function isIgnoredFolder(folder: Bytes): boolean {
  const root = repositoryAbove(dirname(folder));
  if (root === undefined) return false;
  let ignored = false;
  for (const step of stepsDown(root, folder)) {
    const verdict = verdictOn(step, root);
    if (verdict !== undefined) ignored = verdict;
    if (ignored) return true; // nothing below an ignored folder can be taken back in
  }
  return false;
}

function repositoryAbove(start: Bytes): Bytes | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (lookThrough(join(folder, '.git')) !== undefined) return folder;
    if (folder === '/') return undefined;
  }
}

/** Every folder from below the root down to `path`. */
function stepsDown(root: Bytes, path: Bytes): Bytes[] {
  const out: Bytes[] = [];
  for (let folder = path; folder !== root && isInside(folder, root); folder = dirname(folder)) out.unshift(folder);
  return out;
}

/** The last matching pattern decides; a deeper file outranks one above it, and every one of them `info/exclude`. */
function verdictOn(folder: Bytes, root: Bytes): boolean | undefined {
  for (let at = dirname(folder); isInside(at, root); at = dirname(at)) {
    const verdict = verdictOf(join(at, '.gitignore'), relativeTo(at, folder));
    if (verdict !== undefined) return verdict;
    if (at === root) break;
  }
  return verdictOf(join(root, '.git/info/exclude'), relativeTo(root, folder));
}

function verdictOf(file: Bytes, path: Bytes): boolean | undefined {
  const look = lookThrough(file);
  if (look?.type !== 'file' || look.size > 1 << 20) return undefined;
  const lines = (readBytesIfAny(file)?.toString('latin1') ?? '').split('\n').reverse();
  for (const line of lines) {
    const pattern = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
    if (pattern === '' || pattern.startsWith('#')) continue;
    const negated = pattern.startsWith('!');
    if (matches(negated ? pattern.slice(1) : pattern, path)) return !negated;
  }
  return undefined;
}

function matches(pattern: Bytes, path: Bytes): boolean {
  const bare = pattern.replace(/\/$/, '');
  const anchored = bare.includes('/');
  const subject = anchored ? path : path.slice(path.lastIndexOf('/') + 1);
  try {
    return new RegExp(`^${toSource(bare.replace(/^\//, ''))}$`, 's').test(subject);
  } catch {
    return false; // a bracket expression that is none: git would not match it either
  }
}

function toSource(pattern: Bytes): string {
  let out = '';
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i);
    if (rest === '/**') return `${out}/.*`;
    if (rest.startsWith('/**/')) {
      out += '/(?:.*/)?';
      i += 3;
    } else if (i === 0 && rest.startsWith('**/')) {
      out += '(?:.*/)?';
      i += 2;
    } else if (rest[0] === '*') {
      out += '[^/]*';
      while (pattern[i + 1] === '*') i++;
    } else if (rest[0] === '?') out += '[^/]';
    else if (rest[0] === '[' && rest.indexOf(']', 2) > 0) {
      const end = rest.indexOf(']', 2);
      out += `[${rest.slice(1, end).replace(/^!/, '^').replace(/\\/g, '\\\\')}]`;
      i += end;
    } else {
      if (rest[0] === '\\' && rest.length > 1) i++;
      out += (pattern[i] ?? '').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    }
  }
  return out;
}
