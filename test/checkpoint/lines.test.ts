import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { countLines } from '../../src/checkpoint/diff/lines.ts';
import { scratch } from './given.ts';
import { randomFrom } from './model.ts';

const { top } = scratch();

function byGit(before: string, after: string): { insertions: number; deletions: number } {
  const [a, b] = [join(top, 'a'), join(top, 'b')];
  fs.writeFileSync(a, before);
  fs.writeFileSync(b, after);
  const done = spawnSync('git', ['diff', '--no-index', '--numstat', '--minimal', a, b], { encoding: 'utf8' });
  const [insertions, deletions] = done.stdout.split('\t').map(Number);
  return { insertions: insertions ?? 0, deletions: deletions ?? 0 };
}

test('lines are counted as git counts them', () => {
  const random = randomFrom(7);
  for (let i = 0; i < 60; i++) {
    const text = (): string =>
      Array.from({ length: Math.floor(random() * 30) }, () => `${Math.floor(random() * 5)}`).join('\n') +
      (random() < 0.5 ? '\n' : '');
    const [before, after] = [text(), text()];
    if (before === after) continue;
    assert.equal(
      countLines(Buffer.from(before), Buffer.from(after)),
      byGit(before, after),
      JSON.stringify([before, after]),
    );
  }
});

test('contents that are no text have no lines, and very different ones are still counted', () => {
  assert.is(countLines(Buffer.from('a\0b'), Buffer.from('a')), undefined);
  const many = (word: string): Buffer => Buffer.from(Array.from({ length: 5000 }, (_, i) => `${word}${i}\n`).join(''));
  assert.equal(countLines(many('a'), many('b')), { insertions: 5000, deletions: 5000 });
  assert.equal(countLines(Buffer.alloc(0), many('a')), { insertions: 5000, deletions: 0 });
});

test.run();
