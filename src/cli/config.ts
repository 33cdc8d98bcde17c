import { isNode, LineCounter, parseDocument } from 'yaml';
import { type Bytes, toText } from '../platform/bytes.ts';
import { configFolder, loadConfig } from '../platform/config.ts';
import { makeFolder, readBytesIfAny } from '../platform/files.ts';
import { environment } from '../platform/home.ts';
import { dirname } from '../platform/paths.ts';
import { type Answer, type Command, failed, refused, wrongUsage } from './command.ts';
import { jsonSchema, type Setting, settings } from './config/settings.ts';
import { valueFrom, writeSetting } from './config/write.ts';
import { didYouMean } from './nearest.ts';

/** The user's configuration, read and written. */
export const config: Command = {
  summary: 'the configuration: get, set, unset, edit, check, path, schema',
  usage: [
    'belay config path|check|edit|schema',
    'belay config get [SETTING]',
    'belay config set SETTING VALUE…',
    'belay config unset SETTING',
  ],
  negative: true,
  help: `
  path    where the file lies, or would
  check   what is wrong in it, line by line (exit 1 where something is)
  get     what counts, defaults included: checkpoints.max_files, or all
  set     writes one setting, if it can have that value (a list: one word each, or as get prints it); comments stay
  unset   its default counts again
  edit    the file in $VISUAL or $EDITOR, and then what check says
  schema  a JSON Schema for editors`,
  run: async ({ words }) => {
    const [what = '', name, ...values] = words.map(toText);
    const stray = ['get', 'set', 'unset'].includes(what) ? (what === 'set' ? undefined : values[0]) : name;
    if (stray !== undefined) throw wrongUsage(`'${stray}' is one word too many`);
    const env = environment();
    const folder = configFolder(env);
    if (folder === undefined) throw failed('no_home', 'HOME is not set: there is no configuration');
    const { config: counts, problems, file } = await loadConfig(env);
    const place = file ?? `${folder}/config.yaml`;
    const path = toText(place);
    switch (what) {
      case 'path':
        return { json: { path, exists: file !== undefined }, text: `${path}\n` };
      case 'check':
        return checked(path, file, problems);
      case 'get':
        return got(counts, name);
      case 'set':
      case 'unset':
        return changed(place, settingOf(name), what === 'set' ? values : undefined);
      case 'edit':
        await edit(place);
        return loadConfig(env).then((now) => checked(path, now.file, now.problems));
      case 'schema':
        return { json: jsonSchema(), text: `${JSON.stringify(jsonSchema(), null, 2)}\n` };
      default:
        throw wrongUsage(what === '' ? `it wants ${WORDS.join(', ')}` : `'${what}' is none of ${WORDS.join(', ')}`);
    }
  },
};

const WORDS = ['get', 'set', 'unset', 'edit', 'check', 'path', 'schema'];

function settingOf(name: string | undefined): Setting {
  if (name === undefined) throw wrongUsage('it wants the name of a setting');
  const setting = settings.find((one) => one.name === name);
  if (setting !== undefined) return setting;
  const names = settings.map((one) => one.name);
  throw wrongUsage(`there is no setting '${name}'${didYouMean(name, names)}`);
}

function changed(place: Bytes, setting: Setting, words: readonly string[] | undefined): Answer {
  const value = words === undefined ? undefined : valueFrom(setting, words);
  writeSetting(place, setting.name, value);
  const now = JSON.stringify(value ?? setting.byDefault);
  const text = `${setting.name}: ${now}${value === undefined ? ' (the default)' : ''}, in ${toText(place)}\n`;
  return { json: { path: toText(place), name: setting.name, value: value ?? null }, text };
}

/** The person's editor, which may be a command with options of its own. */
async function edit(place: Bytes): Promise<void> {
  if (!process.stdin.isTTY)
    throw refused('no_terminal', 'there is no terminal to edit on', `The file is ${toText(place)}`);
  const editor = process.env['VISUAL'] || process.env['EDITOR'] || 'vi';
  makeFolder(dirname(place));
  const { execa } = await import('execa');
  const done = await execa('sh', ['-c', `${editor} "$1"`, 'sh', toText(place)], { stdio: 'inherit', reject: false });
  if (done.failed)
    throw failed(
      'no_editor',
      `the editor ended with ${done.exitCode ?? done.signal}: ${editor}`,
      'Set VISUAL or EDITOR.',
    );
}

function checked(path: string, file: Bytes | undefined, problems: readonly string[]): Answer {
  const text = file === undefined ? '' : (readBytesIfAny(file)?.toString('utf8') ?? '');
  const told = problems.map((problem) => {
    const message = problem.startsWith(`${path}: `) ? problem.slice(path.length + 2) : problem;
    const name = /^([\w.-]+): /.exec(message)?.[1];
    const at = name === undefined ? undefined : place(text, name.split('.'));
    const unknown = name !== undefined && message.endsWith('no such setting');
    const meant = unknown ? didYouMean(name, namesBeside(name)) : '';
    return { ...(at ?? {}), message: `${message}${meant}` };
  });
  const lines = told.map((one) => `${path}${'line' in one ? `:${one.line}:${one.column}` : ''}: ${one.message}\n`);
  const fine = file === undefined ? `${path} is not there: the defaults count\n` : `${path}: nothing is wrong\n`;
  const ok = told.length === 0;
  return { json: { path, ok, problems: told }, text: ok ? fine : lines.join(''), exit: ok ? 0 : 1 };
}

/** Settings and tables on the same level as the one that nobody knows. */
function namesBeside(name: string): string[] {
  const depth = name.split('.').length;
  return [...new Set(settings.map((one) => one.name.split('.').slice(0, depth).join('.')))];
}

/** Where the setting stands in the file: its name, both from 1. */
function place(text: string, path: readonly string[]): { line: number; column: number } | undefined {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, keepSourceTokens: true });
  const table = document.getIn(path.slice(0, -1), true);
  const items = (path.length === 1 ? document.contents : table) as { items?: { key?: unknown }[] } | null | undefined;
  const key = items?.items?.find((item) => isNode(item.key) && String(item.key) === path.at(-1))?.key;
  if (!isNode(key) || !key.range) return undefined;
  const { line, col } = counter.linePos(key.range[0]);
  return { line, column: col };
}

function got(counts: object, name: string | undefined): Answer {
  if (name === undefined)
    return { json: counts, text: settings.map((one) => `${one.name}: ${at(counts, one.name)}\n`).join('') };
  const known = [...settings.map((one) => one.name), ...namesBeside('a'), ...namesBeside('a.b')];
  if (!known.includes(name)) throw wrongUsage(`there is no setting '${name}'${didYouMean(name, known)}`);
  return { json: { name, value: JSON.parse(at(counts, name)) }, text: `${at(counts, name)}\n` };
}

function at(counts: object, name: string): string {
  let value: unknown = counts;
  for (const key of name.split('.')) value = (value as Record<string, unknown>)[key];
  return JSON.stringify(value);
}
