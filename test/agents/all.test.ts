import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { protocolOf } from '../../src/agents/protocols/index.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { tellSession } from '../../src/turns/notice.ts';
import { before, changeOf, records, type Scene, scene } from '../saving/given.ts';
import { hook, logOf, recorded, recordedNames } from './given.ts';

/** The names of an agent's recorded events, in the order of one turn. */
interface Story {
  readonly start: string;
  readonly prompt: string;
  readonly shell: readonly [before: string, after: string];
  readonly write: readonly [before: string, after: string];
  readonly stop: string;
  /** What the hook answers where nothing is to be said. */
  readonly silence?: Readonly<Record<string, string>>;
  /** The event whose answer takes a sentence for the agent, and where in it. */
  readonly tells: readonly [event: string, text: (answer: unknown) => unknown];
  readonly denies: (answer: unknown) => unknown;
}

type Answer = { hookSpecificOutput: Record<string, unknown> } & Record<string, unknown>;

const context = (answer: unknown): unknown => (answer as Answer).hookSpecificOutput['additionalContext'];
const field =
  (name: string) =>
  (answer: unknown): unknown =>
    (answer as Answer)[name];

const STORIES: Readonly<Record<string, Story>> = {
  claude: {
    start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    shell: ['PreToolUse-Bash', 'PostToolUse-Bash'],
    write: ['PreToolUse-Write', 'PostToolUse-Write'],
    stop: 'Stop',
    tells: ['UserPromptSubmit', context],
    denies: (answer) => (answer as Answer).hookSpecificOutput['permissionDecisionReason'],
  },
  codex: {
    start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    shell: ['PreToolUse-Bash', 'PostToolUse-Bash'],
    write: ['PreToolUse-apply_patch', 'PostToolUse-apply_patch'],
    stop: 'Stop',
    tells: ['UserPromptSubmit', context],
    denies: (answer) => (answer as Answer).hookSpecificOutput['permissionDecisionReason'],
  },
  gemini: {
    start: 'SessionStart',
    prompt: 'BeforeAgent',
    shell: ['BeforeTool-run_shell_command', 'AfterTool-run_shell_command'],
    write: ['BeforeTool-write_file', 'AfterTool-write_file'],
    stop: 'AfterAgent',
    tells: ['BeforeAgent', context],
    denies: field('reason'),
  },
  cursor: {
    start: 'sessionStart',
    prompt: 'beforeSubmitPrompt',
    shell: ['beforeShellExecution', 'afterShellExecution'],
    write: ['preToolUse-Write', 'postToolUse-Write'],
    stop: 'stop',
    silence: {
      beforeSubmitPrompt: '{"continue":true}',
      beforeShellExecution: '{"permission":"allow"}',
      preToolUse: '{"permission":"allow"}',
    },
    tells: ['postToolUse-Write', field('additional_context')],
    denies: field('agent_message'),
  },
  opencode: {
    start: 'session.created',
    prompt: 'chat.message',
    shell: ['tool.execute.before-bash', 'tool.execute.after-bash'],
    write: ['tool.execute.before-write', 'tool.execute.after-write'],
    stop: 'session.idle',
    tells: ['chat.message', field('tell')],
    denies: field('deny'),
  },
  hermes: {
    start: 'on_session_start',
    prompt: 'pre_llm_call',
    shell: ['pre_tool_call-terminal', 'post_tool_call-terminal'],
    write: ['pre_tool_call-write_file', 'post_tool_call-write_file'],
    stop: 'on_session_end',
    tells: ['pre_llm_call', field('context')],
    denies: field('message'),
  },
};

function project(): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  fs.mkdirSync(join(s.root, 'build'));
  for (const [name, text] of Object.entries({ 'app.py': 'print(1)\n', 'build/out': 'o', b: 'b', 'old.txt': 'o\n' }))
    fs.writeFileSync(join(s.root, name), text);
  return s;
}

/** Beside each lies its lock. */
const conversations = (folder: string): string[] => fs.readdirSync(folder).filter((name) => name.endsWith('.json'));

