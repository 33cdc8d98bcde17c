import { test } from 'uvu';
import { differential } from './differential.ts';

differential('rsync', [
  { line: 'rsync -a src/ dist/', named: true, destructive: true },
  { line: 'rsync -a src dist/', named: true, destructive: false },
  { line: 'rsync -a --delete src/ dist/', named: true },
  { line: 'rsync -a --delete src dist/', setup: 'mkdir dist/src; echo gone > dist/src/gone', named: true },
  { line: 'rsync -a --remove-source-files src/ dist/', named: true },
  { line: 'rsync -a --inplace src/ dist/', named: true },
  { line: 'rsync -a --ignore-existing src/ dist/', destructive: false },
  { line: 'rsync -an --delete src/ dist/', destructive: false },
  { line: 'rsync --list-only src/', destructive: false },
  { line: 'rsync a.txt b.txt', named: true },
  { line: 'rsync a.txt b.txt sub', named: true },
  { line: 'rsync -a src/ new/', named: true, destructive: false },
  { line: 'rsync -ab --backup-dir=old --delete src/ dist/', setup: 'mkdir old; echo o > old/main.c' },
  { line: 'rsync -a linkdir/ sub2/', named: true },
  { line: 'rsync -a --backup --suffix=.o a.txt sub', setup: 'echo o > sub/a.txt.o', named: true },
  { line: 'rsync -ab src/ dist', setup: 'echo o > dist/main.c~', named: true },
  {
    line: 'rsync -a --files-from=list . dist',
    setup: 'echo src/main.c > list; mkdir -p dist/src; echo o > dist/src/main.c',
    named: true,
  },
]);

differential('curl and wget', [
  { line: 'curl -s -o data.csv "file://$PWD/a.txt"', named: true },
  { line: 'curl -fsSLo data.csv "file://$PWD/a.txt"', named: true },
  { line: 'cd sub; curl -sO "file://${PWD%/sub}/a.txt"', needs: 'curl', named: true },
  { line: 'curl -s "file://$PWD/a.txt"', destructive: false },
  { line: 'curl -so /dev/null "file://$PWD/a.txt"', destructive: false },
  { line: 'curl -s -D b.txt --output-dir sub -o a.txt "file://$PWD/data.csv"', named: true },
  { line: 'wget -q -O data.csv http://127.0.0.1:9/x', named: true },
  { line: 'wget -qO- http://127.0.0.1:9/x', destructive: false },
  { line: 'wget -q http://127.0.0.1:9/a.txt', destructive: false },
]);

differential('compilers', [
  { line: 'gcc -o a.txt src/main.c', named: true },
  { line: 'gcc src/main.c', setup: 'echo keep > a.out', named: true },
  { line: 'gcc -c src/main.c', setup: 'echo keep > main.o', named: true },
  { line: 'gcc -S -o- src/main.c', destructive: false },
  { line: 'gcc -MMD -MF b.txt -c src/main.c -o a.txt', named: true },
  { line: 'strip a.out', needs: 'strip gcc', setup: 'gcc -g src/main.c', named: true },
  { line: 'strip -o b.txt a.out', needs: 'strip gcc', setup: 'gcc -g src/main.c', named: true },
  { line: 'objcopy --strip-all a.out notes.txt', needs: 'objcopy gcc', setup: 'gcc -g src/main.c', named: true },
  { line: 'objcopy -S a.out', needs: 'objcopy gcc', setup: 'gcc -g src/main.c', named: true },
  { line: 'ld -r -o notes.txt main.o', needs: 'ld gcc', setup: 'gcc -c src/main.c', named: true },
  { line: 'rustfmt m.rs', setup: "echo 'fn  main( ){}' > m.rs", named: true },
  { line: 'rustfmt --check m.rs', setup: "echo 'fn  main( ){}' > m.rs", destructive: false },
  { line: 'javac T.java', setup: "echo 'class T{}' > T.java; echo keep > T.class", named: true },
]);

differential('converters', [
  { line: 'iconv -f utf8 -t latin1 -o notes.txt data.csv', named: true },
  { line: 'openssl rand -out notes.txt 8', named: true },
  { line: 'openssl genrsa -out notes.txt 1024', named: true },
  { line: 'gpg --batch --yes --passphrase x --pinentry-mode loopback -c -o notes.txt data.csv', named: true },
  {
    line: 'gpg --batch --yes --passphrase x --pinentry-mode loopback -c data.csv',
    setup: 'echo keep > data.csv.gpg',
    named: true,
  },
  { line: 'xxd data.csv notes.txt', named: true },
  { line: 'xxd -r -p hex b.txt', setup: 'echo 616263 > hex', needs: 'xxd', named: true },
  { line: 'xxd data.csv', destructive: false },
  { line: 'convert -size 1x1 xc:red notes.txt', needs: 'convert', destructive: true },
  { line: 'convert -size 1x1 xc:red p.png', setup: 'echo keep > p.png', needs: 'convert', named: true },
  {
    line: 'mogrify -format gif p.png',
    setup: 'convert -size 1x1 xc:red p.png; echo keep > p.gif',
    needs: 'mogrify convert',
    named: true,
  },
  { line: 'mogrify -rotate 90 p.png', setup: 'convert -size 2x1 xc:red p.png', needs: 'mogrify convert', named: true },
  {
    line: "ssh-keygen -q -t ed25519 -N '' -f k <<< y",
    needs: 'ssh-keygen',
    setup: 'echo o > k; echo o > k.pub',
    named: true,
  },
  {
    line: 'ssh-keygen -q -R host -f kh',
    needs: 'ssh-keygen',
    setup: "ssh-keygen -q -t ed25519 -N '' -f k; echo \"host $(cut -d' ' -f1,2 k.pub)\" > kh",
    named: true,
  },
]);

