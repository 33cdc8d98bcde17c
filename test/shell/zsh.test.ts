import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import { line, see } from './lines.ts';
import { folder, shellWordsOfAll, walkWords } from './real.ts';

const root = folder();
const zsh = suite('zsh');

/** Lines before the command, and its arguments: the walk makes the same words of them as zsh. */
const SAME: readonly (readonly [before: string, ...words: string[]])[] = [
  [
    '',
    'a b',
    '"a b"',
    "'a b'",
    '*.txt',
    '*/*',
    '**/*.txt',
    '*(.)',
    '*(/)',
    '*(@)',
    '*.txt(N)',
    '*.nope(N)',
    '*(D)',
    '*(.D)',
    '*(N)',
    '**/*(.)',
    '**/z.txt',
    'sub/**/*.txt',
    '(a|b).txt',
    '(a|b)',
    'x<->',
    '*(^/)',
    '*(-/)',
    '{a,b}.txt(N)',
    'sub/*(.)',
    '**',
  ],
  ['setopt extendedglob', '^a', '^*.txt', '^*.txt(.)', 'x#1', '(a|b)##', '*.txt(#qN)'],
  ['setopt nullglob', '*.nope a'],
  ['setopt globdots', '*', '*(/)'],
  ['setopt GLOB_DOTS; unsetopt glob_dots', '*.txt'],
  [
    'x="a b"; y="*.txt"; e=',
    '$x',
    '"$x"',
    '$y',
    '$e',
    '"$e"',
    '$=x',
    '${=x}',
    '$~y',
    '${~y}',
    'a$x',
    '$x$e',
    '${x:-d}',
    '${e:-a b}',
    '${#x}',
  ],
  [
    'a=(1 "2 3" "" 4)',
    '$a',
    '"$a"',
    '$a[1]',
    '$a[2]',
    '"$a[2]"',
    '$a[-1]',
    '${a[2]}',
    '"${a[@]}"',
    '${#a}',
    '$#a',
    '${a[@]}',
  ],
  ['a=(*.txt)', '$a', '$a[1]'],
  [
    'x=/a/b.c/d.tar.gz',
    '${x:h}',
    '${x:t}',
    '${x:r}',
    '${x:e}',
    '${x:t:r}',
    '$x:h',
    '$x:t',
    '"$x:h"',
    '${x:h:h}',
    '${x%.*}',
    '${x##*/}',
  ],
  ['x=$(print -l "a b" c)', '${(f)x}', '$(echo a b)', '"$(echo a b)"'],
  ['a=(1 2); one=x; e=(); s=', 'p${^a}q', '$^a.c', 'p$^a/{m,n}', 'p${^e}q', 'p${^one}q', '"p${^a}q"', 'p${^a}${^a}'],
  ['setopt rcexpandparam; a=(1 2); one=x; e=(); s=', 'p${a}q', 'p$a', '$a$a', 'p$e', 'p$one', 'p$s', '"p${a}q"'],
  [
    'x=aB.Cd; w="one TWO"; v=x; c=a:b::c; l=(b a b); q="it\'s a"; d="\'a b\' c\\ d"; n=a,b',
    '${(L)x}',
    '${(U)x}',
    '"${(L)x}"',
    '${(C)w}',
    '${(P)v}',
    '${(LP)v}',
    '${(s.:.)c}',
    '"${(s.:.)c}"',
    '"${(@s.:.)c}"',
    '${(s(:))c}',
    '${(j:-:)l}',
    '"${(j:-:)l}"',
    '${(u)l}',
    '${(o)l}',
    '${(O)l}',
    '${(ou)l}',
    '${(Oa)l}',
    '"${(@)l}"',
    '"${(o)l}"',
    '"${(@o)l}"',
    '${(q)q}',
    '${(qq)q}',
    '${(Q)d}',
    '${(L)x%.*}',
    '${(U)x:r}',
    '${(s:,:)n}',
    'p${(s:,:)n}q',
    '${^${(s:,:)n}}.x',
    '${(j:+:)${(s:,:)n}}',
    '${(s:,:)${:-p,q}}',
    '${(F)l}',
    '${(f)"$(print -l m "n o")"}',
    '${${(f)"$(print -l m "n o")"}[2]}',
    '${(f)$(print -l m "n o")}',
    '${(z)w}',
    '${(ps:\n:)"$(print -l m "n o")}"}'.replace('}"}', '"}'),
  ],
  [
    'x=/a/b.c; l=(a.md b.txt c.md)',
    '${${x:t}%.*}',
    '${${x##*/}:r}',
    '${:-z.q}',
    '${${:-z.q}:r}',
    '${l:#*.md}',
    '${(M)l:#*.md}',
    '"${(M)l:#*.md}"',
    '"${(@M)l:#*.md}"',
    '${x:s/b/d/}',
    '$x:s/b/d/',
    '$x:gs/b/d/.y',
    '${l:r}',
    '$l[2,3]',
    '${l[2,-1]}',
    '${l[-2,-1]}',
  ],
  ['typeset -A m=(k v)', '${(k)m}', '${(v)m}', '$m', '${(kv)m}'],
  ['', '$(print -l *(/))', '$(print -r -- "a\\nb")', '$(print a b)', '$(print -n a)'],
  ['', '=rm', '~', '~/x', '~root', '~+', 'a=~', '"~"'],
  ['echo a b | read x y', '$x $y'],
  ['for f (a b) x=$f', '$x'],
  ['for f in 1 2; { x=$f }', '$x'],
  ['repeat 2 x=${x:-}y', '$x'],
  ['foreach f (1 2); x=$f; end', '$x'],
  ['() { x=$1 } q', '$x'],
  ['function f g { x=$1 }; g z', '$x'],
  ['if [[ -d sub ]] { x=1 } else { x=2 }', '$x'],
  ['if [[ -d nope ]] { x=1 } elif [[ -d sub ]] { x=3 } else { x=2 }', '$x'],
  ['case q { (q|r) x=1 ;; *) x=2 ;; }', '$x'],
  ['case a in (b) x=1;; (a) x=2;; esac', '$x'],
  ['{ x=1 } always { y=2 }', '$x $y'],
  ['cd sub; cd ../A', '$PWD', '~-'],
  ['cd sub; cd sub A', '$PWD'],
  ['cd sub/deep', '*', '$(pwd)'],
  ['setopt autocd; sub', '$PWD'],
  ['integer i=3; (( i += 2 ))', '$i', '$((i*2))'],
  ['x=1 # comment', '$x'],
];

