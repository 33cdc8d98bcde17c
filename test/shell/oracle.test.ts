import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import type { Arg, Call, Place } from '../../src/shell/types.ts';
import { see } from './lines.ts';
import { environment, folder, lineIn } from './real.ts';

const root = folder();
const oracle = suite('oracle');

/**
 * Random scripts of everything that decides which commands run, where and with which words. `p0` and `p1` are programs that
 * succeed and fail; neither says so before it runs.
 */
const word = fc.constantFrom(
  ...[
    'a',
    '"b c"',
    '$x',
    '"$x"',
    '"$y"',
    '${x:-d}',
    '${y%.*}',
    '$((i+1))',
    '"$(echo q)"',
    '$(p0 in)',
    '`echo k`',
    '*.txt',
    '{u,v}',
    '"$@"',
    '$1',
    '~',
    '"${arr[@]}"',
    '${arr[1]}',
    "$'t\\tt'",
    '"$PWD"',
    '$HOME/h',
    'sub/*',
    '$#',
    '"${x/a/b}"',
    '$z',
    '"$z"',
  ],
);
const condition = fc.constantFrom(
  ...[
    'true',
    'false',
    '[ -d sub ]',
    '[ -e nope ]',
    '[[ $x == a* ]]',
    '(( i < 2 ))',
    'p0 c',
    'p1 c',
    '[ "$y" = q.r ]',
    '! p1 n',
    'test -n "$x"',
    '[[ -z $z ]]',
    'cd sub',
    'cd nope',
    'f',
    'p0 | p1',
  ],
);
const simple = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('p0', 'p1'), fc.array(word, { maxLength: 3 }))
      .map(([program, words]) => [program, ...words].join(' ')),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        'x=abc',
        'x="a b"',
        'y=q.r',
        'x=$y',
        'i=$((i+1))',
        'z=$(p1 s; echo out)',
        'x+=k',
        'arr=(1 "2 3")',
        'arr+=(n)',
        'unset x',
        'set -- m "n o"',
        'shift',
        'let i++',
        'read x <<< "r s"',
        'printf -v x "%s" w',
        'local l=1',
      ],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        'cd sub',
        'cd ..',
        'cd nope',
        'cd -',
        'cd',
        'cd "$HOME"',
        'cd sub/deep',
        'pushd sub >/dev/null',
        'popd >/dev/null',
        'cd sub && cd deep',
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        'f one',
        'f',
        'g "$x"',
        'eval "p0 \\$x"',
        'break',
        'continue',
        'return',
        'x=pre p0 "$x"',
        'command p0 c',
        'f() { p0 f2 "$1"; }',
        'trap "p0 trap $x" EXIT',
        'echo "l m" | { read a b; p0 "$b"; }',
        'exit',
      ],
    ),
  },
);

