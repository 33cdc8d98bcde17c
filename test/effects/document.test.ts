import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { effectsDocument } from '../../src/effects/document.ts';
import { families, namesOf } from '../../src/effects/table.ts';

const page = join(dirname(fileURLToPath(import.meta.url)), '../../docs/effects.md');

test('docs/effects.md says what the tables say (else: npx tsx scripts/effects.ts)', () => {
  assert.is(readFileSync(page, 'utf8'), effectsDocument());
});

test('every program stands in one row, and every row cites a manual and says what is lost', () => {
  const seen = new Set<string>();
  for (const { rows } of families) {
    for (const row of rows) {
      assert.ok(row.manual !== '' && row.loses !== '', String(namesOf(row)));
      for (const name of namesOf(row)) {
        assert.not.ok(seen.has(name), `${name} stands in two rows`);
        seen.add(name);
      }
    }
  }
});

test.run();
