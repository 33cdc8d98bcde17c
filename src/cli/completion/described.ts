import type { Command } from '../command.ts';
import { COMMON } from '../read-call.ts';

/** What TAB offers: a word, and what it is. */
export interface Candidate {
  readonly value: string;
  readonly what: string;
}

const EVERYBODYS: Readonly<Record<string, string>> = {
  json: 'one document on standard output',
  yes: 'answers what it asks with yes',
  quiet: 'says nothing where all went well',
  verbose: 'the log on standard error too, lists of paths whole',
  color: 'always, never or auto',
  help: 'the usage, and what it means',
  directory: 'as if it were called in that folder',
};

/** Options that several commands have and few explain. */
const USUAL: Readonly<Record<string, string>> = {
  all: 'also what was edited by hand since',
  after: 'as the turn left things',
  git: "git's HEAD, index, refs and stash too",
  session: 'of that session',
  turn: 'that turn of the session',
  force: 'although something speaks against it',
  'dry-run': 'says what it would do, changes nothing',
  agreed: 'only while it would do just that',
  stat: 'counts only',
  path: 'only that path',
  context: 'so many lines around a change',
  to: 'into another folder',
  literal: 'names mean just what they say',
  interactive: 'choose from the list',
  limit: 'at most so many',
  in: 'within that session',
  around: 'the events around that number',
  window: 'so many events around it',
  read: 'the whole of that session',
  browse: 'the newest sessions',
  tokens: 'within so many tokens',
  'older-than': 'not used for so many days',
  keep: 'leaves the folder, and says where it is',
  cwd: 'as if it were typed in that folder',
  shell: 'as that shell reads it',
  message: 'why, in a few words',
  'max-size-mb': 'until the store is no larger',
  'retention-days': 'what is older than so many days',
  output: 'into that file',
  project: 'of that project',
  repair: 'mends what can be mended',
  sort: 'path, size, touch or checkpoints',
  state: 'live, orphan or unreachable',
  start: 'from that commit or branch',
  setup: 'the command that makes the environment',
  follow: 'goes on with what comes',
  level: 'only what is as grave as that',
  lines: 'the last so many lines',
  purge: 'deletes what was saved, too',
  source: 'of that kind: cli, run, cron, claude, …',
};

/**
 * The options of a command, each with the first words that its help says of it: `  --project   for this project alone …`. An indented
 * one belongs to a part of the command.
 */
export function optionsOf(command: Command): readonly Option[] {
  if (command.raw) return rawOptions(command);
  const told = `${command.usage.join(' ')} ${command.help ?? ''}`;
  const isTold = ([name]: readonly [string, unknown]): boolean => name in COMMON || told.includes(`--${name}`);
  return Object.entries({ ...command.options, ...COMMON })
    .filter(isTold)
    .map(([name, { type }]) => ({
      value: `--${name}`,
      what: helpFor(command, `--${name}`) ?? EVERYBODYS[name] ?? USUAL[name] ?? command.summary,
      wantsValue: type === 'string',
    }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

type Option = Candidate & { readonly wantsValue: boolean };

/** A command that reads its words itself declares no options: it has those that its help says, and `--help`. */
function rawOptions(command: Command): readonly Option[] {
  const told = [...(command.help ?? '').matchAll(/^ {2}(?:(-\w), )?(--?\w[\w-]*)([ =[]*[A-Z]\w*\]?)?(?= {2})/gm)];
  const names = told.map(([, , name = '', value = '']) => ({ name, wantsValue: /^ [A-Z]/.test(value) }));
  return [...names, { name: '--help', wantsValue: false }].map(({ name, wantsValue }) => ({
    value: name,
    what: helpFor(command, name) ?? EVERYBODYS[name.slice(2)] ?? command.summary,
    wantsValue,
  }));
}

function helpFor({ help = '' }: Command, word: string): string | undefined {
  const escaped = word.replace(/[^\w]/g, '\\$&');
  const line = new RegExp(`^ *(?:-\\w,? )?${escaped}(?:[ =[]{1,2}=?[\\w.|…\\]]+)?  +(\\S.*)$`, 'm').exec(help)?.[1];
  // What it is, not all that is to be said of it.
  return line?.replace(/(?:[;:(]| (?:which|whose) ).*$/, '').replace(/,? *$/, '');
}
