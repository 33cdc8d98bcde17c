import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tree } from './world.ts';

const at = tree({
  'a.txt': 'a',
  'b.txt': 'b\n',
  'a b.txt': 'blank',
  "it's": 'quote',
  'we"ird$x`y\\z': 'hostile',
  'star*': 'star',
  '-dash': 'dash',
  'n\u00c3\u00a4me': 'utf-8',
  'sub/c.txt': 'c',
  'sub/deep/d.txt': 'd',
  'build/out.o': 'o',
  'x1.log': '1',
  'x2.log': '2',
  'link -> a.txt': '',
});

/** Lines that run in any shell of the Bourne family, alone or inside each other. */
const LINES: readonly string[] = [
  'rm a.txt',
  'rm -rf build sub/deep',
  'mv a.txt b.txt',
  'cp a.txt sub/c.txt',
  'echo x > a.txt',
  'cat b.txt >| sub/c.txt',
  'sed -i s/a/b/ a.txt b.txt',
  'truncate -s 0 link',
  'find . -name "*.log" -delete',
  'find sub -type f -exec rm {} +',
  'printf "a.txt\\nb.txt\\n" | xargs rm',
  'for f in x1 x2; do rm "$f.log"; done',
  'cd sub && rm c.txt',
  'tee b.txt < a.txt',
  'dd if=a.txt of=b.txt',
  'ln -sf a.txt b.txt',
  'perl -pi -e s/a/b/ a.txt',
  'rm *.log',
];

/** More by BELAY_RUNS. */
const RUNS = Number(process.env['BELAY_RUNS'] ?? 500);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Around a whole line. */
const AROUND: readonly ((line: string, depth: number) => string)[] = [
  (line) => `true; ${line}`,
  (line) => `: ; ${line}\n:`,
  (line) => `echo rm nothing; ${line}`,
  (line) => `${line} # rm -rf nothing\n`,
  (line) => `# a comment\n${line}`,
  (line) => `\n\n  ${line}  \n\n`,
  (line) => `{ ${line}\n}`,
  (line) => `( ${line}\n)`,
  (line) => `(${line}\n) 2>/dev/null`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `if grep -q x b.txt; then ${line}\nelse :; fi`,
  (line) => `while read -r nothing; do ${line}\nbreak; done < b.txt`,
  (line) => `case x in x) ${line}\n;; esac`,
  (line, depth) => `f${depth}() { ${line}\n}; f${depth}`,
  (line) => `true && ${line}`,
  (line) => `ls > /dev/null && ${line}`,
  (line) => `false || { ${line}\n}`,
  (line) => `cd sub; cd ..; ${line}`,
  (line) => `(cd sub; ls); ${line}`,
  (line) => `X=1 Y="2 3"; ${line}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `sh -ec ${quoted(line)}`,
  (line) => `env A=b bash -c ${quoted(line)}`,
  (line) => `sudo sh -c ${quoted(line)}`,
  (line) => `timeout 9 bash -c ${quoted(line)}`,
  (line) => `nice -n 5 sh -c ${quoted(line)}`,
  (line, depth) => `{ bash <<'END${depth}'\n${line}\nEND${depth}\n}`,
  (line) => `bash <<< ${quoted(line)}`,
  (line) => `printf '%s\\n' ${quoted(line)} | bash`,
  (line) => `echo $( ${line}\n)`,
  (line) => `x=$( ${line}\n)`,
  (line) => `source <(printf '%s\\n' ${quoted(line)})`,
  // A trap for EXIT that is set in one is not run: each in a shell of its own.
  (line) => `bash -c ${quoted(`trap ${quoted(line)} EXIT`)}`,
  (line) => `{ ${line}\n} &`,
  (line) => `set -e; ${line}`,
  (line) => `flock lock sh -c ${quoted(line)}`,
  (line) => `xargs -I@@ sh -c ${quoted(line)} <<< x`,
];

const lostBy = new Map(LINES.map((line) => [line, at.lost(line)]));

test('the lines lose something', () => {
  for (const [line, lost] of lostBy) assert.ok(lost.length > 0, line);
});

test('no harmless command, comment or wrapper around a line takes an effect away', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LINES),
      fc.array(fc.constantFrom(...AROUND), { minLength: 1, maxLength: 4 }),
      (line, wraps) => {
        const text = wraps.reduce((inner, wrap, depth) => wrap(inner, depth), line);
        const lost = at.lost(text);
        const missing = (lostBy.get(line) ?? []).filter((path) => !lost.includes(path));
        assert.ok(missing.length === 0 || lost.includes('?'), `${text}\nno longer lost: ${missing.join(' ')}`);
        assert.ok(at.plan(text).parsed, text);
      },
    ),
    { numRuns: RUNS },
  );
});

/** Ways to write one piece of a word in bash that all mean the same. */
const WAYS: readonly ((text: string) => string)[] = [
  (text) => quoted(text),
  (text) => `"${text.replace(/["\\$`]/g, '\\$&')}"`,
  (text) => text.replace(/[^\w./-]/g, '\\$&'),
  (text) => [...text].map((letter) => `\\${letter}`).join(''),
  (text) => `$'${[...text].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`,
  (text) => `$'${text.replace(/['\\]/g, '\\$&')}'`,
  (text) => `${quoted(text)}''""`,
  (text) => `$"${text.replace(/["\\$`]/g, '\\$&')}"`,
];

