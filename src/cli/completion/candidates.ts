import { type Bytes, toText } from '../../platform/bytes.ts';
import { LEVELS } from '../../platform/log.ts';
import type { Call, Command } from '../command.ts';
import { commands } from '../commands.ts';
import { SHELLS } from '../own-shell.ts';
import type { PART_NAMES } from '../sessions/names.ts';
import { type Candidate, optionsOf } from './described.ts';
import {
  agents,
  archived,
  checkpointsHere,
  pathsOf,
  profiles,
  sessions,
  settingNames,
  valuesOf,
  worktrees,
} from './values.ts';

/** What fits at the last of these words, which stand behind `belay`. */
export async function candidates(call: Call, words: readonly Bytes[]): Promise<readonly Candidate[]> {
  const begun = bare(toText(words.at(-1) ?? ''));
  const fitting = (all: readonly Candidate[]): Candidate[] => all.filter(({ value }) => value.startsWith(begun));
  const given = words.slice(0, -1);
  while (/^(?:-p|--profile|-C|--directory)$/.test(given[0] ?? '')) {
    if (given.length === 1) return given[0]?.includes('p') === true ? fitting(profiles()) : [];
    given.splice(0, 2);
  }
  const [name, ...before] = given;
  if (name === undefined || name === 'help') return fitting(names());
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (row === undefined) return [];
  const command = await row.load();
  const asked = { call, command, name, begun, words: positionals(command, before).map(toText) };
  const option = before.at(-1) ?? '';
  // What stands behind them is another program's.
  if (name === 'run' && (before.includes('--') || asked.words.length > 0)) return [];
  if (option === '-p' || option === '--profile') return fitting(profiles());
  if (wantsValue(command, option)) return fitting(optionValues(asked, toText(option)));
  if (begun.startsWith('-')) return fitting(optionsOf(command));
  return fitting(wordsFor(asked));
}

