import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { answerHook } from '../../src/agents/hook.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { runtimeFolder } from '../../src/platform/home.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { compactUnderWay } from '../../src/sessions/compact.ts';
import { eventsIn, readJournal } from '../../src/sessions/journal.ts';
import { resumePoint } from '../../src/sessions/resume.ts';
import { type Story, storyOf } from '../../src/sessions/story.ts';
import { recordLine } from '../../src/snap/record.ts';
import { appendEvents, journalFile } from '../../src/turns/journal.ts';
import type { JournalEvent } from '../../src/turns/journal-events.ts';
import { nextOf } from '../../src/turns/markers.ts';
import { LOADER } from '../loader.ts';
import { plan, type Scene, scene, target } from '../saving/given.ts';

const SESSION = '20250101_000000_abcdef';
const command = (turn: string, line: string): JournalEvent => ({ e: 'command', t: 1, turn, line, cwd: '/' });
const home = (): string => fs.mkdtempSync(join(os.tmpdir(), 'belay-journal-'));
const eventsOf = (at: string, session = SESSION): JournalEvent[] =>
  [...readJournal(journalFile(at, session))].map(({ event }) => event);
const linesOf = (story: Story): string[] => story.turns.flatMap(({ commands }) => commands.map(({ line }) => line));

test('a line that was left half written is sealed by the next writer, and costs nobody else anything', () => {
  const at = home();
  appendEvents(at, SESSION, [command('1', 'first')]);
  fs.appendFileSync(journalFile(at, SESSION), '{"e":"command","t":1,"turn":"2","line":"cut of');
  appendEvents(at, SESSION, [command('3', 'third')]);
  // A shell does not look: what it writes behind a half line is told apart by the reader.
  fs.appendFileSync(
    journalFile(at, SESSION),
    `{"e":"command","t":1,"tu${JSON.stringify(command('5', '{"e":" in a string'))}\n`,
  );
  fs.appendFileSync(journalFile(at, SESSION), '{"e":"command"');
  assert.deepEqual(linesOf(storyOf(eventsOf(at))), ['first', 'third', '{"e":" in a string']);
  assert.deepEqual(eventsIn('no json'), []);
});

test('bytes of any kind come back as they were, read from any offset', () => {
  const at = home();
  const line = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('');
  appendEvents(at, SESSION, [command('1', line), command('2', 'b')]);
  const [first, second] = [...readJournal(journalFile(at, SESSION))];
  assert.deepEqual(first?.event, command('1', line));
  assert.deepEqual([...readJournal(journalFile(at, SESSION), first?.end)], [second]);
  assert.equal(fs.statSync(journalFile(at, SESSION)).mode & 0o777, 0o600);
});

test('ten writers at once, some of them killed: every event that was acknowledged is there, once', async () => {
  const at = home();
  appendEvents(at, SESSION, [command('0', 'first')]);
  const file = journalFile(at, SESSION);
  const script =
    'i=0; while [ $i -lt 250 ]; do printf \'{"e":"command","t":1,"turn":"%s","line":"%s","cwd":"/"}\\n\' "$1" "$1-$i" >>"$2" && echo $i; i=$((i+1)); done';
  const writer = join(fileURLToPath(import.meta.url), '../writer-run.ts');
  const acknowledged = (name: string, kill: boolean): Promise<string[]> =>
    new Promise((resolve) => {
      const child = name.startsWith('node')
        ? spawn(process.execPath, ['--import', LOADER, writer, at, SESSION, name])
        : spawn('bash', ['-c', script, 'bash', name, file]);
      let said = '';
      child.stdout.on('data', (text) => {
        said += text;
        if (kill && said.length > 200) child.kill('SIGKILL');
      });
      child.once('close', () =>
        resolve(
          said
            .split('\n')
            .slice(0, -1)
            .map((i) => `${name}-${i}`),
        ),
      );
    });
  const names = ['sh1', 'sh2', 'sh3', 'sh4', 'sh5', 'sh6', 'sh7', 'sh8', 'node1', 'node2'];
  const said = (await Promise.all(names.map((name, i) => acknowledged(name, i % 3 === 0)))).flat();
  const lines = linesOf(storyOf(eventsOf(at)));
  assert.ok(said.length > 600, String(said.length));
  assert.deepEqual(
    said.filter((line) => !lines.includes(line)),
    [],
  );
  assert.equal(new Set(lines).size, lines.length);
});

