import type { Bytes } from '../../platform/bytes.ts';
import { isAbsolute, join } from '../../platform/paths.ts';
import { contentOf } from '../disk.ts';
import { parse } from '../parse.ts';
import { fileOf } from '../run/redirect.ts';
import { bodyOf, type FunctionBody } from '../state/functions.ts';
import type { State } from '../state/state.ts';
import { isKnown } from '../words/text.ts';
import { type Builtin, splitOptions, textsOf } from './builtin.ts';

/** Longer functions are not read, bytes. */
const LONGEST = 65_536;

/** zshbuiltins(1), `autoload NAME…`: NAME is a file in a folder of `fpath`, which holds the function's body or its definition. */
export const autoload: Builtin = ({ state, ...call }) => {
  for (const name of splitOptions(textsOf({ state, ...call })).operands) {
    if (!isKnown(name)) continue;
    const files = isAbsolute(name) ? [name] : foldersIn(['fpath', 'FPATH'], state).map((folder) => join(folder, name));
    const text = firstText(files, state);
    const parsed = text === undefined ? undefined : parse(text, { shell: 'zsh', options: state.options });
    if (parsed?.kind !== 'tree') continue;
    const [first, ...more] = parsed.script.commands;
    const own = name.slice(name.lastIndexOf('/') + 1);
    const alone = first?.command.type === 'Function' && more.length === 0 ? first.command : undefined;
    const body: FunctionBody =
      alone?.name.value === own ? { body: alone.body, source: parsed.source, inLine: false } : bodyOf(parsed);
    state.functions.set(own, [body]);
  }
  return 'ok';
};

/** fish(1), *Autoloading functions*: the text of NAME.fish in a folder of `fish_function_path`. */
export const autoloaded = (name: Bytes, state: State): Bytes | undefined =>
  /^[\w.:@+-]+$/.test(name)
    ? firstText(
        foldersIn(['fish_function_path'], state).map((folder) => join(folder, `${name}.fish`)),
        state,
      )
    : undefined;

/** What a list of folders holds, as far as it is known. */
const foldersIn = (names: readonly Bytes[], state: State): readonly Bytes[] =>
  names.flatMap((name) => {
    const variable = state.variables.get(name);
    const { value } = variable ?? {};
    return variable?.items ? [...variable.items.values()].filter(isKnown) : isKnown(value) ? value.split(':') : [];
  });

function firstText(files: readonly Bytes[], state: State): Bytes | undefined {
  for (const path of files) {
    const file = fileOf(path, state);
    const text = file === undefined ? undefined : contentOf(file, LONGEST);
    if (text !== undefined) return text;
  }
  return undefined;
}
