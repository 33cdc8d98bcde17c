import { protocols } from '../agents/protocols/index.ts';
import type { Restored } from '../checkpoint/apply/restore.ts';
import type { Bytes } from '../platform/bytes.ts';
import { describe, log } from '../platform/log.ts';
import { tellSession } from '../turns/notice.ts';
import type { Context } from './context.ts';
import { fromRoot, shown } from './paths.ts';
import type { Wish } from './restoring.ts';
import { cut } from './style.ts';

const NAMES = new Set(protocols.map(({ name }) => name));

/** Whether sessions of this kind have a hook that asks for what they should know. */
const isAgent = (source: string): boolean => NAMES.has(source.split(':')[0] ?? '');

interface Affected {
  readonly turns: Set<string>;
  readonly paths: Set<Bytes>;
}

/**
 * Leaves a line for each agent session whose turns a restore reached: what it remembers of those files is not so any more. The agent
 * that has called it itself knows. A line that cannot be left is logged: the restore is done all the same.
 */
export function tellAgents(context: Context, wish: Wish, done: Restored): void {
  const reached = affected(context, wish, done);
  for (const [session, { turns, paths }] of reached)
    try {
      tellSession(context.home, session, noticeOf(context, wish, turns, [...paths]));
    } catch (error) {
      log(context.home, `a notice for session ${session}: ${describe(error)}`);
    }
}

function affected(context: Context, { ledger, did }: Wish, done: Restored): Map<string, Affected> {
  const out = new Map<string, Affected>();
  const of = (session: string): Affected => {
    const known = out.get(session) ?? { turns: new Set(), paths: new Set() };
    out.set(session, known);
    return known;
  };
  for (const path of [...done.restored, ...done.removed])
    for (const { record } of ledger.touched.get(path) ?? [])
      if (record.kind === 'turn' && !context.own.has(record.session) && isAgent(record.source))
        of(record.session).paths.add(path);
  for (const { session, turn } of did.turns) if (out.has(session)) of(session).turns.add(turn);
  return out;
}

const MOST_NAMES = 20;

function noticeOf(context: Context, wish: Wish, turns: ReadonlySet<string>, paths: readonly Bytes[]): string {
  const which = [...turns].map((turn) => `turn ${turn}`).join(', ');
  const what =
    wish.did.what === 'redo'
      ? `The changes of ${which || 'your turns'} were put back after they had been rolled back`
      : turns.size === 0
        ? `Files that you have changed were restored to an earlier state (${cut(shown(wish.line), 100)})`
        : `Your ${which} ${turns.size === 1 ? 'was' : 'were'} rolled back`;
  const names = paths.slice(0, MOST_NAMES).map((path) => shown(fromRoot(context.root, path)));
  const more = paths.length > MOST_NAMES ? `, and ${paths.length - MOST_NAMES} more` : '';
  return `belay: ${what}. Changed on disk since you last looked: ${names.join(', ')}${more}. Read them again before you rely on them.`;
}
