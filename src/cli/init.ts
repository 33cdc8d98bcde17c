import { spawnSync } from 'node:child_process';
import { toText } from '../platform/bytes.ts';
import { type Command, wrongUsage } from './command.ts';

const USAGE = 'belay init bash|zsh|fish|sh [--print-env]';

/** The launcher answers `init` from shims/init.sh, without node; what comes here is `-h`, or a launcher that was bypassed. */
export const init: Command = {
  summary: 'the line for a start-up file: eval "$(belay init bash)"',
  usage: [USAGE],
  help: `Prints the code that protects an interactive shell: \`eval "$(belay init bash)"\`, \`belay init fish | source\`.
\`sh\` has no hook: it gets the wrappers in PATH.

  --print-env          the environment that protects shells which are not interactive, one KEY=VALUE a line`,
  raw: true,
  run: ({ words, install }) => {
    const done = spawnSync(
      'sh',
      ['-c', 'root=$1; shift; . "$root/shims/init.sh"; belay_init "$@"', 'sh', toText(install), ...words.map(toText)],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    if (done.status === 2) throw wrongUsage('it wants the name of a shell');
    return done.status ?? 1;
  },
};
