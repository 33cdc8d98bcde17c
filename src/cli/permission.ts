import { activeConversations } from '../agents/calling.ts';
import type { Event } from '../checkpoint/ledger.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { isInside } from '../platform/paths.ts';
import { isOrphan, pendingTurns } from '../turns/pending.ts';
import { type Call, refused } from './command.ts';
import type { Context } from './context.ts';

const REMOTE = new Set(['ssh', 'docker', 'podman', 'kubectl', 'container', 'remote']);

/** Paths that a remote session or a container saw are not this machine's: nothing here may be compared with or written to them. */
export function maySessions(context: Context, events: Iterable<Event>): void {
  const here = toText(context.world.env.get('BELAY_REMOTE') ?? '');
  if (here !== '') throw remote(`this session runs on ${here}`);
  for (const { record } of events)
    if (REMOTE.has(record.source.split(':')[0] ?? ''))
      throw remote(`checkpoint ${record.n} is of a session marked ${record.source} (${record.session})`);
}

const remote = (why: string): Error =>
  refused('remote_session', `${why}: its paths are that machine's, not this one's`, 'Run belay there.');

/**
 * Whether the caller may take these events back. `BELAY_GRANT` says what it may at most: `read` is list, diff and show; `own` the turns
 * of its own session, and restores of them. An agent has `agents.restore` of the user's configuration besides. With no events: whether
 * it may restore at all, asked before anything is looked for.
 */
export function mayWrite(context: Context, events: Iterable<Event>): void {
  const { env, config } = context.world;
  const { agent } = context;
  const grant = toText(env.get('BELAY_GRANT') ?? '');
  if (grant === 'read')
    throw refused('not_granted', 'this caller may read checkpoints, not restore them (BELAY_GRANT=read)');
  if (agent !== undefined && config.agents.restore === 'deny')
    throw refused('not_granted', `${agent} may list and diff, not restore (agents.restore: deny)`);
  const isAgentsOwn = agent !== undefined && config.agents.restore === 'own';
  if (grant !== 'own' && !isAgentsOwn) return;
  const foreign = [...events].flatMap(sessionsOf).find((session) => !context.own.has(session));
  if (foreign === undefined) return;
  const who = isAgentsOwn ? agent : 'this caller';
  const rule = isAgentsOwn ? 'agents.restore: own' : 'BELAY_GRANT=own';
  throw refused('not_granted', `${who} may take back its own turns only (${rule}), not those of session ${foreign}`);
}

/** Whose work an event is: a restore is that of its caller, and of those whose turns it took back. */
function sessionsOf(event: Event): string[] {
  if (event.record.kind === 'manual') return [];
  if (event.record.kind === 'turn') return [event.record.parent ?? event.record.session];
  return [event.record.session, ...event.record.did.turns.map(({ session }) => session)];
}

/** The turn of another session that is still active in one of these projects: an agent that works or waits, a line that runs. */
export function mayRestore(context: Context, call: Call, roots: readonly Bytes[]): void {
  if (call.values['force'] === true) return;
  const isReached = (cwd: Bytes): boolean => roots.some((root) => root.startsWith('/') && isInside(cwd, root));
  for (const { session, source, turn, state, cwd } of activeConversations(context.home, Date.now()))
    if (!context.own.has(session) && isReached(cwd))
      throw active(turn, session, source, cwd, state === 'needs_input' ? 'waits for input' : 'is still active');
  for (const { turn } of pendingTurns(context.home)) {
    if (context.own.has(turn.session) || isOrphan(turn) || turn.owner === undefined) continue;
    if (!isReached(turn.cwd) || (context.session === undefined && turn.source === 'cli')) continue;
    throw active(turn.turn, turn.session, turn.source, turn.cwd, 'is still active');
  }
}

const active = (turn: string | number, session: string, source: string, cwd: Bytes, how: string): Error =>
  refused(
    'turn_active',
    `turn ${turn} of session ${session} (${source}) ${how} in ${toText(cwd)}`,
    'Wait until it has ended, or use --force.',
  );
