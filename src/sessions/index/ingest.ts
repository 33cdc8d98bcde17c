import type { Bytes } from '../../platform/bytes.ts';
import { toText } from '../../platform/bytes.ts';
import { lookAt, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { newSessionId } from '../../turns/ids.ts';
import { sessionsFolder, touchedFile } from '../../turns/journal.ts';
import { isAfterword, type JournalEvent } from '../../turns/journal-events.ts';
import { journalNames, readJournal } from '../journal.ts';
import { mayGoOn } from '../living.ts';
import type { Database, Statement } from './sqlite.ts';

const DAY = 86_400_000;

/** Of a folder that is larger, bytes, the names are read once in a while: tens of thousands of them take longer than all else. */
const LARGE = 1 << 20;
const MINUTES = 10 * 60_000;

/**
 * So many events between two commits, for the first ingest of a large archive is the faster the fewer there are. Whoever wants the lock
 * meanwhile waits a second or two, which is well within his patience (sqlite.ts).
 */
const BATCH = 100_000;

/** What is searched of one event: the rest of a long message is in the journal. Characters. */
const LONGEST = 8000;

/**
 * Brings the index up to date, by byte offset: of a journal only what is new is read. Which journals those are is told without
 * looking at each: the sessions that are still going on, those whose names have come since the last time, and those that are new or
 * that something else than a prompt has written to (`touched`). Two at once: the second finds the work done.
 */
export function ingestAll(db: Database, home: Bytes): void {
  const ingest = new Ingest(db);
  ingest.begin();
  try {
    const { names, seen } = due(db, home);
    for (const name of names) ingest.journal(join(sessionsFolder(home), `${name}.jsonl`), name);
    // Last: an ingest that is stopped between two of its commits is begun anew.
    const put = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
    for (const [key, value] of Object.entries(seen)) put.run(key, value);
    ingest.commit();
  } catch (error) {
    ingest.abort();
    throw error;
  }
}

/** The journals to read, and what the next look goes by once they have been. */
function due(
  db: Database,
  home: Bytes,
): { readonly names: Set<Bytes>; readonly seen: Readonly<Record<string, string>> } {
  const now = Date.now();
  const get = db.prepare('SELECT value FROM meta WHERE key = ?');
  const meta = (key: string): string | undefined => (get.get(key) as { readonly value: string } | undefined)?.value;
  const names = new Set<Bytes>();
  for (const row of db.prepare('SELECT name FROM sessions WHERE open = 1').all())
    names.add((row as { name: Bytes }).name);

  const touched = touchedFile(home);
  const look = lookAt(touched);
  const [ino, read] = (meta('touched') ?? ' ').split(' ');
  const whole = meta('looked') === undefined || (look !== undefined && ino !== look.ino && ino !== '');
  const text = readBytesIfAny(touched)?.toString('latin1') ?? '';
  for (const name of text.slice(ino === look?.ino ? Number(read) : 0).split('\n')) if (name !== '') names.add(name);

  const sessions = lookAt(sessionsFolder(home));
  const isLarge = (sessions?.size ?? 0) > LARGE && now - Number(meta('read')) < MINUTES;
  const folder = isLarge ? (meta('folder') ?? '') : (sessions?.mtime ?? '');
  const reads = whole || folder !== meta('folder');
  if (reads) {
    // The names of shells begin with the time: a new one is not older than the last look. What comes otherwise is in `touched`.
    const since = whole ? '' : newSessionId(new Date(Number(meta('looked')) - DAY)).slice(0, 15);
    const known = db.prepare('SELECT 1 FROM sessions WHERE name = ?');
    for (const name of journalNames(home))
      if (whole || (name >= since && known.get(name) === undefined)) names.add(name);
  }
  const seen = {
    touched: `${look?.ino ?? ''} ${text.lastIndexOf('\n') + 1}`,
    folder,
    looked: String(now),
    ...(reads ? { read: String(now) } : {}),
  };
  return { names, seen };
}

/** What the index keeps of a session, as it is gathered while its journal is read. */
interface Row {
  readonly id: number;
  offset: number;
  events: number;
  session: string;
  source: string | null;
  shell: string | null;
  model: string | null;
  parent: string | null;
  cwd: string | null;
  host: string | null;
  pid: number | null;
  start: string | null;
  title: string | null;
  title_by: string | null;
  preview: string | null;
  started: number;
  last: number;
  ended: number;
  open: number;
  turns: number;
  commands: number;
  writes: number;
  files: number;
  saved: number;
  handed: string | null;
  compacted: string | null;
  after: string | null;
}

const KEPT =
  'offset events session source shell model parent cwd host pid start title title_by preview started last ended open turns commands writes files saved handed compacted after'.split(
    ' ',
  ) as readonly (keyof Row)[];

class Ingest {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();
  #pending = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  begin(): void {
    this.#db.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.#db.exec('COMMIT');
  }

  abort(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // it was rolled back with the error that brought us here
    }
  }

  /** One journal, from where it was read to. One that is gone is forgotten, one that was written anew is read anew. */
  journal(file: Bytes, name: Bytes): void {
    const look = lookAt(file);
    let row = this.#find(name);
    if (look === undefined) {
      if (row !== undefined) this.forget(row.id);
      return;
    }
    if (row !== undefined && look.size < row.offset) {
      this.forget(row.id);
      row = undefined;
    }
    if (row === undefined) {
      this.#prepared('INSERT INTO sessions(name, session) VALUES (?, ?)').run(name, name);
      row = this.#find(name) as Row;
    } else if (look.size === row.offset && isOpen(row) === (row.open === 1)) return;
    for (const { event, end } of readJournal(file, row.offset)) {
      const text = this.#taken(row, event);
      if (text !== undefined && text !== '') this.#text(row, event, text);
      row.events++;
      row.offset = end;
      if (++this.#pending % BATCH === 0) {
        this.#keep(row);
        this.commit();
        this.begin();
      }
    }
    row.open = isOpen(row) ? 1 : 0;
    this.#keep(row);
  }

  /** All that the index has of a session. */
  forget(id: number): void {
    for (const row of this.#prepared('SELECT id, text FROM events WHERE session = ?').all(id)) {
      const { id: event, text } = row as { readonly id: number; readonly text: string };
      this.#prepared("INSERT INTO words(words, rowid, text) VALUES ('delete', ?, ?)").run(event, text);
      this.#prepared("INSERT INTO grams(grams, rowid, text) VALUES ('delete', ?, ?)").run(event, text);
    }
    for (const table of ['events', 'turns', 'checkpoints'])
      this.#prepared(`DELETE FROM ${table} WHERE session = ?`).run(id);
    this.#prepared('DELETE FROM sessions WHERE id = ?').run(id);
  }

  #find(name: Bytes): Row | undefined {
    return this.#prepared('SELECT * FROM sessions WHERE name = ?').get(name) as Row | undefined;
  }

  #keep(row: Row): void {
    const sql = `UPDATE sessions SET ${KEPT.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
    this.#prepared(sql).run(...KEPT.map((name) => row[name]), row.id);
  }

  /** Counts the event in, and tells what of it is searched. */
  #taken(row: Row, event: JournalEvent): Bytes | undefined {
    row.started = row.started === 0 ? event.t : Math.min(row.started, event.t);
    row.last = Math.max(row.last, event.t);
    if (!isAfterword(event)) row.ended = event.e === 'end' ? 1 : 0;
    switch (event.e) {
      case 'session':
        row.session = toText(event.id);
        row.source ??= textOr(event.source);
        row.shell = textOr(event.shell);
        row.model = textOr(event.model);
        row.parent = textOr(event.parent);
        row.cwd = textOr(event.cwd);
        row.host = textOr(event.host);
        row.pid = event.pid ?? null;
        row.start = event.start ?? null;
        row.after = textOr(event.after);
        return undefined;
      case 'turn':
        this.#turn(row, event.turn);
        return event.label;
      case 'command':
        this.#turn(row, event.turn);
        row.commands++;
        return event.line;
      case 'message':
        return event.text;
      case 'write':
        row.writes++;
        return event.path;
      case 'checkpoint':
        row.files += event.files;
        row.saved += event.bytes;
        this.#prepared('INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)').run(
          row.id,
          event.turn,
          event.n,
          toText(event.root),
          event.verbs.map(toText).join(' '),
          event.files,
          event.bytes,
        );
        return event.paths.join(' ');
      case 'title':
        if (event.by === 'person' || row.title_by !== 'person') {
          row.title = toText(event.title);
          row.title_by = event.by;
        }
        return event.title;
      case 'about':
        row.model = textOr(event.model) ?? row.model;
        return undefined;
      case 'handoff':
        row.handed = event.to;
        return undefined;
      case 'resumed':
        if (event.source === row.handed) {
          row.source = event.source;
          row.handed = null;
        }
        row.host = textOr(event.host) ?? row.host;
        row.pid = event.pid ?? row.pid;
        row.start = event.start ?? row.start;
        return undefined;
      case 'compacted':
        row.compacted = event.into;
        return undefined;
      default:
        return undefined;
    }
  }

  #turn(row: Row, turn: string): void {
    row.turns += this.#prepared('INSERT OR IGNORE INTO turns VALUES (?, ?)').run(row.id, turn).changes;
  }

  #text(row: Row, event: JournalEvent & { readonly turn?: string }, bytes: Bytes): void {
    const text = toText(bytes.slice(0, LONGEST));
    if (event.e === 'turn' || event.e === 'command') row.preview ??= text.slice(0, 200);
    const { lastInsertRowid } = this.#prepared(
      'INSERT INTO events(session, seq, t, turn, kind, text) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(row.id, row.events, event.t, event.turn ?? null, event.e, text);
    this.#prepared('INSERT INTO words(rowid, text) VALUES (?, ?)').run(lastInsertRowid, text);
    this.#prepared('INSERT INTO grams(rowid, text) VALUES (?, ?)').run(lastInsertRowid, text);
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

/** A session that may go on is looked at every time. */
const isOpen = ({ ended, pid, start, host, last }: Row): boolean =>
  mayGoOn({ ended: ended === 1, pid: pid ?? undefined, start: start ?? undefined, host: host ?? undefined, last });

const textOr = (bytes: Bytes | undefined): string | null => (bytes === undefined ? null : toText(bytes));
