import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Arg, Call } from '../../shell/types.ts';
import { textOfArg } from '../row.ts';
import type { Out } from '../types.ts';
import { childrenOf, type EntryType, endOf, seen, seenThrough } from '../world.ts';
import { type Action, type Entry, type Expression, evaluate, parseExpression } from './expression.ts';

/** More entries, and the starting points are taken whole. */
const ENTRIES = 10_000;

/** Where find starts, and its expression (find(1)). */
export interface Search {
  readonly roots: readonly Arg[];
  readonly expression: Expression;
  /** `-H`: links among the starting points; `-L`: all links. */
  readonly follows: 'none' | 'roots' | 'all';
}

export function searchOf(words: readonly Arg[], call: Call, out: Out): Search {
  let at = 0;
  let follows: Search['follows'] = 'none';
  for (; at < words.length; at++) {
    const text = textOfArg(words[at]);
    if (text === '-L') follows = 'all';
    else if (text === '-H') follows = 'roots';
    else if (text === '-P') follows = 'none';
    else if (text === '-D') at++;
    else if (text === undefined || !/^-O/.test(text)) break;
  }
  const roots: Arg[] = [];
  for (; at < words.length; at++) {
    const arg = words[at];
    const text = textOfArg(arg);
    if (!arg || (text !== undefined && (/^[-(!,]/.test(text) || text === ')'))) break;
    roots.push(arg);
  }
  if (roots.length === 0) roots.push({ kind: 'known', text: '.' });
  if (words.slice(at).some((arg) => textOfArg(arg) === '-follow')) follows = 'all';
  const moment = {
    isNow: out.untouched() && !call.deferred && !call.repeated,
    follows: follows === 'all',
    absolute: (path: Bytes) => out.absolute(path),
  };
  return { roots, expression: parseExpression(words.slice(at), moment), follows };
}

/** What the expression does to which entries below one starting point; undefined where that cannot be listed. */
export interface Found {
  readonly taken: ReadonlyMap<Action, readonly Entry[]>;
  /** Entries for which the whole expression may hold: what is printed when nothing else is said. */
  readonly matched: readonly Entry[];
  /** Every entry that find comes to, parents first. */
  readonly visited: readonly Entry[];
}

export function entriesOf(search: Search, root: Bytes, real: Bytes): Found | undefined {
  const { expression, follows } = search;
  const taken = new Map<Action, Entry[]>();
  const matched: Entry[] = [];
  const visited: Entry[] = [];
  const first = typeOf(real, follows !== 'none');
  if (first === undefined) return { taken, matched, visited };
  if (first === 'hidden') return undefined;
  const deepFirst = expression.actions.some((action) => action.kind === 'delete');
  const been = new Set<Bytes>();
  const queue: Entry[] = [{ named: root, path: real, type: first, depth: 0, isWhole: false }];
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    if (visited.length >= ENTRIES) return undefined;
    const isDeep = entry.type === 'folder' && entry.depth < expression.maxDepth;
    const now: Entry = { ...entry, isWhole: entry.type !== 'folder' || isDeep };
    visited.push(now);
    let pruned = false;
    if (now.depth >= expression.minDepth) {
      const answer = evaluate(expression.node, now, (action, certain) => {
        if (action.kind === 'prune') pruned ||= certain && !deepFirst;
        const list = taken.get(action);
        if (list) list.push(now);
        else taken.set(action, [now]);
      });
      if (answer !== false) matched.push(now);
    }
    if (!isDeep || pruned) continue;
    // Under a link that is followed, a folder is listed where it really lies, and once.
    const folder = follows === 'none' ? now.path : endOf(now.path);
    if (been.has(folder)) continue;
    been.add(folder);
    const children = childrenOf(folder);
    if (children === undefined) return undefined;
    const before = now.named.endsWith('/') ? now.named : `${now.named}/`;
    for (const { name, type } of children.reverse()) {
      const path = join(folder, name);
      const seenAs = type === 'link' && follows === 'all' ? typeOf(path, true) : type;
      if (seenAs === 'hidden') return undefined;
      queue.push({ named: before + name, path, type: seenAs ?? type, depth: now.depth + 1, isWhole: false });
    }
  }
  return { taken, matched, visited };
}

/** What find takes a path for: where a link that is followed leads nowhere, the link. */
function typeOf(path: Bytes, through: boolean): EntryType | 'hidden' | undefined {
  const end = through ? seenThrough(path) : undefined;
  if (end === undefined) return seen(path);
  return end === 'hidden' ? end : end.type;
}

/**
 * The fewest paths that stand for all that `-delete` removes: a folder that goes with everything below it stands for that. The
 * starting point itself is left out.
 */
export function trees(found: Found, entries: readonly Entry[]): Bytes[] {
  const gone = new Set(entries.map((entry) => entry.path));
  const kept = new Set<Bytes>();
  const whole: Entry[] = [];
  // Children come before their folder here.
  for (const entry of found.visited.toReversed()) {
    if (gone.has(entry.path) && entry.isWhole && !kept.has(entry.path)) whole.push(entry);
    else kept.add(dirname(entry.path));
  }
  const tops = new Set(whole.map((entry) => entry.path));
  return whole
    .filter((entry) => entry.depth > 0 && (entry.depth === 1 || !tops.has(dirname(entry.path))))
    .map((entry) => entry.path)
    .reverse();
}