for (const [before, ...list] of SAME) {
  let answers: ReturnType<typeof shellWordsOfAll> | undefined;
  for (const [i, word] of list.entries()) {
    zsh(`words become what zsh makes of them: ${JSON.stringify(before)} ${JSON.stringify(word)}`, () => {
      answers ??= shellWordsOfAll('zsh', root, before, list);
      assert.notEqual(answers[i], undefined, 'zsh refuses it');
      assert.deepEqual(walkWords(root, before, word, 'zsh'), answers[i]);
    });
  }
}

const LOGS: readonly (readonly [text: string, log: readonly string[]])[] = [
  ['echo x > a > b', ['> a', '> b']],
  ['echo x >! a; echo y >>! b; echo z >| c', ['> a', '>> b', '> c']],
  ['echo x &>! a; echo y &>> b; echo z >&! c', ['> a', '>> b', '> c']],
  ['noglob rm *', ['rm "*"']],
  ['nocorrect rm a; - rm b; command rm c; builtin echo', ['rm a', 'rm b', 'rm c']],
  ['cat =(rm a) <(rm b)', ['rm a', 'rm b', 'cat /dev/fd/belay-0 /dev/fd/belay-1']],
  ['rm a &! rm b &| rm c', ['&rm a', '&rm b', 'rm c']],
  ['for f (a b) rm $f', ['rm a', 'rm b']],
  ['for f in a b; do rm $f; done', ['rm a', 'rm b']],
  ['repeat 2 { rm a }', ['seq 2', 'rm a', 'rm a']],
  ['while [[ -n $X ]] { rm a }', ['?*rm a']],
  ['select x (a b) rm $x', ['?*rm a', '?*rm b']],
  ['for ((i=1;i<=2;i++)) rm $i', ['rm 1', 'rm 2']],
  ['if [[ -n $X ]] rm a', ['?rm a']],
  ['while (( i++ < 2 )) rm $i', ['?*rm <?>']],
  ['setopt shwordsplit; f="a b"; rm $f', ['rm a b']],
  ['emulate sh -c "rm a"', ['rm a']],
  ['coproc { rm a }; rm b', ['&rm a', 'rm b']],
  ['{ rm a }; rm b', ['rm a', 'rm b']],
  ['if ! [[ -n $X ]] { rm a }', ['?rm a']],
  ['time rm a; ! rm b', ['rm a', 'rm b']],
  ['f() { rm a }; f', ['rm a']],
  ['TRAPEXIT() { rm a }; rm b', ['rm b', '?&rm a']],
  ['functions[TRAPEXIT]="rm a"; functions[f]="rm b"; f', ['rm b', '?&rm a']],
  ['(TRAPEXIT() { rm a }; cd /); rm b', ['?&[/] rm a', 'rm b']],
  ['TRAPINT() { rm a }; (rm b)', ['rm b', '?&rm a']],
  ['chpwd() { rm a }; cd /; cd -q /tmp', ['[/] rm a', '?&rm a']],
  ['chpwd_functions=(f); f() { rm $PWD/a }; cd / && rm b', ['[/] rm //a', '[/] rm b', '?&[/] rm //a']],
  ['setopt rcexpandparam; a=(1 2); rm x$a.c', ['rm x1.c x2.c']],
  ['emulate -L sh; f="a b"; rm $f', ['rm a b']],
  ['typeset -A m=(k a); rm ${m[k]}', ['rm a']],
  ['hash -d d=/tmp/x; rm ~d/a', ['rm /tmp/x/a']],
  ['hash -d d=/tmp/x; hash -r; rm ~d/a; hash -rd; rm ~d/a', ['rm /tmp/x/a', 'rm <?>/a']],
  ['nameddirs[d]=/tmp/x; rm ~d/a', ['rm /tmp/x/a']],
  ['d=/tmp/x; rm ~d/a ~d', ['rm /tmp/x/a /tmp/x']],
  ['rm ~nemo/a ~$x/a ~[d]/a', ['rm <?>/a <…>/a <?>/a']],
  ['sched +1 rm -f a; sched; sched -1', ['?&rm -f a']],
  ['sched +1 $X', ['gap program']],
  ["x='$(rm a)'; echo ${(e)x} ${x}", ['rm a']],
  ['echo ${(e)X}', ['gap program']],
  ["x='$(rm a)'; print -P $x; setopt promptsubst; print -P $x", ['rm a']],
  ['HISTFILE=a; fc -W; fc -P; fc -R', ['fc -W a', 'fc -P a', 'fc -R']],
  ['r a=b; r', ['fc -e - a=b', 'fc -e -']],
  ['r() { rm a }; r', ['rm a']],
  ['rm ${(f)"$(foo)"}', ['foo', 'rm <…>']],
  ['rm "${(@s:,:)X}"', ['rm <…>']],
  ['alias -g G="| xargs rm"; echo a | xargs rm', ['xargs rm']],
];

