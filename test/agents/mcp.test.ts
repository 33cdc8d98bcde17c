import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { test } from 'uvu';
import { beginPlanned } from '../../src/saving/begin.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { builtSnap } from '../built.ts';
import { plan, type Scene, scene, target } from '../saving/given.ts';
import { hook, recorded } from './given.ts';

builtSnap();
const bin = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'bin/belay');

interface Answer {
  readonly failed: boolean;
  readonly json: Record<string, never> & {
    error?: { code: string; message: string };
    restored?: string[];
    kept?: { path: string }[];
  };
}

function project(): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  for (const name of ['a', 'b', 'c']) fs.writeFileSync(join(s.root, name), name);
  return s;
}

/** The server as an agent starts it. */
async function connected(
  s: Scene,
  use: (ask: (name: string, given?: Record<string, unknown>) => Promise<Answer>, client: Client) => Promise<void>,
  env: Record<string, string> = {},
  [command = '', ...args]: readonly string[] = [bin],
): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  const given = { ...Object.fromEntries(s.world.env), ...env };
  await client.connect(
    new StdioClientTransport({ command, args: [...args, 'mcp'], cwd: s.root, env: given, stderr: 'inherit' }),
  );
  try {
    await use(async (name, asked = {}) => {
      const answer = await client.callTool({ name, arguments: asked });
      const [part] = answer.content as { text: string }[];
      return { failed: answer.isError === true, json: JSON.parse(part?.text ?? '') };
    }, client);
  } finally {
    await client.close();
  }
}

/** One turn of an agent that this process plays: its hooks are this process's children, as the server is. */
function turn(s: Scene, conversation: string, name: string): void {
  const more = { session_id: conversation };
  hook(s, 'claude', recorded(s, 'claude', 'UserPromptSubmit', more));
  hook(s, 'claude', recorded(s, 'claude', 'PreToolUse-Bash', { ...more, tool_input: { command: `rm ${name}` } }));
  fs.rmSync(join(s.root, name));
  hook(s, 'claude', recorded(s, 'claude', 'Stop', more));
}

test('mcp: list, diff and show answer with the documents of the commands', async () => {
  const s = project();
  turn(s, 'one', 'a');
  await connected(s, async (ask, client) => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      'diff',
      'list',
      'rollback',
      'session_search',
      'show',
      'undo',
    ]);
    assert.equal(tools.find(({ name }) => name === 'list')?.annotations?.readOnlyHint, true);
    const list = (await ask('list')).json as unknown as { checkpoints: { n: number; reason: string }[] };
    assert.deepEqual(
      list.checkpoints.map(({ n, reason }) => [n, reason]),
      [[1, 'before rm: rm a']],
    );
    for (const name of ['diff', 'show']) {
      const { files } = (await ask(name, { checkpoint: '1' })).json as unknown as { files: { path: string }[] };
      assert.deepEqual(
        files.map(({ path }) => path),
        ['a'],
        name,
      );
    }
    const missing = await ask('show', { checkpoint: '77' });
    assert.deepEqual([missing.failed, missing.json.error?.code], [true, 'no_checkpoint']);
    const found = await ask('session_search', { query: 'rm a' });
    const { hits } = found.json as unknown as { hits: { session: string; kind: string; snippet: string }[] };
    assert.deepEqual([hits[0]?.kind, hits[0]?.snippet], ['command', '»rm« »a«'], JSON.stringify(found.json));
    const read = (await ask('session_search', { mode: 'read', session: hits[0]?.session })).json as unknown as {
      source: string;
    };
    assert.equal(read.source, 'claude');
    const malformed = await ask('session_search', { query: 'a OR' });
    assert.deepEqual([malformed.failed, malformed.json.error?.code], [true, 'usage']);
  });
});

