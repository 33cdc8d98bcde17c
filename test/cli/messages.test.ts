import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { followUp, messagesPage } from '../../src/cli/follow-up.ts';
import { MESSAGES } from '../../src/cli/messages.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const EXITS: Readonly<Record<string, string>> = { failed: '1', refused: '3', notThere: '4' };

/** Code → the exit statuses that it comes with, from the sources. */
function inSources(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>([['usage', new Set(['2'])]]);
  const add = (code: string, exit: string): unknown => found.set(code, (found.get(code) ?? new Set()).add(exit));
  const files = fs.readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = fs.readFileSync(join(root, 'src', file), 'utf8');
    for (const [, how = '', code = ''] of text.matchAll(/\b(failed|refused|notThere)\(\s*'([a-z_]+)',/g))
      add(code, EXITS[how] ?? '');
    for (const [, code = ''] of text.matchAll(/new StoreError\(\s*'([a-z_]+)'/g))
      add(code, ['store_not_ours', 'store_newer', 'busy'].includes(code) ? '3' : '1');
    for (const [, exit = '', code = ''] of text.matchAll(/new Failure\(\s*(\d),\s*'([a-z_]+)'/g)) add(code, exit);
  }
  return found;
}

test('docs/messages.md is made from the table of messages', () => {
  assert.is(fs.readFileSync(join(root, 'docs/messages.md'), 'utf8'), messagesPage());
});

test('every message says what was not changed and what to do next, in sentences', () => {
  for (const [code, { happened, unchanged, next }] of Object.entries(MESSAGES))
    for (const text of [happened, unchanged, next]) assert.match(text, /^\S.{5,}\.$/s, code);
  for (const [code, { unchanged, next }] of Object.entries(MESSAGES)) {
    assert.is(followUp(code, 'it was not taken, and nothing of it is there still', undefined), `${unchanged} ${next}`);
    assert.is(followUp(code, 'it is busy: nothing was deleted', undefined), next);
  }
  assert.is(followUp('off', 'belay is switched off', undefined), `Nothing was changed. ${MESSAGES['off']?.next}`);
  assert.is(followUp('busy', 'another restore is running', 'Wait for it.'), 'Nothing was changed. Wait for it.');
});

test('the table has every code that a failure can have, with its exit status', () => {
  const rows = Object.entries(MESSAGES).map(([code, { exit }]) => [code, exit]);
  const expected = [...inSources()].map(([code, exits]) => [code, [...exits].sort().join(', ')]);
  assert.equal(
    rows,
    expected.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
});

test.run();
