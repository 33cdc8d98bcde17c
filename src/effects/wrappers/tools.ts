import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { parseWords } from '../options.ts';
import { type Row, textOfArg, type Use } from '../row.ts';
import { afterDashes, runs, runsText, same, stops } from './run.ts';

const known = (text: Bytes): Arg => ({ kind: 'known', text });

/** The program need not be on the PATH: it is fetched, or lies in an environment of its own. */
function brings(use: Use, program: Arg | undefined): void {
  if (program?.kind === 'known') use.out.memory.set(`brought ${program.text}`, true);
}

const RUN_OPTIONS =
  'w,worktree=? rm C= c,continue r,resume= source= sandbox background checkpoints no-checkpoints title= help';

/** belay's own restores save what they replace, as turns of their own: only what it runs for somebody is the line's. */
function runByBelay(use: Use): void {
  const [command, ...rest] = use.words.operands;
  const words = [command, rest[0]].map((arg) => textOfArg(arg) ?? '?').join(' ');
  if (/^(?:\?|retry|worktree add|worktree \?|installs prepare|installs \?)/.test(words) && command !== undefined)
    use.out.opaque(use.verb, use.call.cwd);
  const nested = textOfArg(command) === 'installs' && textOfArg(rest[0]) === 'exec' ? rest.slice(1) : undefined;
  const given = textOfArg(command) === 'run' ? rest : nested;
  if (given === undefined) return;
  const { operands } = parseWords(given, RUN_OPTIONS, { ...stops, env: use.call.env });
  if (operands.length > 0) use.call.run(operands);
}

/** Programs of a language or tool box that find another program and run it. */
export const toolRunners: readonly Row[] = [
  {
    names: 'npx bunx pnpx uvx pipx',
    manual: 'npx(1)',
    loses: same,
    options: 'y,yes no package,p= call,c= q,quiet w,workspace= ws from= with= python= spec= help h',
    grammar: stops,
    does: [
      (use) => {
        const text = use.words.value('call');
        const argv = use.words.operands.slice(
          use.verb === 'pipx' && textOfArg(use.words.operands[0]) === 'run' ? 1 : 0,
        );
        if (text) runsText(use, [text]);
        else if (argv.length > 0) {
          const plain = argv.map((arg, at) =>
            at === 0 && arg.kind === 'known' ? known(arg.text.replace(/(?<=.)@[^/]*$/, '')) : arg,
          );
          brings(use, plain[0]);
          use.call.run(plain);
        }
      },
    ],
  },
  {
    names: 'zargs',
    manual: 'zshcontrib(1)',
    loses: 'what the command behind the last `--` loses',
    options: '',
    grammar: stops,
    does: [
      ({ call }) => {
        const args = call.argv.slice(1);
        const marks = args.flatMap((arg, at) => (textOfArg(arg) === '--' ? [at] : []));
        const last = marks.at(-1);
        if (last === undefined || last === args.length - 1) return;
        const first = marks.length > 1 ? (marks[0] ?? 0) + 1 : 0;
        call.run([...args.slice(last + 1), ...args.slice(first, last)]);
      },
    ],
  },
  {
    names: 'belay',
    manual: 'belay(1)',
    loses: 'what the command of `run` or `installs exec` loses; what its restores replace is saved by them',
    options: 'C= p,profile= y,yes json help version',
    grammar: stops,
    does: [runByBelay],
  },
  {
    names: 'direnv',
    manual: 'direnv(1)',
    loses: same,
    options: 'help',
    grammar: stops,
    does: [
      (use) => {
        if (textOfArg(use.words.operands[0]) === 'exec') runs(2)(use);
      },
    ],
  },
  {
    names: 'busybox toybox',
    manual: 'busybox(1)',
    loses: 'what the applet loses',
    options: 'help list list-full install',
    grammar: stops,
    idle: 'help list list-full',
    does: [runs()],
  },
  {
    names:
      'mise asdf rtx nix nix-shell conda mamba micromamba dotenv doppler op aws-vault infisical vault chamber sops rr',
    manual: 'each program’s own',
    loses: 'what the command after `--` loses',
    options: 'help',
    does: [afterDashes],
  },
  {
    names: 'poetry pipenv uv bundle hatch pdm rye rbenv pyenv',
    manual: 'each program’s own',
    loses: 'what the command of `run` or `exec` loses',
    options: 'help version C,directory= project=',
    grammar: stops,
    does: [
      (use) => {
        const first = textOfArg(use.words.operands[0]);
        if (first === 'run' || first === 'exec') {
          const rest = parseWords(
            use.words.operands.slice(1),
            'with= python= p= extra= group= package= isolated no-sync',
            stops,
          ).operands;
          brings(use, rest[0]);
          if (rest.length > 0) use.call.run(rest);
        } else use.out.opaque(use.verb, use.call.cwd);
      },
    ],
  },
];
