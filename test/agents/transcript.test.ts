import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { sayingOf } from '../../src/agents/transcript-lines.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** Lines that the agents themselves wrote (long texts cut), each driven by a stand-in for its model. */
const linesOf = (agent: string): string[] =>
  fs.readFileSync(join(here, `transcripts/${agent}.jsonl`), 'utf8').split('\n');

const PROMPT = 'Remove the build folder and start app.py anew';

for (const [agent, model, tools, answer] of [
  ['claude', 'claude-opus-5-5', ['Bash', 'Read', 'Write', 'Edit'], '(Bash completed with no output)'],
  ['codex', 'gpt-5.5-codex', ['exec_command', 'apply_patch'], 'Exit code: 0'],
  ['gemini', 'gemini-2.5-pro', ['run_shell_command', 'read_file', 'write_file', 'replace'], 'print(1)'],
] as const)
  test(`${agent}: what was said, by whom, with which tools and model is read from its transcript; what it told the model beside is not`, () => {
    const said = sayingOf(linesOf(agent), '1');
    assert.equal(said.model, model);
    const texts = (role: string): string[] =>
      said.messages.filter((one) => one.role === role && one.text !== '').map(({ text }) => text);
    assert.deepEqual(texts('user'), [PROMPT]);
    assert.equal(texts('assistant').at(-1), 'All done.');
    assert.deepEqual(said.messages.flatMap((one) => one.tools ?? []).slice(0, tools.length), tools);
    assert.ok(
      texts('tool').some((text) => text.startsWith(answer)),
      texts('tool').join(),
    );
    if (agent !== 'codex') assert.deepEqual(said.messages.find(({ tokens }) => tokens)?.tokens, { in: 10, out: 5 });
  });

test('codex: how it was set up is told by its first lines', () => {
  const [first, second] = sayingOf(linesOf('codex'), '1').about;
  assert.match(first?.e === 'about' ? String(first.system) : '', /^You are Codex/);
  assert.match(second?.e === 'about' ? String(second.config) : '', /"model":"gpt-5.5-codex"/);
});

test('lines that are no JSON, of a sub-agent or of the agent to itself say nothing', () => {
  const meta = { type: 'user', message: { role: 'user', content: 'x' } };
  const lines = ['', 'x', '{"a":', '[]', 'null', '{}', JSON.stringify({ ...meta, isMeta: true })];
  assert.deepEqual(sayingOf([...lines, JSON.stringify({ ...meta, isSidechain: true })], '1'), {
    messages: [],
    about: [],
  });
});

test.run();
