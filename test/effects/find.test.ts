import { utimesSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tree } from './world.ts';

const at = tree({
  'a.log': 'a',
  'keep.txt': 'kkkk',
  'logs/1.log': '1',
  'logs/2.log': '2',
  'logs/deep/3.log': '3',
  'mixed/x.log': 'x',
  'mixed/y.txt': 'y',
  'empty/': '',
  zero: '',
  'store/f1': '1',
  'linkdir -> store': '',
});
const old = new Date('2001-01-01');
utimesSync(`${at.root}/logs/1.log`, old, old);

const cases: readonly (readonly [line: string, targets: readonly string[]])[] = [
  ['find . -delete', ['.git/', 'a.log', 'empty/', 'keep.txt', 'linkdir', 'logs/', 'mixed/', 'store/', 'zero']],
  ['find logs -delete', ['logs/']],
  ['find logs -mindepth 1 -delete', ['logs/1.log', 'logs/2.log', 'logs/deep/']],
  ['find logs -maxdepth 1 -type f -delete', ['logs/1.log', 'logs/2.log']],
  ['find . -name "*.log" -delete', ['a.log', 'logs/1.log', 'logs/2.log', 'logs/deep/3.log', 'mixed/x.log']],
  ['find . -type f -name "*.log" -mtime +30 -delete', ['logs/1.log']],
  ['find . -type f -name "*.log" -mmin -60 -delete', ['a.log', 'logs/2.log', 'logs/deep/3.log', 'mixed/x.log']],
  ['find . -type f -size -1k -delete', ['zero']],
  ['find . -type f -size +3c -name "*.*" -delete', ['keep.txt']],
  ['find . -type f -newer logs/1.log -path "./mixed/*" -delete', ['mixed/x.log', 'mixed/y.txt']],
  [String.raw`find . -regex '.*/\(1\|2\)\.log' -delete`, ['logs/1.log', 'logs/2.log']],
  ["find . -regextype egrep -regex '.*/(1|2)[.]log' -delete", ['logs/1.log', 'logs/2.log']],
  ['find linkdir -name f1 -delete', []],
  ['find -H linkdir -name f1 -delete', ['store/f1']],
  ['find -L . -name f1 -delete', ['store/f1']],
  ['find linkdir/ -name f1 -delete', ['store/f1']],
  ['find . -type d -name logs -exec rm -rf {} +', ['logs/']],
  ['find . -perm 600 -delete', []],
];

test('find takes what its tests let through, as the fewest trees that stand for it', () => {
  for (const [line, targets] of cases)
    assert.equal(
      at
        .plan(line)
        .targets.map((target) => at.relative(target.path) + (target.recursive && target.path !== '' ? '/' : ''))
        .map((path) => (targets.includes(path) ? path : path.replace(/\/$/, '')))
        .sort(),
      [...targets].sort(),
      line,
    );
});

test('a time or size that the line itself may change is not trusted', () => {
  assert.ok(
    at.targets("touch -d '2 years ago' a.log; find . -name '*.log' -mtime +30 -delete").includes('delete a.log'),
  );
  assert.ok(at.targets("echo x > zero; find . -name 'z*' -size +0 -delete").some((target) => target.includes('zero')));
});

test('xargs gets what find prints', () => {
  assert.equal(at.targets("find . -name '*.log' -mtime +30 | xargs rm"), ['delete logs/1.log']);
});

test.run();
