import { type Command, type ParsedScript, parse, type Statement, type Word } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import type { State } from '../state/state.ts';
import type { Context, Status } from './context.ts';
import type { Walker } from './walker.ts';

/** What zsh keeps apart from the names of commands: `alias -g`, `alias -s` (zshbuiltins(1)); no name holds a NUL. */
export const GLOBAL = '\0g';
export const SUFFIX = '\0s';

/** `alias -s txt=less` makes `x.txt` `less x.txt`. */
function bySuffix(name: Bytes, state: State): Bytes | undefined {
  const value = state.aliases.get(SUFFIX + name.slice(name.lastIndexOf('.') + 1));
  return value === undefined || !name.includes('.') ? undefined : `${value} ${name}`;
}

/** zsh's global aliases by their names. */
export function globalAliases(state: State): ReadonlyMap<Bytes, Bytes> {
  const globals = new Map<Bytes, Bytes>();
  for (const [key, value] of state.aliases) if (key.startsWith(GLOBAL)) globals.set(key.slice(GLOBAL.length), value);
  return globals;
}

/**
 * The command with its alias put in (bash(1), *Aliases*); undefined where its first word is none. The alias's text is parsed by
 * itself and the command's other words are added to its last simple command. A value that ends in a blank lets the next word
 * be an alias too.
 */
export function expandAlias(node: Command, walker: Walker, state: State, context: Context): (() => Status) | undefined {
  const name = node.name?.text;
  if (name === undefined || state.aliases.size === 0 || context.barred.has(name)) return undefined;
  const value = state.aliases.get(name) ?? bySuffix(name, state);
  if (value === undefined || !node.name || /['"\\$`]/.test(name)) return undefined;
  const suffix = /[ \t]$/.test(value) ? expandNext(node.suffix, state, context) : node.suffix;
  const script = parse(value);
  const next = suffix === node.suffix ? [] : node.suffix.flatMap((part) => (part.type === 'Word' ? [part.text] : []));
  const around: Context = { ...context, barred: new Set([...context.barred, name, ...next.slice(0, 1)]) };
  const whole = script.errors?.length ? undefined : withWords(script, { ...node, suffix });
  if (whole) return () => walker.script(whole, state, around);
  // Half a construct (`alias w='while read f; do'`): only the text as a whole can be parsed.
  return () =>
    walker.text(`${value} ${suffix.map((part) => ('text' in part ? part.text : '')).join(' ')}`, state, {
      ...around,
      inLine: false,
    });
}

function expandNext(suffix: Command['suffix'], state: State, context: Context): Command['suffix'] {
  const [next, ...rest] = suffix;
  if (next?.type !== 'Word' || context.barred.has(next.text)) return suffix;
  const value = state.aliases.get(next.text);
  if (value === undefined) return suffix;
  const command = parse(value).commands[0]?.command;
  if (command?.type !== 'Command' || !command.name) return suffix;
  const words: Command['suffix'] = [command.name, ...command.suffix];
  return [...words, ...(/[ \t]$/.test(value) ? expandNext(rest, state, context) : rest)];
}

/** The script with the words added to its last simple command; undefined where it does not end in one. */
function withWords(script: ParsedScript, node: Command): ParsedScript | undefined {
  const last = script.commands.at(-1);
  if (!last) return addTo({ ...empty(node), name: undefined }, node, script);
  if (last.background) return { ...script, commands: [...script.commands, statement(rest(node))] };
  const command = inLast(last.command, node);
  return command && { ...script, commands: [...script.commands.slice(0, -1), { ...last, command }] };
}

type Node = Statement['command'];

function inLast(node: Node, command: Command): Node | undefined {
  if (node.type === 'Command') return merge(node, command);
  if (node.type !== 'AndOr' && node.type !== 'Pipeline') return undefined;
  const last = node.commands.at(-1);
  const changed = last && inLast(last, command);
  return changed && ({ ...node, commands: [...node.commands.slice(0, -1), changed] } as Node);
}

function merge(into: Command, command: Command): Command {
  for (const part of [...into.suffix.slice(0, 1), ...command.suffix]) apart.add(part);
  if (into.name) apart.add(into.name);
  return plain({
    ...into,
    name: into.name ?? firstWord(command)?.name,
    prefix: [...command.prefix, ...into.prefix],
    suffix: into.name ? [...into.suffix, ...command.suffix] : (firstWord(command)?.suffix ?? []),
  });
}

/**
 * Parts that come after words of another text: their offsets say nothing about whether they stand together with what is before.
 */
const apart = new WeakSet<object>();

export const standsApart = (part: object): boolean => apart.has(part);

/** An alias of nothing but assignments or blanks: the next word is the command. */
function firstWord(command: Command): { name: Word; suffix: Command['suffix'] } | undefined {
  const at = command.suffix.findIndex((part) => part.type === 'Word');
  const name = command.suffix[at];
  return name?.type === 'Word' ? { name, suffix: command.suffix.toSpliced(at, 1) } : undefined;
}

const empty = (node: Command): Command => plain({ ...node, prefix: [], suffix: [] });

const rest = (node: Command): Command => {
  const first = firstWord(node);
  return plain({ ...node, name: first?.name, suffix: first?.suffix ?? node.suffix });
};

const addTo = (into: Command, node: Command, script: ParsedScript): ParsedScript => ({
  ...script,
  commands: [statement(merge(into, node))],
});

const statement = (command: Command): Statement => ({
  type: 'Statement',
  pos: command.pos,
  end: command.end,
  command,
  background: undefined,
});

/** A node without the parser's lazy getters, which a spread would not copy. */
function plain(node: Pick<Command, 'pos' | 'end' | 'name' | 'prefix' | 'suffix'>): Command {
  const { pos, end, name, prefix, suffix } = node;
  const args = suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment');
  return { type: 'Command', pos, end, name, prefix, suffix, args, redirects: [] };
}
