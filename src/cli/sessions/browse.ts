import { stripVTControlCharacters } from 'node:util';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookThrough, realAsFar, realPath } from '../../platform/files.ts';
import { readStory } from '../../sessions/find.ts';
import { cannotGrow, NoIndex, withIndex } from '../../sessions/index/open.ts';
import { readQuestion } from '../../sessions/index/question.ts';
import type { SessionRow } from '../../sessions/index/rows.ts';
import { sessionsWith } from '../../sessions/index/search.ts';
import type { TurnStory } from '../../sessions/story.ts';
import { type Answer, type Call, Failure } from '../command.ts';
import { asWord } from '../paths.ts';
import { differenceOf } from '../pick-checkpoint.ts';
import { canPick, choose } from '../picker/picker.ts';
import type { Meaning } from '../picker/screen.ts';
import type { Choice, PickerState } from '../picker/state.ts';
import { rollbackAsked } from '../rollback.ts';
import { ago, count, localTime, padRight, styleFor } from '../style.ts';
import { lineTitle } from '../title.ts';
import { type Asked, numberOf, rowsOf, sessionOf } from './asked.ts';
import { filterOf, listSessions, nameOf } from './list.ts';
import { changedSomething, isInSeveral, showSession, turnLines } from './show.ts';

/** So many sessions are offered, the newest first; `belay sessions search` is over all. */
const MOST = 1000;

const SESSIONS: Meaning = { enter: ['its turns', 'the turns of the session, one by one'] };
const TURNS: Meaning = {
  enter: ['restore', 'back to before the checkpoint of the turn: a summary, then a question'],
  back: 'back to the sessions',
};

/** `browse [ID]`: session by session, turn by turn, what each changed, and from there back to before it. Elsewhere it is the list. */
export async function browseSessions(asked: Asked): Promise<Answer | number> {
  const [word] = asked.words;
  if (!canPick(asked.call)) return word === undefined ? listSessions(asked) : showSession(asked);
  if (word !== undefined) {
    const done = await browseTurns(asked, sessionOf(asked, word));
    return isBack(done) ? 0 : done;
  }
  const { rows } = await rowsOf(asked, { ...filterOf(asked.call), limit: numberOf(asked.call, 'limit', MOST) });
  if (rows.length === 0) return listSessions(asked);
  let from: { readonly from?: PickerState; readonly ahead?: readonly string[] } = {};
  for (;;) {
    const picked = await choose({
      title: count(rows.length, 'session'),
      choices: rows.map(choiceOf),
      preview: async (n) => plain(showSession({ ...asked, words: [rows[n]?.session ?? ''] }).text),
      meaning: SESSIONS,
      beyond: (word) => numbersWith(asked, word, rows),
      ...from,
    });
    if (picked.is === 'left') return 0;
    const done = await browseTurns(asked, rows[picked.n]?.session ?? '', picked.ahead);
    if (!isBack(done)) return done;
    from = { from: picked.state, ahead: done.ahead };
  }
}

/** So short a word is in nearly everything. */
const SHORTEST = 3;

/** The rows of the sessions in which a word begins so that was typed, asked or written there, as the index has them. */
async function numbersWith(asked: Asked, word: string, rows: readonly SessionRow[]): Promise<ReadonlySet<number>> {
  const question = readQuestion(`"${word.replaceAll('"', ' ')}"*`);
  if (question.is === 'wrong' || [...word].length < SHORTEST) return new Set();
  try {
    const found = await withIndex(asked.home, asked.env, (db) => sessionsWith(db, question, { limit: MOST }));
    return new Set(rows.flatMap(({ session }, n) => (found.has(session) ? [n] : [])));
  } catch (error) {
    if (!(error instanceof NoIndex || cannotGrow(error))) throw error;
    return new Set(); // told from the records: what is shown is what is searched
  }
}

