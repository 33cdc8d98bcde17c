import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../src/cli/command.ts';
import { checkSearch } from '../../src/cli/doctor/search.ts';
import { askedBy, rowsOf } from '../../src/cli/sessions/asked.ts';
import { withLine } from '../../src/cli/sessions/browse.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { openWorld, type World } from '../../src/saving/world.ts';
import { readStory } from '../../src/sessions/find.ts';
import { NoIndex } from '../../src/sessions/index/open.ts';
import { appendEvents, journalFile } from '../../src/turns/journal.ts';
import type { JournalEvent } from '../../src/turns/journal-events.ts';
import { belay } from '../cli/drive.ts';
import { inOwnHome } from '../cli/home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const DAY = 86_400_000;

function session(id: string, lines: readonly string[], more: readonly JournalEvent[] = [], t = Date.now()): string {
  appendEvents(at.home, id, [
    { e: 'session', v: 1, t, id, source: 'cli', shell: 'bash', cwd: at.top },
    ...lines.map(
      (line, i): JournalEvent => ({ e: 'command', t: t + i, turn: String(i + 1), line: fromText(line), cwd: at.top }),
    ),
    ...more,
  ]);
  return id;
}

const first = session(
  '20260101_000000_aaaaaa',
  ['rm -rf größe', 'false'],
  [
    { e: 'done', t: Date.now() + 1500, turn: '2', exit: 1 },
    {
      e: 'checkpoint',
      t: Date.now(),
      turn: '1',
      n: 4,
      key: 'k',
      root: at.top,
      verbs: ['rm'],
      files: 2,
      paths: ['a', 'b'],
      bytes: 9,
    },
    { e: 'undone', t: Date.now(), turns: ['1'], by: 'x', what: 'undo' },
  ],
);
const second = session('20260102_000000_bbbbbb', ['make all']);

const sessions = (...words: string[]) => belay<Record<string, never>>(at.top, 'sessions', ...words);

test('list and show tell what was done, which checkpoint it became, what was taken back', async () => {
  const { json } = await belay<{ sessions: { id: string; turns: number; commands: number }[] }>(
    at.top,
    'sessions',
    'list',
  );
  assert.equal(json.sessions.map(({ id, turns, commands }) => [id, turns, commands]).sort(), [
    [first, 2, 2],
    [second, 1, 1],
  ]);
  const { text } = await sessions('show', first.slice(0, 12));
  assert.match(text, /1 {2}\d\d:\d\d:\d\d {2}\$ rm -rf größe {2}checkpoint 4 \(2 files\) {2}undone/);
  assert.match(text, /2 {2}\d\d:\d\d:\d\d {2}\$ false {2}exit 1 {2}1\.\d s/);
  const shown = await belay<{ turns: { undone: boolean; commands: { line: string }[] }[] }>(
    at.top,
    'sessions',
    'show',
    first,
  );
  assert.equal(
    shown.json.turns.map(({ undone, commands }) => [undone, commands[0]?.line]),
    [
      [true, 'rm -rf größe'],
      [false, 'false'],
    ],
  );
});

test('search finds, shows what is around a hit, reads a whole session, and lists what was done across sessions', async () => {
  const { json } = await belay<{
    hits: { session: string; turn: string; kind: string; snippet: string; at: number }[];
  }>(at.top, 'sessions', 'search', 'größe');
  assert.equal(
    json.hits.map(({ session, turn, kind, snippet, at }) => [session, turn, kind, snippet, at]),
    [[first, '1', 'command', 'rm -rf »größe«', 1]],
  );
  const around = await belay<{ events: { at: number }[] }>(
    at.top,
    'sessions',
    'search',
    '--in',
    first,
    '--around',
    '1',
    '--window',
    '1',
  );
  assert.equal(
    around.json.events.map(({ at }) => at),
    [0, 1, 2],
  );
  assert.match((await sessions('search', '--read', first)).text, 'rm -rf größe');
  assert.match((await sessions('search', '--browse')).text, /make all/);
  const wrong = await sessions('search', 'a', 'OR');
  assert.equal([wrong.exit, wrong.message], [2, 'it ends where a word has to come']);
});

