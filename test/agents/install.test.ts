import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseJson } from 'jsonc-parser';
import { test } from 'uvu';
import { parse as parseYaml } from 'yaml';
import { removeEverywhere } from '../../src/cli/agent.ts';
import { builtSnap } from '../built.ts';

builtSnap();
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const tops: string[] = [];
process.on('exit', () => {
  for (const top of tops) fs.rmSync(top, { recursive: true, force: true });
});

interface Home {
  readonly person: string;
  belay(...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  put(name: string, text: string): void;
  get(name: string): string | undefined;
  /** Every file below the person's home, belay's own data left aside. */
  tree(): Record<string, string>;
}

function home(): Home {
  const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-agent-')));
  tops.push(top);
  const person = join(top, 'person');
  fs.mkdirSync(join(person, 'project/.git'), { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: person, BELAY_HOME: join(top, 'belay') };
  const path = (name: string): string => join(person, name);
  return {
    person,
    belay: (...args) =>
      spawnSync(process.execPath, [join(root, 'dist/belay.cjs'), 'agent', ...args], {
        cwd: path('project'),
        env,
        encoding: 'utf8',
      }),
    put: (name, text) => {
      fs.mkdirSync(dirname(path(name)), { recursive: true });
      fs.writeFileSync(path(name), text);
    },
    get: (name) => (fs.existsSync(path(name)) ? fs.readFileSync(path(name), 'utf8') : undefined),
    tree: () =>
      Object.fromEntries(
        fs.readdirSync(person, { recursive: true, withFileTypes: true, encoding: 'utf8' }).map((entry) => {
          const file = join(entry.parentPath, entry.name);
          return [file.slice(person.length), entry.isFile() ? fs.readFileSync(file, 'utf8') : 'folder'];
        }),
      ),
  };
}

/** Where each agent has its hooks, what was in it before, and an event that must have belay's. */
const CASES = {
  claude: [
    '.claude/settings.json',
    'PreToolUse',
    '{\n    // mine\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine.sh" }] }]\n    }, // end\n    "env": {}\n}\n',
  ],
  codex: ['.codex/hooks.json', 'PreToolUse', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"notify"}]}]}}'],
  gemini: ['.gemini/settings.json', 'BeforeTool', '{\n\t"theme": "x" /* dark */\n}\n'],
  cursor: [
    '.cursor/hooks.json',
    'beforeShellExecution',
    '{\n  "version": 1,\n  "hooks": { "stop": [ { "command": "say done" } ] }\n}\n',
  ],
  opencode: ['.config/opencode/plugins/belay.js', '', undefined],
  hermes: [
    '.hermes/config.yaml',
    'pre_tool_call',
    '# my settings\nmodel: x # the best\nhooks:\n  # mine\n  pre_tool_call:\n    - matcher: terminal\n      command: mine.sh\ndisplay:\n  - a\n',
  ],
} as const;

const read = (agent: string, text: string): { hooks: Record<string, { command?: string }[]> } =>
  agent === 'hermes' ? parseYaml(text) : parseJson(text);

