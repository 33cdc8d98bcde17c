import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

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
      add(code, ['store_not_ours', 'busy'].includes(code) ? '3' : '1');
    for (const [, exit = '', code = ''] of text.matchAll(/new Failure\(\s*(\d),\s*'([a-z_]+)'/g)) add(code, exit);
  }
  return found;
}

test('docs/messages.md has every code that a failure can have, with its exit status', () => {
  const text = fs.readFileSync(join(root, 'docs/messages.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z_]+)` \| ([\d, ]+) \|/gm)].map(([, code, exits]) => [code, exits?.trim()]);
  const expected = [...inSources()].map(([code, exits]) => [code, [...exits].sort().join(', ')]);
  assert.equal(
    rows,
    expected.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
});

test.run();
