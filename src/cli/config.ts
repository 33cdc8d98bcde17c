import { isNode, LineCounter, parseDocument } from 'yaml';
import { type Bytes, toText } from '../platform/bytes.ts';
import { configFolder, loadConfig } from '../platform/config.ts';
import { readBytesIfAny } from '../platform/files.ts';
import { environment } from '../platform/home.ts';
import { type Answer, type Command, failed, wrongUsage } from './command.ts';
import { jsonSchema, settings } from './config/settings.ts';
import { didYouMean } from './nearest.ts';

/** The user's configuration, read: nothing here writes it. */
export const config: Command = {
  summary: 'the configuration: path, check, get, schema',
  usage: ['belay config path|check|schema', 'belay config get [SETTING]'],
  help: `
  path    where the file lies, or would
  check   what is wrong in it, line by line (exit 1 where something is)
  get     what counts, defaults included: checkpoints.max_files, or all
  schema  a JSON Schema for editors`,
  words: 2,
  run: async ({ words }) => {
    const [what = '', name] = words.map(toText);
    if (name !== undefined && what !== 'get') throw wrongUsage(`'${name}' is one word too many`);
    const env = environment();
    const folder = configFolder(env);
    if (folder === undefined) throw failed('no_home', 'HOME is not set: there is no configuration');
    const { config: counts, problems, file } = await loadConfig(env);
    const path = toText(file ?? `${folder}/config.yaml`);
    switch (what) {
      case 'path':
        return { json: { path, exists: file !== undefined }, text: `${path}\n` };
      case 'check':
        return checked(path, file, problems);
      case 'get':
        return got(counts, name);
      case 'schema':
        return { json: jsonSchema(), text: `${JSON.stringify(jsonSchema(), null, 2)}\n` };
      default:
        throw wrongUsage(
          what === '' ? 'it wants path, check, get or schema' : `'${what}' is none of path, check, get, schema`,
        );
    }
  },
};

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