differential('databases', [
  {
    line: "sqlite3 app.db 'DROP TABLE t'",
    setup: "sqlite3 app.db 'create table t(x)'",
    named: true,
    destructive: true,
  },
  { line: "sqlite3 app.db 'SELECT * FROM t'", setup: "sqlite3 app.db 'create table t(x)'", destructive: false },
  { line: "sqlite3 app.db <<< 'insert into t values(1)'", setup: "sqlite3 app.db 'create table t(x)'", named: true },
  {
    line: "sqlite3 app.db '.backup notes.txt'",
    setup: "sqlite3 app.db 'create table t(x)'; : > notes.txt",
    named: true,
  },
  { line: "sqlite3 app.db '.tables' '.shell rm a.txt'", setup: "sqlite3 app.db 'create table t(x)'", named: true },
]);

differential('keeping house', [
  { line: 'sort data.csv | sponge data.csv', needs: 'sponge', named: true },
  { line: 'echo x | sponge -a data.csv', needs: 'sponge', named: true, destructive: false },
  { line: 'echo x | sponge link', needs: 'sponge', named: true },
  { line: 'fallocate -p -o 0 -l 4 data.csv', named: true },
  {
    line: 'mkfs.ext4 -q disk.img',
    needs: 'mkfs.ext4',
    setup: 'truncate -s 4M disk.img; echo keep >> disk.img',
    named: true,
  },
  {
    line: 'wipefs -aq disk.img',
    needs: 'wipefs mkfs.ext4',
    setup: 'truncate -s 4M disk.img; mkfs.ext4 -q disk.img',
    named: true,
  },
]);

differential('packages', [
  {
    line: 'npm run clean',
    needs: 'npm',
    setup: `echo '{"scripts":{"clean":"rm -rf dist","postclean":"rm a.txt"}}' > package.json`,
    named: true,
  },
  {
    line: 'npm run del -- notes.txt b.txt',
    needs: 'npm',
    setup: `echo '{"scripts":{"del":"rm"}}' > package.json`,
    named: true,
  },
  {
    line: 'cd sub && npm test',
    needs: 'npm',
    setup: `echo '{"scripts":{"test":"rm -f a.txt"}}' > package.json`,
    named: true,
  },
  {
    line: 'npm --prefix sub run x',
    needs: 'npm',
    setup: `echo '{"scripts":{"x":"rm -f a.txt"}}' > sub/package.json`,
    named: true,
  },
  { line: 'npm ls', destructive: false },
  { line: 'cmake -E rm -rf src', needs: 'cmake', named: true },
  {
    line: 'cargo clean',
    setup:
      'printf \'[package]\\nname="p"\\nversion="0.1.0"\\n\' > Cargo.toml; mkdir -p target; echo x > target/x; echo \'fn main(){}\' > src/main.rs',
    named: true,
  },
]);

const MAKEFILE = [
  'OUT = dist',
  'FILES := a.txt \\',
  '  b.txt',
  '.PHONY: all clean gen',
  'all: gen',
  '\techo all > notes.txt',
  'clean: tidy',
  '\t@-rm -rf $(OUT) ${FILES}',
  'gen:',
  '\techo gen > $@.out; for f in sub/a.txt; do \\',
  '\t  rm -f $$f; done',
  'tidy: ; $(RM) data.csv',
  'sub:',
  '\t$(MAKE) -C src wipe',
  '',
].join('\n');
const MAKE = `cat > Makefile <<'END'\n${MAKEFILE}END\nprintf 'wipe:\\n\\trm -f util.c\\n' > src/Makefile`;
differential('make', [
  { line: 'make clean', setup: MAKE, named: true },
  { line: 'make', setup: MAKE, named: true },
  { line: 'make clean OUT=src', setup: MAKE, named: true },
  { line: 'make -n clean', setup: MAKE, destructive: false },
  { line: 'make -B sub', setup: MAKE, named: true },
  { line: 'make -C src wipe', setup: MAKE, named: true },
]);

test.run();
