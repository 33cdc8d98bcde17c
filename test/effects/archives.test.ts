import { test } from 'uvu';
import { differential } from './differential.ts';

const ARCHIVES =
  'mkdir ar; echo new > ar/notes.txt; mkdir ar/sub; echo new > ar/sub/a.txt; echo fresh > ar/fresh.txt; cd ar; tar cf ../a.tar *; tar czf ../a.tgz *; tar cJf ../a.txz *; if command -v zip; then zip -qr ../a.zip *; fi; cd ..; rm -r ar';

differential('tar', [
  { line: 'tar xf a.tar', setup: ARCHIVES, named: true, destructive: true },
  { line: 'tar -xzf a.tgz -C dist', setup: ARCHIVES, named: true, destructive: false },
  { line: 'tar --extract --file=a.tar --directory=sub', setup: ARCHIVES, named: true },
  { line: 'tar xf a.tar -C sub --strip-components=1', setup: ARCHIVES, named: true, destructive: true },
  { line: 'tar xf a.txz', setup: ARCHIVES, destructive: true },
  { line: 'tar xf a.txz -C empty', setup: ARCHIVES, destructive: false },
  { line: 'tar xf a.tar sub', setup: ARCHIVES, named: true },
  { line: 'tar x < a.tar', setup: ARCHIVES, named: true },
  { line: 'cat a.tar | tar x', setup: ARCHIVES },
  { line: 'tar xkf a.tar', setup: ARCHIVES, destructive: false },
  { line: 'tar --skip-old-files -xf a.tar', setup: ARCHIVES, destructive: false },
  { line: 'tar xOf a.tar', setup: ARCHIVES, destructive: false },
  { line: 'tar tf a.tar', setup: ARCHIVES, destructive: false },
  { line: 'tar czf notes.txt src', named: true },
  { line: 'tar cf new.tar --remove-files src', named: true },
  { line: 'tar -rf a.tar b.txt', setup: ARCHIVES, named: true, destructive: false },
  { line: 'tar cf - src | tar xf - -C dist' },
  { line: 'tar xf a.tar --one-top-level=dist', setup: ARCHIVES, named: true },
  { line: 'tar --overwrite -xf a.tar', setup: ARCHIVES, named: true },
  { line: 'tar xf a.tar --transform s/notes/b/', setup: ARCHIVES },
  { line: 'tar xf a.tar --backup', setup: `${ARCHIVES}; echo o > notes.txt~`, named: true },
  {
    line: 'VERSION_CONTROL=t tar xf a.tar --backup',
    setup: `${ARCHIVES}; echo o > notes.txt.~7~`,
    named: true,
    needs: 'tar',
  },
  { line: 'tar -b 20 --suffix=.o -xf a.tar', setup: `${ARCHIVES}; echo o > notes.txt.o`, named: true },
  { line: 'tar --backup=simple -cf notes.txt src', setup: 'echo o > notes.txt~', named: true },
  { line: 'tar --delete -f a.tar notes.txt', setup: ARCHIVES, named: true },
  {
    line: 'tar --concatenate -f a.tar new.tar',
    setup: `${ARCHIVES}; tar cf new.tar b.txt`,
    named: true,
    destructive: false,
  },
  { line: 'tar -uf a.tar b.txt', setup: ARCHIVES, named: true, destructive: false },
  {
    line: 'tar xf a.tar',
    setup:
      'mkdir p; echo n > p/link; mkdir p/linkdir; echo n > p/linkdir/a.txt; tar cf a.tar -C p link linkdir; rm -r p',
    named: true,
  },
]);

const LONG =
  'd1/0123456789012345678901234567890123456789012345678901234567890123456789/0123456789012345678901234567890123456789';
differential('tar names', [
  {
    line: 'tar xf a.tar',
    setup: `mkdir -p ${LONG}; echo old > ${LONG}/f; tar cf a.tar --format=gnu ${LONG}/f; echo new > ${LONG}/f`,
    named: true,
    destructive: true,
  },
  {
    line: 'tar xf a.tar',
    setup: `mkdir -p ${LONG}; echo old > ${LONG}/f; tar cf a.tar --format=posix ${LONG}/f; echo new > ${LONG}/f`,
    named: true,
    destructive: true,
  },
  {
    line: 'tar xf a.tar',
    setup: `mkdir -p ${LONG}; echo old > ${LONG}/f; tar cf a.tar --format=ustar ${LONG}/f; echo new > ${LONG}/f`,
    named: true,
    destructive: true,
  },
  {
    line: 'tar xf a.tar',
    setup: "echo old > $'a\\tb\\377'; tar cf a.tar a?b*; echo new > $'a\\tb\\377'",
    destructive: true,
  },
  { line: 'tar xf a.tar', setup: 'head -c 3000 /dev/urandom > a.tar' },
  { line: 'tar xf a.tar', setup: 'tar cf a.tar notes.txt; truncate -s 700 a.tar; echo z > notes.txt' },
  { line: 'tar xzf a.tgz', setup: 'tar czf a.tgz notes.txt; truncate -s 60 a.tgz; echo z > notes.txt' },
  {
    line: 'tar xf a.tar --absolute-names',
    setup: 'tar cPf a.tar "$PWD/notes.txt"; echo z > notes.txt',
    named: true,
    destructive: true,
  },
  {
    line: 'curl -so a.tar "file://$PWD/b.tar" && tar xf a.tar',
    needs: 'tar curl',
    setup: 'tar cf a.tar a.txt; tar cf b.tar b.txt; echo z > b.txt',
  },
]);

