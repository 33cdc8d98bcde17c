import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findsOf } from '../../src/effects/plan.ts';
import type { Line } from '../../src/shell/types.ts';
import { tree } from './world.ts';

const at = tree({ 'a.bin': 'a', 'b.txt': 'b', '.env': 'e', 'sub/c.bin': 'c', 'sub/d/e': 'e' });
writeFileSync(join(at.root, 'clean.sh'), 'find . -type f -delete\n');

const rows: readonly (readonly [line: string, finds: string | undefined, more?: Partial<Line>])[] = [
  ['rm a.bin', 'nothing'],
  ['rm a.bin sub/c.bin; echo $? "[ok]"', 'nothing'],
  ['rm *', 'nothing'],
  ['rm -rf *.bin sub/?.bin', 'nothing'],
  ['rm [ab]*', 'hidden'],
  ['rm "a.b"*', 'nothing'],
  ['find . -delete', 'all'],
  ['find . -type f | xargs rm', 'all'],
  ['for f in $(ls); do rm "$f"; done', 'all'],
  ['rm $x', 'all', { variables: new Map([['x', 'a.bin']]) }],
  ['[ -d sub ] && sh clean.sh', 'all'],
  ['sh clean.sh *.bin', 'all'],
  ["f . -name '*' -delete", 'all', { aliases: new Map([['f', 'find']]) }],
  ['f "*"', 'all', { functions: new Map([['f', '{ find . -name "$1" -delete; }']]) }],
  ['wipe; [ -d sub ]', 'all', { aliases: new Map([['wipe', 'rm -rf ./* ./.[!.]*']]) }],
  ['rm -rf * .*', 'hidden'],
  ['rm -rf ./* ./.[!.]*', 'hidden'],
  ['rm -rf {.,}*', 'all'],
  ['shopt -s dotglob; rm -rf *', 'all'],
  ['rm *', 'all', { options: new Set(['dotglob']) }],
  ['rm -rf *(D)', 'all', { shell: 'zsh' }],
  ['rm -rf *(DN) x', 'all', { shell: 'zsh' }],
  ['cd sub; rm -rf *(D)', 'hidden', { shell: 'zsh' }],
  ['cd sub; shopt -s dotglob; rm -rf *', 'hidden'],
  ['rm a.bin', undefined, { called: true }],
];

test('what a line finds only when it runs is told, and never too little', () => {
  for (const [line, finds, more] of rows) assert.is(findsOf(at.plan(line, more)), finds, line);
});

test.run();