for (const [agent, story] of Object.entries(STORIES)) {
  const say = (s: Scene, name: string, more: Record<string, unknown> = {}): string => {
    const done = hook(s, agent, recorded(s, agent, name, more));
    assert.deepEqual([done.status, done.stderr], [0, ''], name);
    return done.stdout;
  };
  const silent = (name: string): string => story.silence?.[name.replace(/-.*/, '')] ?? '';
  const tell = (s: Scene, name: string): void => assert.equal(say(s, name), silent(name), name);

  test(`${agent}: from prompt to stop is one turn, with everything that its tools took away`, async () => {
    const s = project();
    tell(s, story.start);
    tell(s, story.prompt);
    tell(s, story.shell[0]);
    fs.rmSync(join(s.root, 'build'), { recursive: true });
    tell(s, story.shell[1]);
    tell(s, story.write[0]);
    fs.writeFileSync(join(s.root, 'app.py'), 'print(2)\n');
    tell(s, story.write[1]);
    fs.writeFileSync(join(s.root, 'app.py'), 'by hand, before the agent has stopped');
    tell(s, story.stop);
    await settleAll(s.world, { wait: 20_000 });
    const [record, ...others] = records(s);
    assert.equal(others.length, 0);
    assert.ok(record);
    assert.deepEqual(
      [record.source, record.turn, record.label],
      [agent, '1', 'Remove the build folder and start app.py anew'],
    );
    assert.equal(before(s, record, changeOf(record, 'build/out'))?.toString(), 'o');
    assert.equal(before(s, record, changeOf(record, 'app.py'))?.toString(), 'print(1)\n');
    const { after } = changeOf(record, 'app.py') ?? {};
    assert.equal(
      after?.kind === 'file' && after.size,
      'print(2)\n'.length,
      'what was edited afterwards is not its work',
    );
    assert.equal(logOf(s), '');
  });

  test(`${agent}: every recorded event is answered as the protocol wants it`, () => {
    const s = project();
    for (const name of recordedNames(agent)) {
      const said = say(s, name);
      if (said !== '') assert.equal(typeof JSON.parse(said), 'object', name);
      assert.equal(said, silent(name), name);
    }
    assert.equal(logOf(s), '');
  });

  test(`${agent}: a line left for its session is told once, in the field that the protocol has for it`, () => {
    const s = project();
    tell(s, story.start);
    tell(s, story.prompt);
    const folder = join(s.home, 'sessions/agents');
    const [file] = conversations(folder);
    const { session } = JSON.parse(fs.readFileSync(join(folder, file ?? ''), 'utf8'));
    tellSession(s.home, session, 'belay rolled app.py back');
    const [event, textIn] = story.tells;
    const [first, second] = [say(s, event), say(s, event)];
    assert.equal(textIn(JSON.parse(first)), 'belay rolled app.py back');
    assert.equal(second, silent(event));
  });

  test(`${agent}: on_unsaved: refuse denies in the protocol's own words`, () => {
    const s = project();
    fs.mkdirSync(join(s.top, 'user/.config/belay'), { recursive: true });
    const config = 'checkpoints:\n  on_unsaved: refuse\n  hold: { max_mb: 0 }\n';
    fs.writeFileSync(join(s.top, 'user/.config/belay/config.yaml'), config);
    fs.writeFileSync(join(s.root, 'app.py'), Buffer.alloc(1 << 20));
    const said = say(s, story.write[0]);
    assert.match(String(story.denies(JSON.parse(said))), /^belay: not saved: .*app\.py/);
  });
}

for (const [agent, name, rest] of [
  ['claude', 'session_id', 'Stop'],
  ['cursor', 'conversation_id', 'stop'],
] as const)
  test(`${agent}: events that do not name their conversation are one of its own, and what their tools take away is saved`, async () => {
    const s = project();
    const nameless = { [name]: '', session_id: '' };
    for (const event of STORIES[agent]?.shell ?? []) {
      assert.equal(hook(s, agent, recorded(s, agent, event, nameless)).status, 0);
      fs.rmSync(join(s.root, 'build'), { recursive: true, force: true });
    }
    hook(s, agent, recorded(s, agent, rest, nameless));
    await settleAll(s.world, { wait: 20_000 });
    const [record, ...others] = records(s);
    assert.ok(record);
    assert.equal(others.length, 0);
    assert.equal(before(s, record, changeOf(record, 'build/out'))?.toString(), 'o');
    assert.equal(conversations(join(s.home, 'sessions/agents')).length, 1);
  });

test('codex: an answer has no key that its strict reader does not know', () => {
  const s = project();
  hook(s, 'codex', recorded(s, 'codex', 'UserPromptSubmit'));
  const known = new Set(['hookEventName', 'permissionDecision', 'permissionDecisionReason', 'additionalContext']);
  const folder = join(s.home, 'sessions/agents');
  const [file] = conversations(folder);
  const { session } = JSON.parse(fs.readFileSync(join(folder, file ?? ''), 'utf8'));
  tellSession(s.home, session, 'x');
  const answer = JSON.parse(hook(s, 'codex', recorded(s, 'codex', 'UserPromptSubmit')).stdout);
  assert.deepEqual(Object.keys(answer), ['hookSpecificOutput']);
  for (const key of Object.keys(answer.hookSpecificOutput)) assert.ok(known.has(key), key);
});

test('codex: a patch holds each file that it names, the moved one at both ends', async () => {
  const s = project();
  hook(s, 'codex', recorded(s, 'codex', 'PreToolUse-apply_patch'));
  fs.writeFileSync(join(s.root, 'app.py'), 'print(2)\n');
  fs.rmSync(join(s.root, 'b'));
  fs.renameSync(join(s.root, 'old.txt'), join(s.root, 'moved.txt'));
  hook(s, 'codex', recorded(s, 'codex', 'Stop'));
  await settleAll(s.world, { wait: 20_000 });
  const [record] = records(s);
  assert.ok(record);
  for (const [path, was] of Object.entries({ 'app.py': 'print(1)\n', b: 'b', 'old.txt': 'o\n' }))
    assert.equal(before(s, record, changeOf(record, path))?.toString(), was, path);
  assert.equal(changeOf(record, 'moved.txt')?.before.kind, 'absent');
});