differential('zip', [
  { line: 'unzip -qo a.zip', needs: 'zip unzip', setup: ARCHIVES, named: true, destructive: true },
  { line: 'unzip -qo a.zip -d sub', needs: 'zip unzip', setup: ARCHIVES, named: true },
  { line: 'unzip -qoj a.zip sub/a.txt', needs: 'zip unzip', setup: ARCHIVES, named: true, destructive: true },
  { line: 'unzip -qn a.zip', needs: 'zip unzip', setup: ARCHIVES, destructive: false },
  { line: 'unzip -l a.zip', needs: 'zip unzip', setup: ARCHIVES, destructive: false },
  { line: 'unzip -p a.zip', needs: 'zip unzip', setup: ARCHIVES, destructive: false },
  { line: 'zip -qm new.zip notes.txt', needs: 'zip', named: true, destructive: true },
  { line: 'zip -qrm new.zip src', needs: 'zip', named: true },
  { line: 'zip -q a.zip b.txt', needs: 'zip', setup: ARCHIVES, named: true, destructive: true },
  { line: 'zip -qd a.zip fresh.txt', needs: 'zip', setup: ARCHIVES, named: true },
  { line: 'zip -q - b.txt > /dev/null', needs: 'zip', destructive: false },
  { line: 'zip -q archive b.txt', needs: 'zip', named: true, destructive: false },
]);

differential('ar', [
  { line: 'ar rcs notes.a src/main.c', needs: 'ar', named: true, destructive: false },
  { line: 'ar rcs data.csv src/main.c', needs: 'ar' },
  {
    line: 'ar x l.a',
    setup: 'echo n > p.txt; cp b.txt bb; ar rc l.a notes.txt; echo z > notes.txt',
    named: true,
    destructive: true,
  },
  { line: 'ar t l.a', setup: 'ar rc l.a notes.txt', destructive: false },
]);

differential('jar', [
  { line: 'jar xf a.zip', needs: 'jar zip', setup: ARCHIVES, named: true, destructive: true },
  { line: 'jar cf notes.txt src', needs: 'jar', named: true, destructive: true },
  { line: 'jar tf a.zip', needs: 'jar zip', setup: ARCHIVES, destructive: false },
]);

const GZ = 'gzip -k notes.txt; echo z > notes.txt';
differential('compression', [
  { line: 'gzip data.csv', named: true, destructive: true },
  { line: 'gzip -kf data.csv', setup: 'echo keep > data.csv.gz', named: true },
  { line: 'gzip -k data.csv', named: true, destructive: false },
  { line: 'gzip -c data.csv > /dev/null', destructive: false },
  { line: 'gzip -r src', named: true },
  { line: 'gzip -9 *.txt', named: true },
  { line: 'gunzip -f notes.txt.gz', needs: 'gzip', setup: GZ, named: true },
  { line: 'gunzip -f notes.txt', needs: 'gzip', setup: GZ, named: true },
  { line: 'gzip -dc notes.txt.gz', setup: GZ, destructive: false },
  { line: 'gzip -t notes.txt.gz', setup: GZ, destructive: false },
  { line: 'bzip2 data.csv', named: true },
  { line: 'bunzip2 -f data.csv.bz2', needs: 'bzip2', setup: 'bzip2 -k data.csv', named: true },
  { line: 'xz -k data.csv', named: true, destructive: false },
  { line: 'xz data.csv', named: true },
  { line: 'unxz -f data.csv.xz', needs: 'xz', setup: 'xz -k data.csv', named: true },
  { line: 'zstd -q data.csv', named: true, destructive: false },
  { line: 'zstd -q --rm data.csv', named: true, destructive: true },
  { line: 'zstd -qf data.csv -o notes.txt', named: true, destructive: true },
  { line: 'unzstd -qf data.csv.zst', needs: 'zstd', setup: 'zstd -q data.csv; echo z > data.csv', named: true },
  { line: 'lz4 -qf data.csv notes.txt', needs: 'lz4', named: true },
  { line: 'lz4 -q data.csv', needs: 'lz4', named: true, destructive: false },
  { line: 'gzip -d -S .foo a.foo', needs: 'gzip', setup: 'gzip -c notes.txt > a.foo', named: true },
  { line: 'gunzip -f a.tgz', needs: 'gzip', setup: `${ARCHIVES}; echo k > a.tar`, named: true },
]);

test.run();
