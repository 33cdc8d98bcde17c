import { test } from 'uvu';
import { differential } from './differential.ts';

const AGED =
  "for n in 1 2 3 4 5; do echo $n > old$n.log; touch -d \"$n days ago\" old$n.log; done; echo 'one two' > 'a b'; chmod +x notes.txt; head -c 3000 /dev/zero > big.bin";

const named = (line: string): { line: string; setup: string; named: true } => ({ line, setup: AGED, named: true });

differential('names that a command lists are known', [
  named("grep -l one *.txt | xargs sed -i 's/one/two/'"),
  named('grep -L one *.txt | xargs rm'),
  named('grep -rl main . | xargs rm -f'),
  named("grep -rl --include='*.c' x src | xargs rm"),
  named("grep -rlE '^(int|x)' src | xargs truncate -s 0"),
  named('grep -rlZ util . | xargs -0 rm'),
  named('grep -lie ROW1 -e TWO *.csv *.txt | xargs rm'),
  named("grep -rl --exclude-dir=old --exclude='m*' x src sub | xargs -r rm"),
  named("grep -lvx 'a one' a.txt b.txt | xargs rm"),
  named('grep -rLw int src | xargs rm'),
  named("egrep -l 'sa|sb' sub/* | xargs rm"),
  named("fgrep -l 'main(' src/*.c | xargs rm"),
  named("grep -rl 'int[[:space:]]main' . | xargs rm"),
  named('ls | xargs rm -f'),
  named('ls -t *.log | tail -n +3 | xargs rm'),
  named('ls -1t *.log | head -n 2 | xargs rm'),
  named('ls -tr *.log | head -2 | xargs rm'),
  named('ls -1tr *.log | head -n -2 | xargs rm'),
  named("ls -lt *.log | awk 'NR>3 {print $NF}' | xargs rm"),
  named("ls -l | awk '{print $9}' | grep log | xargs rm"),
  named("ls -lS | sed -n 2p | awk '{print $NF}' | xargs rm"),
  named('ls -S | head -1 | xargs rm'),
  named('ls -p | grep -v / | xargs -n1 rm -f'),
  named("ls -F | grep '\\*$' | tr -d '*' | xargs rm"),
  named('ls -d */ | xargs rm -rf'),
  named("ls *.log | sed 's/\\.log$/.bak/' | xargs touch"),
  named('ls *.log | sed "s/^/.\\//" | xargs rm'),
  named("ls *.log | sed '1d;$d' | xargs rm"),
  named("ls *.log | sed -E 's/^old([0-9]).*/old\\1.log/' | xargs rm"),
  named("ls *.log | cut -d. -f1 | sed 's/$/.log/' | xargs rm"),
  named('ls *.log | awk -F. \'{print $1 ".log"}\' | xargs rm'),
  named("ls *.log | awk '/[3-5]/' | xargs rm"),
  named("ls *.log | awk '!/3/ {print}' | xargs rm"),
  named('ls *.log | sort -r | head -1 | xargs rm'),
  named("ls *.log | tr '\\n' ' ' | xargs rm"),
  named("ls *.log | tr '\\n' '\\0' | xargs -0 rm"),
  named('ls *.log | grep -o "old[12]" | sed "s/$/.log/" | xargs rm'),
  named('ls *.log | tac | sed -n "1,2p" | xargs rm'),
  named("printf '%s\\n' *.log | grep -v 3 | xargs rm"),
  named("find . -name '*.log' | sort | tail -n +2 | xargs rm"),
  named("find . -name '*.log' | head -2 | xargs rm"),
  named("find . -name '*.log' | sed 's|^\\./||' | xargs rm"),
  named("find . -name '*.log' | awk -F/ '{print $2}' | xargs rm"),
  named('rm $(ls -t *.log | tail -n +4)'),
  named('rm $(ls *.log | tail -1)'),
  named('rm -f $(grep -l one *.txt)'),
  named('for f in $(ls *.log | head -2); do rm "$f"; done'),
  named('ls *.log | while read -r f; do rm "$f"; done'),
  named("ls -t *.log | sed -n '2,$p' | xargs -I{} mv {} dist/"),
  named('cat notes.txt a.txt | sed s/x/y/ > b.txt'),
]);

differential('what a pattern will match is not known where the line itself makes it', [
  { line: 'mkdir t; tar xf arch.tar -C t; cp -r t/* .', setup: 'tar cf arch.tar a.txt sub; echo more >> a.txt' },
  { line: 'mkdir t; tar xf arch.tar -C t; mv -f t/*.txt .', setup: 'tar cf arch.tar a.txt sub; echo more >> a.txt' },
  { line: 'mkdir t && cd t && tar xf ../arch.tar && mv * ..', setup: 'tar cf arch.tar a.txt; echo more >> a.txt' },
  {
    line: 'mkdir t && cd t && tar xf ../arch.tar && for f in *; do cp -r "$f" ..; done',
    setup: 'tar cf arch.tar a.txt; echo more >> a.txt',
  },
  { line: 'mkdir t; cp sub/a.txt t; cp src/main.c t; cp t/* dist', setup: 'mkdir t; echo z > t/z' },
  { line: 'cp -r src new && cp -r new/* dist' },
  { line: 'mv sub s2 && mv s2/* .' },
  { line: 'mv sub s2 && cp -r s2/. .' },
  { line: 'cp --parents -r src dist; cp -r dist/src/. dist' },
  { line: 'cp -r sub new; and cp new/*.txt .', shell: 'fish' },
  { line: 'cp -r sub new && cp new/*.txt .', shell: 'zsh' },
]);

differential('a program or its options that come through a pipe or a file of options', [
  { line: 'python3 <(echo \'import os; os.remove("a.txt")\')' },
  { line: "ex -s +'w! b.txt' -cq! a.txt" },
  { line: 'printf \'url="file:///etc/hostname"\\noutput = "a.txt"\\n\' | curl -sK -', needs: 'curl' },
]);

test.run();
