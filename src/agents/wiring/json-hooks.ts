import {
  applyEdits,
  type FormattingOptions,
  type ModificationOptions,
  modify,
  type ParseError,
  parse,
} from 'jsonc-parser';
import { isObject } from '../json.ts';
import { type HookFormat, isOurs, type Piece } from './wiring.ts';

/** Adds to and takes from the lists `hooks.<event>` of a JSON file, comments, order and indentation left as they are. */

type JsonPiece = Extract<Piece, { kind: 'json' | 'yaml' }>;

function withHooks(text: string | undefined, piece: JsonPiece, agent: string): string {
  let out = text === undefined || text.trim() === '' ? '{}\n' : text;
  const options = formatOf(out);
  for (const [key, value] of Object.entries(piece.also ?? {}))
    if (objectOf(out)[key] === undefined) out = edit(out, [key], value, options);
  for (const [event, value] of Object.entries(piece.events)) {
    const list = listOf(out, event);
    const ours = list.findIndex((entry) => isOurs(entry, agent));
    if (ours >= 0 && JSON.stringify(list[ours]) === JSON.stringify(value)) continue;
    out =
      ours >= 0
        ? edit(out, ['hooks', event, ours], value, options)
        : edit(out, ['hooks', event, list.length], value, { ...options, isArrayInsertion: true });
  }
  return out;
}

function withoutHooks(text: string, agent: string): string {
  let out = text;
  const options = formatOf(text);
  for (const event of Object.keys(hooksOf(out))) {
    const before = listOf(out, event).length;
    for (let i = before - 1; i >= 0; i--)
      if (isOurs(listOf(out, event)[i], agent)) out = edit(out, ['hooks', event, i], undefined, options);
    if (before > 0 && listOf(out, event).length === 0) out = edit(out, ['hooks', event], undefined, options);
  }
  if (out !== text && Object.keys(hooksOf(out)).length === 0) out = edit(out, ['hooks'], undefined, options);
  return out;
}

const eventsWithHook = (text: string, agent: string): string[] =>
  Object.keys(hooksOf(text)).filter((event) => listOf(text, event).some((entry) => isOurs(entry, agent)));

function objectOf(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(value)) throw new Error('it is not the JSON object that it should be');
  return value;
}

function hooksOf(text: string): Record<string, unknown> {
  const hooks = objectOf(text)['hooks'];
  if (hooks === undefined) return {};
  if (!isObject(hooks)) throw new Error('its `hooks` is not an object');
  return hooks;
}

function listOf(text: string, event: string): unknown[] {
  const list = hooksOf(text)[event];
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new Error(`its \`hooks.${event}\` is not a list`);
  return list;
}

function edit(text: string, path: (string | number)[], value: unknown, options: ModificationOptions): string {
  return applyEdits(text, modify(text, path, value, options));
}

/** Indented as the file is. */
function formatOf(text: string): ModificationOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions: FormattingOptions = indent.startsWith('\t')
    ? { insertSpaces: false, tabSize: 4, eol }
    : { insertSpaces: true, tabSize: indent.length, eol };
  return { formattingOptions };
}

export const jsonHooks: HookFormat = { withHooks, withoutHooks, eventsWithHook };
