import { strict as assert } from 'node:assert';
import { test } from 'uvu';
import { line, see } from './lines.ts';

const cases: readonly (readonly [text: string, log: readonly string[]])[] = [
  ['rm a b', ['rm a b']],
  ['echo a;rm notes.txt', ['rm notes.txt']],
  ['X=build; rm -rf "$X"', ['rm -rf build']],
  ['cd nope-not-there; rm x', ['rm x']],
  ['cd /usr && rm x; rm y', ['[/usr] rm x', '[/usr] rm y']],
  ['(cd /usr; rm x); rm y', ['[/usr] rm x', 'rm y']],
  ['for f in a b; do rm $f.{1,2}; done > out', ['> out', 'rm a.1 a.2', 'rm b.1 b.2']],
  ['if foo; then rm a; else rm b; fi', ['foo', '?rm a', '?rm b']],
  ['echo notes | while read f; do rm "$f"; done', ['rm notes']],
  ['rm $(echo a b)', ['rm a b']],
  ['f() { rm $1; }; f x', ['rm x']],
  ['exit 0; rm y', []],
  ['for((i=1;i<3;i++)); do rm file$i; done', ['rm file1', 'rm file2']],
  ['rm --from=<(rm q) z', ['rm q', 'rm --from=/dev/fd/belay-0 z']],
  ['cat <<EOF\n$(rm notes.txt)\nEOF', ['rm notes.txt', 'cat']],
  ['$X rm y', ['gap program', '?rm y']],
  ['rm x & wait', ['&rm x', 'wait']],
];

for (const [text, log] of cases) {
  test(`walks ${JSON.stringify(text)}`, () => assert.deepEqual(see(line(text)).log, log));
}

test.run();