test('rename gives a title that no other has, and a title is a name', async () => {
  assert.is((await sessions('rename', first, 'Clean', 'up\x1b[31m!')).text, 'Clean up 31m\n');
  assert.is((await sessions('rename', second, 'Clean up 31m')).text, 'Clean up 31m (2)\n');
  assert.match((await sessions('show', 'clean up 31m')).text, first);
  const several = await sessions('show', 'clean');
  assert.equal([several.exit, several.code], [4, 'no_session']);
  assert.match((await sessions('list')).text, 'Clean up 31m (2)');
});

test('export and import go round byte for byte, torn lines and bytes that are no text included', async () => {
  const odd = '20260103_000000_cccccc';
  session(odd, ['x']);
  fs.appendFileSync(journalFile(at.home, odd), Buffer.from([0xff, 0xfe, 0x0a, 0x7b]));
  const [one, two] = [join(at.top, 'one.jsonl'), join(at.top, 'two.jsonl')];
  await sessions('export', one);
  const before = [first, second, odd].map((id) => fs.readFileSync(journalFile(at.home, id)));
  assert.is((await sessions('import', one)).text, '0 sessions taken in, 3 sessions here already\n');
  for (const id of [first, second, odd]) await sessions('delete', id, '--yes');
  assert.equal((await belay<{ sessions: [] }>(at.top, 'sessions', 'list')).json.sessions, []);
  assert.is((await sessions('import', one)).text, '3 sessions taken in, 0 sessions here already\n');
  assert.equal(
    [first, second, odd].map((id) => fs.readFileSync(journalFile(at.home, id))),
    before,
  );
  assert.is((await sessions('export', one)).code, 'would_overwrite');
  await sessions('export', two, first, second, odd);
  assert.is(fs.readFileSync(two, 'utf8'), fs.readFileSync(one, 'utf8'));
  assert.match((await sessions('list')).text, 'Clean up 31m (2)');
  fs.writeFileSync(journalFile(at.home, odd), 'another history\n');
  assert.match((await sessions('import', two)).text, `Left alone, another history of that name is here: ${odd}`);
  fs.writeFileSync(one, '{"belay":"session"}\n');
  assert.equal(
    [(await sessions('import', one)).code, (await sessions('import', join(at.top, 'none'))).code],
    ['not_an_export', 'no_file'],
  );
  await sessions('delete', odd, '--yes');
});

test('delete and prune ask; prune takes only what is older', async () => {
  assert.is((await sessions('delete', first)).code, 'not_answered');
  const old = session('20250101_000000_dddddd', ['ls'], [], Date.now() - 100 * DAY);
  const past = new Date(Date.now() - 100 * DAY);
  fs.utimesSync(journalFile(at.home, old), past, past);
  assert.is((await sessions('prune')).code, 'not_answered');
  assert.match((await sessions('prune', '--older-than', '200', '--yes')).text, 'No session is older than 200 days');
  const { json } = await belay<{ deleted: string[]; days: number }>(at.top, 'sessions', 'prune', '--yes');
  assert.equal(json, { deleted: [old], days: 90 });
  assert.not.ok(fs.existsSync(journalFile(at.home, old)));
});