/** As the shells hand it over, a word that is begun in quotes has them. */
const bare = (word: string): string => word.replace(/^["']/, '').replace(/\\(.)/g, '$1');

const names = (): Candidate[] => Object.entries(commands).map(([value, { summary }]) => ({ value, what: summary }));

interface Asked {
  readonly call: Call;
  readonly command: Command;
  readonly name: string;
  readonly begun: string;
  /** Behind the command's name, without options. */
  readonly words: readonly string[];
}

const SHORT: Readonly<Record<string, string>> = { '-C': '--directory', '-r': '--resume', '-c': '--continue' };

function wantsValue(command: Command, word: Bytes): boolean {
  if (['-C', '--color', '--directory', '-p', '--profile'].includes(word)) return true;
  if (command.raw) return ['-r', '--resume', '-c', '--continue', '--source'].includes(word);
  return optionsOf(command).some(({ value, wantsValue: wants }) => wants && value === word);
}

function positionals(command: Command, before: readonly Bytes[]): Bytes[] {
  return before.filter((word, i) => !word.startsWith('-') && !wantsValue(command, before[i - 1] ?? ''));
}

function optionValues({ call, begun, words, name }: Asked, option: string): Candidate[] {
  const plain = (values: readonly string[], what: string): Candidate[] => values.map((value) => ({ value, what }));
  switch (SHORT[option] ?? option) {
    case '--color':
      return plain(['always', 'never', 'auto'], 'colour');
    case '--session':
    case '--in':
    case '--read':
    case '--resume':
    case '--continue':
      return sessions(begun);
    case '--path':
      return pathsOf(words[0] ?? 'last', call.cwd);
    case '--level':
      return plain(LEVELS, 'this grave or graver');
    case '--sort':
      return plain(['path', 'size', 'touch', 'checkpoints'], 'in this order');
    case '--state':
      return plain(['live', 'orphan', 'unreachable'], 'only those');
    case '--shell':
      return plain([...SHELLS, 'sh'], 'shell');
    default:
      return name === 'handoff' ? agents() : [];
  }
}

/** Parts of commands, and what may stand behind each. */
function wordsFor({ call, name, begun, words }: Asked): readonly Candidate[] {
  const own = PARTS[name];
  const [first, second] = words;
  if (own !== undefined && first === undefined) return own;
  switch (`${name} ${own === undefined ? '' : first}`.trim()) {
    case 'rollback':
      return first === undefined ? checkpointsHere(call.cwd) : pathsOf(first, call.cwd);
    case 'diff':
    case 'show':
    case 'undo':
      return first === undefined ? checkpointsHere(call.cwd) : [];
    case 'checkpoints export':
      return checkpointsHere(call.cwd);
    case 'worktree remove':
      return second === undefined ? worktrees(call.cwd) : [];
    case 'worktree restore':
      return second === undefined ? archived() : [];
    case 'sessions show':
    case 'sessions brief':
    case 'sessions rename':
    case 'sessions compact':
      return second === undefined ? sessions(begun) : [];
    case 'sessions delete':
      return sessions(begun);
    case 'sessions export':
      return second === undefined ? [] : sessions(begun);
    case 'resume':
    case 'compact':
      return first === undefined ? sessions(begun) : [];
    case 'agent install':
    case 'agent remove':
    case 'agent status':
      return second === undefined ? agents() : [];
    case 'hook':
      return first === undefined ? agents() : [];
    case 'config get':
    case 'config unset':
      return second === undefined ? settingNames() : [];
    case 'config set':
      return second === undefined ? settingNames() : words.length === 2 ? valuesOf(second) : [];
    case 'profile delete':
      return second === undefined ? profiles() : [];
    case 'init':
      return first === undefined ? shells([...SHELLS, 'sh']) : [];
    case 'completion':
      return first === undefined ? shells(SHELLS) : [];
    default:
      return [];
  }
}

const shells = (all: readonly string[]): Candidate[] => all.map((value) => ({ value, what: `for ${value}` }));

/** The parts of a command, where its help does not say it in so few words what each does. */
const PARTS: Readonly<Record<string, readonly Candidate[]>> = {
  checkpoints: parts({
    status: 'what the store takes, project by project',
    list: 'the same',
    prune: 'lets go what is too old, too many or too large',
    clear: 'lets every checkpoint of projects go',
    'clear-legacy': 'deletes stores of an older layout',
    verify: 'whether everything is there; --repair mends it',
    export: 'checkpoints into one file',
    import: 'takes in such a file',
  }),
  worktree: parts({
    list: 'every worktree, and whether it can go',
    add: 'a new worktree, with a branch of its own',
    remove: 'one that has nothing to lose',
    prune: 'those that are old and have nothing to lose',
    restore: 'one that prune or remove has archived',
  }),
  installs: parts({
    list: 'the environments of this checkout',
    prepare: 'makes one for what the checkout asks for now',
    exec: 'runs a command in it',
  }),
  sessions: parts({
    list: 'the newest first',
    browse: 'choose a session and a turn on the screen',
    show: 'what was typed in one, and what it changed',
    search: 'finds words in all of them',
    export: 'sessions into a file',
    import: 'takes in such a file',
    stats: 'how many, how large, of what kind',
    brief: 'what one has to know to go on in it',
    rename: 'gives it another title',
    delete: 'its record alone: what was saved stays',
    prune: 'deletes old records, after a question',
    compact: 'goes on as one that begins with a summary',
    reindex: 'makes the index of the search anew',
  } satisfies Record<(typeof PART_NAMES)[number], string>),
  profile: parts({ list: 'the profiles', create: 'a new one', delete: 'one, with all that is kept in it' }),
  agent: parts({
    install: 'puts belay into its configuration',
    remove: 'takes it out again',
    status: 'where belay is installed',
  }),
  config: parts({
    get: 'what counts, defaults included',
    set: 'writes one setting',
    unset: 'its default counts again',
    edit: 'the file, in your editor',
    check: 'what is wrong in it',
    path: 'where the file lies',
    schema: 'a JSON Schema for editors',
  }),
  turn: parts({ begin: 'prints the environment of a new turn', end: 'files what the turn did' }),
};

function parts(said: Readonly<Record<string, string>>): readonly Candidate[] {
  return Object.entries(said).map(([value, what]) => ({ value, what }));
}