test('record: all, destructive or off is what is kept; a hidden line never is, and a secret is masked', () => {
  for (const [record, kept] of [
    ['all', ['ls', 'rm x', 'export TOKEN=***']],
    ['destructive', ['rm x']],
    ['off', []],
  ] as const) {
    const s = scene();
    const world = { ...s.world, config: { ...DEFAULTS, sessions: { ...DEFAULTS.sessions, record } } };
    recordLine({ ...s.turn('1'), line: 'ls' }, world, false);
    recordLine({ ...s.turn('2'), line: 'rm x' }, world, true);
    recordLine({ ...s.turn('3'), line: 'export TOKEN=abc' }, world, false);
    recordLine({ ...s.turn('4'), line: 'rm secret', hidden: true }, world, true);
    assert.deepEqual(linesOf(storyOf(eventsOf(s.home))), kept);
  }
});

test('a checkpoint is told to the record of its session, where there is one', async () => {
  const s = scene();
  fs.writeFileSync(join(s.root, 'a'), 'abc');
  for (const turn of ['1', '2']) {
    if (turn === '2') recordLine(s.turn('2'), s.world, true);
    await beginPlanned(s.turn(turn), plan([target(join(s.root, 'a'))]), s.world);
    if (turn === '2') fs.rmSync(join(s.root, 'a'));
    endTurn(s.world as never, SESSION, turn, Date.now());
    await settleAll(s.world, { wait: 20_000 });
  }
  const [turn, ...rest] = storyOf(eventsOf(s.home)).turns;
  assert.deepEqual(rest, []);
  const [{ n, verbs, files, paths, bytes } = {} as never] = turn?.checkpoints ?? [];
  assert.deepEqual([n, verbs, files, paths, bytes], [2, ['rm'], 1, ['a'], 3]);
});

test('a line that is recorded late is told where it was typed, and the session goes on in the folder of the newest one', () => {
  const at = home();
  const folders = ['a', 'b'].map((name) => join(at, name));
  for (const folder of folders) fs.mkdirSync(folder);
  const [a = '', b = ''] = folders;
  const typed = (t: number, turn: string, cwd: string): JournalEvent => ({ e: 'command', t, turn, line: turn, cwd });
  appendEvents(at, SESSION, [
    typed(1, '8', a),
    { e: 'turn', t: 4, turn: 'by-an-agent', label: 'label' },
    typed(5, '10', b),
    { e: 'done', t: 6, turn: '9', exit: 3 },
    typed(7, '9', a),
  ]);
  const { turns } = storyOf(eventsOf(at));
  assert.deepEqual(
    turns.map(({ turn }) => turn),
    ['8', 'by-an-agent', '9', '10'],
  );
  assert.equal(turns[2]?.commands[0]?.exit, 3);
  assert.deepEqual(resumePoint(at, SESSION), { session: SESSION, turn: 10, cwd: b });
});

test('what is found out behind the end of a session does not open it again; what it does itself does', () => {
  const end: JournalEvent = { e: 'end', t: 2 };
  const checkpoint: JournalEvent = {
    e: 'checkpoint',
    t: 3,
    turn: '1',
    n: 1,
    key: 'k',
    root: '/',
    verbs: [],
    files: 0,
    paths: [],
    bytes: 0,
  };
  const title: JournalEvent = { e: 'title', t: 4, title: 'x', by: 'belay' };
  const ended = (...events: JournalEvent[]): boolean => storyOf([command('1', 'rm x'), ...events]).ended;
  assert.deepEqual(
    [ended(), ended(end), ended(end, checkpoint, title), ended(end, title, command('2', 'ls'))],
    [false, true, true, false],
  );
});

const fixtures = join(fileURLToPath(import.meta.url), '../../agents/fixtures/claude');

const recorded = (s: Scene, name: string, more: Record<string, unknown>): string => {
  const text = fs.readFileSync(join(fixtures, `${name}.json`), 'utf8').replaceAll('/w/proj', s.root);
  return JSON.stringify({ ...JSON.parse(text), ...more });
};

const tell = async (s: Scene, name: string, more: Record<string, unknown> = {}): Promise<void> => {
  const { print } = await answerHook('claude', recorded(s, name, more), s.world);
  assert.equal(print, '');
};

