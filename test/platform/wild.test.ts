import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { anyOf, wild } from '../../src/platform/wild.ts';

const NAMES = 'a ab abc a.c b B [ ] a] - x-y ! d/a d/e/a d/e/f/ab e/a.c .h * a*b'.split(' ');
const PATTERNS =
  '* a* *c a?c ? [ab] [!a] [^a] [a-c]* []a] [!]] [[:alpha:]] [[:upper:]] a\\*b \\* d/* d/** **/a d/**/a ** */a **/*.c d/*/a a** [a-] [-a] **/e/** d/**/*b'.split(
    ' ',
  );

test('paths are matched as git matches them in :(glob) pathspecs', () => {
  const root = mkdtempSync(join(tmpdir(), 'belay-wild-'));
  try {
    for (const name of NAMES) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), '');
    }
    spawnSync('git', ['init', '-q'], { cwd: root });
    for (const pattern of PATTERNS) {
      const git = spawnSync('git', ['ls-files', '-z', '-o', '--', `:(glob)${pattern}`], {
        cwd: root,
        encoding: 'utf8',
      });
      const theirs = git.stdout.split('\0').filter((name) => name !== '');
      const tester = wild(pattern, { path: true });
      const ours = NAMES.filter((name) => tester.test(name));
      assert.equal(ours.sort(), theirs.sort(), pattern);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('names are matched as find matches them', () => {
  for (const [pattern, name, yes] of [
    ['*', '.h', true],
    ['a*b', 'a/x/b', true],
    ['*.c', 'a.c', true],
    ['A*', 'ab', false],
    ['[', '[', true],
  ] as const)
    assert.is(wild(pattern).test(name), yes, `${pattern} ${name}`);
  assert.is(wild('A*', { ignoreCase: true }).test('aB'), true);
});

test('many stars cost no more than the pattern times the name', () => {
  const name = 'a'.repeat(255);
  assert.is(wild(`${'*a'.repeat(60)}b`).test(name), false);
  assert.is(wild(`${'*a'.repeat(60)}b`).test(`${name}b`), true);
  assert.is(wild(`${'**/a*'.repeat(30)}b`, { path: true }).test(`${'a/'.repeat(120)}c`), false);
});

test('one of several patterns, or none', () => {
  assert.is(anyOf(['.env*', '*.pem']).test('.env.local'), true);
  assert.is(anyOf(['.env*', '*.pem']).test('x.txt'), false);
  assert.is(anyOf([]).test(''), false);
});

test.run();
