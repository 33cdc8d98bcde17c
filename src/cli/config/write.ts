import { applyEdits, modify } from 'jsonc-parser';
import { parseDocument } from 'yaml';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { problemOf } from '../../platform/config.ts';
import { makeFolder, readBytesIfAny, realAsFar, rewriteFile } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { failed, wrongUsage } from '../command.ts';
import type { Setting } from './settings.ts';

/** What the words of a command line say for a setting; refused before anything is written where the setting cannot have it. */
export function valueFrom(setting: Setting, words: readonly string[]): unknown {
  const value = setting.type === 'list' ? listFrom(words) : read(setting, words);
  const problem = problemOf(setting.name, value);
  if (problem !== undefined) throw wrongUsage(problem);
  return value;
}

/** One word each; or one word as `belay config get` prints a list. */
function listFrom(words: readonly string[]): unknown {
  const [word = '', more] = words;
  if (more !== undefined || !/^\s*\[.*\]\s*$/s.test(word)) return words;
  try {
    return JSON.parse(word);
  } catch (error) {
    if (error instanceof SyntaxError) return words; // a pattern: `[ab]*.log]`
    throw error;
  }
}

function read({ name, type }: Setting, words: readonly string[]): unknown {
  const [word, more] = words;
  if (word === undefined || more !== undefined) throw wrongUsage(`${name} wants one value`);
  if (type === 'number' && word.trim() !== '') return Number(word);
  return type === 'boolean' && (word === 'true' || word === 'false') ? word === 'true' : word;
}

/**
 * Writes one setting into the user's file, or takes it out (`value` undefined). Comments and order stay; a link stays a link to the
 * file that is written; a file that cannot be read as a table is refused as it is.
 */
export function writeSetting(path: Bytes, name: string, value: unknown): void {
  const file = realAsFar(path);
  const before = readBytesIfAny(file)?.toString('utf8') ?? '';
  const keys = name.split('.');
  const after = path.endsWith('.json') ? inJson(before, keys, value) : inYaml(before, keys, value, toText(path));
  if (after === before) return;
  makeFolder(dirname(file));
  rewriteFile(file, after);
}

function inYaml(text: string, keys: readonly string[], value: unknown, path: string): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined)
    throw failed('configuration', `${path}: ${error.message.split('\n')[0]}`, 'belay config edit');
  if (value !== undefined) document.setIn(keys, value);
  else if (document.hasIn(keys)) document.deleteIn(keys);
  else return text;
  return document.toString({ lineWidth: 0 });
}

function inJson(text: string, keys: readonly string[], value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2 };
  return applyEdits(text, modify(text === '' ? '{}\n' : text, [...keys], value, { formattingOptions }));
}
