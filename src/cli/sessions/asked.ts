import { type Bytes, toText } from '../../platform/bytes.ts';
import { belayHome, environment, isClosed } from '../../platform/home.ts';
import { findSession } from '../../sessions/find.ts';
import { ingestAll } from '../../sessions/index/ingest.ts';
import { cannotGrow, NoIndex, withIndex } from '../../sessions/index/open.ts';
import { type RowFilter, type SessionRow, sessionRows } from '../../sessions/index/rows.ts';
import type { Database } from '../../sessions/index/sqlite.ts';
import { walkedRows } from '../../sessions/index/walk.ts';
import { type Call, failed, notThere, refused, wrongUsage } from '../command.ts';

/** What every part of `belay sessions` is asked with. */
export interface Asked {
  readonly call: Call;
  readonly home: Bytes;
  readonly env: ReadonlyMap<Bytes, Bytes>;
  /** Behind the part's name. */
  readonly words: readonly string[];
}

export function askedBy(call: Call, words: readonly Bytes[]): Asked {
  const env = environment();
  const home = belayHome(env);
  if (home === undefined) throw failed('no_home', 'neither BELAY_HOME nor HOME says where sessions are kept');
  if (isClosed(home)) throw refused('store_not_ours', `${toText(home)} is closed to this user`, 'Set BELAY_HOME.');
  return { call, home, env, words: words.map(toText) };
}

export function textOf(call: Call, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? toText(value) : undefined;
}

export function numberOf(call: Call, name: string, byDefault: number): number {
  const text = textOf(call, name);
  if (text === undefined) return byDefault;
  if (!/^\d+$/.test(text)) throw wrongUsage(`--${name} wants a number, not '${text}'`);
  return Number(text);
}

/** `--since DAYS` as a time, ms since 1970. */
export function sinceOf(call: Call): { readonly since?: number } {
  const days = textOf(call, 'since');
  if (days === undefined) return {};
  return { since: Date.now() - numberOf(call, 'since', 0) * 86_400_000 };
}

export const sourceOf = (call: Call): { readonly source?: string } => {
  const source = textOf(call, 'source');
  return source === undefined ? {} : { source };
};

/** The session that a word means: an id or its beginning, `last`, a title or a part of one; without a word the caller's own. */
export function sessionOf({ home, env }: Pick<Asked, 'home' | 'env'>, word: string | undefined): string {
  const own = toText(env.get('BELAY_SESSION') ?? '');
  if (word === undefined && own === '')
    throw wrongUsage('it wants a session: an id, the beginning of one, a title, or last');
  const found = findSession(home, word ?? own);
  if (found.is === 'none' && word === undefined)
    throw notThere(
      'no_session',
      `nothing was run in this session yet (${own})`,
      '`belay sessions list` has the others.',
    );
  if (found.is === 'session') return found.session;
  if (found.is === 'several')
    throw notThere(
      'no_session',
      `'${word}' means ${found.sessions.length} sessions`,
      `Name one: ${found.sessions.slice(0, 5).join(', ')}${found.sessions.length > 5 ? ', …' : ''}`,
    );
  throw notThere('no_session', `there is no session '${word ?? own}'`, '`belay sessions list` has them.');
}

/** Works with the index, brought up to date. */
export async function indexed<T>(asked: Asked, work: (db: Database) => T): Promise<T> {
  try {
    return await atIndex(asked, work);
  } catch (error) {
    if (cannotGrow(error))
      throw failed('no_index', `sessions cannot be searched now: ${NO_ROOM}`, 'Make room; list, show and export work.');
    if (!(error instanceof NoIndex)) throw error;
    throw failed(
      'no_index',
      `sessions cannot be searched here: ${REASONS[error.why].why}`,
      `${REASONS[error.why].wayOut}; list, show, export and resume work without.`,
    );
  }
}

const NO_ROOM = 'state.db cannot be written (is the disk full?)';

/** Why there is no index, and what helps. */
export const REASONS: Readonly<Record<NoIndex['why'], { readonly why: string; readonly wayOut: string }>> = {
  'no sqlite': {
    why: 'SQLite (better-sqlite3) is not installed, or not for this node',
    wayOut: 'where belay was built, rm -r node_modules dist and ./install.sh, with a C++ compiler and node headers',
  },
  'not ours': {
    why: 'the folder for state.db in /var/tmp belongs to somebody else',
    wayOut: 'set XDG_CACHE_HOME to a folder of this machine',
  },
};

const atIndex = <T>({ home, env }: Asked, work: (db: Database) => T): Promise<T> =>
  withIndex(home, env, (db) => {
    ingestAll(db, home);
    return work(db);
  });

/** Sessions, the one that was used last first; without SQLite from the records themselves, which `note` says. */
export async function rowsOf(
  asked: Asked,
  filter: RowFilter,
  index: typeof atIndex = atIndex,
): Promise<{ readonly rows: readonly SessionRow[]; readonly note?: string }> {
  try {
    return { rows: await index(asked, (db) => sessionRows(db, filter)) };
  } catch (error) {
    const told = 'told from the records, slower where there are many';
    let note: string;
    if (cannotGrow(error)) note = `belay: ${NO_ROOM}: ${told}.`;
    else if (error instanceof NoIndex) {
      const { why, wayOut } = REASONS[error.why];
      note = `belay: ${why}: ${told}; search and stats do not work. ${wayOut}`;
    } else throw error;
    return { rows: walkedRows(asked.home, filter), note };
  }
}
