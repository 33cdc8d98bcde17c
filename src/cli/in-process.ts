import type { Bytes } from '../platform/bytes.ts';
import type { Failure } from './command.ts';
import { asFailure, failureDocument } from './failure.ts';
import { answerTo } from './main.ts';

/** What a command said in its document, or why it did not do what was asked. */
export interface Document {
  readonly document: unknown;
  /** The exit status that the command would have had. */
  readonly exit: number;
  /** It was refused or could not be done; a restore that could not bring back everything was done. */
  readonly failed: boolean;
  readonly failure?: Failure;
}

/** The command of that name, in this process: the same refusals, the same grants (permission.ts), the same documents (docs/json.md). */
export async function documentOf(words: readonly Bytes[]): Promise<Document> {
  try {
    const answer = await answerTo(words);
    if (typeof answer === 'number') return { document: { exit: answer }, exit: answer, failed: false };
    return { document: answer.json, exit: answer.exit ?? 0, failed: false };
  } catch (error) {
    const failure = asFailure(error);
    return { document: await failureDocument(failure), exit: failure.exit, failed: true, failure };
  }
}

/** One after the other: a restore beside another one would only be refused. */
export function inTurn<A, T>(work: (asked: A) => Promise<T>): (asked: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (asked) => {
    const done = last.then(() => work(asked));
    last = done.catch(() => undefined); // whoever asked has the failure
    return done;
  };
}
