import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import { fromText } from '../../src/platform/bytes.ts';
import { MOST_STEPS } from '../../src/shell/run/budget.ts';
import { line, see } from './lines.ts';
import { folder, lineIn } from './real.ts';

const fuzz = suite('fuzz');
const root = folder();

/** Lines of all kinds; the visible cases too, where they lie beside the checkout. */
const SEEDS: readonly string[] = [
  'rm -rf "$X/build"/*.{o,a} && cd sub || { mv a b; } > "out file" 2>&1',
  'for f in *.txt; do mv -- "$f" "${f%.txt}.md"; done < list | tee -a log',
  "cat <<'EOF' > s.sh\nrm a\nEOF\nbash s.sh",
  'if [[ -f a && $x == b* ]]; then rm a; elif (( i++ < 3 )); then rm b; else rm c; fi',
  'case "$1" in -f|--force) rm -rf .;; *) echo no;& q) :;;& esac',
  'f() { local x=$1; rm "$x"; }; f "$(ls | head -1)" && f `pwd`',
  'a=(1 "2 3" [5]=x); rm "${a[@]:1:2}" ${!a[*]} ${#a} ${a[0]//x/y} ${a^^} ${b:-$(rm q)}',
  'exec {fd}>out 3<>in <<<"$y"; read -r p q <&3; coproc N { rm x; }; wait; trap \'rm t\' EXIT',
  'while read -r l; do echo "$l" >> o; done <<< "a"; until false; do break 2; done; select s in a; do rm $s; done',
  'alias x="rm -rf "; x y; eval "rm $z"; source <(echo rm w); time ! rm v | (cd /; rm u) &',
  'diff <(sort a) >(cat > b) --x=<(c); rm {1..3}{a,{b,c}} !(a|*.b) @(x) ~/y ~+ "$@" $* $((1+2*x)) $[3]',
];

function corpus(): readonly string[] {
  const file = new URL('../../../shared/cases/commands.jsonl', import.meta.url);
  if (!existsSync(file)) return SEEDS;
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((row) => row !== '');
  return [...SEEDS, ...rows.map((row) => (JSON.parse(row) as { cmd: string }).cmd)];
}

const TOKENS = [
  '"',
  "'",
  '`',
  '$(',
  ')',
  '${',
  '}',
  '((',
  '))',
  '[[',
  ']]',
  '<<E\n',
  '\nE\n',
  '<(',
  '>',
  '>>',
  '|',
  '||',
  '&&',
  '&',
  ';',
  ';;',
  '\\',
  '\n',
  '#',
  '{',
  '*',
  '?',
  '[',
  ']',
  '~',
  '!',
  '=',
  '+=',
  '$',
  '$x',
  '"$@"',
  '<<<',
  'if ',
  'then ',
  'fi',
  'for x in ',
  'do ',
  'done',
  'case ',
  'esac',
  'in ',
  'function ',
  '()',
  'time ',
  'coproc ',
  '\x00',
  '\xff',
  '\xa0',
  '\x85',
  'rm ',
  'cd ',
  'eval ',
  'exec ',
  '{a,b}',
  '{1..9}',
  '@(',
  "$'",
  '$"',
];

/** Deterministic: a failing line can be found again (numerical recipes' generator). */
function generator(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    return Math.floor((value / 2 ** 32) * below);
  };
}

function mutate(text: string, random: (below: number) => number): string {
  let out = text;
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(out.length + 1);
    const other = random(out.length + 1);
    const token = TOKENS[random(TOKENS.length)] ?? '';
    switch (random(5)) {
      case 0:
        out = out.slice(0, at) + token + out.slice(at);
        break;
      case 1:
        out = out.slice(0, Math.min(at, other)) + out.slice(Math.max(at, other));
        break;
      case 2:
        out = out.slice(0, at) + out.slice(other, other + random(20)) + out.slice(at);
        break;
      case 3:
        out = out.slice(0, at) + String.fromCharCode(random(256)) + out.slice(at + 1);
        break;
      default:
        out = out.slice(0, at) + token + out.slice(other);
    }
  }
  return out;
}

const ROUNDS = 20_000;

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  fuzz(`no mutated line makes the walk throw (${shell})`, () => {
    const seeds = corpus().map(fromText);
    const random = generator(shell.length + ROUNDS);
    for (let round = 0; round < (shell === 'bash' ? ROUNDS : ROUNDS / 10); round++) {
      const text = mutate(seeds[round % seeds.length] ?? '', random);
      try {
        see(lineIn(root, text, { shell }), (call) => {
          const script = call.argv.at(-1);
          if (script?.kind === 'known' && script.text.includes(' ')) call.script(script.text);
        });
      } catch (error) {
        throw new Error(`${JSON.stringify(text)}: ${(error as Error).stack}`);
      }
    }
  });
}

fuzz('blocks and here-documents without an end are too much, and make nothing throw', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    for (const piece of ['if a; then b; ', 'begin; ', 'while a; ', 'if a { ', '<<A ', 'function f; ', 'repeat 2 '])
      see(line(piece.repeat(65_000 / piece.length), { cwd: root, shell }));
});

fuzz('no bytes at all make the walk throw', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('latin1'));
  const tokens = fc.array(fc.constantFrom(...TOKENS), { maxLength: 60 }).map((list) => list.join(''));
  fc.assert(
    fc.property(fc.oneof(bytes, tokens), (text) => {
      see(line(text, { cwd: root }));
    }),
    { numRuns: 2000 },
  );
});

