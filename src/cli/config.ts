import { isNode, LineCounter, parseDocument } from 'yaml';
import { type Bytes, toText } from '../platform/bytes.ts';
import { configFolder, loadConfig } from '../platform/config.ts';
import { lookAt, makeFolder, readBytesIfAny, removeFile, writeFirst } from '../platform/files.ts';
import { environment } from '../platform/home.ts';
import { dirname } from '../platform/paths.ts';
import { type Answer, type Command, failed, refused, wrongUsage } from './command.ts';
import { jsonSchema, type Setting, settings } from './config/settings.ts';
import { valueFrom, writeSetting } from './config/write.ts';
import { didYouMean, nearest } from './nearest.ts';

/** The user's configuration, read and written. */
export const config: Command = {
  summary: 'the configuration: get, set, unset, edit, check, path, schema',
  usage: [
    'belay config path|check|edit|schema',
    'belay config [get [SETTING]]',
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
  run: async (call) => {
    const { words } = call;
    const [what = 'get', name, ...values] = words.map(toText);
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
        await edit(place, call.install);
        return loadConfig(env).then((now) => checked(path, now.file, now.problems));
      case 'schema':
        return { json: jsonSchema(), text: `${JSON.stringify(jsonSchema(), null, 2)}\n` };
      default:
        throw wrongUsage(`'${what}' is none of ${WORDS.join(', ')}`);
    }
  },
};

const WORDS = ['get', 'set', 'unset', 'edit', 'check', 'path', 'schema'];

function settingOf(name: string | undefined): Setting {
  if (name === undefined) throw wrongUsage('it wants the name of a setting');
  const setting = settings.find((one) => one.name === name);
  if (setting !== undefined) return setting;
  throw wrongUsage(`there is no setting '${name}'${meant(name)}`);
}

/** `max_files` is `checkpoints.max_files`; else what is spelt alike. */
function meant(name: string): string {
  const names = settings.map((one) => one.name);
  const last = (full: string): string => full.slice(full.lastIndexOf('.') + 1);
  const alike = nearest(last(name), names.map(last));
  const same = names.filter(
    (full) => last(full) === (names.some((one) => last(one) === last(name)) ? last(name) : alike),
  );
  return (
    didYouMean(name, names) ||
    (same.length > 0 ? `; did you mean ${same.map((full) => `'${full}'`).join(' or ')}?` : '')
  );
}

function changed(place: Bytes, setting: Setting, words: readonly string[] | undefined): Answer {
  const value = words === undefined ? undefined : valueFrom(setting, words);
  writeSetting(place, setting.name, value);
  const now = JSON.stringify(value ?? setting.byDefault);
  const text = `${setting.name}: ${now}${value === undefined ? ' (the default)' : ''}, in ${toText(place)}\n`;
  return { json: { path: toText(place), name: setting.name, value: value ?? null }, text };
}

/** The person's editor, which may be a command with options of its own. Where there is no file yet, it gets one that says what goes into it. */
async function edit(place: Bytes, install: Bytes): Promise<void> {
  if (!process.stdin.isTTY)
    throw refused('no_terminal', 'there is no terminal to edit on', `The file is ${toText(place)}`);
  const given = ['VISUAL', 'EDITOR'].find((name) => process.env[name]);
  const editor = (given && process.env[given]) || 'vi';
  makeFolder(dirname(place));
  const begun = lookAt(place) === undefined ? beginning(install) : undefined;
  if (begun !== undefined) writeFirst(place, begun);
  const { execa } = await import('execa');
  const done = await execa('sh', ['-c', `${editor} "$1"`, 'sh', toText(place)], { stdio: 'inherit', reject: false });
  // Nothing was written into it: then it need not be there.
  if (begun !== undefined && readBytesIfAny(place)?.toString('utf8') === begun) removeFile(place);
  if (!done.failed) return;
  const missing = done.exitCode === 127;
  throw failed(
    'no_editor',
    missing
      ? `the editor cannot be started: ${editor}`
      : `the editor ended with ${done.exitCode ?? done.signal}: ${editor}`,
    given === undefined
      ? 'Set VISUAL or EDITOR to one that is there.'
      : `${given} names it. \`belay config check\` tells whether all is well.`,
  );
}

/** A file of comments: the defaults count until something else stands there. */
const beginning = (
  install: Bytes,
): string => `# yaml-language-server: $schema=${toText(install)}/dist/config.schema.json
# The settings of belay: \`man belay-config\` and \`belay config get\` list them. What is left out has its default; it counts from the next line on.
#
# checkpoints:
#   max_snapshots: 500
#   retention_days: 7
# notice: first
`;

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
  if (!known.includes(name)) throw wrongUsage(`there is no setting '${name}'${didYouMean(name, known) || meant(name)}`);
  return { json: { name, value: JSON.parse(at(counts, name)) }, text: `${at(counts, name)}\n` };
}

function at(counts: object, name: string): string {
  let value: unknown = counts;
  for (const key of name.split('.')) value = (value as Record<string, unknown>)[key];
  return JSON.stringify(value);
}
