import type { CommandNode } from 'unbash';
import type { Bytes } from '../platform/bytes.ts';
import { parse } from './parse.ts';
import type { Context } from './run/context.ts';
import { runCommand } from './run/list.ts';
import type { Walker } from './run/walker.ts';
import type { State } from './state/state.ts';

/** Commands that define what may be called later: functions and where they are looked for. */
const DEFINES: ReadonlySet<Bytes> = new Set(['alias', 'autoload']);
const LOOKED_FOR = /^(?:fpath|FPATH|fish_function_path)\+?=/;

/**
 * Gives a shell the functions and aliases of a file that it reads when it starts: what else stands in it is the person's standing
 * choice, and not looked at.
 */
export function define(text: Bytes, walker: Walker, state: State, context: Context): void {
  const parsed = parse(text, { shell: context.shell, options: new Set() });
  if (parsed.kind === 'too much') return;
  const around: Context = { ...context, source: parsed.source, inLine: false, out: undefined };
  collect(parsed.script, (node) => runCommand(node, walker, state, around));
  for (const [name, value] of state.comingAliases) state.aliases.set(name, value);
  state.comingAliases = [];
}

/** A file that runs itself into other files is read no deeper than its own blocks. */
function collect(node: unknown, take: (node: CommandNode) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, take);
    return;
  }
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  if (isDefinition(node as CommandNode)) take(node as CommandNode);
  else if (node.type !== 'Word') for (const value of Object.values(node)) collect(value, take);
}

function isDefinition(node: CommandNode): boolean {
  if (node.type === 'Function') return true;
  if (node.type !== 'Command') return false;
  return node.name ? DEFINES.has(node.name.value) : node.prefix.some((part) => LOOKED_FOR.test(source(part)));
}

const source = (part: { readonly type: string; readonly text?: Bytes }): Bytes => part.text ?? '';