const script = fc.letrec<{ list: string; compound: string }>((tie) => ({
  list: fc
    .array(fc.oneof({ weight: 5, arbitrary: simple }, { weight: 3, arbitrary: tie('compound') }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((all) => all.join('\n')),
  compound: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.tuple(condition, tie('list')).map(([test, body]) => `if ${test}; then\n${body}\nfi`),
    fc.tuple(condition, tie('list'), tie('list')).map(([test, yes, no]) => `if ${test}; then\n${yes}\nelse\n${no}\nfi`),
    fc.tuple(simple, fc.constantFrom('&&', '||'), simple).map((all) => all.join(' ')),
    fc
      .tuple(condition, fc.constantFrom('&&', '||'), simple, fc.constantFrom('&&', '||'), simple)
      .map((all) => all.join(' ')),
    fc.tuple(word, word, tie('list')).map(([one, two, body]) => `for x in ${one} ${two}; do\n${body}\ndone`),
    tie('list').map((body) => `n=0; while (( n++ < 2 )); do\n${body}\ndone`),
    fc.tuple(condition, tie('list')).map(([test, body]) => `n=0; while ${test} && (( n++ < 2 )); do\n${body}\ndone`),
    tie('list').map((body) => `(\n${body}\n)`),
    tie('list').map((body) => `{\n${body}\n}`),
    tie('list').map((body) => `{\n${body}\n} | cat`),
    tie('list').map((body) => `printf '1 2\\n3\\n' | while read x y; do\n${body}\ndone`),
    fc
      .tuple(word, tie('list'), tie('list'))
      .map(([subject, one, two]) => `case ${subject} in a*) ${one}\n;; *c) ${two}\n;; esac`),
    tie('list').map((body) => `g() {\n${body}\n}\ng "2 3"`),
    tie('list').map((body) => `: "$(\n${body}\n)"`),
    fc.tuple(fc.nat(), tie('list')).map(([end, body]) => `cat <<E${end}\n$(\n${body}\n)\nE${end}`),
    tie('list').map((body) => `for ((i=0; i<2; i++)); do\n${body}\ndone`),
  ),
})).list;

/** The same scripts at every run; another seed looks for new ones. */
const SEED = Number(process.env['BELAY_SEED'] ?? 20_261_130);

interface Ran {
  readonly cwd: string;
  readonly words: readonly string[];
}

/** What bash runs: each `p0` and `p1` writes its folder and words to descriptor 9. */
function ran(text: string): readonly Ran[] | undefined {
  // One write a call: two programs of a pipe run at once.
  const stub = (name: string, status: number): string =>
    `${name}() { printf '%s\\1' "$PWD" ${name} "$@" $'\\2' >&9; return ${status}; }`;
  // FUNCNEST: a function that calls itself in a substitution would make processes without end.
  const source = `FUNCNEST=6\nexec 9>&1 >/dev/null\n${stub('p0', 0)}\n${stub('p1', 1)}\nf() { p0 in-f "$@"; }\ng() { p1 in-g; }\n${text}\n`;
  // timeout(1) kills the whole process group, not only the shell that was started.
  const limited = ['-s', 'KILL', '20', 'bash', '--norc', '-c', source.replaceAll('command p0', 'p0')];
  const run = spawnSync('timeout', limited, { cwd: root, env: environment(root), encoding: 'latin1' });
  if (run.signal || run.error || run.stderr.includes('maximum function nesting level')) return undefined;
  return run.stdout
    .split('\x02\x01')
    .slice(0, -1)
    .map((row) => row.split('\x01').slice(0, -1))
    .map(([cwd = '', ...words]) => ({ cwd, words }));
}

function covers(call: Call, one: Ran): boolean {
  return placeCovers(call.cwd, one.cwd) && wordsCover(call.argv, one.words);
}

const placeCovers = (place: Place, cwd: string): boolean =>
  place.kind === 'unknown' || (place.logical ?? place.path) === cwd;

/** Whether the words can be what the arguments stand for. */
function wordsCover(args: readonly Arg[], words: readonly string[]): boolean {
  const [arg, ...rest] = args;
  if (!arg) return words.length === 0;
  if (arg.kind === 'unknown' && arg.many)
    return Array.from({ length: words.length + 1 }, (_, count) => count).some((count) =>
      wordsCover(rest, words.slice(count)),
    );
  const [first, ...others] = words;
  if (first === undefined) return false;
  const fits =
    arg.kind === 'known'
      ? arg.text === first
      : first.length >= arg.prefix.length && first.startsWith(arg.prefix) && first.endsWith(arg.suffix);
  return fits && wordsCover(rest, others);
}

oracle('every command that bash runs is reported, where it runs and with its words', () => {
  fc.assert(
    fc.property(script, (body) => {
      const text = `f() { p0 in-f "$@"; }\ng() { p1 in-g; }\ni=0\n${body}`;
      const real = ran(body);
      fc.pre(real !== undefined);
      const seen = see(lineIn(root, text));
      for (const one of real)
        assert.ok(
          seen.gaps.length > 0 || seen.calls.some((call) => covers(call, one)),
          `${JSON.stringify(one)} is not in\n${seen.log.join('\n')}\nof\n${text}`,
        );
    }),
    { numRuns: Number(process.env['BELAY_ORACLE_RUNS'] ?? 150), seed: SEED, includeErrorInReport: true },
  );
});

oracle('a command that is said to run for certain does run', () => {
  fc.assert(
    fc.property(script, (body) => {
      const real = ran(`i=0\n${body}`);
      fc.pre(real !== undefined);
      const seen = see(lineIn(root, `f() { p0 in-f "$@"; }\ng() { p1 in-g; }\ni=0\n${body}`));
      for (const call of seen.calls) {
        const name = call.argv[0]?.kind === 'known' ? call.argv[0].text : '';
        if (!/^p[01]$/.test(name) || call.certainty !== 'known' || /\b(?:exit|return|break|continue)\b/.test(body))
          continue;
        assert.ok(
          real.some((one) => covers(call, one)),
          `${JSON.stringify(call.argv)} did not run in\n${body}\n${JSON.stringify(real)}`,
        );
      }
    }),
    { numRuns: Number(process.env['BELAY_ORACLE_RUNS'] ?? 150), seed: SEED, includeErrorInReport: true },
  );
});

oracle.after(() => rmSync(root, { recursive: true, force: true }));
oracle.run();
