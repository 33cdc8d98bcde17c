import { chmodSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseColour } from '../../src/cli/colour.ts';
import { explainText } from '../../src/cli/explain-text.ts';
import { tree } from '../effects/world.ts';

const at = tree({ 'a.txt': 'a', 'b.txt': 'b', 'sub/a.txt': 'sa', 'build/x': 'x', 'f.db': 'f', tool: '\x7fELF\x02' });
chmodSync(`${at.root}/tool`, 0o755);

/** What people are told, `⟦…⟧` being underlined, other colours left out. */
function told(line: string): string[] {
  chooseColour('always');
  const text = explainText(line, at.plan(line), at.root);
  chooseColour('auto');
  const marks = text.replaceAll('\x1b[4m', '⟦').replaceAll('\x1b[24m', '⟧');
  return marks
    .replaceAll(`${at.root} `, '')
    .split('\n')
    .map((row) =>
      row
        .split('\x1b')
        .map((part, i) => (i === 0 ? part : part.replace(/^\[\d+m/, '')))
        .join(''),
    )
    .filter((row) => row !== '');
}

/** The line as it is marked, and what is said of it. */
const rows: readonly (readonly [line: string, ...said: string[]])[] = [
  ['rm -rf ⟦build⟧ ⟦a.txt⟧', '✗ rm deletes build', '✗ rm deletes a.txt', 'belay would hold 2 paths.'],
  ['mv ⟦a.txt⟧ ⟦sub⟧', '✗ mv replaces sub/a.txt', '✗ mv moves away a.txt', 'belay would hold 2 paths.'],
  ['X=a.txt; rm ⟦$X⟧', '✗ rm deletes a.txt', 'belay would hold 1 path.'],
  ['echo x >⟦a.txt⟧ 2>> b.txt', '✗ > overwrites a.txt', '+ >> adds to b.txt', 'belay would hold 2 paths.'],
  ['dd if=/dev/zero ⟦of=a.txt⟧', '✗ dd overwrites a.txt', 'belay would hold 1 path.'],
  ['sort ⟦--output=a.txt⟧ b.txt', '✗ sort overwrites a.txt', 'belay would hold 1 path.'],
  ["bash -c ⟦'rm a.txt'⟧", '✗ rm deletes a.txt', 'belay would hold 1 path.'],
  ["eval ⟦'rm a.txt'⟧", '✗ rm deletes a.txt', 'belay would hold 1 path.'],
  ['echo a.txt | xargs ⟦rm⟧', '✗ rm deletes a.txt', 'belay would hold 1 path.'],
  ['find sub -type f -exec ⟦rm⟧ {} +', '✗ rm deletes sub/a.txt', 'belay would hold 1 path.'],
  [
    'find ⟦.⟧ -name "*.txt" -delete',
    '✗ find deletes a.txt, b.txt, sub/a.txt in (this folder)',
    'belay would hold 3 paths.',
  ],
  ['python3 -c ⟦"import os; os.remove(\'a.txt\')"⟧', '✗ python3 deletes a.txt', 'belay would hold 1 path.'],
  ['rm ⟦a.txt⟧ & wait', '✗ rm deletes a.txt, perhaps after the line has returned', 'belay would hold 1 path.'],
  [
    'rm ⟦"$X"⟧',
    '✗ rm may delete what cannot be known before it runs',
    'belay would capture the project at (this folder).',
  ],
  [
    './tool a.txt',
    '? tool: unknown program; what it does cannot be read beforehand',
    'belay would capture the project at (this folder).',
  ],
  ['ssh host rm a.txt', '· runs on another machine: nothing of this one to save', 'Nothing is lost or changed.'],
  ['redis-cli flushall', '· the data lie in a server: no file of this line to save', 'Nothing is lost or changed.'],
  ['rm a.txt --help', 'Nothing is lost or changed.'],
  ['mkdir new', '+ mkdir makes new', 'Nothing that exists is lost.'],
];

test('people are told a short sentence an effect, the word of the line underlined', () => {
  for (const row of rows) assert.equal(told(row[0].replace(/[⟦⟧]/g, '')), row);
});

test('without a terminal nothing is coloured', () => {
  assert.not.match(explainText('rm a.txt', at.plan('rm a.txt'), at.root), '\x1b');
});

test.run();
