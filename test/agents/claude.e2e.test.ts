import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { pendingTurns } from '../../src/turns/pending.ts';
import { before, changeOf, records, type Scene, scene } from '../saving/given.ts';
import { hook, logOf, recorded, recordedNames } from './given.ts';

/** An event of the agent, which is answered with nothing. */
function tell(s: Scene, name: string, more: Record<string, unknown> = {}): void {
  const done = hook(s, 'claude', recorded(s, 'claude', name, more));
  assert.deepEqual([done.status, done.stdout, done.stderr], [0, '', ''], name);
}

const bash = (s: Scene, command: string, more: Record<string, unknown> = {}): void => {
  const call = { tool_input: { command }, tool_use_id: `toolu_${command}`, ...more };
  tell(s, 'PreToolUse-Bash', call);
  spawnSync('bash', ['-c', command], { cwd: s.root });
};

function project(): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  fs.mkdirSync(join(s.root, 'build'));
  for (const [name, text] of Object.entries({ 'app.py': 'print(1)\n', 'build/out': 'o', b: 'b', 'nb.ipynb': '{}' }))
    fs.writeFileSync(join(s.root, name), text);
  return s;
}

async function settled(s: Scene) {
  await settleAll(s.world, { wait: 20_000 });
  return records(s);
}

test('one prompt is one turn: shell and file tools together, labelled with the prompt', async () => {
  const s = project();
  tell(s, 'SessionStart');
  tell(s, 'UserPromptSubmit');
  bash(s, 'rm -rf build');
  tell(s, 'PreToolUse-Write');
  fs.writeFileSync(join(s.root, 'app.py'), 'print(2)\n');
  tell(s, 'PostToolUse-Write');
  tell(s, 'Stop');
  const [record, ...others] = await settled(s);
  assert.equal(others.length, 0);
  assert.ok(record);
  assert.match(record.session, /^\d{8}_\d{6}_[0-9a-f]{6}$/);
  assert.deepEqual([record.turn, record.source, record.scope], ['1', 'claude', 'full']);
  assert.equal(record.label, 'Remove the build folder and start app.py anew');
  assert.deepEqual(record.verbs, ['rm', 'Write']);
  assert.equal(before(s, record, changeOf(record, 'build/out'))?.toString(), 'o');
  assert.equal(before(s, record, changeOf(record, 'app.py'))?.toString(), 'print(1)\n');
  assert.equal(logOf(s), '');
});

test('nothing but PreToolUse and Stop: the command is a turn of its own', async () => {
  const s = project();
  bash(s, 'rm b');
  tell(s, 'Stop');
  const [record] = await settled(s);
  assert.equal(record?.line, 'rm b');
  assert.equal(before(s, record as never, changeOf(record, 'b'))?.toString(), 'b');
  bash(s, 'rm app.py');
  tell(s, 'Stop');
  assert.deepEqual(
    (await settled(s)).map(({ turn, session }) => [turn, session === record?.session]),
    [
      ['2', true],
      ['1', true],
    ],
  );
});

test("a file tool's reason reads `before Write: app.py`", async () => {
  const s = project();
  tell(s, 'PreToolUse-Write');
  fs.writeFileSync(join(s.root, 'app.py'), 'print(2)\n');
  tell(s, 'Stop');
  const [record] = await settled(s);
  const { reasonOf } = await import('../../src/checkpoint/write.ts');
  assert.equal(record && reasonOf(record), 'before Write: app.py');
});

test('each file tool holds the file that it names, before it writes', async () => {
  for (const [name, file] of [
    ['PreToolUse-Write', 'app.py'],
    ['PreToolUse-Edit', 'app.py'],
    ['PreToolUse-MultiEdit', 'app.py'],
    ['PreToolUse-NotebookEdit', 'nb.ipynb'],
  ] as const) {
    const s = project();
    const was = fs.readFileSync(join(s.root, file), 'utf8');
    tell(s, name);
    fs.writeFileSync(join(s.root, file), 'other');
    tell(s, 'Stop');
    const [record] = await settled(s);
    assert.ok(record, name);
    assert.equal(before(s, record, changeOf(record, file))?.toString(), was, name);
  }
});

