import { isUtf8 } from 'node:buffer';
import os from 'node:os';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { lookThrough } from '../platform/files.ts';
import { isInside, join } from '../platform/paths.ts';
import { alone } from './alone.ts';
import { confirm } from './ask.ts';
import { type Command, refused } from './command.ts';
import { commands } from './commands.ts';
import { openContext } from './context.ts';
import { shown } from './paths.ts';
import { answerOf } from './restored.ts';
import { carryOut } from './restoring.ts';
import { lineTitle } from './title.ts';
import { wishUndo } from './undo.ts';

export const retry: Command = {
  summary: "undo, then this session's newest line again",
  usage: ['belay retry [--all] [--turn T] [--session ID] [--yes]'],
  help: `
Takes the turn back, as undo does, and runs the same command line again, in the same folder and with the same shell. Asks before.`,
  words: 0,
  options: {
    all: { type: 'boolean' },
    turn: { type: 'string' },
    session: { type: 'string' },
    force: { type: 'boolean' },
  },
  run: async (call) => {
    const context = await openContext(call);
    const { turn } = wishUndo(context, call);
    const record = turn.events[0]?.record;
    if (record === undefined) throw new Error('a turn without an event');
    if (record.kind !== 'turn' || record.hidden || record.line === '')
      throw refused(
        'line_unknown',
        'this line was hidden from history: only its verbs are known',
        'belay undo takes it back.',
      );
    if (record.line.includes('***'))
      throw refused(
        'line_masked',
        'a secret in this line was masked: it cannot be run again',
        'belay undo takes it back.',
      );
    if (!isUtf8(toBuffer(record.line)) || !isUtf8(toBuffer(record.cwd)))
      throw refused(
        'line_not_text',
        'this line, or the name of its folder, is not UTF-8: it cannot be run again as it was',
        'belay undo takes it back.',
      );
    if (!SHELL.test(record.shell))
      throw refused('line_unknown', 'the shell of this line is not known', 'belay undo takes it back.');
    if (lookThrough(record.cwd)?.type !== 'folder' && !isInside(context.cwd, record.cwd))
      throw refused('no_folder', `its folder ${shown(record.cwd)} is gone`);
    await confirm(call, `Undo and run again: ${lineTitle(record.line)} ?`);
    const undone = await alone(context, call, () => {
      const now = wishUndo(context, call);
      if (now.turn.id !== turn.id) throw refused('later_turn', 'another line has come meanwhile', 'Run it again.');
      const wish = { ...now.wish, line: 'belay retry' };
      return answerOf(context, wish, carryOut(context, { ...call, yes: true }, wish, false));
    });
    if (!call.json) process.stdout.write(`${undone.text}\n$ ${shown(record.line)}\n`);
    const status = await runAgain(call.install, record.shell, record.line, record.cwd);
    if (!call.json) return status;
    return { json: { ...(undone.json as object), line: toText(record.line), status }, text: '', exit: status };
  },
};

/** As it was run: the shell of the turn, its folder; under `belay run`, so that it is protected again. */
async function runAgain(install: Bytes, shell: string, line: Bytes, cwd: Bytes): Promise<number> {
  const words = shellCall(shell, toText(line)) ?? [shell, '-c', toText(line)];
  const all = Object.hasOwn(commands, 'run') ? [toText(join(install, 'bin/belay')), 'run', '--', ...words] : words;
  const { execa } = await import('execa');
  const run = execa(all[0] ?? shell, all.slice(1), { cwd: toText(cwd), stdio: 'inherit', reject: false });
  // What the terminal sends reaches the line by itself: its status is then the answer.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => undefined);
  const { exitCode, signal } = await run;
  return exitCode ?? (signal ? 128 + os.constants.signals[signal] : 127);
}

const SHELL = /^(bash|zsh|fish|sh|dash)$/;

/**
 * The words of `bash -c TEXT`, as a retry has run it before and `belay run` has recorded it: it is not wrapped once more. Only what
 * bash's `printf %q` writes is taken apart, where nothing but a backslash quotes; every other line goes to its shell as it is.
 */
function shellCall(shell: string, line: string): string[] | undefined {
  const text =
    shell === 'bash' ? /^(?:bash|zsh|fish|sh|dash) -c ((?:[A-Za-z0-9_@%+:./-]|\\[^\n])+)$/.exec(line)?.[1] : undefined;
  return text === undefined ? undefined : [line.slice(0, line.indexOf(' ')), '-c', text.replace(/\\([^\n])/g, '$1')];
}
