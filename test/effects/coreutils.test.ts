import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tree } from './world.ts';

const at = tree({
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'b',
  'b.txt~': 'older',
  'n.txt': 'n',
  'n.txt.~3~': 'third',
  xab: 'piece',
  xx01: 'piece',
  'sub/a.txt': 'sa',
  'd/b.txt': 'db',
  'sym -> a.txt': '',
  'dir -> sub': '',
});

/** Line, and what it loses. */
const cases: readonly (readonly [line: string, lost: readonly string[]])[] = [
  ['cp -b a.txt b.txt', ['b.txt', 'b.txt~']],
  ['cp --backup=numbered a.txt n.txt', ['n.txt']],
  ['cp --backup=simple a.txt n.txt', ['n.txt']],
  ['mv -b a.txt b.txt', ['a.txt', 'b.txt', 'b.txt~']],
  ['ln -sb a.txt b.txt', ['b.txt', 'b.txt~']],
  ['install -S .o a.txt b.txt', ['b.txt']],
  ['cp -rb d/. .', ['.', 'b.txt~']],
  ['cp --backup=none a.txt b.txt', ['b.txt']],
  ['cp a.txt a.txt', []],
  ['cp a.txt ./sub/../a.txt', []],
  ['mv a.txt .', []],
  ['ln -f a.txt a.txt', []],
  ['unlink a.txt b.txt', []],
  ['split -l1 a.txt', ['xab']],
  ['split -l1 a.txt y', []],
  ['split -n 1/3 a.txt', []],
  ["split -l1 --filter='cat > $FILE' a.txt", ['xab']],
  ["split -l1 --filter='rm n.txt; cat' a.txt", ['n.txt']],
  ['csplit a.txt 2', ['xx01']],
  ['csplit a.txt /two/ "{*}"', ['xx01']],
  ['csplit -n3 a.txt 2', []],
  ['env - rm a.txt', ['a.txt']],
  ['cp -i a.txt b.txt', ['b.txt']],
  ['chmod 600 sym', ['sym', 'a.txt']],
  ['chown 1:1 sym', ['sym', 'a.txt']],
  ['chown -h 1:1 sym', ['sym']],
  ['chmod -R 700 dir', ['dir', 'sub']],
  ['ln -s a.txt l; chmod 600 l', ['a.txt']],
  ['find . -name sym -exec chmod 600 {} +', ['.', 'sym', 'a.txt']],
  ['install -d -m 700 sub new', ['sub']],
  [`python3 -c 'import os; os.chmod("sym", 0o600)'`, ['sym', 'a.txt']],
];

test('coreutils lose what their manuals say', () => {
  for (const [line, lost] of cases) assert.equal(at.lost(line).sort(), [...lost].sort(), line);
});

test('what is asked about first may not happen', () => {
  for (const line of ['rm -i a.txt', 'rm -I a.txt', 'cp -i a.txt b.txt', 'mv -i a.txt b.txt', 'cp -u a.txt b.txt'])
    assert.ok(
      at.plan(line).effects.some((effect) => effect.destructive && effect.certainty === 'maybe'),
      line,
    );
});

test('new pieces are there to be taken away again', () => {
  assert.equal(at.targets('split -l1 a.txt'), ['create xaa/', 'write-in-place xab exposed', 'create xac/']);
});

test('a name that nothing has is told, and is no loss', () => {
  const plan = at.plan('rm -f nope');
  assert.not.ok(plan.destructive);
  assert.equal(plan.targets, []);
  assert.equal(
    plan.effects.map((effect) => [at.relative(effect.path), effect.destructive]),
    [['nope', false]],
  );
});

test.run();
