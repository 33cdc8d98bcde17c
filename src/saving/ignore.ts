import type { Bytes } from '../platform/bytes.ts';
import { lookThrough, readBytesIfAny } from '../platform/files.ts';
import { dirname, isInside, join, relativeTo } from '../platform/paths.ts';
import { type Tester, wild } from '../platform/wild.ts';
import { excludeListOf } from './repository.ts';

/** One line of an ignore file (gitignore(5)). */
export interface IgnoreRule {
  readonly negated: boolean;
  /** Matched against the whole path below the file's folder; else against the last name. */
  readonly anchored: boolean;
  readonly shape: Tester;
}

/** The rules of an ignore file, in its order; none where there is no such file. */
export function readIgnore(file: Bytes): readonly IgnoreRule[] {
  try {
    const look = lookThrough(file);
    if (look?.type !== 'file' || look.size > 1 << 20) return [];
    return parseIgnore(readBytesIfAny(file)?.toString('latin1') ?? '');
  } catch {
    return []; // unreadable: nothing is ignored by it, so more is saved
  }
}

export function parseIgnore(text: Bytes): IgnoreRule[] {
  return text.split('\n').flatMap((line) => {
    const pattern = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
    if (pattern === '' || pattern.startsWith('#')) return [];
    const negated = pattern.startsWith('!');
    const bare = (negated ? pattern.slice(1) : pattern).replace(/\/$/, '');
    const shape = wild(bare.replace(/^\//, ''), { path: true });
    return [{ negated, anchored: bare.includes('/'), shape }];
  });
}

/** Whether the rules ignore a folder: its path below their own folder. The last rule that matches decides. */
export function ruleOn(rules: readonly IgnoreRule[], path: Bytes): boolean | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i];
    if (rule?.shape.test(rule.anchored ? path : name)) return !rule.negated;
  }
  return undefined;
}

/**
 * Whether git would ignore a folder, read from the ignore files without starting git. Asked only about folders that
 * `hold.skip` names: where this cannot tell, it says no, and the folder is held.
 */
export function isIgnoredFolder(folder: Bytes): boolean {
  const root = repositoryAbove(dirname(folder));
  if (root === undefined) return false;
  for (const step of stepsDown(root, folder)) if (verdictOn(step, root)) return true; // nothing below it can be taken back in
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

/** A deeper file outranks one above it, and every one of them `info/exclude`. */
function verdictOn(folder: Bytes, root: Bytes): boolean | undefined {
  for (let at = dirname(folder); isInside(at, root); at = dirname(at)) {
    const verdict = ruleOn(readIgnore(join(at, '.gitignore')), relativeTo(at, folder));
    if (verdict !== undefined) return verdict;
    if (at === root) break;
  }
  return ruleOn(readIgnore(excludeListOf(root)), relativeTo(root, folder));
}
