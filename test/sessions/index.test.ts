import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { fromText } from '../../src/platform/bytes.ts';
import type { Filter } from '../../src/sessions/index/filter.ts';
import { ingestAll } from '../../src/sessions/index/ingest.ts';
import { indexFile, NoIndex, withIndex } from '../../src/sessions/index/open.ts';
import { readQuestion } from '../../src/sessions/index/question.ts';
import { sessionRows, statsOf } from '../../src/sessions/index/rows.ts';
import { type Hit, search } from '../../src/sessions/index/search.ts';
import type { Database } from '../../src/sessions/index/sqlite.ts';
import { appendEvents, journalFile } from '../../src/turns/journal.ts';
import type { JournalEvent } from '../../src/turns/journal-events.ts';

const made: string[] = [];
process.on('exit', () => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
});

let count = 0;

class Place {
  readonly home = fs.mkdtempSync(join(os.tmpdir(), 'belay-index-'));

  constructor() {
    made.push(this.home);
  }

  /** A shell's session with these lines. */
  session(lines: readonly string[], more: readonly JournalEvent[] = [], source = 'cli'): string {
    const id = `20260101_000000_${(++count).toString(16).padStart(6, '0')}`;
    appendEvents(this.home, id, [
      { e: 'session', v: 1, t: Date.now(), id, source, cwd: '/work/shop', pid: process.pid, start: '1' },
      ...this.commands(lines),
      ...more,
    ]);
    return id;
  }

  commands = (lines: readonly string[]): JournalEvent[] =>
    lines.map((line, i) => ({
      e: 'command',
      t: Date.now(),
      turn: String(i + 1),
      line: fromText(line),
      cwd: '/work/shop',
    }));

  with = <T>(work: (db: Database) => T): Promise<T> =>
    withIndex(this.home, new Map(), (db) => {
      ingestAll(db, this.home);
      return work(db);
    });

  async find(asked: string, filter: Partial<Filter> = {}): Promise<Hit[]> {
    const question = readQuestion(asked);
    if (question.is === 'wrong') throw new Error(question.why);
    return this.with((db) => search(db, question, { limit: 10, ...filter }));
  }

  sessions = async (asked: string, filter: Partial<Filter> = {}): Promise<string[]> =>
    (await this.find(asked, filter)).map(({ session }) => session);
}

const place = new Place();
try {
  await place.with(() => undefined);
} catch (error) {
  if (!(error instanceof NoIndex)) throw error;
  console.log('skipped: better-sqlite3 is not installed');
  process.exit(0);
}

test('words are all there, OR, NOT, phrases, prefixes and brackets do as in FTS5, and paths and options are words', async () => {
  const p = new Place();
  const a = p.session(['git push origin main', 'rm -rf build/cache', 'npm run deploy --prod']);
  const b = p.session(['git status', 'rm notes.txt']);
  const c = p.session(['cargo build', 'docker run alpine']);
  for (const [asked, found] of [
    ['git', [a, b]],
    ['git push', [a]],
    ['push OR cargo', [a, c]],
    ['rm NOT notes', [a]],
    ['"run deploy"', [a]],
    ['"deploy run"', []],
    ['dock*', [c]],
    ['(push OR cargo) NOT build', [a]],
    ['build/cache', [a]],
    ['--prod', [a]],
    ['notes.txt', [b]],
    ['-rf AND build', [a]],
  ] as const)
    assert.deepEqual((await p.sessions(asked)).sort(), [...found].sort(), asked);
});

test('of sessions that are found by the same line the newest stands first, whatever else is in them', async () => {
  const p = new Place();
  const older = p.session(['ls src', 'rm -rf src', 'rm -rf src']);
  const newer = p.session(['rm -rf src']);
  const other = p.session(['ls src', 'cat src/x', 'cat src/y']);
  const found = await p.sessions('src');
  assert.deepEqual(
    found.filter((one) => one !== other),
    [newer, older],
  );
});

test('a malformed question says what is wrong, and never more', () => {
  for (const [asked, why] of [
    ['', 'there is nothing to search for'],
    ['"open', 'a quotation mark is not closed'],
    ['(a b', 'a bracket is not closed'],
    ['a)', 'a closing bracket has no opening one'],
    ['a OR', 'it ends where a word has to come'],
    ['NOT a', 'NOT needs something before it: a NOT b'],
    ['OR a', "a word has to stand before 'OR'"],
    ['()', "a word has to stand before ')'"],
    ['***', "'' has no letter and no digit to search for"],
  ] as const)
    assert.deepEqual(readQuestion(asked), { is: 'wrong', why }, asked);
  for (const odd of ['a:b', "it's", 'a^2', '{x}', '-x', 'NEAR(a b)', '\0', 'ä*', '+', 'a"b'])
    assert.ok(['question', 'wrong'].includes(readQuestion(odd).is), odd);
});

