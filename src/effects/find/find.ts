import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import type { Arg, Call } from '../../shell/types.ts';
import { textOfArg, verbOf } from '../row.ts';
import type { Out, Rule } from '../types.ts';
import { childrenOf, seen } from '../world.ts';
import { type Action, type Entry, type Expression, evaluate, parseExpression } from './expression.ts';

/** More entries, and the starting points are taken whole. */
const ENTRIES = 20_000;
/** More runs of one `-exec … ;` are told as one with an unknown argument. */
const RUNS = 64;

/** Where find starts, and its expression (find(1)). */
export interface Search {
  readonly roots: readonly Arg[];
  readonly expression: Expression;
  readonly followsLinks: boolean;
}

export function searchOf(words: readonly Arg[]): Search {
  let at = 0;
  let followsLinks = false;
  for (; at < words.length; at++) {
    const text = textOfArg(words[at]);
    if (text === '-L') followsLinks = true;
    else if (text === '-D') at++;
    else if (text === undefined || !/^-[HPO]/.test(text)) break;
  }
  const roots: Arg[] = [];
  for (; at < words.length; at++) {
    const arg = words[at];
    const text = textOfArg(arg);
    if (!arg || (text !== undefined && (/^[-(!,]/.test(text) || text === ')'))) break;
    roots.push(arg);
  }
  if (roots.length === 0) roots.push({ kind: 'known', text: '.' });
  return { roots, expression: parseExpression(words.slice(at)), followsLinks };
}

/** What the expression does to which entries below one starting point; undefined where that cannot be listed. */
export interface Found {
  readonly taken: ReadonlyMap<Action, readonly Entry[]>;
  /** Entries for which the whole expression may hold: what is printed when nothing else is said. */
  readonly matched: readonly Entry[];
}

export function entriesOf(search: Search, root: Bytes, real: Bytes): Found | undefined {
  const { expression } = search;
  const first = seen(real);
  if (first === undefined) return { taken: new Map(), matched: [] };
  if (first === 'hidden' || search.followsLinks) return undefined;
  const taken = new Map<Action, Entry[]>();
  const matched: Entry[] = [];
  const deepFirst = expression.actions.some((action) => action.kind === 'delete');
  let count = 0;
  const queue: Entry[] = [{ named: root, path: real, type: first.type, depth: 0 }];
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const now = entry;
    if (++count > ENTRIES) return undefined;
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
    if (now.type !== 'folder' || pruned || now.depth >= expression.maxDepth) continue;
    const children = childrenOf(now.path);
    if (children === undefined) return undefined;
    const before = now.named.endsWith('/') ? now.named : `${now.named}/`;
    for (const { name, type } of children.reverse())
      queue.push({ named: before + name, path: join(now.path, name), type, depth: now.depth + 1 });
  }
  return { taken, matched };
}

export const findRule: Rule = (call, out) => {
  const words = call.argv.slice(1);
  if (words.some((arg) => ['-help', '--help', '-version', '--version'].includes(textOfArg(arg) ?? ''))) return;
  const search = searchOf(words);
  const { expression } = search;
  for (const file of expression.outputs)
    out.effect({ verb: verbOf(call), path: file, way: 'write-in-place', follows: true });
  const acts = expression.actions.filter((action) => action.kind === 'delete' || action.kind === 'exec');
  if (acts.length === 0) return;
  for (const root of search.roots) {
    const real = out.absolute(root.kind === 'known' ? { ...root, text: root.text } : root);
    const found = real === undefined || root.kind === 'unknown' ? undefined : entriesOf(search, root.text, real);
    for (const action of acts) {
      if (action.kind === 'delete') deleted(call, out, root, real, found?.taken.get(action), found !== undefined);
      else if (action.kind === 'exec')
        executed(call, out, action, root, real, found?.taken.get(action), found !== undefined);
    }
  }
};