test('mcp: undo and rollback take back the conversation’s own turns', async () => {
  const s = project();
  turn(s, 'one', 'a');
  turn(s, 'one', 'b');
  await connected(s, async (ask) => {
    const dry = await ask('undo', { dry_run: true });
    assert.deepEqual([dry.failed, fs.existsSync(join(s.root, 'b'))], [false, false], JSON.stringify(dry.json));
    const done = await ask('undo');
    assert.deepEqual([done.failed, done.json.restored], [false, ['b']], JSON.stringify(done.json));
    fs.writeFileSync(join(s.root, 'a'), 'by hand');
    const kept = await ask('rollback', { checkpoint: '1' });
    assert.deepEqual(
      kept.json.kept?.map(({ path }) => path),
      ['a'],
      JSON.stringify(kept.json),
    );
    await ask('rollback', { checkpoint: '1', paths: ['a'] });
    assert.equal(fs.readFileSync(join(s.root, 'a'), 'utf8'), 'a');
  });
});

test('mcp: another conversation’s turns are refused, as the grants say', async () => {
  const s = project();
  turn(s, 'other', 'a');
  turn(s, 'one', 'b');
  await connected(s, async (ask) => {
    const refused = await ask('rollback', { checkpoint: '1' });
    assert.deepEqual([refused.failed, refused.json.error?.code], [true, 'not_granted'], JSON.stringify(refused.json));
    assert.equal(fs.existsSync(join(s.root, 'a')), false);
  });
  fs.mkdirSync(join(s.top, 'user/.config/belay'), { recursive: true });
  const config = join(s.top, 'user/.config/belay/config.yaml');
  fs.writeFileSync(config, 'agents: { restore: deny }\n');
  await connected(s, async (ask) => {
    assert.equal((await ask('undo')).json.error?.code, 'not_granted');
    assert.equal((await ask('list')).failed, false);
  });
  fs.writeFileSync(config, 'agents: { restore: allow }\n');
  await connected(s, async (ask) => {
    const done = await ask('rollback', { checkpoint: '1' });
    assert.equal(done.failed, false, JSON.stringify(done.json));
    assert.deepEqual(fs.readdirSync(s.root).sort(), ['.git', 'a', 'b', 'c']);
  });
});

test('mcp: what may be somebody else’s work is kept and listed, unless all is asked for', async () => {
  const s = project();
  const more = { session_id: 'one', tool_input: { command: 'python3 build-it' }, tool_use_id: 'toolu_build' };
  fs.writeFileSync(join(s.root, 'build-it'), 'import os');
  hook(s, 'claude', recorded(s, 'claude', 'UserPromptSubmit', { session_id: 'one' }));
  hook(s, 'claude', recorded(s, 'claude', 'PreToolUse-Bash', more));
  fs.writeFileSync(join(s.root, 'a'), 'by the program, or by hand');
  hook(s, 'claude', recorded(s, 'claude', 'Stop', { session_id: 'one' }));
  await connected(s, async (ask) => {
    const kept = await ask('undo', { dry_run: true });
    const names = kept.json.kept?.map(({ path }) => path);
    assert.deepEqual([kept.failed, names], [false, ['a']], JSON.stringify(kept.json));
    const all = await ask('undo', { all: true });
    assert.deepEqual(all.json.restored, ['a'], JSON.stringify(all.json));
  });
});

test('mcp: however it is started, an agent that nobody knows has no grant for the shell that it was started from', async () => {
  const s = project();
  await beginPlanned(s.turn('1'), plan([target(join(s.root, 'a'))]), s.world);
  fs.rmSync(join(s.root, 'a'));
  endTurn(s.world, s.turn('1').session, '1', Date.now() + 1);
  const env = { BELAY_SESSION: s.turn('1').session, BELAY_TURN: '2' };
  for (const command of [[bin], [process.execPath, join(dirname(dirname(bin)), 'dist/belay.cjs')]])
    await connected(
      s,
      async (ask) => {
        const answer = await ask('rollback', { checkpoint: '1' });
        assert.deepEqual([answer.failed, answer.json.error?.code], [true, 'not_granted'], JSON.stringify(answer.json));
      },
      env,
      command,
    );
  assert.equal(fs.existsSync(join(s.root, 'a')), false);
});

test('mcp: what an agent names is never taken for an option', async () => {
  const s = project();
  turn(s, 'one', 'a');
  await connected(s, async (ask) => {
    const answer = await ask('rollback', { checkpoint: '--to=/tmp/x' });
    assert.deepEqual([answer.failed, answer.json.error?.code], [true, 'no_checkpoint']);
  });
});

test.run();
