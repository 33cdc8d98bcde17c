import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { changeConversation, conversationsFolder, findConversation } from '../../src/agents/conversation.ts';
import { forgetConversations } from '../../src/agents/forget.ts';
import { nameOf } from '../../src/platform/processes.ts';
import { scene } from '../saving/given.ts';

const DAY_MS = 24 * 3_600_000;

test('conversations that nobody has heard of for a month are forgotten, their locks too; those at work are not', () => {
  const { home } = scene();
  const folder = conversationsFolder(home);
  const alive = { ...nameOf(process.pid), sure: true };
  for (const id of ['old', 'working', 'new'])
    changeConversation(home, { agent: 'claude', id, source: 'claude', cwd: '/' }, (now) =>
      id === 'working' ? { ...now, turn: 1, process: alive } : { ...now, turn: 1 },
    );
  const before = fs.readdirSync(folder).length;
  const month = Date.now() / 1000 - 31 * 86_400;
  for (const name of fs.readdirSync(folder)) {
    const { id } = name.endsWith('.json') ? JSON.parse(fs.readFileSync(join(folder, name), 'utf8')) : { id: 'new' };
    if (id !== 'new') fs.utimesSync(join(folder, name), month, month);
  }
  assert.equal(forgetConversations(home, 60, Date.now()), 0, 'checkpoints are kept longer');
  assert.equal(forgetConversations(home, 7, Date.now()), 1);
  assert.deepEqual(
    ['old', 'working', 'new'].map((id) => findConversation(home, 'claude', id)?.turn),
    [undefined, 1, 1],
  );
  assert.equal(fs.readdirSync(folder).length, (before / 3) * 2);
  assert.equal(forgetConversations(home, 7, Date.now() + 40 * DAY_MS), 1, 'all but the living');
});

test.run();
