import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { effectsPage } from '../../scripts/effects-doc.ts';
import { isHarmless } from '../../src/effects/harmless.ts';
import { families, namesOf } from '../../src/effects/table.ts';

const page = new URL('../../docs/effects.md', import.meta.url);

test('docs/effects.md says what the tables say', () => {
  assert.ok(
    readFileSync(page, 'utf8') === effectsPage(),
    'docs/effects.md is not what the tables say: run `npx tsx scripts/effects-doc.ts`',
  );
});

test('every row says what it loses and where its manual is', () => {
  for (const family of families)
    for (const row of family.rows) {
      assert.ok(row.loses !== '' && row.manual !== '', namesOf(row).join(' '));
      for (const text of [row.loses, row.manual]) assert.not.match(text, /\n/, namesOf(row).join(' '));
    }
});

test('a name stands in one row, or among the harmless ones', () => {
  const seen = new Map<string, string>();
  for (const family of families)
    for (const row of family.rows)
      for (const name of namesOf(row)) {
        assert.not.ok(seen.has(name), `${name}: in ${family.title} and in ${seen.get(name)}`);
        seen.set(name, family.title);
      }
  assert.equal([...seen.keys()].filter(isHarmless), []);
});

test.run();
