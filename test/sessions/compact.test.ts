import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fromText } from '../../src/platform/bytes.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { nameOf } from '../../src/platform/processes.ts';
import { briefOf } from '../../src/sessions/brief.ts';
import { compactUnderWay } from '../../src/sessions/compact.ts';
import { readStory } from '../../src/sessions/find.ts';
import { giveTitle } from '../../src/sessions/titles.ts';
import { appendEvents, journalFile } from '../../src/turns/journal.ts';
import type { JournalEvent } from '../../src/turns/journal-events.ts';
import { nextOf } from '../../src/turns/markers.ts';
import { belay, project } from '../cli/drive.ts';
import { inOwnHome } from '../cli/home.ts';
import { turn } from '../cli/turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const config = join(at.top, 'person/.config/belay');
const configure = (text: string): void => {
  fs.mkdirSync(config, { recursive: true });
  fs.writeFileSync(join(config, 'config.yaml'), text);
};

let number = 0;
function session(turns = 3): string {
  const id = `20260101_000000_${String(number++).padStart(6, '0')}`;
  const t = Date.now();
  const commands = [...Array(turns).keys()].map(
    (n): JournalEvent => ({
      e: 'command',
      t: t + n,
      turn: String(n + 1),
      line: fromText(`make größe-${n}`),
      cwd: at.top,
    }),
  );
  appendEvents(at.home, id, [{ e: 'session', v: 1, t, id, source: 'claude', model: 'm', cwd: '/' }, ...commands]);
  return id;
}

interface Done {
  readonly into: string;
  readonly title: string;
  readonly by: string;
}
const compact = async (id: string): Promise<Done> => (await belay<Done>(at.top, 'sessions', 'compact', id)).json;
const point = async (id: string): Promise<string> =>
  (await belay<{ session: string }>(at.top, 'resume', '--point', '--', id)).json.session;

test.before.each(() => fs.rmSync(config, { recursive: true, force: true }));

test('a compressed session goes on as a numbered one that names it and begins with its summary; nothing of it is lost', async () => {
  const id = session();
  giveTitle(at.home, id, 'Build it all', 'person');
  const before = fs.readFileSync(journalFile(at.home, id), 'utf8');
  const whole = briefOf(id, readStory(at.home, id), 40_000);
  const { into, title, by } = await compact(id);
  assert.equal([title, by], ['Build it all (2)', 'belay']);
  assert.ok(fs.readFileSync(journalFile(at.home, id), 'utf8').startsWith(before), 'the archive is as it was');
  const next = readStory(at.home, into);
  assert.equal(
    [next.beginning?.after, next.source, next.beginning?.model, next.beginning?.cwd],
    [id, 'claude', 'm', at.top],
  );
  assert.is(next.summary, fromText(whole));
  assert.match(briefOf(into, next, 2000), /Before that: Session .*: Build it all\n(?:.*\n)*turn 3: make größe-2/);
  const again = await belay(at.top, 'compact', id);
  assert.equal([again.exit, again.code, again.message.includes(into)], [3, 'compacted', true]);
  assert.is((await belay(at.top, 'compact', session(0))).code, 'nothing_done');
});

test('the same record gives the same summary, within target_ratio of the context', async () => {
  configure('compression: { context_tokens: 1000, target_ratio: 0.1 }\n');
  const [one, other] = [await compact(session(200)), await compact(session(200))];
  const text = ({ into }: Done): string =>
    (readStory(at.home, into).summary ?? '').replace(/20260101\S+|make in \S+/g, 'ID');
  assert.is(text(one), text(other));
  assert.ok((readStory(at.home, one.into).summary ?? '').length <= 100 * 4 + 100);
});

test('compression.summarizer makes the summary from JSON; one that fails or says nothing falls back, and the log has it', async () => {
  configure('compression: { summarizer: "cat > \\"$HOME/in\\"; echo all of it" }\n');
  const id = session();
  const { into, by } = await compact(id);
  assert.equal([by, readStory(at.home, into).summary], ['summarizer', 'all of it']);
  const input = JSON.parse(fs.readFileSync(join(at.top, 'person/in'), 'utf8'));
  assert.equal([input.session, input.turns.length, input.turns[0].commands[0].line], [id, 3, 'make größe-0']);
  for (const command of ['exit 3', ':', 'kill -9 $$']) {
    configure(`compression: { summarizer: "${command}" }\n`);
    assert.is((await compact(session())).by, 'belay', command);
  }
  const log = fs.readFileSync(join(at.home, 'logs/belay.log'), 'utf8');
  assert.is(log.match(/warn compression\.summarizer: /g)?.length, 3);
});