test("an agent's conversation is recorded by its hooks: prompt, commands, files with their hash, what was said", async () => {
  const s = scene();
  fs.mkdirSync(join(s.root, 'build'));
  fs.writeFileSync(join(s.root, 'app.py'), 'print(1)\n');
  const transcript_path = join(s.top, 'transcript.jsonl');
  const say = (entry: object): void => fs.appendFileSync(transcript_path, `${JSON.stringify(entry)}\n`);
  await tell(s, 'UserPromptSubmit', { prompt: 'Clean up with TOKEN=abc', transcript_path });
  say({ type: 'session_meta', payload: { instructions: 'Be careful with TOKEN=abc', cli_version: '1.2' } });
  say({ type: 'turn_context', payload: { model: 'm', approval_policy: 'never', cwd: '/' } });
  say({
    type: 'user',
    message: { role: 'user', content: 'Clean up with TOKEN=abc' },
    timestamp: '2026-01-01T00:00:00Z',
  });
  await tell(s, 'PreToolUse-Bash');
  fs.rmSync(join(s.root, 'build'), { recursive: true });
  await tell(s, 'PostToolUse-Bash');
  await tell(s, 'PreToolUse-Write');
  fs.writeFileSync(join(s.root, 'app.py'), 'print(2)\n');
  await tell(s, 'PostToolUse-Write');
  const usage = { input_tokens: 10, output_tokens: 2 };
  const content = [
    { type: 'text', text: 'Done: größer.' },
    { type: 'tool_use', name: 'Bash', input: {} },
  ];
  say({ type: 'assistant', message: { role: 'assistant', content, usage } });
  say({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: 'ok' }] } });
  await tell(s, 'Stop', { transcript_path });
  say({ type: 'user', message: { role: 'user', content: 'longer than what is read at once '.repeat(300_000) } });
  await tell(s, 'Stop', { transcript_path });
  say({ type: 'assistant', message: { role: 'assistant', content: 'behind it' } });
  fs.appendFileSync(transcript_path, '{"type":"assist');
  await tell(s, 'Stop', { transcript_path });
  await tell(s, 'Stop', { transcript_path });
  const [journal] = fs.readdirSync(join(s.home, 'sessions')).filter((name) => name.endsWith('.jsonl'));
  const story = storyOf(eventsOf(s.home, journal?.replace('.jsonl', '')));
  const [turn] = story.turns;
  assert.deepEqual([story.source, story.beginning?.cwd], ['claude', s.root]);
  assert.deepEqual([turn?.label, turn?.state], ['Clean up with TOKEN=***', 'done']);
  assert.deepEqual(
    [story.system, story.config],
    ['Be careful with TOKEN=***', '{"model":"m","approval_policy":"never"}'],
  );
  assert.deepEqual(
    turn?.commands.map(({ line, ms }) => [line, ms !== undefined]),
    [['rm -rf build', true]],
  );
  assert.deepEqual(
    turn?.writes.map(({ path, oid }) => [path, oid?.length]),
    [[join(s.root, 'app.py'), 40]],
  );
  assert.deepEqual(
    turn?.messages.map(({ role, text, tools, tokens }) => [role, text, tools, tokens]),
    [
      ['user', 'Clean up with TOKEN=***', undefined, undefined],
      ['assistant', Buffer.from('Done: größer.').toString('latin1'), ['Bash'], { in: 10, out: 2 }],
      ['tool', 'ok', undefined, undefined],
      ['assistant', 'behind it', undefined, undefined],
    ],
  );
});

test("an agent's conversation that was compressed goes on in the other session with its next turn, not before", async () => {
  const s = scene();
  const { compression } = DEFAULTS;
  const world = { ...s.world, config: { ...s.world.config, compression: { ...compression, context_tokens: 100 } } };
  const say = (name: string, more = {}) => answerHook('claude', recorded(s, name, more), world);
  await say('UserPromptSubmit', { prompt: `Clean up ${'x'.repeat(400)}` });
  assert.equal((await say('PreToolUse-Bash')).grown, undefined);
  const names = fs.readdirSync(join(s.home, 'sessions'));
  const id = names.find((name) => name.endsWith('.jsonl'))?.replace('.jsonl', '') ?? '';
  const runtime = runtimeFolder(world.env, true) ?? '';
  compactUnderWay({ home: s.home, config: world.config }, runtime, id);
  assert.equal(nextOf(runtime, id), undefined, 'it is in a turn');
  await say('PostToolUse-Bash');
  assert.equal((await say('Stop')).grown, id);
  await settleAll(world, { wait: 20_000 });
  compactUnderWay({ home: s.home, config: world.config }, runtime, id);
  const next = nextOf(runtime, id) ?? '';
  await say('UserPromptSubmit', { prompt: 'And now the rest' });
  assert.deepEqual(
    storyOf(eventsOf(s.home, next)).turns.map(({ turn, label }) => [turn, label]),
    [['1', 'And now the rest']],
  );
});

test.run();
