import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tree } from './world.ts';

const belay = fileURLToPath(new URL('../../bin/belay', import.meta.url));
const at = tree({
  'a.txt': 'a',
  'b.txt': 'b',
  'x.log': 'x',
  'n.json': '{"files":[{"name":"a.txt"},{"name":"b.txt"}],"one":"a.txt"}',
  'n.list': 'x a.txt\ny b.txt\n',
  'f.db': 'f',
  'g.db': 'g',
  'log.0': 'older',
  log: 'now',
  link: '',
  'parts/one': '#!/bin/sh\nrm a.txt\n',
  'parts/two.sh': '#!/bin/sh\nrm b.txt\n',
  'bin/install': '#!/bin/sh\nrm "$1"\n',
  'scripts/ls': '#!/bin/bash\nrm "$1"\n',
  'venv/pyvenv.cfg': '',
  'venv/bin/rm': '#!/bin/sh\n: nothing\n',
  'wrappers/.belay': '',
  'wrappers/rm': '#!/bin/sh\n: nothing\n',
});
for (const name of ['parts/one', 'parts/two.sh', 'bin/install', 'scripts/ls', 'venv/bin/rm', 'wrappers/rm'])
  chmodSync(`${at.root}/${name}`, 0o755);

/** Line, and what it loses. */
const cases: readonly (readonly [line: string, lost: readonly string[]])[] = [
  ['choom -n 100 -- rm a.txt', ['a.txt']],
  ['uclampset -m 0 rm a.txt', ['a.txt']],
  ['nsenter -t 1 -m rm a.txt', ['a.txt']],
  ['nsenter --target=1 --all -- rm a.txt', ['a.txt']],
  ['lckdo lk rm a.txt', ['a.txt']],
  ['ifne rm a.txt < b.txt', ['a.txt']],
  ['run-parts parts', ['a.txt']],
  ['run-parts --test parts', []],
  ["run-parts --regex '.*' parts", ['a.txt', 'b.txt']],
  ['savelog log', ['log', 'log.0']],
  ['gzexe a.txt', ['a.txt']],
  ['rename.ul log bak x.log', ['x.log']],
  ['rename.ul -n log bak x.log', []],
  ['rename.ul a.txt b.txt a.txt', ['a.txt', 'b.txt']],
  ['parallel rm -- a.txt b.txt', ['a.txt', 'b.txt']],
  ["parallel -i sh -c 'rm {}' -- a.txt", ['a.txt']],
  ["parallel -- 'rm a.txt' 'rm b.txt'", ['a.txt', 'b.txt']],
  ['parallel rm ::: a.txt b.txt', ['a.txt', 'b.txt']],
  ['bin/install a.txt', ['a.txt']],
  ['./bin/install a.txt', ['a.txt']],
  ['scripts/ls a.txt', ['a.txt']],
  ['venv/bin/rm a.txt', ['a.txt']],
  ['PATH=scripts:$PATH ls a.txt', ['a.txt']],
  ['PATH=$PWD/scripts:$PATH; ls a.txt', ['a.txt']],
  ['export PATH="$PWD/scripts:$PATH" && cd parts && ls ../a.txt', ['a.txt']],
  ['PATH=$PATH:$PWD/scripts; ls a.txt', []],
  ['PATH=$PWD/wrappers:$PATH; rm a.txt', ['a.txt']],
  ['PATH=$PWD/venv/bin:$PWD/node_modules/.bin:$PATH; rm a.txt; ls b.txt', ['a.txt']],
  ['printf "rm b.txt" > parts/du; chmod +x parts/du; PATH=$PWD/parts:$PATH; du', ['b.txt']],
  ['/usr/bin/install a.txt b.txt', ['b.txt']],
  ['x86_64-linux-gnu-gcc -o b.txt a.c', ['b.txt']],
  ['awk -f - a.txt <<< \'{print > "b.txt"}\'', ['b.txt']],
  ["sqlite3 <<< '.output b.txt'", ['b.txt']],
  ['bash <(echo rm a.txt)', ['a.txt']],
  ["jq -r '.files[].name' n.json | xargs rm", ['a.txt', 'b.txt']],
  ["jq -r '.files[] | .name' < n.json | xargs rm", ['a.txt', 'b.txt']],
  ['rm "$(jq -r .one n.json)"', ['a.txt']],
  ["cut -d' ' -f2 n.list | xargs rm", ['a.txt', 'b.txt']],
  ['cut -c3- < n.list | head -1 | xargs rm', ['a.txt']],
  ["tail -n 1 n.list | awk '{print $2}' | xargs rm", ['b.txt']],
  ["sqlite3 f.db '.output a.txt' 'select 1'", ['a.txt']],
  ["sqlite3 f.db '.once b.txt' 'select 1' '.output'", ['b.txt']],
  ["sqlite3 f.db '.backup main a.txt'", ['a.txt']],
  ["sqlite3 -cmd '.out a.txt' f.db 'select 1'", ['a.txt']],
  ['sqlite3 f.db ".once \'|rm a.txt\'"', ['a.txt']],
  ['sqlite3 f.db "vacuum into \'new.db\'"', []],
  ['sqlite3 f.db "vacuum into \'g.db\'"', []],
  ["sqlite3 -readonly f.db 'delete from t'", []],
  ['sqlite3 :memory: "attach \'g.db\' as g; delete from g.t"', ['g.db']],
];

test('a program that runs another, or a script of the project, loses what that loses', () => {
  for (const [line, lost] of cases)
    assert.equal(
      at
        .lost(line)
        .filter((path) => path !== '?')
        .sort(),
      [...lost].sort(),
      line,
    );
  for (const line of ['belay undo && rm a.txt', `A=1 ${belay} rollback 3 src; rm a.txt`]) {
    assert.equal(at.lost(line), ['a.txt'], line);
    assert.equal(at.plan(line).captures, [], line);
  }
  // Where everything else is known, nobody looks again: what it runs must be seen here.
  assert.equal(at.lost(`${belay} run --source x -- rm b.txt; rm a.txt`).sort(), ['a.txt', 'b.txt']);
  assert.ok(at.plan(`${belay} retry --yes; rm a.txt`).captures.length > 0);
  const path = new Map([
    ['1', `${at.root}/scripts`],
    ['2', '/usr/bin'],
  ]);
  const fish = { shell: 'fish', arrays: new Map([['PATH', path]]) } as const;
  assert.equal(at.lost('ls a.txt; set -e PATH[1]', fish), ['a.txt']);
});

test.run();