test('a title is made of what was asked or done, is unique, and one that a person gave stays', async () => {
  const t = Date.now();
  const [a, b, c] = ['e', 'f', 'c'].map((hex) => `20260104_000000_${hex.repeat(6)}`) as [string, string, string];
  const label = 'Please refactor the auth module so that tokens expire';
  for (const id of [a, b]) session(id, ['ls'], [{ e: 'turn', t, turn: '5', label }]);
  session(c, ['rm -rf x', 'git checkout .']);
  const { titleSession } = await import('../../src/sessions/titled.ts');
  const world = await openWorld();
  for (const id of [a, b, c]) titleSession(world, id);
  const titles = [a, b, c].map((id) => readStory(at.home, id).title);
  assert.equal(titles.slice(0, 2), [
    'Please refactor the auth module so that',
    'Please refactor the auth module so that (2)',
  ]);
  assert.match(titles[2] ?? '', /^rm, git in belay-test-/);
  const titler = (command: string): World => ({
    ...world,
    config: { ...world.config, sessions: { ...world.config.sessions, titler: command } },
  });
  const d = session('20260104_000000_dddddd', ['rm -rf x']);
  titleSession(titler('exit 3'), d);
  assert.match(readStory(at.home, d).title ?? '', /^rm in /);
  const e = session('20260104_000000_eeeee0', ['rm -rf x']);
  titleSession(titler('cat >/dev/null; echo Better title'), e);
  assert.is(readStory(at.home, e).title, 'Better title');
  for (const id of [a, b, c, d, e]) await sessions('delete', id, '--yes');
});

test('show names the project of a checkpoint where there are several, what are folders only, and says why numbers are left out', async () => {
  const t = Date.now();
  const made = (turn: string, n: number, root: string, files: number): JournalEvent[] => [
    { e: 'command', t, turn, line: 'FOO=1 sh setup.sh', cwd: at.top },
    { e: 'checkpoint', t, turn, n, key: 'k', root, verbs: ['mkdir', 'chmod'], files, paths: ['d'], bytes: 0 },
  ];
  const of = session('20260106_000000_cccccc', ['cd /'], [...made('2', 1, at.top, 0), ...made('4', 1, '/x/shop', 39)]);
  const { text } = await sessions('show', of);
  assert.match(text, new RegExp(`checkpoint 1 of ${at.top} \\(folders only\\)`));
  assert.match(text, 'checkpoint 1 of /x/shop (39 files)');
  assert.match(text, "Numbers that are left out: belay's own lines, and lines hidden from the history.");
  // Nobody typed what the script did.
  assert.match(text, /^sh in /);
  assert.not.match((await sessions('show', second)).text, 'left out');
  await sessions('delete', of, '--yes');
});

test('belay title is of the session it is typed in; undo --session-only marks a turn and leaves files', async () => {
  const own = session('20250101_000000_abcdef', ['rm -rf old', 'make']);
  assert.is((await belay(at.top, 'title')).text, `rm, make in ${at.top.slice(at.top.lastIndexOf('/') + 1)}\n`);
  assert.is((await belay(at.top, 'title', 'My', 'work')).text, 'My work\n');
  assert.is((await belay(at.top, 'title')).text, 'My work\n');
  assert.match((await belay(at.top, 'undo', '--session-only')).text, 'Marked turn 2 undone in the session: make');
  assert.match((await belay(at.top, 'undo', '--session-only')).text, 'Marked turn 1 undone');
  assert.is((await belay(at.top, 'undo', '--session-only')).code, 'no_checkpoint');
  assert.equal(
    readStory(at.home, own).turns.map(({ undone }) => undone),
    [true, true],
  );
  assert.match((await belay(at.top, 'redo', '--session-only')).text, 'Marked turn 1 done again in the session: rm');
  assert.match((await belay(at.top, 'redo', '--session-only')).text, 'Marked turn 2 done again');
  assert.is((await belay(at.top, 'redo', '--session-only')).code, 'no_checkpoint');
  // What is typed after it in one line is the line that it stands in.
  appendEvents(at.home, own, [{ e: 'command', t: Date.now(), turn: '9999', line: 'clear; belay undo', cwd: at.top }]);
  assert.match((await belay(at.top, 'undo', '--session-only')).text, 'Marked turn 2 undone');
  await sessions('delete', own, '--yes');
});