test('a file that was not there is known to be new', async () => {
  const s = project();
  tell(s, 'PreToolUse-Write', { tool_input: { file_path: join(s.root, 'deep/er/new.txt') } });
  fs.mkdirSync(join(s.root, 'deep/er'), { recursive: true });
  fs.writeFileSync(join(s.root, 'deep/er/new.txt'), 'new');
  tell(s, 'Stop');
  const [record] = await settled(s);
  assert.equal(changeOf(record, 'deep/er/new.txt')?.before.kind, 'absent');
  assert.equal(changeOf(record, 'deep')?.before.kind, 'absent');
});

test('a program that nobody can read is known by what it did, and what happens between two of them is not', async () => {
  const s = project();
  const opaque = (code: string, id: string): void => {
    const command = `python3 -c "$(echo ${Buffer.from(code).toString('base64')} | base64 -d)"`;
    tell(s, 'PreToolUse-Bash', { tool_input: { command }, tool_use_id: id });
    spawnSync('bash', ['-c', command], { cwd: s.root });
    tell(s, 'PostToolUse-Bash', { tool_input: { command }, tool_use_id: id });
  };
  tell(s, 'UserPromptSubmit');
  opaque("import os; os.remove('b')", 'one');
  fs.writeFileSync(join(s.root, 'app.py'), 'by hand, meanwhile');
  opaque("open('made','w').write('m')", 'two');
  fs.writeFileSync(join(s.root, 'nb.ipynb'), 'by hand, afterwards');
  tell(s, 'Stop');
  const [record] = await settled(s);
  assert.deepEqual(record?.changes.map(({ path }) => path).sort(), ['b', 'made']);
  assert.equal(logOf(s), '');
});

test('the whole project is at hand from the first call of a turn on that may write, and not for one that only reads', async () => {
  const s = project();
  tell(s, 'PreToolUse-Read');
  bash(s, 'ls -la');
  assert.equal(fs.existsSync(s.home), false);
  bash(s, 'rm b');
  tell(s, 'Stop');
  const [record] = await settled(s);
  assert.deepEqual([record?.scope, typeof record?.captureBefore], ['full', 'number']);
});

test('a helper of the agent is a session and source of its own', async () => {
  const s = project();
  tell(s, 'UserPromptSubmit');
  bash(s, 'rm app.py');
  tell(s, 'PreToolUse-subagent');
  fs.rmSync(join(s.root, 'b'));
  tell(s, 'SubagentStop');
  tell(s, 'Stop');
  const found = await settled(s);
  assert.deepEqual(found.map(({ source }) => source).sort(), ['claude', 'claude:general-purpose']);
  assert.equal(new Set(found.map(({ session }) => session)).size, 2);
});

test('a turn that begins with the end of a helper is called after it', async () => {
  const s = project();
  const summary = 'Agent "a review" finished';
  tell(s, 'UserPromptSubmit', {
    prompt: `<task-notification>\n<task-id>a60</task-id>\n<summary>${summary}</summary>\n<result>x</result>\n</task-notification>`,
  });
  bash(s, 'rm app.py');
  tell(s, 'Stop');
  assert.deepEqual(
    (await settled(s)).map(({ label }) => label),
    [summary],
  );
});

test('what the agent wraps around a command is not what a person reads', async () => {
  const s = project();
  const command = `source /home/u/.claude/shell-snapshots/s.sh && eval 'rm '\\''b'\\''' \\< /dev/null && pwd -P >| /tmp/claude-1-cwd`;
  bash(s, 'true', { tool_input: { command } });
  fs.rmSync(join(s.root, 'b'));
  tell(s, 'Stop');
  const [record] = await settled(s);
  assert.equal(record?.line, "rm 'b'");
});

test('what is written around a command is saved for like the command, whoever wrote it', async () => {
  const s = project();
  const command = "rm -rf build && eval 'true' && pwd -P >| b";
  bash(s, command);
  tell(s, 'Stop');
  const [record] = await settled(s);
  assert.ok(record);
  assert.equal(before(s, record, changeOf(record, 'build/out'))?.toString(), 'o');
  assert.equal(before(s, record, changeOf(record, 'b'))?.toString(), 'b');
});

test('an edit by hand between a call that wrote and one that reads stays when the turn is undone', async () => {
  const s = project();
  tell(s, 'PreToolUse-Write');
  fs.writeFileSync(join(s.root, 'app.py'), 'print(2)\n');
  tell(s, 'PostToolUse-Write');
  fs.writeFileSync(join(s.root, 'app.py'), 'by hand, which is longer\n');
  bash(s, 'ls');
  tell(s, 'PostToolUse-Bash', { tool_input: { command: 'ls' }, tool_use_id: 'toolu_ls' });
  tell(s, 'Stop');
  const [record] = await settled(s);
  const after = changeOf(record, 'app.py')?.after;
  assert.equal(after?.kind === 'file' && after.size, 'print(2)\n'.length);
});