test('parts of words are found, and texts that are written without blanks', async () => {
  const p = new Place();
  const a = p.session(['./deployment-script.sh', 'echo 設定を変更した']);
  p.session(['ls']);
  assert.deepEqual(await p.sessions('ploymen'), [a]);
  assert.deepEqual(await p.sessions('設定を'), [a]);
  assert.deepEqual(await p.sessions('変更'), [a]);
  assert.deepEqual(await p.sessions('Überzug'), []);
});

test('a title counts more than a line, hits are marked and counted, filters hold', async () => {
  const p = new Place();
  const line = p.session(['make parser', 'make parser again']);
  const titled = p.session(
    ['ls'],
    [{ e: 'title', t: Date.now(), title: 'Rewrite the parser', by: 'person' }],
    'claude',
  );
  const [first, second] = await p.find('parser');
  assert.deepEqual([first?.session, second?.session, second?.hits], [titled, line, 2]);
  assert.equal(first?.snippet, 'Rewrite the \x01parser\x02');
  assert.deepEqual(await p.sessions('parser', { source: 'cli' }), [line]);
  assert.deepEqual(await p.sessions('parser', { since: Date.now() + 1000 }), []);
  assert.deepEqual(await p.sessions('parser', { cwd: '/work' }), [titled, line]);
  assert.deepEqual(await p.sessions('parser', { cwd: '/wor' }), []);
  const within = await p.find('parser', { session: line });
  assert.deepEqual(
    within.map(({ at, turn }) => [at, turn]),
    [
      [1, '1'],
      [2, '2'],
    ],
  );
});

test('a filter makes a search little dearer, also where few sessions are long, and its hits are counted as far as without one', async () => {
  const p = new Place();
  const line = (i: number): string => `git commit src/lib/file${i}.ts`;
  for (let i = 0; i < 80; i++)
    p.session(
      Array.from({ length: 300 }, (_, k) => line(i * 300 + k)),
      [],
      i % 2 === 0 ? 'cli' : 'claude',
    );
  for (let i = 0; i < 310; i++) p.session(Array(8).fill('ship it'), [], 'cron');
  await p.with((db) => {
    const ask = (asked: string, filter: Partial<Filter>): Hit[] => {
      const question = readQuestion(asked);
      if (question.is === 'wrong') throw new Error(question.why);
      return search(db, question, { limit: 1000, ...filter });
    };
    const hits = (asked: string, filter: Partial<Filter>): number =>
      ask(asked, filter).reduce((sum, hit) => sum + hit.hits, 0);
    const least = (asked: string, filter: Partial<Filter>): number =>
      Math.min(
        ...[1, 2, 3].map(() => {
          const { user, system } = process.cpuUsage();
          ask(asked, filter);
          const now = process.cpuUsage();
          return now.user + now.system - user - system;
        }),
      );
    const plain = least('commit', {});
    for (const asked of ['commit', 'zzqqx', 'file12345'])
      for (const filter of [{ source: 'cli' }, { cwd: '/work/shop' }, { since: 1 }]) {
        const filtered = least(asked, filter);
        assert.ok(filtered < 30 * plain, `${asked} ${JSON.stringify(filter)}: ${filtered} µs beside ${plain}`);
      }
    assert.deepEqual(
      [hits('ship', {}), hits('ship', { source: 'cron' }), hits('commit', { source: 'cli' })],
      [1500, 1500, 1500],
    );
  });
});

test('the beginning of a word is found among the newest where thousands of words share it, and nothing else is', async () => {
  const p = new Place();
  p.session(['fiction', 'digital']);
  p.session(Array.from({ length: 1500 }, (_, i) => `cat file${i} profile`));
  await p.with((db) => {
    const ask = (asked: string): Hit[] => {
      const question = readQuestion(asked);
      if (question.is === 'wrong') throw new Error(question.why);
      const whole = search(db, { ...question, begun: 9 }, { limit: 10 });
      // As if there were many.
      db.exec(
        "INSERT INTO events(id, session, seq, t, kind, text) SELECT 200000, id, 0, 0, 'end', '' FROM sessions LIMIT 1",
      );
      const newest = search(db, question, { limit: 10 });
      db.exec('DELETE FROM events WHERE id = 200000');
      const told = (hits: readonly Hit[]) =>
        hits.map(({ session, snippet }) => [session, /[^\x01]*\x02/.exec(snippet)?.[0]]);
      assert.deepEqual(told(newest), told(whole), asked);
      return newest;
    };
    for (const asked of [
      'fi*',
      'f*',
      'file1*',
      'prof*',
      'rof*',
      'dig* OR file7*',
      'file* NOT cat',
      'cat prof* fi*',
      '"cat fi"*',
    ])
      ask(asked);
    assert.equal(ask('fil*')[0]?.hits, 1000);
  });
});

