import { strict as assert } from 'node:assert';
import { test } from 'uvu';
import type { Call, Line } from '../../src/shell/types.ts';
import { line, see } from './lines.ts';

type Row = readonly [text: string, ...log: string[]];

/** Each line with everything that the walk reports of it, in order. `?` maybe, `&` deferred, `*` repeated, `<…>` unknown words. */
function table(title: string, rows: readonly Row[], more: Partial<Line> = {}): void {
  for (const [text, ...log] of rows) {
    test(`${title}: ${JSON.stringify(text)}`, () => assert.deepEqual(see(line(text, more), wrappers).log, log));
  }
}

/** What the rules do with programs that run others, as far as these lines need it. */
function wrappers(call: Call): void {
  const [name, flag, text, ...rest] = call.argv.map((arg) => (arg.kind === 'known' ? arg.text : undefined));
  if (name === 'sudo') call.run(call.argv.slice(1));
  else if (/^(?:ba|z|fi)?sh$/.test(name ?? '') && flag === '-c' && text !== undefined)
    call.script(text, {
      positional: call.argv.slice(3),
      shell: name === 'zsh' ? 'zsh' : name === 'fish' ? 'fish' : 'bash',
    });
  else if (name === 'bash' && call.argv.length === 1 && call.stdin.kind === 'text') call.script(call.stdin.text);
  else if (name === 'bash' && flag !== undefined) {
    const written = call.written(flag);
    if (written?.kind === 'text') call.script(written.text, { positional: call.argv.slice(1) });
  }
  void rest;
}

table('commands run in their order', [
  ['rm a b', 'rm a b'],
  ['echo a;rm notes.txt', 'rm notes.txt'],
  ['X=build; rm -rf "$X"', 'rm -rf build'],
  ['cd nope-not-there; rm x', 'rm x'],
  ['cd /usr && rm x; rm y', '[/usr] rm x', '[/usr] rm y'],
  ['(cd /usr; rm x); rm y', '[/usr] rm x', 'rm y'],
  ['rm x & wait', '&rm x', 'wait'],
  ['exit 0; rm y'],
  ['foo || exit 1; rm y', 'foo', 'rm y'],
  ['exec rm a; rm b', 'rm a'],
  ['a | b | c', 'a', 'b', 'c'],
  ['! rm a', 'rm a'],
  ['time -p rm a', 'rm a'],
  ['coproc rm a; coproc N { rm b; }', '&rm a', '&rm b'],
  ['rm a; # rm b', 'rm a'],
  ['hash -p /bin/rm ls; ls x', '/bin/rm x'],
]);

table('branches that may not run are maybe', [
  ['if foo; then rm a; else rm b; fi', 'foo', '?rm a', '?rm b'],
  ['if true; then rm a; else rm b; fi', 'rm a'],
  ['if [ -d /usr ]; then rm a; fi', 'rm a'],
  ['if [ -d /nope ]; then rm b; fi'],
  ['rm -r /nope/x; if [ -d /nope ]; then rm b; fi', 'rm -r /nope/x', '?rm b'],
  ['if false; then rm a; elif true; then rm b; else rm c; fi', 'rm b'],
  ['foo && rm a || rm b', 'foo', '?rm a', '?rm b'],
  ['true && rm a || rm b', 'rm a', '?rm b'],
  ['false && rm a || rm b', 'rm b'],
  ['case x in y) rm a;; x) rm b;; esac', 'rm b'],
  ['case $X in y) rm a;; *) rm b;; esac', '?rm a', '?rm b'],
  ['case x in x) rm a;& y) rm b;; z) rm c;; esac', 'rm a', 'rm b'],
  ['case xy in x*) rm a;;& *y) rm b;; esac', 'rm a', 'rm b'],
  ['[[ $X ]] && rm a', '?rm a'],
  ['[[ a == b ]] || rm a', 'rm a'],
  ['(( 1 > 2 )) || rm a', 'rm a'],
  ['if foo; then x=a; else x=b; fi; rm $x', 'foo', 'rm <…>'],
  ['x=a; foo && x=b; rm "$x"', 'foo', 'rm <?>'],
  ['foo && cd /usr; rm x', 'foo', '?[/usr] rm x', '?rm x'],
  ['cd "$X" && rm a; rm b', '?[?] rm a', '?[?] rm b', '?rm b'],
  ['f() { if foo; then d=a; return; fi; d=b; }; f; rm "$d"', 'foo', 'rm <?>'],
  ['for i in 1 2; do if foo; then d=a; break; fi; d=b; done; rm "$d"', 'foo', 'foo', 'rm <?>'],
]);

