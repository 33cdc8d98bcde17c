import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import type { Way } from '../types.ts';
import { type Deed, knownArg } from './deed.ts';
import type { Answer, Argument, Invocation } from './dialect.ts';
import { isTrue, pathsOf, type Value } from './values.ts';

/**
 * One row of a language's table: what a function does to its arguments.
 * `receiver`: the path is the object (`Path('x').unlink()`); `all`: every argument is one.
 */
export type Act =
  | {
      readonly act: 'delete' | 'tree' | 'write' | 'append' | 'replace' | 'metadata';
      readonly on: number | 'all' | 'rest' | 'receiver';
    }
  | {
      readonly act: 'move' | 'copy' | 'copy-tree' | 'merge-tree';
      readonly from: number | 'receiver';
      readonly to: number;
    }
  /** `open(path, mode)`: `mode` is the argument's place, `name` its keyword; without one the file is read. */
  | { readonly act: 'open'; readonly on: number | 'receiver'; readonly mode: number; readonly name?: Bytes }
  | { readonly act: 'shell' | 'run' | 'chdir'; readonly on: number };

export const positional = (args: readonly Argument[], at: number): Value | undefined =>
  args.filter((arg) => arg.name === undefined)[at]?.value;

export const keyword = (args: readonly Argument[], name: Bytes): Value | undefined =>
  args.find((arg) => arg.name === name)?.value ??
  args.flatMap(({ value }) => (value.kind === 'record' ? (value.entries.get(name) ?? []) : []))[0];

function subjects(call: Invocation, on: number | 'all' | 'rest' | 'receiver'): (Value | undefined)[] {
  if (on === 'receiver') return [call.receiver];
  if (on === 'all') return call.args.map((arg) => arg.value);
  if (on === 'rest') return call.args.slice(1).map((arg) => arg.value);
  return [
    positional(call.args, on) ?? call.args.find((arg) => /^(path|file|filename|src|name)$/.test(arg.name ?? ''))?.value,
  ];
}

const WAYS: Readonly<Record<'delete' | 'tree' | 'write' | 'append' | 'replace' | 'metadata', Way>> = {
  delete: 'delete',
  tree: 'delete',
  write: 'write-in-place',
  append: 'append',
  replace: 'replace',
  metadata: 'metadata',
};

function files(value: Value | undefined, way: Way, more: { recursive?: boolean; follows?: boolean } = {}): Deed[] {
  if (value?.kind === 'list') {
    const rest: Deed[] = value.rest ? files(undefined, way, more) : [];
    return [...value.items.flatMap((item) => files(item, way, more)), ...rest];
  }
  const pattern = value?.kind === 'glob' ? { pattern: value.pattern } : {};
  return pathsOf(value).map((path) => ({ kind: 'file', path, way, ...more, ...pattern }));
}

/** The deeds of one call by its row. */
export function perform(act: Act, call: Invocation): Answer {
  switch (act.act) {
    case 'move':
    case 'copy':
    case 'copy-tree':
    case 'merge-tree':
      return { deeds: transfer(act.act, subjects(call, act.from)[0], positional(call.args, act.to)) };
    case 'open': {
      const mode =
        positional(call.args, act.mode) ?? (act.name === undefined ? undefined : keyword(call.args, act.name));
      return { deeds: opened(subjects(call, act.on)[0], mode) };
    }
    case 'shell':
      return { deeds: commandLine(positional(call.args, act.on) ?? call.args[0]?.value) };
    case 'chdir':
      return { deeds: pathsOf(positional(call.args, act.on)).map((path) => ({ kind: 'chdir', path })) };
    case 'run':
      return { deeds: program(positional(call.args, act.on) ?? call.args[0]?.value) };
    default: {
      const more = {
        ...(act.act === 'tree' ? { recursive: true } : {}),
        ...(/write|append|metadata/.test(act.act) ? { follows: true } : {}),
      };
      return { deeds: subjects(call, act.on).flatMap((value) => files(value, WAYS[act.act], more)) };
    }
  }
}

function transfer(
  act: 'move' | 'copy' | 'copy-tree' | 'merge-tree',
  from: Value | undefined,
  to: Value | undefined,
): Deed[] {
  const deeds: Deed[] = [];
  const targets = pathsOf(to);
  for (const source of pathsOf(from)) {
    const into = source.kind === 'known' ? source.text.replace(/\/+$/, '').split('/').at(-1) : undefined;
    for (const target of targets) {
      const way = act === 'move' ? 'replace' : 'write-in-place';
      if (act === 'merge-tree') {
        deeds.push({ kind: 'file', path: target, way, follows: true, recursive: true, merges: source });
        continue;
      }
      deeds.push({
        kind: 'file',
        path: target,
        way,
        ...(act === 'move' ? {} : { follows: true }),
        ...(into ? { into } : {}),
        ...(act === 'copy-tree' ? { recursive: true } : {}),
      });
    }
    if (act === 'move')
      deeds.push({ kind: 'file', path: source, way: 'move', ...(targets[0] ? { to: targets[0] } : {}) });
  }
  return deeds;
}

/** `w` truncates, `a` appends, `x` only creates, `+` writes too (fopen(3)); a mode that is not known may be any. */
export function opened(path: Value | undefined, mode: Value | undefined): Deed[] {
  if (!mode) return [];
  if (mode.kind !== 'text') return files(path, 'write-in-place', { follows: true });
  if (/[wW]/.test(mode.text)) return files(path, 'write-in-place', { follows: true });
  if (/^(r\+|[rb]*\+|c)/.test(mode.text)) return files(path, 'write-in-place', { follows: true });
  if (/a/.test(mode.text)) return files(path, 'append', { follows: true });
  return [];
}

export function commandLine(text: Value | undefined): Deed[] {
  if (text?.kind === 'text') return [{ kind: 'shell', text: text.text }];
  if (text?.kind === 'list') return text.items.flatMap(commandLine);
  return [{ kind: 'unknown', note: 'runs a command line that it makes up' }];
}

/** An argument vector; one text alone is a program without arguments. */
export function program(argv: Value | undefined): Deed[] {
  if (argv?.kind === 'text') return [{ kind: 'run', argv: [argv.text] }];
  if (argv?.kind !== 'list') return [{ kind: 'unknown', note: 'runs a program that it makes up' }];
  const words = argv.items.flatMap((item): Arg[] => {
    const paths = pathsOf(item);
    return paths.length === 0 ? [knownArg('')] : paths;
  });
  return [
    { kind: 'run', argv: argv.rest ? [...words, { kind: 'unknown', prefix: '', suffix: '', many: true }] : words },
  ];
}

/** A command line where `shell` says so, else an argument vector. */
export const commandOrProgram = (value: Value | undefined, shell: Value | undefined): Deed[] =>
  isTrue(shell) || value?.kind !== 'list' ? commandLine(value) : program(value);
