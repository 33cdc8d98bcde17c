import { spawnSync } from 'node:child_process';
import { toText } from '../platform/bytes.ts';
import { describe, log } from '../platform/log.ts';
import type { World } from '../saving/world.ts';
import { isRecorded, readStory } from './find.ts';
import type { Story } from './story.ts';
import { cleanTitle, giveTitle, titleFor } from './titles.ts';

/** How long a titler may take, ms: nobody waits for it. */
const PATIENCE = 20_000;

/** Gives a session that has none a title, once a turn of it is over. For the background; a failure is logged. */
export function titleSession(world: World, session: string): void {
  const { home } = world;
  if (home === undefined || !isRecorded(home, session)) return;
  try {
    const story = readStory(home, session);
    if (story.title !== undefined) return;
    const { titler } = world.config.sessions;
    const better = titler === '' ? undefined : asked(world, titler, session, story);
    const title = better ?? titleFor(story);
    if (title !== undefined) giveTitle(home, session, title, better === undefined ? 'belay' : 'titler');
  } catch (error) {
    log(home, `the title of session ${session}: ${describe(error)}`);
  }
}

function asked(world: World, titler: string, session: string, { turns }: Story): string | undefined {
  const input = {
    session,
    turns: turns.slice(0, 5).map(({ label, commands }) => ({
      label: label === undefined ? null : toText(label),
      commands: commands.slice(0, 20).map(({ line }) => toText(line)),
    })),
  };
  const done = spawnSync('sh', ['-c', titler], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    timeout: PATIENCE,
    // Nothing that it starts is saved in turn.
    env: { ...process.env, BELAY_SAVING: '1' },
  });
  const title = cleanTitle((done.stdout ?? '').split('\n')[0] ?? '');
  if (done.status === 0 && title !== '') return title;
  log(world.home, `sessions.titler: ${done.error?.message ?? `status ${done.status ?? done.signal}`}`, 'warn');
  return undefined;
}
