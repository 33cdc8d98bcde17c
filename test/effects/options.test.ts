import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseWords } from '../../src/effects/options.ts';
import type { Arg } from '../../src/shell/types.ts';

const words = (...texts: string[]): Arg[] => texts.map((text) => ({ kind: 'known', text }));
const texts = (args: readonly Arg[]): string[] => args.map((arg) => (arg.kind === 'known' ? arg.text : '?'));
const RM = 'f,force i I interactive? recursive,r,R dir,d v,verbose help version';
const MV = 'target-directory,t= no-target-directory,T f,force v,verbose S,suffix=';

test('short options cluster, and the last one takes the rest or the next word', () => {
  const parsed = parseWords(words('-vt', 'sub', 'a.txt'), MV);
  assert.equal(texts(parsed.values('target-directory')), ['sub']);
  assert.equal(texts(parsed.operands), ['a.txt']);
  assert.equal(texts(parseWords(words('-vtsub', 'a'), MV).values('target-directory')), ['sub']);
});

test('long options may be abbreviated and take a value after = or in the next word', () => {
  assert.ok(parseWords(words('--recurs', '--forc', 'build'), RM).has('recursive'));
  assert.equal(texts(parseWords(words('--target-dir=sub', 'a'), MV).values('target-directory')), ['sub']);
  assert.equal(texts(parseWords(words('--target-directory', 'sub', 'a'), MV).values('target-directory')), ['sub']);
});

test('an optional value is taken only when attached', () => {
  const parsed = parseWords(words('-r', '--interactive', 'never'), RM);
  assert.equal(texts(parsed.operands), ['never']);
  assert.equal(texts(parseWords(words('--interactive=never', 'x'), RM).values('interactive')), ['never']);
});

test('options after operands count, but not after -- nor under POSIXLY_CORRECT', () => {
  assert.ok(parseWords(words('build', '-rf'), RM).has('recursive'));
  assert.equal(texts(parseWords(words('--', '-rf'), RM).operands), ['-rf']);
  const posix = parseWords(words('build', '-rf'), RM, {
    env: (name) => (name === 'POSIXLY_CORRECT' ? '1' : undefined),
  });
  assert.not.ok(posix.has('recursive'));
  assert.equal(texts(posix.operands), ['build', '-rf']);
});

test('wrappers stop at the first operand', () => {
  const parsed = parseWords(words('-n', '5', 'rm', '-rf', 'x'), 'n,adjustment=', { stopsAtOperand: true });
  assert.equal(texts(parsed.operands), ['rm', '-rf', 'x']);
});

test('an argument that is not known may hide an option', () => {
  const parsed = parseWords([{ kind: 'unknown', prefix: '', suffix: '', many: true }, ...words('x')], RM);
  assert.ok(parsed.mayHaveMore);
  assert.is(parsed.operands.length, 2);
});

test('an option that is not in the table is kept as a flag', () => {
  const parsed = parseWords(words('-q', '--new-thing=3', 'x'), RM);
  assert.equal(texts(parsed.operands), ['x']);
  assert.equal(
    parsed.options.map((option) => [option.name, option.known]),
    [
      ['q', false],
      ['new-thing', false],
    ],
  );
});

test.run();
