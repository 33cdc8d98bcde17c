import { projects } from '../../checkpoint/projects.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { type Call, Failure, notThere, wrongUsage } from '../command.ts';
import { openContext } from '../context.ts';
import { documentOf, inTurn } from '../in-process.ts';
import type { RestoreWish } from './documents.ts';
import { carryOutWish, IS_ID, readWish } from './restore.ts';
import type { Answers } from './server.ts';
import { storeUse } from './store-use.ts';
import { Timelines } from './timeline.ts';

type Question = (call: Call, words: URLSearchParams) => Promise<unknown>;

/** What the page may ask, one after the other: the documents of the commands themselves, and two of its own. */
export function answersFor(call: Call): Answers {
  const timelines = new Timelines();
  const questions: Readonly<Record<string, Question>> = {
    timeline: async (_, words) =>
      timelines.tell(await openContext(call), {
        since: words.get('since') ?? '',
        from: wholeNumber(words, 'from', 0),
        count: Math.min(wholeNumber(words, 'count', 200), 2000),
      }),
    show: (_, words) => ofCheckpoint(call, 'show', words),
    diff: (_, words) => ofCheckpoint(call, 'diff', words),
    'store/use': async () => storeUse(await openContext(call)),
    'store/status': () => told(['checkpoints', 'status', '--json']),
    worktrees: async (_, words) => worktreesOf(await rootOf(call, words.get('key') ?? '')),
  };
  const oneByOne = inTurn((work: () => Promise<unknown>) => work());
  return {
    question: (name, words) => {
      const found = Object.hasOwn(questions, name) ? questions[name] : undefined;
      return found && oneByOne(() => found(call, words));
    },
    order: (name, given) => (name === 'restore' ? oneByOne(() => restored(call, readWish(given))) : undefined),
  };
}

const restored = async (call: Call, wish: RestoreWish): Promise<unknown> =>
  carryOutWish(wish, await rootOf(call, wish.key), told);

/** The document of a command; what it refuses is thrown as it would be told. */
async function told<T extends object>(words: readonly Bytes[]): Promise<T & { readonly exit: number }> {
  const { document, exit, failure } = await documentOf(words);
  if (failure !== undefined) throw failure;
  return { ...(document as T), exit };
}

/** A project without git has none. */
async function worktreesOf(root: Bytes): Promise<unknown> {
  try {
    return await told(['-C', root, 'worktree', 'list', '--json']);
  } catch (error) {
    if (error instanceof Failure && error.code === 'no_repository') return { worktrees: [] };
    throw error;
  }
}

/** `show` or `diff` of a checkpoint, with its lines; `path`: of one file alone, however long; its bytes in base64. */
async function ofCheckpoint(call: Call, command: 'show' | 'diff', words: URLSearchParams): Promise<unknown> {
  const id = words.get('id') ?? '';
  if (!IS_ID.test(id)) throw wrongUsage('id is the whole id of a checkpoint');
  const path = words.get('path');
  const only = path === null ? [] : ['--path', `:(literal)${Buffer.from(path, 'base64').toString('latin1')}`];
  return told(['-C', await rootOf(call, words.get('key') ?? ''), command, '--json', '--patch', ...only, '--', id]);
}

function wholeNumber(words: URLSearchParams, name: string, byDefault: number): number {
  const given = words.get(name);
  const value = given === null ? byDefault : Number(given);
  if (!Number.isSafeInteger(value) || value < 0) throw wrongUsage(`${name} is a whole number`);
  return value;
}

/** Where the project of that key lies. The page names projects by key alone: a path is never taken from it. */
async function rootOf(call: Call, key: string): Promise<Bytes> {
  const { store } = await openContext(call);
  const found = store && projects(store).find((project) => project.key === key);
  if (found === undefined) throw notThere('no_checkpoint', `belay keeps nothing of a project ${key.slice(0, 32)}`);
  return found.workdir;
}
