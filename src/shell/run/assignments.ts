import type { Assignment } from 'unbash';
import { parse } from '../parse.ts';
import { assign, assignArray } from '../state/assign.ts';
import { bodyOf } from '../state/functions.ts';
import type { Arg } from '../types.ts';
import { expandText, expandWord, rawWord, type Scene } from '../words/expand.ts';
import { elementKey, resolve } from '../words/lookup.ts';
import { concat, isKnown, type Text, toArg, toText, UNKNOWN } from '../words/text.ts';
import { writeMapped } from '../zsh/mapfile.ts';
import { spanOf } from './context.ts';

/**
 * Carries out `name=value`, `name[i]=value`, `name=(…)`. `exported`: in front of a command, in its environment. The answer is the
 * word that a declaring builtin sees; `only` leaves carrying it out to that builtin, unless it is an array.
 */
export function runAssignment(node: Assignment, scene: Scene, exported: boolean, only = false): Arg {
  const { state } = scene;
  const span = spanOf(node, scene.context, scene.walker.line.text);
  const operator = node.append ? '+=' : '=';
  if (node.value.type === 'ArrayValue') {
    assignArray(
      state,
      node.name,
      node.value.elements.flatMap((word) => elements(word, node.name, scene)),
      {
        append: node.append ?? false,
      },
    );
    return toArg(node.name, span);
  }
  const value = expandText(node.value, scene, 'assignment');
  if (node.index) {
    if (node.name === 'mapfile' && scene.context.shell === 'zsh') writeMapped(expandText(node.index, scene), scene);
    if (node.name === 'functions' && scene.context.shell === 'zsh') define(expandText(node.index, scene), value, scene);
    if (node.name === 'nameddirs' && scene.context.shell === 'zsh') {
      const named = expandText(node.index, scene);
      if (isKnown(named)) state.hashed.set(`~${named}`, value);
    }
    const key = elementKey(resolve(node.name, state), node.index, scene) ?? 'unknown';
    assign(state, node.name, value, { key, append: node.append ?? false });
    return toArg(node.name, span);
  }
  if (!only) assign(state, node.name, value, { append: node.append ?? false, ...(exported ? { exported } : {}) });
  return toArg(concat(`${node.name}${operator}`, value), span);
}

/** zshmodules(1), zsh/parameter: `functions[NAME]=TEXT` defines a function. */
function define(name: Text, text: Text, { walker, state }: Scene): void {
  if (!isKnown(name)) return;
  const parsed = isKnown(text) ? parse(text, { shell: 'zsh', options: state.options }) : undefined;
  if (parsed?.kind !== 'tree') walker.gap('a function whose body is not known', state);
  else state.functions.set(name, [bodyOf(parsed)]);
}

function elements(
  word: Parameters<typeof expandWord>[0],
  name: string,
  scene: Scene,
): { readonly key: string | undefined; readonly value: Text }[] {
  const keyed = /^\[([\s\S]*?)\]\+?=/.exec(word.text);
  if (!keyed) return expandWord(word, scene).map((arg) => ({ key: undefined, value: toText(arg) }));
  const index = keyed[1] ?? '';
  const key = elementKey(resolve(name, scene.state), rawWord(index), scene);
  const whole = expandText(word, scene);
  const at = isKnown(whole) ? whole.indexOf('=') : -1;
  const value = isKnown(whole) && at >= 0 ? whole.slice(at + 1) : UNKNOWN;
  return [{ key: key ?? 'unknown', value }];
}
