import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import { line, see } from './lines.ts';
import { folder, shellWords, walkWords } from './real.ts';

const root = folder();
const fish = suite('fish');

/** Lines before the command, and its arguments: the walk makes the same words of them as fish. */
const SAME: readonly (readonly [before: string, ...words: string[]])[] = [
  [
    '',
    'a b',
    '"a b"',
    "'a b'",
    'a\\ b',
    "'it\\'s'",
    "'a\\nb'",
    '"a\\nb"',
    '"\\$x \\" \\\\"',
    'a\\tb',
    '\\x41\\101\\u0041',
    'a"b"\'c\'d',
    'a#b',
    '[a]',
    'a;b'.slice(0, 1),
    '""',
    "''",
    '\\*',
    '"*"',
    '\\$x',
    'a=b',
    '!a',
    'a^b',
    '~',
    '~/x',
    '~root',
    'a~',
    '"~"',
  ],
  [
    '',
    '*.txt',
    '*/*',
    'sub/*',
    '?.txt',
    'x?',
    '*/',
    '**/z.txt',
    '**.txt',
    'sub/**',
    '**/*.txt',
    '.*',
    '{a,b}',
    '{a,b}.txt',
    'x{a,b}{1,2}',
    '{a}',
    '{}',
    '{a,}',
    '{1..3}',
    '{a,{b,c}}',
    '{*.txt,q}',
  ],
  [
    'set x a "b c"; set e; set one 1; set name x',
    '$x',
    '"$x"',
    'p$x',
    '"p$x"',
    'p$x"q"',
    '$x[1]',
    '$x[2]',
    '$x[-1]',
    '"$x[2]"',
    '$x[1..2]',
    '$x[-1..1]',
    '$$name',
    '$e',
    '"$e"',
    'a$e',
    'a"$e"',
    '$x$x',
    '$one',
    '{$one,z}',
    'a{$x}b',
    '$x/{1,2}',
  ],
  ['set -l x 1; set -a x 2 3; set -p x 0', '$x', '(count $x)'],
  ['set -g x 1; set -e x', 'a "$x" $x'],
  ['function f; set -l y in; set x out; end; set y before; set x 0; f', '$x $y'],
  ['function f -a p q; set -g r "$q-$p"; end; f 1 2', '$r'],
  ['function f; set -g r $argv[2] (count $argv); end; f 1 2 3', '$r'],
  [
    '',
    '(echo a b)',
    '"(echo a)"',
    '"$(echo a b)"',
    '(printf "a b\\nc\\n")',
    'x(printf "1\\n2\\n")y',
    '(echo -n)',
    '$(echo a)',
    '(pwd)',
    '(dirname /a/b)',
    '(seq 3)',
    '(echo (echo a))',
    '(string split , a,b,c)',
    '(string join - a b)',
    '(string upper ab)',
    '(string replace a b cab)',
    '(string replace -a a b caba)',
    '(string replace -r "a(.)" "<$1>" cab)',
    '(string replace -rf "^a" z ab ba)',
    '(string match "a*" ab ba)',
    '(string match -v "a*" ab ba)',
    '(string match -r "a(.)" cab)',
    '(string match -re "^a" ab ba)',
    '(echo " a " | string trim)',
    '(count a b c)',
    '(basename /a/b.txt .txt)',
  ],
  ['if test -d sub; set x 1; else; set x 2; end', '$x'],
  ['if test -d nope; set x 1; else if test -d sub; set x 3; else; set x 2; end', '$x'],
  ['if not test -d nope; and test -d sub; set x 1; end', '$x'],
  ['if test -d nope; or test -d sub\nset x 1\nend', '$x'],
  ['set x; for i in 1 2 3; set x $x $i; end', '$x'],
  ['for i in (seq 2)\n  set x $i\nend', '$x'],
  ['set i 0; while test $i -lt 3; set j $i; break; end', '$i $j'],
  ['switch abc; case x; set x 1; case "a*" q; set x 2; case "*"; set x 3; end', '$x'],
  ['begin; set x 1; cd sub; end', '$x $PWD'],
  ['true; and set x 1; or set x 2', '$x'],
  ['false; and set x 1; or set x 2', '$x'],
  ['true && set x 1 || set x 2', '$x'],
  ['not true; or set x 3', '$x'],
  ['! false; and set x 4', '$x'],
  ['echo "a b" | read x y', '$x $y'],
  ['echo "a b" | read -l x', '$x'],
  ['cd sub; cd ../A', '$PWD'],
  ['cd sub; cd -', '$PWD'],
  ['./sub', '$PWD'],
  ['eval set x 5', '$x'],
  ['source (echo "set x 6" | psub)', '$x'],
  ['set x 1 # comment', '$x'],
  ['set x 1; set x[1] 9', '"a"'],
  ['set PATHLIKE a:b', '$PATHLIKE'],
];