test('who goes on in a session goes on in the newest of its row, compressed where it has passed the threshold', async () => {
  const id = session();
  const { into } = await compact(id);
  appendEvents(at.home, into, [{ e: 'command', t: Date.now(), turn: '1', line: 'make', cwd: at.top }]);
  assert.is(await point(id), into);
  configure('compression: { context_tokens: 100, enabled: false }\n');
  assert.is(await point(id), into);
  configure('compression: { context_tokens: 100 }\n');
  const third = await point(id);
  assert.is(readStory(at.home, third).beginning?.after, into);
  configure('');
  assert.is(await point(into), third);
  const { json } = await belay<{ after: string | null; compacted_into: string | null }>(
    at.top,
    'sessions',
    'show',
    into,
  );
  assert.equal([json.after, json.compacted_into], [id, third]);
});

const rules = (threshold: number) => ({
  home: at.home,
  config: { ...DEFAULTS, compression: { ...DEFAULTS.compression, context_tokens: 100, threshold } },
});
const runtime = join(at.top, 'run/belay');

test('a session that runs on past the threshold goes on as another one, between two turns and never in the middle of one', () => {
  const id = session();
  const say = (...events: JournalEvent[]): boolean => appendEvents(at.home, id, events);
  const begin = (turn: string): boolean =>
    say({ e: 'command', t: Date.now(), turn, line: `make ${'x'.repeat(300)}`, cwd: at.top });
  begin('4');
  compactUnderWay(rules(0.5), runtime, id);
  assert.is(nextOf(runtime, id), undefined, 'a line is under way');
  say({ e: 'done', t: Date.now(), turn: '4', exit: 0 });
  compactUnderWay(rules(100), runtime, id);
  assert.is(nextOf(runtime, id), undefined, 'it is not long');
  const before = fs.readFileSync(journalFile(at.home, id), 'utf8');
  compactUnderWay(rules(0.5), runtime, id);
  const next = nextOf(runtime, id) ?? '';
  assert.is(readStory(at.home, next).beginning?.after, id);
  const after = fs.readFileSync(journalFile(at.home, id), 'utf8');
  assert.ok(after.startsWith(before));
  // Its shell has not come to a prompt yet, or its mark was lost: it is told again, of the same one.
  begin('5');
  fs.rmSync(join(runtime, id), { recursive: true });
  compactUnderWay(rules(0.5), runtime, id);
  assert.is(nextOf(runtime, id), next);
  assert.is(readStory(at.home, id).compactedInto, next);
});

test('who has a session has the one that it is compressed into: that is open for as long as it lives', () => {
  const id = session();
  const { pid } = process;
  const start = nameOf(pid).start ?? '';
  appendEvents(at.home, id, [
    { e: 'resumed', t: Date.now(), source: 'cli', pid, start },
    { e: 'command', t: Date.now(), turn: '4', line: 'x'.repeat(400), cwd: at.top },
    { e: 'done', t: Date.now(), turn: '4', exit: 0 },
  ]);
  compactUnderWay(rules(0.5), runtime, id);
  assert.equal(readStory(at.home, nextOf(runtime, id) ?? '').process, { pid, start });
});

test('undo, redo and the marks in the record reach the turns of the sessions that this one goes on from', async () => {
  const own = '20250101_000000_abcdef'; // this process is in it
  const [first, second] = [session(), session(0)];
  const root = project(at, { a: '1', b: '2' });
  const after = (id: string, before: string): boolean =>
    appendEvents(at.home, id, [{ e: 'session', v: 1, t: Date.now(), id, source: 'cli', cwd: root, after: before }]);
  fs.rmSync(journalFile(at.home, second));
  after(second, first);
  after(own, second);
  turn(at.home, root, 'rm a', () => fs.rmSync(join(root, 'a')), first);
  turn(at.home, root, 'rm b', () => fs.rmSync(join(root, 'b')), second);
  const undo = (...words: string[]) => belay(root, 'undo', '--yes', ...words);
  assert.equal((await undo()).json.restored, ['b']);
  assert.equal((await undo()).json.restored, ['a']);
  assert.is((await undo()).code, 'no_checkpoint');
  assert.equal((await belay(root, 'redo')).json.removed, ['a']);
  assert.equal((await belay(root, 'redo')).json.removed, ['b']);
  assert.equal((await undo('--session', second)).json.restored, ['b']);
  assert.equal((await undo('--session', first)).json.restored, ['a']);
  const marked = await belay<{ session: string; turn: string }>(root, 'undo', '--session-only');
  assert.equal(marked.json, { session: first, turn: '3' });
});

test.run();