/** `-delete` removes files, and folders once they are empty. */
function deleted(
  call: Call,
  out: Out,
  root: Arg,
  real: Bytes | undefined,
  entries: readonly Entry[] | undefined,
  listed: boolean,
): void {
  const effect = { verb: verbOf(call), path: root, way: 'delete', recursive: true } as const;
  if (!listed || real === undefined) {
    out.effect(effect);
    return;
  }
  if (!entries || entries.length === 0) return;
  const whole = entries.some((entry) => entry.depth === 0);
  if (
    whole &&
    entries.every((entry) => entry.path !== real || entry.type === 'folder') &&
    root.kind === 'known' &&
    !/^\.{1,2}\/*$/.test(root.text)
  ) {
    out.effect(effect);
    return;
  }
  const parts = entries.filter((entry) => entry.type !== 'folder').map((entry) => entry.path);
  const folders = entries.filter((entry) => entry.type === 'folder' && entry.depth > 0).map((entry) => entry.path);
  out.effect({
    ...effect,
    parts: [...parts, ...folders.filter((folder) => !parts.some((path) => path.startsWith(`${folder}/`)))],
  });
}

const BRACES = /\{\}/g;
const replaced = (arg: Arg, name: Bytes): Arg =>
  arg.kind === 'known' && arg.text.includes('{}') ? { kind: 'known', text: arg.text.replace(BRACES, () => name) } : arg;

/** `-exec CMD`: with the entries that are there now, or with one unknown argument below the starting point. */
function executed(
  call: Call,
  out: Out,
  action: Action & { kind: 'exec' },
  root: Arg,
  real: Bytes | undefined,
  entries: readonly Entry[] | undefined,
  listed: boolean,
): void {
  const { argv } = action;
  if (argv.length === 0) return;
  const told = real === undefined ? '?' : real;
  out.scope(verbOf(call), [told], () => {
    if (!listed) {
      call.run(
        argv.map((arg) => unknownBelow(arg, root)),
        { certainty: 'maybe' },
      );
      return;
    }
    if (!entries || entries.length === 0) return;
    const alone = argv.filter((arg) => textOfArg(arg) === '{}').length;
    const inside = argv.some((arg) => arg.kind === 'known' && arg.text !== '{}' && arg.text.includes('{}'));
    if (action.inFolder) {
      const folders = new Map<Bytes, Bytes[]>();
      for (const entry of entries) {
        const names = folders.get(dirname(entry.path)) ?? [];
        names.push(`./${basename(entry.path)}`);
        folders.set(dirname(entry.path), names);
      }
      if (folders.size > RUNS)
        call.run(
          argv.map((arg) => unknownBelow(arg, root)),
          { certainty: 'maybe' },
        );
      else
        for (const [path, names] of folders)
          call.run(
            argv.flatMap((arg) =>
              textOfArg(arg) === '{}' ? names.map((name) => word(name)) : [replaced(arg, names[0] ?? '')],
            ),
            {
              cwd: { kind: 'known', path },
            },
          );
      return;
    }
    const names = entries.map((entry) => entry.named);
    if (action.many || (alone === 1 && !inside)) {
      if (action.many || names.length > RUNS || harmlessTogether(argv)) {
        const glob = root.kind === 'known' ? `${root.text.replace(/\/+$/, '')}/**` : '**';
        call.run(argv.flatMap((arg) => (textOfArg(arg) === '{}' ? names.map((text) => word(text, glob)) : [arg])));
        return;
      }
    }
    if (names.length > RUNS)
      call.run(
        argv.map((arg) => unknownBelow(arg, root)),
        { certainty: 'maybe' },
      );
    else for (const name of names) call.run(argv.map((arg) => replaced(arg, name)));
  });
}

/** Commands for which one run with all names does the same as one run a name. */
const harmlessTogether = (argv: readonly Arg[]): boolean =>
  /^(rm|rmdir|chmod|chown|chgrp|shred|sed|truncate|gzip|touch|echo|grep)$/.test(basename(textOfArg(argv[0]) ?? ''));

const word = (text: Bytes, glob?: Bytes): Arg => ({ kind: 'known', text, ...(glob === undefined ? {} : { glob }) });

function unknownBelow(arg: Arg, root: Arg): Arg {
  if (arg.kind === 'unknown' || !arg.text.includes('{}')) return arg;
  const [before = '', after = ''] = [
    arg.text.slice(0, arg.text.indexOf('{}')),
    arg.text.slice(arg.text.lastIndexOf('{}') + 2),
  ];
  const prefix = root.kind === 'known' ? `${root.text.replace(/\/+$/, '')}/` : root.prefix;
  return { kind: 'unknown', prefix: before + prefix, suffix: after, many: arg.text === '{}' };
}