/** Ways of writing a name in bash that all mean the same. */
const quoted = (name: string, way: number, cut: number): string => {
  const bare = (text: string): string =>
    text.replace(/[^A-Za-z0-9_./-]/g, (char) => (char === '\n' ? "'\n'" : `\\${char}`));
  const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const double = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
  const ansi = (text: string): string =>
    `$'${[...text].map((char) => (/[A-Za-z0-9]/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)).join('')}'`;
  const ways = [bare, single, double, ansi];
  const first = ways[way % 4] ?? single;
  const second = ways[(way >> 2) % 4] ?? single;
  return first(name.slice(0, cut)) + second(name.slice(cut));
};

fuzz('quoting a name any way that bash allows never changes the word', () => {
  const name = fc
    .uint8Array({ minLength: 1, maxLength: 20 })
    .map((array) => Buffer.from(array).toString('latin1').replaceAll('\0', 'n'));
  fc.assert(
    fc.property(name, fc.nat(15), fc.nat(20), (text, way, cut) => {
      const seen = see(line(`probe ${quoted(text, way, cut)}`, { cwd: root }));
      assert.deepEqual(
        seen.calls[0]?.argv.map((arg) => (arg.kind === 'known' ? arg.text : undefined)),
        ['probe', text],
      );
      assert.equal(seen.parsed, true);
    }),
    { numRuns: 1500 },
  );
});

/** Whether the one may stand in the other: not after a comment, no quotes in quotes, words only before a simple command. */
function fits(inner: string, layer: string): boolean {
  if (inner === 'probe a') return true;
  if (/[#\n&]/.test(inner) || /^(?:\\?command|a=1|exec|X 2)/.test(layer)) return false;
  return !(/["`]/.test(layer) && /["`']/.test(inner));
}

fuzz('harmless commands, comments and groups around a command never hide it', () => {
  const around = fc.constantFrom(
    ...[
      'true; X',
      'X; true',
      'echo a && { X; }',
      '{ X; }',
      '( X )',
      'X # c',
      '# c\nX',
      ': "$(true)"; X',
      'if true; then X; fi',
      '{ X; } | cat',
      'echo | { X; }',
      '{ X; } &',
      '! { X; }',
      'time { X; }',
      'for i in 1; do X; done',
      'f() { X; }; f',
      'eval "X"',
      'command X',
      'a=1 X',
      'X 2>/dev/null',
      'case a in a) X;; esac',
      '$( X )',
      'echo "`X`"',
      'cat <( X )',
      'cat <<E\n$( X )\nE',
      'test -e / && { X; }',
      'foo || { X; }',
      'while foo; do X; done',
      'trap "X" EXIT',
      '[[ -n $( X ) ]]',
      'echo $(( $( X ) ))',
      'a[$( X )]=1',
      'echo ${q:-$( X )}',
      '\\command X',
      'exec X',
    ],
  );
  fc.assert(
    fc.property(fc.array(around, { maxLength: 4 }), (layers) => {
      const text = layers.reduce(
        (inner, layer) => (fits(inner, layer) ? layer.replace('X', () => inner) : inner),
        'probe a',
      );
      const seen = see(line(text, { cwd: root }));
      assert.ok(
        seen.calls.some(
          (call) => call.argv.map((arg) => (arg.kind === 'known' ? arg.text : '')).join(' ') === 'probe a',
        ),
        text,
      );
    }),
    { numRuns: 1500 },
  );
});

/** Each costs more than one line may: the rest is a gap or stands for anything, never nothing. */
const BOMBS: Readonly<Record<string, string>> = {
  'brace words': 'rm {1..1000000}',
  'brace products': 'rm {1..100}{1..100}{1..100}',
  'a function that calls itself': 'f() { f; f; }; f',
  'a function that grows': 'f() { f "$1$1"; }; f x',
  'rounds in rounds': 'for i in {1..2000}; do for j in {1..2000}; do rm $i$j; done; done',
  'a counted loop': 'for ((i=0;i<1000000000;i++)); do rm $i; done',
  'too many commands': 'rm x; '.repeat(10_000),
  'substitutions in substitutions': `${'$('.repeat(90)}rm x${')'.repeat(90)}`,
  'brackets in brackets': `${'$('.repeat(5000)}rm x${')'.repeat(5000)}`,
  'a text that is too long': `: $x; rm ${'a'.repeat(70_000)}`,
  'a folder that is too large': 'shopt -s globstar; rm /usr/** /usr/*/*/*/*',
  'a script that evaluates itself': 'x=\'eval "$x"; rm y\'; eval "$x"',
  'a text that doubles': `x=aaaaaaaaaa; ${'x=$x$x$x$x; '.repeat(30)}rm $x`,
  'traps that trap': 'f() { trap f EXIT; rm x; }; f',
};

for (const [name, text] of Object.entries(BOMBS)) {
  fuzz(`what is too much is a gap or stands for anything: ${name}`, () => {
    const seen = see(line(text, { cwd: root }));
    const open = seen.calls.some((call) =>
      call.argv.some((arg) => arg.kind === 'unknown' && (arg.many || arg.prefix.length > 200)),
    );
    const covered = seen.calls.some((call) => call.repeated) || name === 'traps that trap';
    assert.ok(seen.gaps.length > 0 || open || covered, seen.log.slice(0, 5).join('\n'));
    assert.ok(seen.calls.length <= MOST_STEPS);
  });
}

fuzz.after(() => rmSync(root, { recursive: true, force: true }));
fuzz.run();
