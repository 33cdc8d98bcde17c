import { type Bytes, fromText, toText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import type { World } from '../saving/world.ts';
import { newSessionId } from '../turns/ids.ts';
import { appendEvents, journalFile } from '../turns/journal.ts';
import { briefOf, CHARACTERS } from './brief.ts';
import { readStory } from './find.ts';
import { askOutside } from './outside.ts';
import { resumePoint } from './resume.ts';
import type { Story } from './story.ts';
import { giveTitle, titleFor } from './titles.ts';

/** How long a summarizer may take, ms. */
const PATIENCE = 60_000;

/** A world in which sessions are compressed. */
type Rules = Pick<World, 'config'> & { readonly home: Bytes };

export type Compacted =
  | { readonly is: 'compacted'; readonly into: string; readonly title: string; readonly by: 'belay' | 'summarizer' }
  | { readonly is: 'already'; readonly into: string }
  | { readonly is: 'empty' };

/**
 * The session goes on as another one, numbered, that begins with a summary of it and names it. Nothing of it is taken away: it stays in
 * the archive, found and exported as ever, and so do its checkpoints.
 */
export function compact({ home, config }: Rules, session: string): Compacted {
  const story = readStory(home, session);
  if (story.compactedInto !== undefined) return { is: 'already', into: story.compactedInto };
  if (story.turns.length === 0) return { is: 'empty' };
  const tokens = Math.floor(config.compression.context_tokens * config.compression.target_ratio);
  const better = summarized({ home, config }, session, story, tokens);
  const summary = fromText(better ?? briefOf(session, story, tokens));
  const into = newSessionId(new Date(), session.split('_')[2]?.length === 8);
  const { beginning } = story;
  const cwd = resumePoint(home, session).cwd ?? beginning?.cwd ?? '/';
  const { shell, model, host, uid } = beginning ?? {};
  const t = Date.now();
  appendEvents(home, into, [
    {
      e: 'session',
      v: 1,
      t,
      id: into,
      source: story.source ?? 'cli',
      cwd,
      after: session,
      summary,
      ...(shell === undefined ? {} : { shell }),
      ...(model === undefined ? {} : { model }),
      ...(host === undefined ? {} : { host }),
      ...(uid === undefined ? {} : { uid }),
    },
  ]);
  // Behind the successor: what a session is said to go on as is there.
  appendEvents(home, session, [{ e: 'compacted', t, into, summary }], { known: true });
  const name = story.title === undefined ? titleFor(story) : toText(story.title);
  const title = giveTitle(home, into, name ?? session, 'belay');
  return { is: 'compacted', into, title, by: better === undefined ? 'belay' : 'summarizer' };
}

/** What `compression.summarizer` makes of it, cut to the tokens; undefined where there is none or it fails. */
function summarized({ home, config }: Rules, session: string, story: Story, tokens: number): string | undefined {
  const { summarizer } = config.compression;
  if (summarizer === '') return undefined;
  const input = {
    session,
    tokens,
    before: story.summary === undefined ? null : toText(story.summary),
    turns: story.turns.map(({ turn, label, commands, messages, checkpoints, undone }) => ({
      turn,
      label: label === undefined ? null : toText(label),
      commands: commands.map(({ line, exit }) => ({ line: toText(line), exit: exit ?? null })),
      messages: messages.map(({ role, text }) => ({ role, text: toText(text) })),
      checkpoints: checkpoints.map(({ n, paths }) => ({ n, paths: paths.map(toText) })),
      undone,
    })),
  };
  return askOutside({ home }, 'compression.summarizer', summarizer, input, PATIENCE)
    ?.trim()
    .slice(0, tokens * CHARACTERS);
}

/** The session that this one goes on as by now, however often it was compressed. */
export function latestOf(home: Bytes, session: string): string {
  const seen = new Set([session]);
  for (let now = session; ; ) {
    const next = readStory(home, now).compactedInto;
    if (next === undefined || seen.has(next) || lookAt(journalFile(home, next)) === undefined) return now;
    seen.add(next);
    now = next;
  }
}

/** Where somebody goes on in a session: in what it goes on as; compressed first where it has grown past the threshold. */
export function goOnIn(rules: Rules, session: string): string {
  const latest = latestOf(rules.home, session);
  const { enabled, threshold, context_tokens } = rules.config.compression;
  const size = lookAt(journalFile(rules.home, latest))?.size ?? 0;
  if (!enabled || size / CHARACTERS <= threshold * context_tokens) return latest;
  const done = compact(rules, latest);
  return done.is === 'compacted' ? done.into : latest;
}