test('a brief has the newest turns whole and older ones in a line, within its tokens', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `rm -rf folder${i} ${'x'.repeat(150)}`);
  const id = session('20260105_000000_aaaaa1', lines);
  const { text } = await sessions('brief', id, '--tokens', '1000');
  assert.ok(text.length <= 4100, String(text.length));
  assert.match(text, `turn 60: ${lines[59]}`);
  assert.match(text, /- turn \d+: rm -rf folder\d+ x+…\n/);
  assert.match(text, /\(\d+ earlier turns left out: belay sessions show /);
  assert.is((await sessions('brief', id, '--tokens', '1000')).text, text);
  await sessions('delete', id, '--yes');
});

test('stats and reindex count what is there', async () => {
  const { json, text } = await belay<{ sessions: number; commands: number }>(at.top, 'sessions', 'stats');
  assert.equal([json.sessions, json.commands], [2, 3]);
  assert.match(text, /Most destructive verbs\n {2}rm {2}1 {2}█+/);
  fs.writeFileSync(join(at.home, 'state.db'), 'x');
  assert.match((await sessions('reindex')).text, '2 sessions, ');
  const wrong = await sessions('serch');
  assert.match(wrong.message, "there is no 'belay sessions serch'; did you mean 'search'?");
});

test('what finds nothing says what was asked for', async () => {
  const none = await sessions('list', '--since', '0', '--source', 'nobody');
  assert.is(none.text, 'No session of source nobody of the last 0 days.\n');
  const far = await sessions('search', '--in', second, '--around', '999');
  assert.match(far.text, /^20260102_000000_bbbbbb has \d+ events, from 0 on\.\n$/);
});

test('a place to restore from that takes no options has the line to copy', () => {
  const refusal = new Failure(3, 'turn_active', 'turn 1 is still active', 'Wait until it has ended, or use --force.');
  const told = withLine(refusal, { n: 4, root: '/a b' });
  assert.is(told instanceof Failure && told.hint, `${refusal.hint}\nThat is: belay rollback 4 -C '/a b' --force`);
  const other = new Failure(3, 'x', 'no');
  assert.is(withLine(other, { n: 4, root: '/a' }), other);
});

test('without SQLite the list is the same, told from the records, and says what is lost', async () => {
  const asked = askedBy({ words: [], values: {}, json: false, yes: false, cwd: at.top, install: '/' }, []);
  const without = (): Promise<never> => Promise.reject(new NoIndex('not installed'));
  for (const filter of [
    { limit: 20 },
    { limit: 1 },
    { limit: 20, source: 'cli' },
    { limit: 20, cwd: at.top },
    { limit: 20, since: Date.now() + DAY },
  ]) {
    const indexed = await rowsOf(asked, filter);
    const walked = await rowsOf(asked, filter, without);
    const plain = ({ rows }: typeof walked) =>
      rows.map(({ session: id, source, title, preview, cwd, turns, commands, files, open }) => ({
        id,
        source,
        title,
        preview,
        cwd,
        turns,
        commands,
        files,
        open,
      }));
    assert.equal(plain(walked), plain(indexed));
    assert.match(walked.note ?? '', /search and stats do not work/);
    assert.is(indexed.note, undefined);
  }
});

test('doctor tells that sessions cannot be searched where SQLite is missing', async () => {
  assert.equal(await checkSearch(), []);
  const [told] = await checkSearch(async () => 'no sqlite');
  assert.is(told?.level, 'note');
  assert.match(told?.text ?? '', /SQLite .* is not installed.*: sessions search and sessions stats do not work/);
});

test('what was built finds the SQLite that was built beside it', () => {
  const dist = join(fileURLToPath(import.meta.url), '../../../dist');
  if (!fs.existsSync(join(dist, 'belay-sqlite.cjs'))) return; // not built, or without a compiler
  assert.ok(fs.readFileSync(join(dist, 'belay.bundle.cjs'), 'latin1').includes('require("./belay-sqlite.cjs")'));
});

test.run();
