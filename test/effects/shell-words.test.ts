/** What the shell's own words bring about: each line is run for real, and what changed has to be in its plan. */
import { type Case, differential } from './differential.ts';

const setup = [
  'echo c > c.txt; for i in 1 2 3; do echo "log $i" > file$i.log; done',
  "printf 'b.txt\\n' > list; printf 'b.txt\\0c.txt\\0' > list0",
  'echo "rm b.txt" > s.sh; echo \'rm -f "$1"\' > s1.sh; cp s.sh rc',
  'printf "#!/bin/sh\\nrm -f b.txt\\n" > x.sh; chmod +x x.sh; mkdir -p sub/deep; echo d > sub/deep/d; echo h > home',
].join('\n');

const lines = (needs: string, list: readonly string[], more: Partial<Case> = {}): Case[] =>
  list.map((line) => ({ line, needs, setup, ...more }));

differential('reading lists', [
  ...lines(
    'bash',
    [
      'mapfile -t names < list; rm "${names[@]}"',
      'mapfile -d \'\' -t names < list0; rm "${names[@]}"',
      'read -r f < list; rm "$f"',
      'while read -r f; do rm "$f"; done < list',
      'while IFS= read -r -d \'\' f; do rm "$f"; done < list0',
      'rm $(cat list)',
      'rm $(< list)',
      'cat list | while read f; do rm "$f"; done',
      'read -ra parts <<< "a.txt b.txt"; rm "${parts[1]}"',
      'IFS=, read -r x y <<< "a.txt,b.txt"; rm "$y"',
      'while read -r f; do rm "$f"; done < <(ls *.log)',
      'printf \'%s\\n\' b.txt c.txt | while read -r f; do rm "$f"; done',
      'find . -name \'file*\' | while read -r f; do rm "$f"; done',
      "find . -name 'file*' -print0 | while IFS= read -r -d '' f; do rm -- \"$f\"; done",
      'for f in $(find . -name \'file*\'); do rm "$f"; done',
      "rm $(find . -name 'file*')",
      "ls | grep '^file' | xargs rm",
      "ls -1 | grep -v '^file' | grep -E '^(b|c)[.]txt$' | xargs -n 1 rm",
      "find . -name '*.log' | grep -F file1 | xargs rm",
    ],
    { named: true },
  ),
  ...lines('bash', ["mapfile -C 'rm b.txt #' -c 1 x < list"]),
]);

differential('options and their words', [
  ...lines(
    'bash',
    [
      'set -- -f b.txt; while getopts f: o; do case $o in f) rm "$OPTARG";; esac; done',
      'set -- -vf b.txt c.txt; while getopts vf: o; do case $o in f) rm "$OPTARG";; esac; done; shift $((OPTIND-1)); rm "$1"',
      'set -o pipefail; false | true || rm b.txt',
      'set -o pipefail; true | true && rm b.txt',
      "set +B; touch '{a,b}.txt'; rm {a,b}.txt",
      'set -C; echo x > data.csv',
      'set -C; echo x >| data.csv',
      'set -C; echo x &> data.csv',
      'echo hi 1<> data.csv',
      'echo hi <> data.csv',
      'pushd -n sub >/dev/null; rm b.txt',
      'pushd sub >/dev/null; rm a.txt; popd >/dev/null; rm b.txt',
      'shopt -s autocd; sub; rm a.txt',
      'logout 2>/dev/null; rm b.txt',
      'echo x > {b,c}.txt',
      'select f in a.txt b.txt; do rm "$f"; break; done <<< 2',
      'history -w b.txt',
      'HISTFILE=b.txt; export HISTFILE; history -w',
      'HISTFILE=b.txt; history -w',
      'x=\'$(rm b.txt)\'; echo "${x@P}"',
      "compgen -C 'rm b.txt' foo",
      'bash --rcfile rc -ic true 2>/dev/null',
      "env F=b.txt sh -c 'rm $F'",
      "F=c.txt env -u G F=b.txt bash -c 'rm $F'",
      'arr=(a.txt); arr+=(b.txt); rm "${arr[1]}"',
      'ls nope || f=(b.txt c.txt) && true; f+=(x); rm -f "${f[1]}"',
    ],
    {},
  ),
]);

differential('programs in odd ways', [
  ...lines('cp', ['ln -s sub into; cp -rf src/. into/', 'cp -r src/. linkdir/']),
  ...lines('tar', ['tar cf t.tar sub a.txt; tar xf t.tar --one-top-level=sub', "tar cf t.tar -I 'rm b.txt' src"]),
  ...lines('curl', ['curl -s -T a.txt file://$PWD/b.txt']),
  ...lines('rsync', [
    'rsync -b a.txt b.txt',
    'echo old > b.txt~; rsync -b a.txt b.txt',
    'rsync -a --backup --backup-dir=bk src/ dist/',
    'rsync --write-batch=bb -a src/ dist/',
  ]),
  ...lines('gzip', ['gzip -r sub src']),
  ...lines('find', [
    "find . -name 'file*' -exec sh -c 'rm \"$1\"' _ {} ';'",
    "find . -name 'file*' -execdir sh -c 'rm \"$1\"' _ {} ';'",
    "find . -name 'file*' -exec bash -c 'mv \"$1\" \"${1%.log}.txt\"' _ {} ';'",
  ]),
]);

const { test } = await import('uvu');
differential('words that only zsh and fish have', [
  { line: 'autoload -U zargs; zargs c.txt b.txt -- rm', shell: 'zsh', setup },
  { line: "setopt globsubst; p='b*.txt'; rm $p", shell: 'zsh', setup },
  { line: 'cd sub; and prevd; rm b.txt', shell: 'fish', setup },
]);

test.run();