test("codex: a patch that comes as a shell's text holds its files; what only the agent's shell knows, or is told later, is found by what it did", async () => {
  const s = project();
  const patch =
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: app.py\n@@\n-print(1)\n+print(2)\n*** End Patch\nEOF";
  hook(s, 'codex', recorded(s, 'codex', 'PreToolUse-Bash', { tool_input: { command: patch }, tool_use_id: 'one' }));
  fs.writeFileSync(join(s.root, 'app.py'), 'print(2)\n');
  hook(
    s,
    'codex',
    recorded(s, 'codex', 'PreToolUse-Bash', { tool_input: { command: 'cleanup_mine' }, tool_use_id: 'two' }),
  );
  fs.rmSync(join(s.root, 'b'));
  hook(s, 'codex', recorded(s, 'codex', 'PreToolUse-Bash', { tool_input: { command: 'bash' }, tool_use_id: 'three' }));
  fs.rmSync(join(s.root, 'old.txt'));
  hook(s, 'codex', recorded(s, 'codex', 'Stop'));
  await settleAll(s.world, { wait: 20_000 });
  const [record] = records(s);
  assert.ok(record);
  assert.deepEqual(
    record.changes.map(({ path, by }) => [path, by]),
    [
      ['app.py', 'named'],
      ['b', 'seen'],
      ['old.txt', 'seen'],
    ],
  );
});

test('codex, hermes: a command in a folder that the event does not name is found by what it did', async () => {
  for (const [agent, pre, stop] of [
    ['codex', 'PreToolUse-Bash', 'Stop'],
    ['hermes', 'pre_tool_call-terminal', 'on_session_end'],
  ] as const) {
    const s = project();
    fs.mkdirSync(join(s.root, 'sub'));
    fs.writeFileSync(join(s.root, 'sub/deep'), 'deep');
    hook(s, agent, recorded(s, agent, pre, { tool_input: { command: 'rm deep' } }));
    fs.rmSync(join(s.root, 'sub/deep'));
    hook(s, agent, recorded(s, agent, stop));
    await settleAll(s.world, { wait: 20_000 });
    const [record] = records(s);
    assert.ok(record, agent);
    assert.equal(before(s, record, changeOf(record, 'sub/deep'))?.toString(), 'deep', agent);
  }
});

test('cursor: another generation is another turn, though nobody said that the first one stopped', async () => {
  const s = project();
  const rm = (name: string, generation: string): void => {
    const event = { command: `rm ${name}`, generation_id: generation };
    hook(s, 'cursor', recorded(s, 'cursor', 'beforeShellExecution', event));
    fs.rmSync(join(s.root, name));
  };
  rm('b', 'one');
  rm('app.py', 'two');
  hook(s, 'cursor', recorded(s, 'cursor', 'stop'));
  await settleAll(s.world, { wait: 20_000 });
  assert.deepEqual(
    records(s).map(({ turn, line }) => [turn, line]),
    [
      ['2', 'rm app.py'],
      ['1', 'rm b'],
    ],
  );
});

test('a tool that nobody has heard of, and a file tool without a path, may change anything', () => {
  const cases = [
    ['cursor', 'preToolUse-Write', { tool_name: 'Shred' }, 'tool_input'],
    ['cursor', 'preToolUse-Write', { tool_name: 'Write' }, 'tool_input'],
    ['hermes', 'pre_tool_call-write_file', { tool_name: 'process' }, 'tool_input'],
    ['hermes', 'pre_tool_call-write_file', { tool_name: 'skill_manage' }, 'tool_input'],
  ] as const;
  for (const [agent, name, more, input] of cases) {
    const s = scene();
    const event = { ...JSON.parse(recorded(s, agent, name)), ...more, [input]: { new: 1 } };
    const happening = protocolOf(agent)?.read(event)?.happening;
    assert.equal(happening?.kind === 'before-tool' && happening.tool.kind, 'opaque', `${agent} ${more.tool_name}`);
  }
});

test('opencode: a session that another one has started is a source of its own', () => {
  const s = project();
  hook(s, 'opencode', recorded(s, 'opencode', 'session.created'));
  hook(s, 'opencode', recorded(s, 'opencode', 'session.created-child'));
  const folder = join(s.home, 'sessions/agents');
  const all = conversations(folder).map((file) => JSON.parse(fs.readFileSync(join(folder, file), 'utf8')));
  const child = all.find(({ id }) => id === 'ses_child');
  assert.equal(child.source, 'opencode:task');
  assert.equal(child.parent, all.find(({ id }) => id !== 'ses_child').session);
});

test.run();
