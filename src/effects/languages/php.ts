import type { Bytes } from '../../platform/bytes.ts';
import { type Act, opened, perform, positional } from './calls.ts';
import type { Deed } from './deed.ts';
import type { Answer, Dialect, Invocation } from './dialect.ts';
import { follow } from './follow.ts';
import { isTrue, textValue } from './values.ts';

/** php.net/manual: Filesystem and Program execution functions. */
const ACTS: ReadonlyMap<Bytes, Act> = new Map<Bytes, Act>([
  ['chdir', { act: 'chdir', on: 0 }],
  ['unlink', { act: 'delete', on: 0 }],
  ['rmdir', { act: 'delete', on: 0 }],
  ['rename', { act: 'move', from: 0, to: 1 }],
  ['copy', { act: 'copy', from: 0, to: 1 }],
  ['move_uploaded_file', { act: 'move', from: 0, to: 1 }],
  ['fopen', { act: 'open', on: 0, mode: 1 }],
  ['chmod', { act: 'metadata', on: 0 }],
  ['chown', { act: 'metadata', on: 0 }],
  ['system', { act: 'shell', on: 0 }],
  ['exec', { act: 'shell', on: 0 }],
  ['shell_exec', { act: 'shell', on: 0 }],
  ['passthru', { act: 'shell', on: 0 }],
  ['popen', { act: 'shell', on: 0 }],
  ['proc_open', { act: 'shell', on: 0 }],
]);

const PURE = new Set(
  (
    'echo print printf sprintf var_dump print_r json_encode json_decode file_get_contents file file_exists is_file is_dir basename dirname realpath count strlen ' +
    'str_replace preg_replace preg_match explode implode trim strtolower strtoupper date time microtime phpversion php_sapi_name phpinfo ini_get getcwd ' +
    'scandir array_map array_filter array_keys array_values in_array isset empty exit die intval md5 sha1 hash base64_encode base64_decode fwrite fputs fclose ' +
    'fread fgets feof mkdir extension_loaded function_exists rand mt_rand random_int number_format array list define'
  ).split(' '),
);

const KEYWORDS = new Set(
  'if else elseif while for foreach as do function return new class use namespace try catch finally echo print and or xor switch case break continue'.split(
    ' ',
  ),
);

function call(invocation: Invocation): Answer | undefined {
  const name = invocation.name.replace(/^\\/, '');
  const first = positional(invocation.args, 0);
  if (name === 'file_put_contents') {
    const third = invocation.args[2]?.value;
    const appends = third?.kind === 'name' ? /FILE_APPEND/.test(third.path) : isTrue(third);
    return { deeds: opened(first, textValue(appends ? 'a' : 'w')) };
  }
  if (name === 'glob' && first?.kind === 'text') return { value: { kind: 'glob', pattern: first.text } };
  if (name === 'array_map' && first?.kind === 'text')
    return call({ ...invocation, name: first.text, args: invocation.args.slice(1) });
  if (/^(eval|include|require|include_once|require_once|call_user_func|array_walk)$/.test(name))
    return { deeds: [{ kind: 'opaque' }] };
  const act = ACTS.get(name);
  return act && perform(act, { ...invocation, name });
}

const DIALECT: Dialect = {
  language: 'php',
  concat: ['.'],
  bare: undefined,
  keywords: KEYWORDS,
  pure: PURE,
  call,
  destroys: (name) => name === 'unlink' || name === 'rmdir',
};

/** `php -r`, a program on standard input. */
export const phpDeeds = (source: Bytes): Deed[] => follow(source, DIALECT);