table('loops', [
  ['for f in a b; do rm $f.{1,2}; done > out', '> out', 'rm a.1 a.2', 'rm b.1 b.2'],
  ['for((i=1;i<3;i++)); do rm file$i; done', 'rm file1', 'rm file2'],
  ['for f; do rm "$f"; done'],
  ['set -- a b; for f; do rm "$f"; done', 'rm a', 'rm b'],
  ['for f in $X; do rm "$f"; done', '?*rm <?>'],
  ['for f in "$X"; do rm "$f"; done', 'rm <?>'],
  ['echo notes | while read f; do rm "$f"; done', 'rm notes'],
  ['printf \'a b\\nc\\n\' | while read -r x y; do rm "$x" "$y"; done', 'rm a b', 'rm c ""'],
  ['while read f; do rm "$f"; done < list', '?*rm <?>'],
  ['find d -type f | while read -r f; do rm "$f"; done', 'find d -type f', '?*rm d<?>'],
  ['while foo; do rm a; done', 'foo', '?*rm a', '?*foo'],
  ['until [ -e /nope ]; do rm a; break; done', 'rm a'],
  ['i=3; while [ $i -gt 0 ]; do rm $i; i=$((i-1)); done', 'rm 3', 'rm 2', 'rm 1'],
  ['i=0; while foo; do rm f$i; i=$((i+1)); done', 'foo', '?*rm f0', '?*foo', '?*rm f<…>', '?*foo'],
  [
    'while foo; do cd none; rm a; done',
    'foo',
    '?*rm a',
    '?*[/tmp/none] rm a',
    '?*foo',
    '?*[/tmp/none] foo',
    '?*[?] rm a',
    '?*[?] foo',
  ],
  ['select s in a b; do rm $s; break; done', '?*rm a', '?*rm b'],
  ['declare -A m=(k a l b); rm ${m[l]}', 'rm b'],
  ['for i in 1 2 3; do [ $i = 2 ] && continue; rm $i; done', 'rm 1', 'rm 3'],
  ['for i in 1 2; do for j in a b; do [ $j = b ] && continue 2; rm $i$j; done; done', 'rm 1a', 'rm 2a'],
]);

table('substitutions are walked where they stand', [
  ['rm $(echo a b)', 'rm a b'],
  ['rm "$(foo)"', 'foo', 'rm <?>'],
  ['rm $(<list) "$(< list)"', 'rm <…> <?>'],
  ["echo 'a b' > l; rm $(<l)", '> l', 'rm a b'],
  ['rm --from=<(rm q) z', 'rm q', 'rm --from=/dev/fd/belay-0 z'],
  ['a=<(rm x) rm y', 'rm x', 'rm y'],
  ['rm <(rm a)x', 'rm a', 'rm /dev/fd/belay-0x'],
  ['foo > >(rm a)', '&rm a', 'foo'],
  ['cat <<EOF\n$(rm notes.txt)\nEOF', 'rm notes.txt', 'cat'],
  ["cat <<'EOF'\n$(rm notes.txt)\nEOF", 'cat'],
  ['cat <<< "$(rm a)"', 'rm a', 'cat'],
  [
    'x[$(rm a)]=1; (( $(rm b) )); echo $(( $(rm c) + 1 )) ${y:-$(rm d)} ${y:+$(rm e)} "${y/$(rm f)/}"',
    'rm a',
    'rm b',
    'rm c',
    'rm d',
    '?rm e',
    'rm f',
  ],
  ['[[ -z $(rm a) && $(rm b) == c ]]', 'rm a', 'rm b'],
  ['case $(rm a) in $(rm b)) ;; esac', 'rm a', 'rm b'],
  ['x=`rm a` y=(`rm b`); > $(rm c; echo d)', 'rm a', 'rm b', 'rm c', '> d'],
  ['echo `echo \\`rm a\\``', 'rm a'],
  ['for f in $(rm a; echo b); do rm $f; done', 'rm a', 'rm b'],
  ['rm {a,$(rm b)}', 'rm b', 'rm a'],
]);

table('redirections', [
  ['> a', '> a'],
  ['echo > a 2> b >> c <> d &> e >& f 2>&1 <&- {fd}> g >| h', '> a', '> b', '>> c', '<> d', '> e', '> f', '> g', '> h'],
  [
    '{ rm x; } > a; ( rm y ) >> b; if :; then :; fi > c; while foo; do :; done > d',
    '> a',
    'rm x',
    '>> b',
    'rm y',
    '> c',
    '> d',
    'foo',
    '?*foo',
  ],
  ['exec 3> a >> b', '> a', '>> b'],
  ['f() { rm x; } > a; f; f', '> a', 'rm x', '> a', 'rm x'],
  ['[ a > b ]', '> b'],
  ['cat > "$X/log"', '> <?>/log', 'cat'],
  ['cd /usr && echo > a', '[/usr] > a'],
  ['foo && echo > a &', '&foo', '?&> a'],
  ['trap "echo > a" EXIT', '?&> a'],
  ['echo > /dev/tcp/h/1'],
]);

