import { strict as assert } from 'node:assert';
import { test } from 'uvu';
import { isFlat, parse } from '../../src/shell/parse.ts';
import { MOST_STEPS } from '../../src/shell/run/budget.ts';
import { walk } from '../../src/shell/walk.ts';
import { line, see } from './lines.ts';

/** What costs much for its length, each under 64 KB. */
const DEAR: readonly string[] = [
  'rm x; '.repeat(10_000),
  `${'foo && '.repeat(9_000)}rm x`,
  `${'foo || bar && '.repeat(4_000)}rm x`,
  'if foo; then rm x; fi; '.repeat(2_500),
  `case $x in ${'a) rm x;; '.repeat(5_000)}esac`,
  'cd "$X"; rm y; '.repeat(4_000),
  'cat <(rm x) '.repeat(4_000),
  '`rm x` '.repeat(8_000),
  `echo $((${'1+'.repeat(20_000)}1))`,
  'f() { f; f; }; f',
  'for i in {1..2000}; do for j in {1..2000}; do rm $i$j; done; done',
  `x=${'a'.repeat(3_000)}; case $x in ${'*a'.repeat(300)}b) rm x;; esac`,
  `set -- ${'a '.repeat(3_000)}; ${'rm "$@"; '.repeat(50)}`,
  `a=(${'x '.repeat(20_000)}); for i in "\${a[@]}"; do rm $i; done`,
  `${'$('.repeat(90)}rm x${')'.repeat(90)}`,
  'git checkout -- a; '.repeat(3_000),
];

const steps = (text: string): number => {
  const nothing = (): void => {};
  return walk(line(text), { call: nothing, redirect: nothing, gap: nothing }).steps;
};

for (const text of DEAR) {
  test(`no line under 64 KB costs more steps than there are: ${text.slice(0, 40)}`, () => {
    assert.ok(text.length < 65_536);
    // The last step may be one that costs several.
    assert.ok(steps(text) <= MOST_STEPS + 512, String(steps(text)));
  });

  test(`the same line costs the same and is answered the same, whatever else runs: ${text.slice(0, 40)}`, () => {
    assert.equal(steps(text), steps(text));
    assert.deepEqual(see(line(text)).log, see(line(text)).log);
  });
}

test('an everyday line costs a small part of its steps', () => {
  assert.ok(steps('rm -rf build && cp a.txt b.txt; sed -i s/a/b/ c.txt') < MOST_STEPS / 100);
});

test('what is dear for its length takes no more time than a long plain script many times over', () => {
  const plain = Array.from({ length: 1_000 }, (_, i) => `echo "line ${i}" a b c`).join('\n');
  const time = (text: string): number => {
    const begin = process.cpuUsage();
    steps(text);
    return process.cpuUsage(begin).user;
  };
  const fastest = (text: string): number => Math.min(...[1, 2, 3].map(() => time(text)));
  steps(plain);
  for (const text of DEAR) {
    // What else the machine does makes either slower: it is measured again before it counts.
    let [dear, usual] = [0, 0];
    for (let tries = 0; tries < 4; tries++) {
      [dear, usual] = [fastest(text), fastest(plain)];
      if (dear <= 20 * Math.max(usual, 1_000)) break;
    }
    assert.ok(dear <= 20 * Math.max(usual, 1_000), `${text.slice(0, 40)}: ${dear} µs against ${usual} µs`);
  }
});

test('a plain command of any length is read word by word', () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `/some/folder with/a-rather-long-name-${i}.txt`);
  const text = `rm -- ${names.map((name) => `'${name}'`).join(' ')}`;
  assert.ok(text.length > 200_000);
  const seen = see(line(text));
  assert.equal(seen.parsed, true);
  assert.deepEqual(
    seen.calls[0]?.argv.map((arg) => (arg.kind === 'known' ? arg.text : undefined)),
    ['rm', '--', ...names],
  );
});

test('a text that would use up the stack is too much, and says so', () => {
  for (const [shell, text] of [
    ['bash', 'f() '.repeat(16_000)],
    ['zsh', `f() ${'fi; f() '.repeat(8_000)}`],
    ['zsh', `setopt extendedglob; rm ${'^'.repeat(60_000)}`],
  ] as const)
    assert.equal(see(line(text, { shell })).parsed, false, text.slice(0, 40));
});

test('what zsh reads in another way costs about as much as what it does not, character by character', () => {
  const time = (text: string): number => {
    const begin = process.cpuUsage();
    parse(text, { shell: 'zsh', options: new Set(['extendedglob']) });
    return process.cpuUsage(begin).user;
  };
  const fastest = (unit: string): number =>
    Math.min(...[1, 2, 3].map(() => time(unit.repeat(Math.floor(65_000 / unit.length)))));
  fastest('case $x in a) rm x;; esac; ');
  const usual = fastest('case $x in a) rm x;; esac; ');
  for (const unit of ['for f (a b) rm $f; ', 'and #', '(a)', 'a#', '*(.N) ', 'x ( ', '$x[1]:h'])
    assert.ok(fastest(unit) <= 5 * Math.max(usual, 10_000), unit);
});

test('what lies inside each other costs a few times what lies side by side, in every shell', () => {
  const time = (shell: 'bash' | 'zsh' | 'fish', text: string): number => {
    const begin = process.cpuUsage();
    walk(line(text, { shell }), { call: () => {}, redirect: () => {}, gap: () => {} });
    return process.cpuUsage(begin).user;
  };
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const fastest = (text: string): number => Math.min(...[1, 2].map(() => time(shell, text)));
    const usual = fastest('a $(rm x); '.repeat(5_700));
    for (const [open, close] of [
      ['$(', ')'],
      ['"$(', ')"'],
      ['${', '}'],
    ] as const) {
      const text = open.repeat(90) + 'rm x; '.repeat(10_500) + close.repeat(90);
      assert.ok(fastest(text) <= 8 * Math.max(usual, 10_000), `${shell} ${open}`);
    }
  }
});

test('expansions of zsh inside each other stay as long as the line, and the line is answered', () => {
  assert.equal(see(line(`rm ${'${'.repeat(95)}x${'}'.repeat(95)}`, { shell: 'zsh' })).parsed, false);
});

test('a text is plain only when nothing in it is syntax', () => {
  for (const plain of ['rm a b', 'rm \'a;b\' "c|d" e\\ f', 'a=b rm x\n']) assert.equal(isFlat(plain), true, plain);
  for (const other of [
    'rm a; rm b',
    'rm $x',
    'rm "$x"',
    'rm *',
    'rm a\nrm b',
    "rm 'a",
    'rm {a,b}',
    'rm a > b',
    'rm a#b',
  ])
    assert.equal(isFlat(other), false, other);
});

test.run();
