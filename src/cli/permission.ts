import type { Event } from '../checkpoint/ledger.ts';
import type { Bytes } from '../platform/bytes.ts';
import { toText } from '../platform/bytes.ts';
import { isInside } from '../platform/paths.ts';
import { isOrphan, pendingTurns } from '../turns/pending.ts';
import { type Call, refused } from './command.ts';
import type { Context } from './context.ts';

const REMOTE = new Set(['ssh', 'docker', 'podman', 'kubectl', 'container', 'remote']);

/** Paths that a remote session or a container saw are not this machine's: nothing here may be compared with or written to them. */
export function maySessions(context: Context, events: readonly Event[]): void {
  const here = toText(context.world.env.get('BELAY_REMOTE') ?? '');
  if (here !== '') throw remote(`this session runs on ${here}`);
  const other = events.find(({ record }) => REMOTE.has(record.source.split(':')[0] ?? ''));
  if (other) throw remote(`turn ${other.record.n} ran in a session marked ${other.record.source}`);
}

const remote = (why: string): Error =>
  refused('remote_session', `${why}: its paths are that machine's, not this one's`, 'Run belay there.');

/** A caller that may only read, and an agent whose restores are denied, change nothing. An agent with `own` may take back its own turns. */
export function mayWrite(context: Context, events: readonly Event[]): void {
  const { env, config } = context.world;
  const grant = toText(env.get('BELAY_GRANT') ?? '');
  if (grant === 'read')
    throw refused('not_granted', 'this caller may read checkpoints, not restore them (BELAY_GRANT=read)');
  const agent = toText(env.get('BELAY_AGENT') ?? '');
  if (agent === '') return;
  if (config.agents.restore === 'deny')
    throw refused('not_granted', `${agent} may list and diff, not restore (agents.restore: deny)`);
  const foreign = events.find(({ record }) => record.kind === 'turn' && record.session !== context.session);
  if (config.agents.restore === 'own' && foreign)
    throw refused('not_granted', `${agent} may take back its own turns only (agents.restore: own)`);
}

/** The turn of another session that is still running in one of these projects. */
export function mayRestore(context: Context, call: Call, roots: readonly (string | Bytes)[]): void {
  if (call.values['force'] === true) return;
  for (const { turn } of pendingTurns(context.home)) {
    if (turn.session === context.session || isOrphan(turn) || turn.owner === undefined) continue;
    if (!roots.some((root) => root.startsWith('/') && isInside(turn.cwd, root))) continue;
    if (context.session === undefined && turn.source === 'cli') continue;
    throw refused(
      'turn_active',
      `turn ${turn.turn} of session ${turn.session} (${turn.source}) is still active in ${toText(turn.cwd)}`,
      'Wait until it has ended, or use --force.',
    );
  }
}
