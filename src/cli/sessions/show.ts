import { toText } from '../../platform/bytes.ts';
import { keptOf } from '../../sessions/environment/kept.ts';
import { readStory } from '../../sessions/find.ts';
import type { Story, TurnStory } from '../../sessions/story.ts';
import { titleFor } from '../../sessions/titles.ts';
import type { CheckpointEvent } from '../../turns/journal-events.ts';
import type { Answer } from '../command.ts';
import { pathKeys, shown } from '../paths.ts';
import { count, localTime, styleFor } from '../style.ts';
import { lineTitle } from '../title.ts';
import { type Asked, sessionOf } from './asked.ts';

/** `belay sessions show ID`: turn by turn, from the record itself. */
export function showSession(asked: Asked): Answer {
  const session = sessionOf(asked, asked.words[0]);
  const story = readStory(asked.home, session);
  const kept = keptOf(asked.home, session);
  const environment = kept === undefined ? null : { names: [...kept.set.keys()].map(toText), left_out: kept.leftOut };
  return { json: { ...documentOf(session, story), environment }, text: asText(session, story), page: true };
}

const time = (ms: number): string => new Date(ms).toISOString();

export const documentOf = (session: string, story: Story): Record<string, unknown> => ({
  id: session,
  title: story.title === undefined ? (titleFor(story) ?? null) : toText(story.title),
  source: story.source ?? null,
  shell: story.beginning?.shell ?? null,
  model: story.model === undefined ? null : toText(story.model),
  ...(story.system === undefined ? {} : { system: toText(story.system) }),
  ...(story.config === undefined ? {} : { config: toText(story.config) }),
  ...(story.beginning === undefined ? {} : { cwd: pathKeys(story.beginning.cwd).path }),
  parent: story.beginning?.parent ?? null,
  after: story.beginning?.after ?? null,
  started: time(story.started),
  last: time(story.last),
  ended: story.ended,
  handed_to: story.handedTo ?? null,
  compacted_into: story.compactedInto ?? null,
  events: story.events,
  turns: story.turns.map((turn) => ({
    turn: turn.turn,
    label: turn.label === undefined ? null : toText(turn.label),
    started: time(turn.started),
    state: turn.state ?? null,
    undone: turn.undone,
    commands: turn.commands.map(({ line, cwd, t, exit, ms }) => ({
      line: toText(line),
      cwd: toText(cwd),
      started: time(t),
      exit: exit ?? null,
      ms: ms ?? null,
    })),
    writes: turn.writes.map(({ path, oid }) => ({ ...pathKeys(path), oid: oid ?? null })),
    messages: turn.messages.map(({ role, text, tools, tokens }) => ({
      role: toText(role),
      text: toText(text),
      ...(tools === undefined ? {} : { tools: tools.map(toText) }),
      ...(tokens === undefined ? {} : { tokens }),
    })),
    checkpoints: turn.checkpoints.map(({ n, root, verbs, files, bytes }) => ({
      n,
      root: toText(root),
      verbs: verbs.map(toText),
      files,
      bytes,
    })),
  })),
});

function asText(session: string, story: Story): string {
  const style = styleFor(process.stdout);
  const title = story.title === undefined ? titleFor(story) : toText(story.title);
  const { beginning } = story;
  const head = [
    style.bold(title ?? '(nothing typed)'),
    `${session}  ${story.source ?? '?'}${beginning?.shell ? `, ${toText(beginning.shell)}` : ''}${story.model === undefined ? '' : `, ${shown(story.model)}`}, ${localTime(story.started)} to ${localTime(story.last).slice(11)}, ${count(story.turns.length, 'turn')}`,
    ...(beginning === undefined ? [] : [`in ${shown(beginning.cwd)}`]),
    ...(beginning?.after === undefined ? [] : [`goes on from ${beginning.after}`]),
    ...(story.compactedInto === undefined ? [] : [`goes on, compressed, as ${story.compactedInto}`]),
    ...(story.handedTo === undefined ? [] : [`handed to ${story.handedTo}`]),
  ];
  const several = isInSeveral(story);
  const rest = leavesOut(story)
    ? ['', style.dim("Numbers that are left out: belay's own lines, and lines hidden from the history.")]
    : [];
  return `${[...head, '', ...story.turns.flatMap((turn) => turnLines(turn, style, several)), ...rest].join('\n')}\n`;
}

export function turnLines(turn: TurnStory, style: ReturnType<typeof styleFor>, several: boolean): string[] {
  const marks = [
    ...(turn.undone ? [style.red('undone')] : []),
    ...(turn.state === undefined || turn.state === 'done' ? [] : [turn.state]),
  ];
  const name = `${style.bold(turn.turn)}  ${style.dim(localTime(turn.started).slice(11))}`;
  const made = checkpointsOf(turn, several);
  const [only, ...more] = turn.commands;
  // A person's turn is its line.
  if (turn.label === undefined && more.length === 0 && only !== undefined)
    return [`${name}  $ ${[lineTitle(only.line), ...after(only), ...made, ...marks].join('  ')}`];
  return [
    `${name}  ${[turn.label === undefined ? '' : lineTitle(turn.label), ...made, ...marks].join('  ')}`.trimEnd(),
    ...turn.messages
      .filter(({ role, text }) => role === 'assistant' && text !== '')
      .map(({ text }) => `     ${lineTitle(text.replace(/\s+/g, ' '))}`),
    ...turn.commands.map((one) => `     $ ${[lineTitle(one.line), ...after(one)].join('  ')}`),
    ...turn.writes.map(({ path }) => `     wrote ${shown(path)}`),
  ];
}

const after = ({ exit, ms }: { readonly exit?: number; readonly ms?: number }): string[] => [
  ...(exit === undefined || exit === 0 ? [] : [`exit ${exit}`]),
  ...(ms === undefined || ms < 1000 ? [] : [`${(ms / 1000).toFixed(1)} s`]),
];

/** Numbers are those of a project: where a session was in several, each is named. */
const checkpointsOf = ({ checkpoints }: TurnStory, isInSeveral: boolean): string[] =>
  checkpoints.filter(changedSomething).map(({ n, root, files }) => {
    const where = isInSeveral ? ` of ${shown(root)}` : '';
    return `checkpoint ${n}${where} (${files > 0 ? count(files, 'file') : 'folders only'})`;
  });

/** Whether there is anything in it to go back to. */
export const changedSomething = ({ files, paths }: CheckpointEvent): boolean => files + paths.length > 0;

export const isInSeveral = ({ turns }: Story): boolean =>
  new Set(turns.flatMap(({ checkpoints }) => checkpoints.filter(changedSomething).map(({ root }) => root))).size > 1;

/** Turns are numbered by the shell, which counts what is not recorded, too. */
/** One that was imported, or goes on from another, may begin anywhere. */
const leavesOut = ({ turns }: Story): boolean =>
  turns.some(({ turn }, i) => i > 0 && /^\d+$/.test(turn) && Number(turn) > Number(turns[i - 1]?.turn) + 1);