for (const [agent, [file, event, given]] of Object.entries(CASES)) {
  test(`${agent}: install merges, keeps comments and order, and twice is once; remove leaves every byte as it was`, () => {
    const h = home();
    if (given !== undefined) h.put(file, given);
    const before = h.tree();
    const done = h.belay('install', agent);
    assert.equal(done.status, 0, done.stderr);
    const text = h.get(file) ?? '';
    assert.match(text, new RegExp(`belay hook ${agent}`));
    if (given !== undefined) {
      for (const comment of given.match(/# .*|\/\/ \w+|\/\* \w+ \*\//g) ?? [])
        assert.ok(text.includes(comment), comment);
      const { hooks } = read(agent, text);
      const was = read(agent, given).hooks?.[event] ?? [];
      assert.deepEqual(hooks[event]?.slice(0, was.length), was);
      assert.match(JSON.stringify(hooks[event]?.at(-1)), /belay hook/);
    }
    const once = h.tree();
    assert.match(h.belay('install', agent).stdout, /in place already/);
    assert.deepEqual(h.tree(), once);
    assert.match(h.belay('status', agent).stdout, new RegExp(`^${agent} +installed`));
    assert.equal(h.belay('remove', agent).status, 0);
    assert.deepEqual(h.tree(), before);
    assert.match(h.belay('status', agent).stdout, /not installed/);
  });

  test(`${agent}: what the user changed after the install stays when belay goes`, () => {
    const h = home();
    if (given !== undefined) h.put(file, given);
    h.belay('install', agent);
    const text = h.get(file) ?? '';
    if (agent === 'opencode') h.put(file, `// mine too\n${text}`);
    else if (agent === 'hermes') h.put(file, `${text}later: added\n`);
    else h.put(file, text.replace('{', '{ "later": "added",'));
    assert.equal(h.belay('remove', agent).status, 0);
    const left = h.get(file);
    assert.doesNotMatch(left ?? '', /belay/);
    if (given !== undefined) {
      const was = read(agent, given) as unknown as Record<string, unknown>;
      assert.deepEqual(read(agent, left ?? ''), { ...was, later: 'added' });
    }
  });
}

test('a file that cannot be read as what it should be is refused, and nothing is changed', () => {
  for (const [agent, file, text] of [
    ['claude', '.claude/settings.json', '{ "hooks": '],
    ['claude', '.claude/settings.json', '[1]'],
    ['codex', '.codex/hooks.json', '{"hooks": {"PreToolUse": "x"}}'],
    ['hermes', '.hermes/config.yaml', 'a: [1\nb: }'],
  ] as const) {
    const h = home();
    h.put(file, text);
    const before = h.tree();
    const done = h.belay('install', agent, '--json');
    assert.equal(done.status, 3, done.stdout + done.stderr);
    assert.equal(JSON.parse(done.stdout).error.code, 'cannot_merge');
    assert.deepEqual(h.tree(), before);
  }
});

test('--print shows it and writes nothing; --project writes into the project alone', () => {
  const h = home();
  const before = h.tree();
  assert.match(h.belay('install', 'claude', '--print').stdout, /"PreToolUse"/);
  assert.deepEqual(h.tree(), before);
  assert.equal(h.belay('install', 'claude', '--project').status, 0);
  assert.match(h.get('project/.claude/settings.local.json') ?? '', /belay hook claude/);
  assert.equal(h.get('.claude/settings.json'), undefined);
  assert.equal(h.belay('install', 'hermes', '--project').status, 3);
});

test("the agents' time-outs are in their own unit, and every hook command is one that a shell can run", () => {
  const h = home();
  for (const agent of Object.keys(CASES)) assert.equal(h.belay('install', agent).status, 0);
  const gemini = JSON.parse(h.get('.gemini/settings.json') ?? '');
  assert.equal(gemini.hooks.BeforeTool[0].hooks[0].timeout, 60_000);
  const claude = JSON.parse(h.get('.claude/settings.json') ?? '');
  assert.equal(claude.hooks.PreToolUse[0].hooks[0].timeout, 60);
  const event = JSON.stringify({ session_id: 'x', cwd: h.person, hook_event_name: 'SessionStart' });
  const done = spawnSync('sh', ['-c', claude.hooks.SessionStart[0].hooks[0].command], {
    input: event,
    encoding: 'utf8',
  });
  assert.deepEqual([done.status, done.stdout, done.stderr], [0, '', '']);
  assert.equal(JSON.parse(h.get('.cursor/hooks.json') ?? '').version, 1);
});

test('gemini: a belay that is not there any more is no answer that it takes for a no', () => {
  const h = home();
  assert.equal(h.belay('install', 'gemini').status, 0);
  const { command } = JSON.parse(h.get('.gemini/settings.json') ?? '').hooks.BeforeTool[0].hooks[0];
  const gone = command.replace(/\S*belay(?= hook)/, join(h.person, 'gone/belay'));
  assert.notEqual(gone, command);
  // Its own rule: a status above 1, with a word on standard error, blocks the tool.
  assert.equal(spawnSync('bash', ['-c', gone], { input: '{}' }).status, 0);
});

test('slash commands come with it where the agent has them, and a file of the same name that is not ours stays', () => {
  const h = home();
  h.put('.claude/commands/diff.md', 'mine\n');
  h.belay('install', 'claude');
  assert.equal(h.get('.claude/commands/diff.md'), 'mine\n');
  for (const name of ['undo', 'rollback']) assert.match(h.get(`.claude/commands/${name}.md`) ?? '', /belay/);
  h.belay('remove', 'claude');
  assert.equal(h.get('.claude/commands/diff.md'), 'mine\n');
  assert.equal(h.get('.claude/commands/undo.md'), undefined);
});

test("opencode's plugin calls the hook for each event, and a refusal stops the tool", async () => {
  const h = home();
  h.belay('install', 'opencode');
  const log = join(h.person, 'log');
  const stub = join(h.person, 'stub');
  fs.writeFileSync(stub, `#!/bin/sh\ncat >>${log}\necho >>${log}\necho '{"deny":"no","tell":"news"}'\n`, {
    mode: 0o755,
  });
  const text = (h.get('.config/opencode/plugins/belay.js') ?? '').replace(/exec [^ ]+ hook/, `exec ${stub} hook`);
  const file = join(h.person, 'plugin.mjs');
  fs.writeFileSync(file, text);
  const { Belay } = await import(file);
  const hooks = await Belay({ directory: '/w/proj' });
  const model = { providerID: 'p', modelID: 'm' };
  await hooks['chat.message']({ sessionID: 's' }, { message: { model }, parts: [{ type: 'text', text: 'do it' }] });
  const system: string[] = [];
  await hooks['experimental.chat.system.transform']({}, { system });
  assert.deepEqual(system, ['news']);
  const call = { tool: 'bash', sessionID: 's', callID: 'c' };
  await assert.rejects(hooks['tool.execute.before'](call, { args: { command: 'rm x' } }), /^Error: no$/);
  await hooks['tool.execute.after']({ ...call, args: { command: 'rm x' } }, { title: '', output: '', metadata: {} });
  const event = (type: string, properties: object): Promise<void> => hooks.event({ event: { type, properties } });
  await event('message.updated', { info: { id: 'u', sessionID: 's', role: 'user' } });
  await event('message.part.updated', { part: { type: 'text', sessionID: 's', messageID: 'u', text: 'do it' } });
  await event('message.updated', { info: { id: 'a', sessionID: 's', role: 'assistant' } });
  await event('message.part.updated', { part: { type: 'text', sessionID: 's', messageID: 'a', text: 'Done.' } });
  await event('session.error', { sessionID: 's' });
  await event('session.idle', { sessionID: 's' });
  await hooks.event({ event: { type: 'server.connected' } });
  const said = fs
    .readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    said.map(({ event }) => event),
    ['chat.message', 'tool.execute.before', 'tool.execute.after', 'session.error', 'session.idle'],
  );
  assert.deepEqual([said[0].prompt, said[0].model], ['do it', 'p/m']);
  assert.deepEqual([said[3].message, said[4].message], ['Done.', undefined]);
  assert.deepEqual(said[1], { event: 'tool.execute.before', directory: '/w/proj', ...call, args: { command: 'rm x' } });
});

test('what uninstalling does: every agent is as it was, for the user and in projects; a file that cannot be read is named', () => {
  const one = home();
  one.put('.claude/settings.json', '{ "model": "opus" }\n');
  one.put('.cursor/hooks.json', '{}\n');
  const before = one.tree();
  for (const args of [['claude'], ['claude', '--project'], ['cursor'], ['opencode']])
    assert.equal(one.belay('install', ...args).status, 0);
  const text = one.get('.cursor/hooks.json') ?? '';
  fs.writeFileSync(join(one.person, '.cursor/hooks.json'), Buffer.from([0xff]));
  const base = join(dirname(one.person), 'belay');
  const { removed, left } = removeEverywhere(base, root, new Map([['HOME', one.person]]));
  assert.deepEqual(removed.sort(), ['claude', `claude (${one.person}/project)`, 'opencode']);
  assert.deepEqual(left.slice(0, 1), [join(one.person, '.cursor/hooks.json')]);
  one.put('.cursor/hooks.json', text);
  assert.equal(one.belay('remove', 'cursor').status, 0);
  assert.deepEqual(one.tree(), before);
});

test.run();
