import { toText } from '../platform/bytes.ts';
import { describe, log } from '../platform/log.ts';
import type { World } from '../saving/world.ts';
import { isRecorded, readStory } from './find.ts';
import { askOutside } from './outside.ts';
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
  const said = askOutside(world, 'sessions.titler', titler, input, PATIENCE);
  return cleanTitle(said?.split('\n')[0] ?? '') || undefined;
}