test('a search that fails leaves nothing behind for the next one', async () => {
  const p = new Place();
  const session = p.session(['make parser']);
  await p.with((db) => {
    const ask = (words: string): Hit[] =>
      search(db, { is: 'question', words, atoms: ['parser'], parts: '', begun: 9 }, { limit: 10, session });
    ask('"parser"');
    assert.throws(() => ask('"parser'), /unterminated string|syntax error/);
    assert.deepEqual(db.prepare('SELECT count(*) AS n FROM temp.shown_words').get(), { n: 0 });
    assert.equal(ask('"parser"')[0]?.snippet, 'make \x01parser\x02');
  });
});

test('only what is new is read; a journal that is gone, or written anew, is forgotten and read anew', async () => {
  const p = new Place();
  const id = p.session(['first']);
  const file = journalFile(p.home, id);
  assert.deepEqual(await p.sessions('first'), [id]);
  // A prompt of another process appends without a word to anybody: the session is open as long as its process lives.
  fs.appendFileSync(file, '{"e":"command","t":1,"turn":"9","line":"half');
  assert.deepEqual(await p.sessions('half'), []);
  appendEvents(p.home, id, p.commands(['second']));
  assert.deepEqual(await p.sessions('second'), [id]);
  assert.deepEqual(await p.sessions('first'), [id]);
  fs.writeFileSync(file, '');
  appendEvents(p.home, id, p.commands(['third']));
  assert.deepEqual(await p.sessions('first OR second'), []);
  assert.deepEqual(await p.sessions('third'), [id]);
  fs.rmSync(file);
  appendEvents(p.home, p.session([]), p.commands(['other']));
  fs.appendFileSync(join(p.home, 'sessions/touched'), `${id}\n`);
  assert.deepEqual(await p.sessions('third'), []);
});

test('an index of the version before is brought to this one as it stands, and is not made anew', async () => {
  const p = new Place();
  const id = p.session(['precious line']);
  await p.with((db) => {
    db.exec("DROP INDEX sessions_source; DROP INDEX sessions_cwd; INSERT INTO meta VALUES ('mark', 'same')");
    db.pragma('user_version = 1');
  });
  assert.deepEqual(await p.sessions('precious', { source: 'cli' }), [id]);
  const mark = await p.with((db) => [
    db.prepare("SELECT value FROM meta WHERE key = 'mark'").get(),
    db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('sessions_source', 'sessions_cwd')").get(),
  ]);
  assert.deepEqual(mark, [{ value: 'same' }, { n: 2 }]);
});

test('a damaged index, one that is no database, and one of another version are made anew from the record', async () => {
  const p = new Place();
  const id = p.session(['precious line']);
  const file = indexFile(p.home, new Map());
  await p.sessions('precious');
  for (const harm of [
    (): void => fs.writeFileSync(file, 'this is no database at all, and long enough to be taken for one'.repeat(100)),
    (): void => {
      const fd = fs.openSync(file, 'r+');
      for (let page = 1; page < fs.fstatSync(fd).size / 4096; page++)
        fs.writeSync(fd, Buffer.alloc(4096, page), 0, 4096, page * 4096);
      fs.closeSync(fd);
    },
    (): void => fs.truncateSync(file, 5000),
    (): void => fs.rmSync(file),
  ]) {
    for (const name of ['-wal', '-shm']) fs.rmSync(`${file}${name}`, { force: true });
    harm();
    assert.deepEqual(await p.sessions('precious'), [id], harm.toString());
  }
  await p.with((db) => db.pragma('user_version = 999'));
  assert.deepEqual(await p.sessions('precious'), [id]);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
});

test('rows and sums: the session that was used last first, its turns, files and verbs', async () => {
  const p = new Place();
  const old = p.session(['ls', 'ls']);
  const checkpoint: JournalEvent = {
    e: 'checkpoint',
    t: Date.now() + 5000,
    turn: '1',
    n: 7,
    key: 'k',
    root: '/work/shop',
    verbs: ['rm', 'git clean'],
    files: 3,
    paths: ['a'],
    bytes: 10,
  };
  const busy = p.session(['rm -rf a b c'], [checkpoint, { e: 'end', t: Date.now() + 6000 }], 'claude');
  const rows = await p.with((db) => sessionRows(db, { limit: 10 }));
  assert.deepEqual(
    rows.map(({ session, source, turns, commands, files, preview, ended }) => [
      session,
      source,
      turns,
      commands,
      files,
      preview,
      ended,
    ]),
    [
      [busy, 'claude', 1, 1, 3, 'rm -rf a b c', 1],
      [old, 'cli', 2, 2, 0, 'ls', 0],
    ],
  );
  const stats = await p.with(statsOf);
  assert.deepEqual([stats.sessions, stats.turns, stats.commands, stats.saved_bytes], [2, 3, 3, 10]);
  assert.deepEqual(stats.by_source, [
    { name: 'claude', count: 1 },
    { name: 'cli', count: 1 },
  ]);
  assert.deepEqual(stats.projects, [{ name: '/work/shop', count: 1 }]);
});

test.run();