test('on_unsaved: refuse: a tool is denied also where not even its turn can be begun', () => {
  const s = project();
  fs.mkdirSync(join(s.top, 'user/.config/belay'), { recursive: true });
  fs.writeFileSync(join(s.top, 'user/.config/belay/config.yaml'), 'checkpoints:\n  on_unsaved: refuse\n');
  fs.mkdirSync(s.home, { mode: 0o700 });
  fs.writeFileSync(join(s.home, 'sessions'), 'in the way');
  const done = hook(s, 'claude', recorded(s, 'claude', 'PreToolUse-Bash', { tool_input: { command: 'rm b' } }));
  assert.equal(JSON.parse(done.stdout).hookSpecificOutput.permissionDecision, 'deny', done.stdout);
});

test('a turn without a stop ends with the next prompt', async () => {
  const s = project();
  tell(s, 'UserPromptSubmit');
  bash(s, 'rm b');
  tell(s, 'UserPromptSubmit', { prompt: 'go on' });
  bash(s, 'rm app.py');
  tell(s, 'SessionEnd');
  assert.deepEqual((await settled(s)).map(({ label }) => label).sort(), [
    'Remove the build folder and start app.py anew',
    'go on',
  ]);
  assert.equal(pendingTurns(s.home).length, 0);
});

test('on_unsaved: refuse: a tool that cannot be saved for is denied in words of the protocol', () => {
  const s = project();
  fs.mkdirSync(join(s.top, 'user/.config/belay'), { recursive: true });
  const config = join(s.top, 'user/.config/belay/config.yaml');
  fs.writeFileSync(config, 'checkpoints:\n  on_unsaved: refuse\n  hold: { max_mb: 0 }\n');
  fs.writeFileSync(join(s.root, 'large'), Buffer.alloc(1 << 20));
  const ask = (): string =>
    hook(s, 'claude', recorded(s, 'claude', 'PreToolUse-Bash', { tool_input: { command: 'truncate -s 0 large' } }))
      .stdout;
  const { hookSpecificOutput } = JSON.parse(ask());
  assert.equal(hookSpecificOutput.hookEventName, 'PreToolUse');
  assert.equal(hookSpecificOutput.permissionDecision, 'deny');
  assert.match(hookSpecificOutput.permissionDecisionReason, /^belay: not saved: .*large/);
  fs.writeFileSync(config, 'checkpoints:\n  on_unsaved: warn\n  hold: { max_mb: 0 }\n');
  assert.equal(ask(), '');
});

test('whatever goes wrong, the tool runs: garbage, nothing, a home that cannot be made, a folder that is gone', () => {
  const s = project();
  fs.writeFileSync(join(s.top, 'file'), '');
  const inputs: [string, Record<string, string>][] = [
    ['', {}],
    ['garbage {', {}],
    ['[1, 2]', {}],
    ['{"hook_event_name":"PreToolUse"}', {}],
    ['{"session_id":5,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"rm"}', {}],
    [recorded(s, 'claude', 'PreToolUse-Bash', { cwd: '/nonexistent/folder' }), {}],
    [recorded(s, 'claude', 'PreToolUse-Bash', { tool_input: { command: 'rm "unfinished' } }), {}],
    [recorded(s, 'claude', 'PreToolUse-Bash', { session_id: '../../etc/passwd' }), {}],
    [recorded(s, 'claude', 'PreToolUse-Bash'), { BELAY_HOME: join(s.top, 'file/home') }],
    [recorded(s, 'claude', 'PreToolUse-Bash'), { BELAY_HOME: '', HOME: '' }],
    [recorded(s, 'claude', 'PreToolUse-Bash'), { BELAY_DISABLE: '1' }],
  ];
  for (const [input, env] of inputs) {
    const done = hook(s, 'claude', input, env);
    assert.deepEqual([done.status, done.stdout, done.stderr], [0, '', ''], input);
  }
});

test('every recorded event is answered with silence', () => {
  const s = project();
  for (const name of recordedNames('claude')) tell(s, name);
  assert.equal(logOf(s), '');
});

test.run();