function choiceOf(row: SessionRow, n: number): Choice {
  const files = row.files > 0 ? `, ${count(row.files, 'file')}` : '';
  const cells = [padRight(ago(row.last, Date.now()), 8), padRight(row.source ?? '?', 6), nameOf(row)];
  return {
    n,
    text: `${cells.join('  ')}  (${count(row.turns, 'turn')}${files})`,
    more: [row.session, row.cwd, row.preview].join(' '),
  };
}

/** One turn, and of one that made checkpoints in several projects one for each. */
interface Step {
  readonly turn: TurnStory;
  readonly checkpoint: { readonly n: number; readonly root: Bytes } | undefined;
}

/** Back to the sessions, with what was typed for them. */
interface Back {
  readonly ahead: readonly string[];
}

const isBack = (done: Answer | number | Back): done is Back => typeof done === 'object' && 'ahead' in done;

async function browseTurns(
  asked: Asked,
  session: string,
  ahead: readonly string[] = [],
): Promise<Answer | number | Back> {
  const story = readStory(asked.home, session);
  const steps = story.turns.flatMap(stepsOf).reverse();
  const several = isInSeveral(story);
  for (let from: PickerState | undefined; ; ) {
    const picked = await choose({
      title: `${session}  ${count(steps.length, 'turn')}, the newest first`,
      choices: steps.map(stepChoice),
      preview: (n) => previewOf(asked.call, steps[n], several),
      meaning: TURNS,
      ...(from === undefined ? { ahead } : { from }),
    });
    if (picked.is === 'left') return picked.back ? { ahead: picked.ahead } : 0;
    const checkpoint = steps[picked.n]?.checkpoint;
    if (checkpoint === undefined) return 0;
    try {
      return await rollbackAsked(callAt(asked.call, checkpoint.root), checkpoint.n);
    } catch (error) {
      // A no is to this one: the turns are there again.
      if (!(error instanceof Failure && error.code === 'not_confirmed')) throw withLine(error, checkpoint);
      from = picked.state;
    }
  }
}

/** A hint at an option is of no use where none can be given: the line to copy, which has it. */
export function withLine(error: unknown, { n, root }: { readonly n: number; readonly root: Bytes }): unknown {
  const option = error instanceof Failure ? /(?<= )--(?:force|all)\b/.exec(error.hint ?? '') : null;
  if (!(error instanceof Failure) || option === null) return error;
  const line = `belay rollback ${n} -C ${asWord(root)} ${option[0]}`;
  return new Failure(error.exit, error.code, error.message, `${error.hint}\nThat is: ${line}`, error.more);
}

function stepsOf(turn: TurnStory): Step[] {
  const made = turn.checkpoints.filter(changedSomething);
  return made.length === 0 ? [{ turn, checkpoint: undefined }] : made.map((checkpoint) => ({ turn, checkpoint }));
}

function stepChoice({ turn, checkpoint }: Step, n: number): Choice {
  const line = lineTitle(turn.label ?? turn.commands[0]?.line ?? '');
  // Before the line, whose end a narrow terminal does not show.
  const made = checkpoint === undefined ? '' : `checkpoint ${checkpoint.n}  `;
  const text = `${turn.turn.padStart(4)}  ${localTime(turn.started)}  ${turn.undone ? 'undone  ' : ''}${made}${line}`;
  const more = turn.commands.map((one) => toText(one.line)).join(' ');
  return { n, text, more, idle: checkpoint === undefined };
}

async function previewOf(call: Call, step: Step | undefined, several: boolean): Promise<readonly string[]> {
  if (step === undefined) return [];
  const said = plain(turnLines(step.turn, styleFor(process.stdout), several).join('\n'));
  if (step.checkpoint === undefined) return [...said, '', 'It changed nothing that belay has a checkpoint of.'];
  const { n, root } = step.checkpoint;
  return [...said, '', ...(await differenceOf(callAt(call, root), n))];
}

/** As if it were called in the project, without the options of `sessions`. */
const callAt = (call: Call, root: Bytes): Call => ({
  ...call,
  cwd: lookThrough(root)?.type === 'folder' ? realPath(root) : realAsFar(root),
  values: {},
});

const plain = (text: string): string[] => stripVTControlCharacters(text).split('\n');
