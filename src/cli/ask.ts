import { createInterface } from 'node:readline/promises';
import { type Call, refused } from './command.ts';

/** A question with yes or no; without a terminal to answer it, it is a no. */
export async function ask(question: string): Promise<boolean> {
  if (!isTerminal()) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

/** A question that `--yes` answers; without a terminal an unanswered question refuses. */
export async function confirm(call: Call, question: string): Promise<void> {
  if (call.yes) return;
  if (!isAnswerable(call))
    throw refused('not_answered', `${question} Nobody is there to answer`, 'With --yes it is done without a question.');
  if (!(await ask(question))) throw refused('not_confirmed', 'nothing was changed');
}

/** Somebody is there who can be asked. */
export const isAnswerable = (call: Call): boolean => isTerminal() && !call.json;

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;
