import { type Bytes, fromText, toText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { basesOf } from '../saving/place.ts';
import type { World } from '../saving/world.ts';
import { newSessionId } from '../turns/ids.ts';
import { appendEvents, journalFile, sessionsFolder } from '../turns/journal.ts';
import { setNext } from '../turns/markers.ts';
import { isEnded, pendingOf } from '../turns/pending.ts';
import { briefOf } from './brief.ts';
import { readStory } from './find.ts';
import { CHARACTERS, isGrown } from './grown.ts';
import { askOutside } from './outside.ts';
import { resumePoint } from './resume.ts';
import type { Story } from './story.ts';
import { giveTitle, titleFor } from './titles.ts';

/** How long a summarizer may take, and somebody who compresses is waited for, ms. */
const PATIENCE = 60_000;

/** A world in which sessions are compressed. */
type Rules = Pick<World, 'config'> & { readonly home: Bytes };

export type Compacted =
  | { readonly is: 'compacted'; readonly into: string; readonly title: string; readonly by: 'belay' | 'summarizer' }
  | { readonly is: 'already'; readonly into: string }
  | { readonly is: 'empty' }
  /** Somebody else is at it. */
  | { readonly is: 'busy' };

/**
 * The session goes on as another one, numbered, that begins with a summary of it and names it. Nothing of it is taken away: it stays in
 * the archive, found and exported as ever, and so do its checkpoints.
 */
export function compact(rules: Rules, session: string): Compacted {
  const lock = acquire(join(sessionsFolder(rules.home), 'compact.lock'), PATIENCE);
  if (lock === undefined) return { is: 'busy' };
  try {
    return compactAlone(rules, session);
  } finally {
    lock.release();
  }
}

function compactAlone({ home, config }: Rules, session: string): Compacted {
  const story = readStory(home, session);
  if (story.compactedInto !== undefined) return { is: 'already', into: story.compactedInto };
  if (story.turns.length === 0) return { is: 'empty' };
  const tokens = Math.floor(config.compression.context_tokens * config.compression.target_ratio);
  const better = summarized({ home, config }, session, story, tokens);
  const summary = fromText(better ?? briefOf(session, story, tokens));
  const into = newSessionId(new Date(), session.split('_')[2]?.length === 8);
  const { beginning } = story;
  const cwd = resumePoint(home, session).cwd ?? beginning?.cwd ?? '/';
  const { shell, host, uid } = beginning ?? {};
  const { model } = story;
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
      // Whoever has it goes on with it: as long as that lives, the session is open.
      ...story.process,
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
  if (!isGrown(rules, latest)) return latest;
  const done = compact(rules, latest);
  return done.is === 'compacted' ? done.into : latest;
}

/**
 * A session that runs on past the threshold is compressed where it is between two turns; `runtime` tells who has it where it goes on.
 * For the background, once a turn of it has ended; a failure is logged, and there is a next time.
 */
export function compactUnderWay(rules: Rules, runtime: Bytes, session: string): void {
  const { home } = rules;
  try {
    if (!isGrown(rules, session)) return;
    const story = readStory(home, session);
    if (story.compactedInto === undefined && (story.ended || isInTurn(story) || hasPending(home, session))) return;
    const done = compact(rules, session);
    if (done.is === 'compacted' || done.is === 'already') setNext(runtime, session, latestOf(home, session));
  } catch (error) {
    log(home, `the compression of session ${session}: ${describe(error)}`);
  }
}

function isInTurn({ turns }: Story): boolean {
  const last = turns.at(-1);
  if (last === undefined) return false;
  if (last.state === 'working' || last.state === 'needs_input') return true;
  return last.label === undefined && last.commands.at(-1)?.ms === undefined && last.commands.length > 0;
}

const hasPending = (home: Bytes, session: string): boolean =>
  basesOf(home).some((base) => pendingOf(base, session).some(({ folder }) => !isEnded(folder)));
