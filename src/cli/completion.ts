import fs from 'node:fs';
import { projectKey } from '../checkpoint/projects.ts';
import { findStore } from '../checkpoint/store.ts';
import { reasonOf } from '../checkpoint/write.ts';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { belayHome, environment, homeFolder } from '../platform/home.ts';
import { join } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import { type Call, type Command, wrongUsage } from './command.ts';
import { commands } from './commands.ts';
import { known } from './context.ts';
import { SHELLS } from './own-shell.ts';
import { shown } from './paths.ts';
import { COMMON } from './read-call.ts';
import { PART_NAMES } from './sessions/names.ts';

/**
 * `belay completion SHELL`: the code that lets TAB finish belay's words in that shell. It asks `belay completion --words …`
 * for each: a value a line, and after a tab what it is. Nothing is settled or written for that.
 */
export const completion: Command = {
  summary: 'the code that lets TAB finish the words of belay in a shell',
  usage: ['belay completion bash|zsh|fish'],
  help: `
For the start-up file, after the line that loads belay:

  bash   eval "$(belay completion bash)"
  zsh    eval "$(belay completion zsh)"       after compinit
  fish   belay completion fish | source

TAB then knows the commands, their options, and the checkpoints of this project with their reasons.`,
  raw: true,
  run: async (call) => {
    const [first, ...words] = call.words;
    if (first === '--words') {
      const found = await candidates(call, words);
      return { json: found, text: found.map(({ value, what }) => `${value}\t${what}\n`).join('') };
    }
    const shell = SHELLS.find((name) => name === first);
    if (shell === undefined || words.length > 0) throw wrongUsage('it wants the name of a shell: bash, zsh or fish');
    const code = fs.readFileSync(toBuffer(join(call.install, `shims/completion.${shell}`)), 'utf8');
    return { json: { shell, code }, text: code };
  },
};

interface Candidate {
  readonly value: string;
  readonly what: string;
}

/** What fits at the last of these words, which stand behind `belay`. */
async function candidates(call: Call, words: readonly Bytes[]): Promise<readonly Candidate[]> {
  const begun = toText(words.at(-1) ?? '');
  const fitting = (all: readonly Candidate[]): Candidate[] => all.filter(({ value }) => value.startsWith(begun));
  const names = Object.entries(commands).map(([value, { summary }]) => ({ value, what: summary }));
  const [name = '', ...rest] = words;
  if (words.length < 2) return fitting(names);
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name === 'help') return fitting(names);
  if (row === undefined) return [];
  if (begun.startsWith('-')) return fitting(optionsOf(await row.load()));
  if (rest.slice(0, -1).some((word) => !word.startsWith('-'))) return [];
  return fitting(firstWords(call, name));
}

const optionsOf = (command: Command): Candidate[] =>
  Object.keys({ ...command.options, ...COMMON })
    .map((option) => ({ value: `--${option}`, what: 'option' }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));

/** The words that may stand first behind a command's name. */
function firstWords(call: Call, name: Bytes): Candidate[] {
  const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, what: name }));
  switch (name) {
    case 'rollback':
    case 'diff':
    case 'show':
      return checkpointsHere(call);
    case 'checkpoints':
      return plain(['status', 'list', 'prune', 'clear', 'clear-legacy', 'verify', 'export', 'import']);
    case 'worktree':
      return plain(['list', 'add', 'remove', 'prune', 'restore']);
    case 'installs':
      return plain(['list', 'prepare', 'exec']);
    case 'sessions':
      return plain(PART_NAMES);
    case 'profile':
      return plain(['list', 'create', 'delete']);
    case 'init':
      return plain([...SHELLS, 'sh']);
    case 'completion':
      return plain(SHELLS);
    default:
      return [];
  }
}

function checkpointsHere({ cwd }: Call): Candidate[] {
  const env = environment();
  const home = belayHome(env);
  const store = home === undefined ? undefined : findStore(home);
  if (store === undefined || cwd === undefined) return [];
  const root = projectRoot(cwd, homeFolder(env)) ?? cwd;
  const here = known(store, [projectKey(store, root)])[0];
  return (here?.history.checkpoints ?? []).map(({ record }) => ({
    value: String(record.n),
    what: shown(reasonOf(record)),
  }));
}
