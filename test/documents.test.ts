import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { retold, steady } from '../scripts/tour.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const documents = suite('documents');

for (const file of ['README.md', 'docs/rollback.md', 'docs/sessions.md']) {
  documents(`${file} shows what really happens (npx tsx scripts/tour.ts ${file} writes it anew)`, async () => {
    const text = fs.readFileSync(join(root, file), 'utf8');
    assert.equal(steady(await retold(text)), steady(text));
  });
}

documents('README.md begins with three lines, the install and the tests', () => {
  const text = fs.readFileSync(join(root, 'README.md'), 'utf8');
  const [title, ...rest] = text.split('\n');
  assert.equal(title, '# belay');
  const first = rest.join('\n').trim().split('\n\n')[0] ?? '';
  assert.equal(first.split('\n').length, 3);
  const install = text.indexOf('./install.sh');
  assert.ok(install > 0 && text.indexOf('npm ci && npm test') > install);
});

documents('every file that a document links to is there', () => {
  const files = ['README.md', ...fs.readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    for (const [, link] of fs.readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(fs.existsSync(join(root, dirname(file), link ?? '')), `${file} → ${link}`);
  }
});

documents.run();