table('functions', [
  ['f() { rm $1; }; f x', 'rm x'],
  ['f() { rm "$@"; }; f a "b c"', 'rm a "b c"'],
  ['f() { rm x; }'],
  ['rm() { echo no; }; rm a; command rm b; \\rm c; /bin/rm d', 'rm b', '/bin/rm d'],
  ['f() { cd /usr; }; f; rm x', '[/usr] rm x'],
  ['f() ( cd /usr; rm a ); f; rm x', '[/usr] rm a', 'rm x'],
  ['if foo; then f() { rm a; }; else f() { rm b; }; fi; f', 'foo', '?rm a', '?rm b'],
  ['foo && rm() { :; }; rm a', 'foo', '?rm a'],
  ['f() { g() { rm x; }; }; f; g', 'rm x'],
  ['f() { local d=$1; rm "$d"; }; d=out; f in; rm "$d"', 'rm in', 'rm out'],
  ['f() { shift; rm $1; }; f a b; unset -f f; f', 'rm b', 'f'],
]);

table(
  'functions handed over',
  [
    ['clean x', 'rm -rf x/build'],
    ['wipe', 'rm y'],
  ],
  {
    functions: new Map([
      ['clean', 'clean () \n{ \n    rm -rf "$1/build"\n}'],
      ['wipe', 'rm y'],
    ]),
  },
);

table(
  'aliases',
  [
    ['ll a', 'ls -l a'],
    ['wipe a b', 'rm -i -rf a b'],
    ['sudo wipe a', 'sudo rm -rf a', 'rm -rf a'],
    ['go', '[/usr] ls -l'],
    ['keep x > y', '> y', 'cp -a x'],
    ['rm a', 'rm -i a'],
    ['\\rm a; "rm" b; command rm c', 'rm a', 'rm b', 'rm c'],
    ['loop; rm x', 'loop', 'rm -i x'],
    ['piped a', 'foo', 'xargs a'],
    ['iffy true', 'rm -i y'],
    ['echo wipe; x=1 wipe a', 'rm -i -rf a'],
    ['unalias wipe; wipe a', 'wipe a'],
    ['alias new="rm q"\nnew', 'rm -i q'],
    ['alias new="rm q"; new', 'new'],
    ['wipe a <<E\nx\nE', 'rm -i -rf a'],
    ['envy rm x', 'rm -i x'],
  ],
  {
    aliases: new Map([
      ['ll', 'ls -l'],
      ['wipe', 'rm -rf'],
      ['sudo', 'sudo '],
      ['go', 'cd /usr && ll'],
      ['keep', 'cp -a'],
      ['rm', 'rm -i'],
      ['loop', 'loop'],
      ['piped', 'foo | xargs'],
      ['iffy', 'if false; then rm z; else rm y; fi;'],
      ['envy', 'A=1 '],
    ]),
  },
);

table('an alias holds from the next line on, in shells that expand any', [
  ["alias x='rm a'; x", 'x'],
  ["alias x='rm a'\nx", 'x'],
  ["shopt -s expand_aliases\nalias x='rm a'\nx", 'rm a'],
]);

table('scripts in a line', [
  ['eval "rm a"; eval rm "$X"', 'rm a', 'gap program'],
  ["bash -c 'rm $1 $0' zero one", 'bash -c "rm $1 $0" zero one', 'rm one zero'],
  ["bash -c 'cd /usr; rm a'; rm b", 'bash -c "cd /usr; rm a"', '[/usr] rm a', 'rm b'],
  ['x=1; export y=2; bash -c \'rm "$x" $y\'', 'bash -c "rm \\"$x\\" $y"', 'rm <?> 2'],
  ["f() { :; }; bash -c 'f a'", 'bash -c "f a"', 'f a'],
  ['echo rm a | bash', 'bash', 'rm a'],
  ["bash <<'E'\nrm a\nE", 'bash', 'rm a'],
  ['bash <(echo rm a)', 'bash /dev/fd/belay-0', 'rm a'],
  ['source <(echo cd /usr); rm a', '[/usr] rm a'],
  ["echo 'rm a' > s.sh; echo 'rm b' >> s.sh; bash s.sh", '> s.sh', '>> s.sh', 'bash s.sh', 'rm a', 'rm b'],
  ["cat > s.sh <<'E'\nrm a\nE\nbash s.sh", '> s.sh', 'cat', 'bash s.sh', 'rm a'],
  ["{ echo 'rm a'; foo; } > s.sh; bash s.sh", '> s.sh', 'foo', 'bash s.sh'],
  ['echo rm a | sed s/a/b/ | bash', 'sed s/a/b/', 'bash', 'rm b'],
  ['echo cm0gYQo= | base64 -d | bash', 'base64 -d', 'bash', 'rm a'],
  [
    "zsh -c 'for f (a b) rm $f'; fish -c 'rm (echo c)'",
    'zsh -c "for f (a b) rm $f"',
    'rm a',
    'rm b',
    'fish -c "rm (echo c)"',
    'rm c',
  ],
  ['trap \'rm "$t"\' EXIT; t=a', '?&rm a'],
  ["trap 'rm a' INT TERM; trap - INT", '?&rm a', '?&rm a'],
  ["trap 'rm a' EXIT; trap - EXIT; trap '' INT"],
  ["(trap 'rm a' EXIT; cd /usr); rm b", '?&[/usr] rm a', 'rm b'],
]);

