import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StoreError } from '../checkpoint/store.ts';
import { type Bytes, fromText, toText } from '../platform/bytes.ts';
import { codeOf, lookThrough, realPath } from '../platform/files.ts';
import { belayHome, environment, workingFolder } from '../platform/home.ts';
import { describe, log } from '../platform/log.ts';
import { dirname, resolve } from '../platform/paths.ts';
import { givenWords } from './arguments.ts';
import { type Answer, type Call, type Command, Failure, notThere, wrongUsage } from './command.ts';
import { commands } from './commands.ts';
import { helpOf, overview } from './help.ts';

/** `belay COMMAND …`: tells the answer, or why there is none. Returns the exit status. */
export async function main(words: readonly Bytes[]): Promise<number> {
  const json = beforeDashes(words).includes('--json');
  try {
    const answer = await answerTo(words);
    return typeof answer === 'number' ? answer : await tell(answer, json);
  } catch (error) {
    return tellFailure(error, json, words[nameAt(words)] ?? '');
  }
}

/** Finds the command, reads its options, runs it. */
export async function answerTo(words: readonly Bytes[]): Promise<Answer | number> {
  const at = nameAt(words);
  const name = words[at] ?? '';
  if (beforeDashes(words).includes('--version') && name === '') return said({ version: VERSION }, `${VERSION}\n`);
  if (name === '' || name === 'help') return said({ commands: Object.keys(commands) }, overview());
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw wrongUsage(`there is no command '${toText(name)}'; \`belay --help\` lists them`);
  const command = await entry.load();
  const call = readCall(command, name, [...words.slice(0, at), ...words.slice(at + 1)]);
  return call === 'help' ? said({ usage: command.usage }, helpOf(name, command)) : await command.run(call);
}

/** Where the command's name stands: `belay -C DIR list` is as good as `belay list -C DIR`. */
function nameAt(words: readonly Bytes[]): number {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-C' || word === '--directory') i++;
    else if (!word.startsWith('-')) return i;
  }
  return words.length;
}

export const VERSION = '0.1.0';

const said = (json: unknown, text: string): Answer => ({ json, text });

const COMMON = {
  json: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  directory: { type: 'string', short: 'C' },
} as const;

function readCall(command: Command, name: Bytes, args: readonly Bytes[]): Call | 'help' {
  const install = installFolder();
  if (command.raw) {
    if (args[0] === '-h' || args[0] === '--help') return 'help';
    return {
      words: args,
      values: {},
      json: beforeDashes(args).includes('--json'),
      yes: false,
      cwd: workingFolder(),
      install,
    };
  }
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...command.options, ...COMMON },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    throw new Failure(2, 'usage', message, command.usage.join('\n       '), { command: name });
  }
  const { values, positionals } = parsed;
  if (values['help'] === true) return 'help';
  const directory = values['directory'];
  return {
    words: positionals,
    values: values as Call['values'],
    json: values['json'] === true,
    yes: values['yes'] === true,
    cwd: typeof directory === 'string' ? folderAt(directory) : workingFolder(),
    install,
  };
}

/** `-C DIR`. */
function folderAt(directory: Bytes): Bytes {
  const path = resolve(workingFolder() ?? '/', directory);
  if (lookThrough(path)?.type !== 'folder') throw notThere('no_folder', `${toText(directory)} is no folder`);
  return realPath(path);
}

/** Bundled, this file is `dist/belay.bundle.cjs`; from source it is `src/cli/main.ts`. */
function installFolder(): Bytes {
  const here = dirname(fromText(realpathSync(fileURLToPath(import.meta.url))));
  return here.endsWith('/src/cli') ? dirname(dirname(here)) : dirname(here);
}

const beforeDashes = (words: readonly Bytes[]): readonly Bytes[] => {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
};

async function tell(answer: Answer, json: boolean): Promise<number> {
  if (json) process.stdout.write(`${JSON.stringify(answer.json, null, 2)}\n`);
  else {
    if (answer.note) process.stderr.write(`${answer.note}\n`);
    if (answer.page && process.stdout.isTTY) await (await import('./page.ts')).page(answer.text);
    else process.stdout.write(answer.text);
  }
  return answer.exit ?? 0;
}

function tellFailure(error: unknown, json: boolean, name: Bytes): number {
  const failure = asFailure(error);
  if (json) {
    const { message, hint, code, more } = failure;
    const document = { error: { code, message, ...(hint === undefined ? {} : { hint }), ...more } };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    process.stderr.write(`belay${name === '' ? '' : ` ${toText(name)}`}: ${failure.message}\n`);
    if (failure.hint !== undefined)
      process.stderr.write(failure.exit === 2 ? `usage: ${failure.hint}\n` : `${failure.hint}\n`);
  }
  return failure.exit;
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  log(belayHome(environment()), describe(error));
  if (error instanceof StoreError)
    return new Failure(error.code === 'store_not_ours' ? 3 : 1, error.code, error.message);
  const message = error instanceof Error ? error.message : String(error);
  if (codeOf(error) === 'ENOSPC') return new Failure(1, 'disk_full', message, 'Make room and run it again.');
  return new Failure(1, 'failed', message);
}

/** Started as a program, not imported: the bundle is by `dist/belay.cjs` (src/platform/start.ts). */
const own = realpathSync(fileURLToPath(import.meta.url));
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === own.replace(/\.bundle\.cjs$/, '.cjs')) {
  // A reader that closes the pipe early (`belay list | head`) is no error.
  process.stdout.on('error', (error) => {
    if (codeOf(error) === 'EPIPE') process.exit(0);
    throw error;
  });
  void main(givenWords()).then((status) => {
    process.exitCode = status;
  });
}
