import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bytes, toText } from '../platform/bytes.ts';
import { installFolderOf } from '../platform/compiled.ts';
import { lookThrough, realAsFar, realPath } from '../platform/files.ts';
import { leftFolder, workingFolder } from '../platform/home.ts';
import { resolve } from '../platform/paths.ts';
import { chooseColour } from './colour.ts';
import { type Call, type Command, notThere, wrongUsage } from './command.ts';
import { didYouMean } from './nearest.ts';
import { chooseVerbose } from './verbosity.ts';

/** The options of every command. */
export const COMMON = {
  json: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  quiet: { type: 'boolean', short: 'q' },
  verbose: { type: 'boolean', short: 'v' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  directory: { type: 'string', short: 'C' },
} as const;

/** Where the command's name stands: `belay -C DIR list` is as good as `belay list -C DIR`. */
export function nameAt(words: readonly Bytes[]): number {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-C' || word === '--directory' || word === '--color') i++;
    else if (!word.startsWith('-')) return i;
  }
  return words.length;
}

/** Options end at `--`. */
export const beforeDashes = (words: readonly Bytes[]): readonly Bytes[] => {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
};

/** The words after the command's name, read once: what is wrong with them is said here, with the usage. */
export function readCall(command: Command, args: readonly Bytes[]): Call | 'help' {
  const install = installFolder();
  if (command.raw) {
    if (args[0] === '-h' || args[0] === '--help') return 'help';
    const json = beforeDashes(args).includes('--json');
    return { words: args, values: {}, json, yes: false, cwd: workingFolder(), install };
  }
  const { values, positionals } = parsed(command, args);
  if (values['help'] === true) return 'help';
  const most = command.words;
  if (most !== undefined && positionals.length > most)
    throw wrongUsage(`'${toText(positionals[most] ?? '')}' is one word too many`);
  const colour = values['color'];
  if (typeof colour === 'string') {
    if (colour !== 'always' && colour !== 'never' && colour !== 'auto')
      throw wrongUsage(`--color is always, never or auto, not '${toText(colour)}'`);
    chooseColour(colour);
  }
  if (values['verbose'] === true) chooseVerbose();
  const directory = values['directory'];
  return {
    words: positionals,
    values: values as Call['values'],
    json: values['json'] === true,
    yes: values['yes'] === true,
    ...(typeof directory === 'string' ? { cwd: folderAt(directory, command.gone === true) } : here(command)),
    install,
  };
}

function here(command: Command): Pick<Call, 'cwd' | 'left'> {
  const cwd = workingFolder();
  const left = cwd === undefined && command.gone === true ? leftFolder() : undefined;
  return left === undefined ? { cwd } : { cwd, left };
}

function parsed(command: Command, args: readonly Bytes[]): ReturnType<typeof parseArgs> {
  const options = { ...command.options, ...COMMON };
  try {
    if (!command.negative) return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    // no option begins with a NUL, and no word has one
    const marked = args.map((word) => (/^-\.?\d/.test(word) ? `\0${word}` : word));
    const { values, positionals } = parseArgs({ args: marked, options, allowPositionals: true, strict: true });
    const plain = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? bare(value) : value,
    ]);
    return { values: Object.fromEntries(plain), positionals: positionals.map(bare) };
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (unknown !== undefined && beforeDashes(args).some((word) => /^-\d+$/.test(word)))
      throw wrongUsage(`${unknown} is no number: checkpoints count back as @1 (the newest, or last), @2, …`);
    const long = unknown?.startsWith('--')
      ? didYouMean(
          unknown,
          Object.keys(options).map((name) => `--${name}`),
        )
      : '';
    // `belay explain rm -rf src`: the option is the line's.
    throw wrongUsage(`${message}${long}`, unknown === undefined ? undefined : command.strayOption);
  }
}

const bare = (word: string): string => word.replace(/^\0/, '');

/** `-C DIR`. */
function folderAt(directory: Bytes, gone: boolean): Bytes {
  const path = resolve(workingFolder() ?? '/', directory);
  if (gone && lookThrough(path) === undefined) return realAsFar(path);
  if (lookThrough(path)?.type !== 'folder') throw notThere('no_folder', `${toText(directory)} is no folder`);
  return realPath(path);
}

/** Bundled, this file is `dist/belay.bundle.cjs`; from source it lies in `src/cli`. */
export const installFolder = (): Bytes => installFolderOf(fileURLToPath(import.meta.url));