table('what runs may not be known', [
  ['$X rm y', 'gap program', '?rm y'],
  ['"$X" rm y', 'gap program'],
  ['$(foo) a', 'foo', 'gap program', '?a'],
  ['eval "$X"', 'gap program'],
  ['source "$X"', 'gap program'],
  ['rm "${f', 'gap scan rm', 'rm <?>'],
  ['echo $(if); rm x', 'gap scan rm', 'rm x'],
  ["if foo; then r''m x", 'gap scan rm', 'foo', '?rm x'],
  ['cat ) > x', 'gap scan >', 'cat'],
]);

test('the text that could not be parsed is said to be so, in nested scripts too', () => {
  for (const text of ['rm "', 'echo $(if)', 'eval "if"', 'cat <(|)', 'f() {'])
    assert.equal(see(line(text)).parsed, false, text);
  for (const text of ['', 'rm x', '# c', 'rm "$X"', 'eval "$X"']) assert.equal(see(line(text)).parsed, true, text);
});

test('words say where in the typed line they stand', () => {
  const text = 'cd /usr && rm -f "a b" $(echo c) {d,e}';
  const [call] = see(line(text)).calls;
  const spans = call?.argv.map((arg) => arg.span && text.slice(arg.span[0], arg.span[1]));
  assert.deepEqual(spans, ['rm', '-f', '"a b"', '$(echo c)', '{d,e}', '{d,e}']);
  const [, nested] = see(line('bash -c "rm a"'), (one) => one.argv.length > 2 && one.script('rm a')).calls;
  // A nested text is in the word that holds it.
  const nestedText = 'bash -c "rm a"';
  assert.deepEqual(nested?.argv[0]?.span, [nestedText.indexOf('"'), nestedText.length]);
});

test('bytes that JavaScript takes for blanks or newlines stay inside words', () => {
  for (const byte of ['\x85', '\xa0', '\xff', '\x0b', '\x0c', '\x1c']) {
    const [call] = see(line(`rm a${byte}b`)).calls;
    assert.deepEqual(call?.argv.slice(1), [{ kind: 'known', text: `a${byte}b`, span: [3, 6] }]);
  }
});

test('a command knows its environment: exported variables and those in front of it', () => {
  const seen: unknown[] = [];
  const names = ['HOME', 'x', 'y', 'z', 'w'];
  see(line('x=1; export y=2; z=3 foo; w=4', { variables: new Map([['HOME', '/h']]) }), (call) =>
    seen.push(...names.map((name) => call.env(name))),
  );
  assert.deepEqual(seen, ['/h', undefined, '2', '3', undefined]);
});

test('a command knows its input: text, a file, what a pipe comes from', () => {
  const inputs = see(line('echo a | b; c < /etc/passwd; foo x | d; e <<< f; g')).calls.map((call) => call.stdin);
  assert.deepEqual(inputs[0], { kind: 'text', text: 'a\n' });
  assert.deepEqual(inputs[1], { kind: 'file', path: '/etc/passwd' });
  assert.equal(inputs[3]?.kind === 'pipe' && inputs[3].from?.length, 2);
  assert.deepEqual(inputs[4], { kind: 'text', text: 'f\n' });
  assert.deepEqual(inputs[5], { kind: 'terminal' });
});

test('noclobber keeps what is there, unless the redirection insists', () => {
  const clobbers = (text: string) => see(line(text)).redirects.map((redirect) => redirect.clobber);
  assert.deepEqual(clobbers('echo > a; set -C; echo > b; echo >| c; set +o noclobber; echo > d'), [
    true,
    false,
    true,
    true,
  ]);
});

test('a name that was matched says by which pattern, also one that nothing matches', () => {
  const [call] = see(line('foo /usr/bi[n] /nope/*')).calls;
  assert.deepEqual(
    call?.argv.slice(1).map((arg) => (arg.kind === 'known' ? arg.glob : '')),
    ['/usr/bi[n]', '/nope/*'],
  );
});

test.run();
