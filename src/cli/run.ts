import { toText } from '../platform/bytes.ts';
import { type Command, failed, wrongUsage } from './command.ts';
import { wantsWorktree } from './worktrees/wants.ts';

const USAGE =
  'belay run [-w [--rm]] [-C DIR] [-c [NAME] | -r ID] [--source NAME] [--sandbox] [--background] [--checkpoints|--no-checkpoints] [--] [CMD…]';

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

  -w, --worktree[=NAME]  in a new worktree and branch (\`belay worktree add\`), with its environment; the verdict is said at the end
  --rm                 takes the worktree away again where nothing would be lost (the verdict, applied)
  -C DIR               start it there
  -c, --continue [NAME]  in the session that was used last, or the one of that name (before the \`--\`): same id, next turn, its folder
  -r, --resume ID      in that session
  --source NAME        how sessions of this kind are called (default: run)
  --sandbox            also shells started by their absolute path (\`/bin/sh -c\` of node, python, make) are planned whole: the
                       command runs where /bin/sh is belay's, in a namespace of its own; refused where the kernel forbids it
  --background         prints the session's id and returns; output goes to logs/ID.log in belay's home; \`belay stop ID\` ends it
  --checkpoints        save, whatever the configuration says (\`enabled: false\`)
  --no-checkpoints     save nothing; with -c or -r it is in that session all the same`,
  raw: true,
  run: async (call) => {
    const { words } = call;
    if (wantsWorktree(words)) return (await import('./worktrees/run.ts')).runInWorktree(call);
    const own = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
    if (own.includes('--background') && own.some((word) => /^(?:-c|-r|--continue|--resume)$/.test(word)))
      throw wrongUsage('--background begins a session of its own: without -c and -r');
    if (words.includes('--background')) throw wrongUsage('--background needs a command: belay run --background -- CMD');
    const at = words.findIndex((word) => word === '--source' || word.startsWith('--source='));
    if (at >= 0)
      throw wrongUsage(
        "--source wants a name of letters, digits, '_', '.', '-'; prompt, hidden, within and wrapper are belay's own words",
      );
    if (words.includes('-C')) throw wrongUsage('-C wants a folder that is there');
    const option = words.find((word) => word.startsWith('-') && word !== '--');
    if (option !== undefined) throw wrongUsage(`unknown option ${toText(option)}`);
    throw failed('no_bash', 'bash is not in PATH: `belay run` needs it', 'Run the command itself, or install bash.');
  },
};