for (const [before, ...list] of SAME) {
  for (const word of list) {
    fish(`words become what fish makes of them: ${JSON.stringify(before)} ${JSON.stringify(word)}`, () => {
      const expected = shellWords('fish', root, before, word);
      assert.notEqual(expected, undefined, 'fish refuses it');
      assert.deepEqual(walkWords(root, before, word, 'fish'), expected);
    });
  }
}

const LOGS: readonly (readonly [text: string, log: readonly string[]])[] = [
  ['rm a; and rm b; or rm c', ['rm a', '?rm b', '?rm c']],
  ['rm (foo)', ['foo', 'rm <…>']],
  ['rm $nobody_knows', ['rm <…>']],
  ['if foo; rm a; else; rm b; end', ['foo', '?rm a', '?rm b']],
  ['while foo; rm a; end', ['foo', '?*rm a', '?*foo']],
  ['begin; rm a; end > out', ['> out', 'rm a']],
  ['rm a > x 2> y; echo >? z; echo &> w; echo 2>&1', ['> x', '> y', 'rm a', '> z', '> w']],
  ['command rm a; builtin echo; exec rm b; rm c', ['rm a', 'rm b']],
  ['time rm a &', ['&rm a']],
  ['function rm; echo no; end; rm a', []],
  ['function f --on-event e; rm a; end', ['?&rm a']],
  ['function f -e e; rm $argv; end; emit e a b', ['rm a b', '?&rm']],
  ['function f --on-variable=X; rm $argv[3]; end; set X 1', ['rm X', '?&rm']],
  ['function f -v PWD; rm a; end; cd /', ['[/] rm a', '?&[/] rm a']],
  ['function f --on-process-exit $fish_pid; rm a; end', ['?&rm a']],
  ['function f --wraps x --description "-e y"; rm a; end', []],
  ['trap "rm a" EXIT; rm b', ['rm b', '?&rm a']],
  ['echo "rm a" | source; echo "rm \\$argv" | source - b', ['rm a', 'rm b']],
  ['foo | source', ['foo', 'gap program']],
  ['alias x "rm -r"; x a', ['rm -r a']],
  ['rm a | cat', ['rm a', 'cat']],
  ['cat (rm a | psub)', ['rm a', 'cat /dev/fd/belay-0']],
  ['for f in a b; rm $f; end; rm c', ['rm a', 'rm b', 'rm c']],
  ['echo "$(rm a)" (rm b)', ['rm a', 'rm b']],
  ['and rm a', ['rm a']],
  ['fi; rm then', ['fi', 'rm then']],
  ['$x rm a', ['gap program', '?rm a']],
  ['rm a (', ['gap scan rm', 'rm a']],
];

for (const [text, log] of LOGS) {
  fish(`walks ${JSON.stringify(text)}`, () => assert.deepEqual(see(line(text, { shell: 'fish' })).log, log));
}

fish('says that a block without its end was not understood', () => {
  const seen = see(line('if foo; rm a', { shell: 'fish' }));
  assert.equal(seen.parsed, false);
  assert.ok(seen.gaps.some((gap) => gap.verb === 'rm'));
});

fish.after(() => rmSync(root, { recursive: true, force: true }));
fish.run();
