import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { ENTRIES, PROBES } from '../scripts/coverage/entries.ts';
import { tryCell } from '../scripts/coverage.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = fs.readFileSync(join(root, 'docs/coverage.md'), 'utf8');

const coverage = suite('docs/coverage.md');

coverage('has a row for every entry and a column for every probe', () => {
  for (const { name } of PROBES) assert.ok(page.includes(`| ${name} `), name);
  for (const { name } of ENTRIES) assert.ok(page.includes(`\n| ${name} |`), name);
});

// Named files come back through every wrapper's own tests; these two are seen by text or by capture. Both at once, where both come back.
for (const entry of ENTRIES) {
  const cells = (page.split('\n').find((line) => line.startsWith(`| ${entry.name} |`)) ?? '').split(' | ').slice(1);
  const probes = [1, 2].flatMap((column) => (cells[column]?.startsWith('back') ? (PROBES[column] ?? []) : []));
  if (probes.length > 0)
    coverage(`${entry.name}: ${probes.map(({ name }) => name).join(' and ')}: all comes back`, () => {
      assert.notEqual(tryCell(entry, probes.map(({ line }) => line).join('; ')), 'lost');
    });
}

coverage.run();