const FILES = [
  'a.txt',
  'a b.txt',
  "it's",
  'we"ird$x`y\\z',
  'star*',
  './-dash',
  'n\u00c3\u00a4me',
  'sub/c.txt',
  'sub/deep/d.txt',
];

/** A word cut into pieces, each written in a way of its own. */
const written = fc.constantFrom(...FILES).chain((file) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...WAYS)), {
      minLength: file.length,
      maxLength: file.length,
    })
    .map((cuts) => {
      let at = 0;
      let word = '';
      for (const [length, way] of cuts) {
        if (at >= file.length) break;
        word += way(file.slice(at, at + length));
        at += length;
      }
      return { file, word };
    }),
);

const COMMANDS: readonly ((word: string) => string)[] = [
  (word) => `rm ${word}`,
  (word) => `rm -f -- ${word}`,
  (word) => `echo x > ${word}`,
  (word) => `mv ${word} gone`,
  (word) => `truncate -s0 ${word}`,
  (word) => `cp b.txt ${word}`,
  (word) => `f=${word}; rm "$f"`,
  (word) => `for f in ${word}; do rm -- "$f"; done`,
  (word) => `set -- ${word}; rm "$1"`,
  (word) => `a=(${word}); rm "\${a[@]}"`,
  (word) => `bash -c 'rm "$1"' _ ${word}`,
  (word) => `x() { rm "$@"; }; x ${word}`,
];

test('however a path is quoted, the effect is the same', () => {
  fc.assert(
    fc.property(written, fc.constantFrom(...COMMANDS), ({ file, word }, command) => {
      assert.equal(at.lost(command(word)), at.lost(command(quoted(file))), command(word));
      assert.equal(at.lost(command(word)), [file.replace(/^\.\//, '')], command(word));
    }),
    { numRuns: RUNS },
  );
});

test('no text makes planning throw, and what is not understood is saved broadly', () => {
  const piece = fc.constantFrom(
    ...LINES,
    ...[
      '"',
      "'",
      '`',
      '$(',
      ')',
      '<<E\n',
      '\n',
      ';',
      '|',
      '&',
      '>',
      '${',
      '}',
      ' ',
      '\\',
      '[[',
      '((',
      'if ',
      'done',
      'rm ',
      '*',
    ].flatMap((one) => [one, one]),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const plan = at.plan(pieces.join(''));
      assert.ok(plan.parsed || plan.captures.length > 0 || !plan.destructive, pieces.join(''));
      for (const target of plan.targets) assert.ok(target.path.startsWith('/'), pieces.join(''));
    }),
    { numRuns: RUNS },
  );
});

test.run();
