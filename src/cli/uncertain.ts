import { ask } from './ask.ts';
import type { Call } from './command.ts';
import type { Context } from './context.ts';
import { fromRoot, shown } from './paths.ts';
import { carryOut, type Wish } from './restoring.ts';
import { count } from './style.ts';

const MOST_NAMES = 20;

/**
 * Paths that changed while a long turn ran are perhaps not its work: they are listed, and a person at a terminal is asked. Without one
 * they are kept.
 */
export async function askUncertain(context: Context, call: Call, wish: Wish): Promise<Wish> {
  const isMaybe = wish.goals.some(({ change }) => change?.uncertain === true);
  if (!isMaybe || wish.uncertain === 'restore' || call.json || call.values['dry-run'] === true) return wish;
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return wish;
  const kept = carryOut(context, call, wish, true).plan.kept.filter(({ why }) => why === 'uncertain');
  if (kept.length === 0) return wish;
  const names = kept.slice(0, MOST_NAMES).map(({ path }) => `  ${shown(fromRoot(context.root, path))}`);
  const more = kept.length > MOST_NAMES ? [`  and ${kept.length - MOST_NAMES} more`] : [];
  process.stderr.write(['These changed while the line ran, perhaps not by it:', ...names, ...more, ''].join('\n'));
  return (await ask(`Restore ${count(kept.length, 'path')} of them too?`)) ? { ...wish, uncertain: 'restore' } : wish;
}
