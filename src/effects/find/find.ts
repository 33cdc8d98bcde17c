import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname } from '../../platform/paths.ts';
import type { Arg, Call } from '../../shell/types.ts';
import { textOfArg, verbOf } from '../row.ts';
import type { Out, Rule } from '../types.ts';
import { entriesOf, type Found, searchOf, trees } from './entries.ts';
import type { Action, Entry } from './expression.ts';

/** More runs of one `-exec … ;` are told as one with an unknown argument. */
const RUNS = 256;

export const findRule: Rule = (call, out) => {
  const words = call.argv.slice(1);
  if (words.some((arg) => ['-help', '--help', '-version', '--version'].includes(textOfArg(arg) ?? ''))) return;
  const search = searchOf(words, call, out);
  const { expression } = search;
  for (const file of expression.outputs)
    out.effect({ verb: verbOf(call), path: file, way: 'write-in-place', follows: true });
  const acts = expression.actions.filter((action) => action.kind === 'delete' || action.kind === 'exec');
  if (acts.length === 0) return;
  for (const root of search.roots) {
    const real = out.absolute(root);
    const found = real === undefined || root.kind === 'unknown' ? undefined : entriesOf(search, root.text, real);
    for (const action of acts) {
      if (action.kind === 'delete') deleted(call, out, root, real, found, found?.taken.get(action));
      else if (action.kind === 'exec')
        executed(call, out, action, root, real, found?.taken.get(action), found !== undefined);
    }
  }
};

/** `-delete` removes files, and folders once they are empty; never `.`. */
function deleted(
  call: Call,
  out: Out,
  root: Arg,
  real: Bytes | undefined,
  found: Found | undefined,
  entries: readonly Entry[] | undefined,
): void {
  const effect = { verb: verbOf(call), path: root, way: 'delete', recursive: true } as const;
  if (found === undefined || real === undefined) {
    out.effect({ ...effect, follows: true });
    return;
  }
  if (!entries || entries.length === 0) return;
  const parts = trees(found, entries);
  const all = found.visited.length === entries.length && found.visited.every((entry) => entry.isWhole);
  if (all && parts.every((path) => path.startsWith(real)) && root.kind === 'known' && !/^\.{1,2}\/*$/.test(root.text))
    out.effect(effect);
  else out.effect({ ...effect, parts });
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
      const together = action.many || harmlessTogether(argv);
      if ((together ? folders.size : entries.length) > RUNS) {
        call.run(
          argv.map((arg) => unknownBelow(arg, root)),
          { certainty: 'maybe' },
        );
        return;
      }
      for (const [path, names] of folders)
        for (const some of together ? [names] : names.map((name) => [name]))
          call.run(
            argv.flatMap((arg) =>
              textOfArg(arg) === '{}' ? some.map((name) => word(name)) : [replaced(arg, some[0] ?? '')],
            ),
            { cwd: { kind: 'known', path } },
          );
      return;
    }
    const names = entries.map((entry) => entry.named);
    if (action.many || (alone === 1 && !inside)) {
      if (action.many || harmlessTogether(argv)) {
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
