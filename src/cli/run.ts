import { toText } from '../platform/bytes.ts';
import { type Command, failed, wrongUsage } from './command.ts';

const USAGE = 'belay run [--source NAME] [--checkpoints|--no-checkpoints] [--] [CMD…]';

/**
 * `belay run` itself is shims/run.bash: it becomes the program, so that status, signals, terminal and process id are the
 * program's own, and costs no start of node. What comes here is what that file does not know.
 */
export const run: Command = {
  summary: 'run a command, an agent or a shell protected',
  usage: [USAGE],
  help: `The command runs in a session and turn of its own, and the turn ends with it. \`sh -c TEXT\` (bash, zsh, fish too) is
saved whole before its first redirection; before a program that nobody can read, the project is captured.
Without CMD: a protected shell.

  --source NAME        how sessions of this kind are called (default: run)
  --checkpoints        save also where the configuration says \`enabled: false\`
  --no-checkpoints     save nothing`,
  raw: true,
  run: ({ words }) => {
    const option = words.find((word) => word.startsWith('-') && word !== '--');
    if (option !== undefined) throw wrongUsage(`unknown option ${toText(option)}`);
    throw failed('no_bash', 'bash is not in PATH: `belay run` needs it', 'Run the command itself, or install bash.');
  },
};