for (const [text, log] of LOGS) {
  zsh(`walks ${JSON.stringify(text)}`, () => assert.deepEqual(see(line(text, { shell: 'zsh' })).log, log));
}

zsh('a # begins a comment at no prompt that is not told so, but in every other text', () => {
  const log = (text: string, ...more: string[]) =>
    see(line(text, { shell: 'zsh', options: new Set(['interactive', ...more]) })).log;
  for (const row of [
    'echo a # c > b',
    'cat a # > b',
    'printf x #c > b',
    'echo x; # > b',
    'echo a# > b',
    'true >#b; # > b',
  ])
    assert.ok(log(row).includes('> b'), row);
  assert.deepEqual(log('ls # | tee b'), ['ls #', 'tee b']);
  assert.deepEqual(log('f=(a # b); rm $f'), ['rm a # b']);
  assert.deepEqual(log('echo a # > b', 'interactivecomments'), []);
  assert.deepEqual(log("eval 'rm a # b\nrm c'"), ['rm a', 'rm c']);
});

zsh('keeps where words stand in a line that needs no translation', () => {
  const [call] = see(line('rm "a b"', { shell: 'zsh' })).calls;
  assert.deepEqual(call?.argv[1]?.span, [3, 8]);
});

zsh('follows scripts of the other shell in a line', () => {
  const seen = see(line('zsh -c "rm =(echo a)"'), (call) => {
    const text = call.argv[2];
    if (text?.kind === 'known') call.script(text.text, { shell: 'zsh' });
  });
  assert.deepEqual(seen.log.at(-1), 'rm /dev/fd/belay-0');
});

zsh.after(() => rmSync(root, { recursive: true, force: true }));
zsh.run();
