import { createInterface } from 'node:readline/promises';
import { type Call, refused } from './command.ts';

/** A question that `--yes` answers; without a terminal an unanswered question refuses (DESIGN: command line). */
export async function ask(call: Call, question: string): Promise<void> {
  if (call.yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY || call.json)
    throw refused('not_answered', `${question} Nobody is there to answer`, 'With --yes it is done without a question.');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await reader.question(`${question} [y/N] `)).trim().toLowerCase();
    if (answer !== 'y' && answer !== 'yes') throw refused('not_confirmed', 'nothing was changed');
  } finally {
    reader.close();
  }
}
