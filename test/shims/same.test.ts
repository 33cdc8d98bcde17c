import { spawnSync } from 'node:child_process';
import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wrapperRoots } from './native.ts';
import { room } from './recorder.ts';

/** Every wrapped program beside itself, by script and as a program: argument lists by table, each in a folder of the same content. */
const test = suite('a wrapped program is the program');

const REAL = '/usr/local/bin:/usr/bin:/bin';
const roots = wrapperRoots();

/** What each call finds. */
function furnish(folder: string): void {
  for (const name of ['d', 'e']) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries({ f: 'a\nb\nc\n', 'g h': 'x y\n', 'd/in': 'in\n', '-dash': '' }))
    writeFileSync(join(folder, name), text);
  symlinkSync('f', join(folder, 'l'));
  symlinkSync('nowhere', join(folder, 'dead'));
}

/** What a call leaves: as `ls -lRn` lists it, and what is in `f`. */
function left(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'latin1' }).sort();
  const f = join(folder, 'f');
  return [
    ...names.map((name) => {
      const at = join(folder, name);
      const { mode, nlink, uid, gid, size } = lstatSync(at);
      const to = (mode & constants.S_IFMT) === constants.S_IFLNK ? readlinkSync(at) : '';
      return `${name} ${mode.toString(8)} ${nlink} ${uid} ${gid} ${size} ${to}`;
    }),
    existsSync(f) && statSync(f).isFile() ? readFileSync(f, 'latin1') : '',
  ];
}

/** Operands that meet what is special: absent, a folder, a link, a name with a blank, one that looks like an option. */
const OPERANDS = ['', 'f', 'nothing', 'd', 'l', "'g h'", '-- -dash', './f d/in', "''"];

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  rm: ['', '-f', '-r', '-rf', '-v', '-d', '--recursive --verbose', '--nosuch'],
  rmdir: ['', '-p', '-v', '--ignore-fail-on-non-empty', '--nosuch'],
  unlink: ['', '--help', '--nosuch'],
  mv: ['', '-f', '-n', '-v', '-t e', '-b', '--nosuch'],
  cp: ['', '-r', '-v', '-p', '-t e', '-n', '--nosuch'],
  ln: ['', '-s', '-f', '-t e', '--nosuch'],
  install: ['', '-m 600', '-t e', '-d', '--nosuch'],
  truncate: ['', '-s 1', '-c -s 2', '-r f', '--nosuch'],
  shred: ['-n 0 -z', '-u -n 0', '--nosuch'],
  tee: ['', '-a', '--nosuch'],
  sed: ['', '-n 1p', '-i s/a/A/', '-e s/b/B/ -s', '-i.bak 2d', '--nosuch'],
  find: ['', '-P', '-L'],
  tar: ['cf t.tar', 'tf', 'xf', '--nosuch'],
  dd: ['status=none bs=1', 'nosuch=1'],
  xargs: ['', '-n1 echo', '-0', '--nosuch'],
  git: ['', '-C d', 'status', 'init -q', 'add', 'rm', 'diff --no-index', 'nosuch', '--nosuch'],
  patch: ['-p1', '--dry-run', '--nosuch'],
  perl: ['-ne print', '-c', '-e 1', '-pi -e s/a/A/'],
  sh: ['', '-e', '-c', "-c 'echo $0 $#; cat' zero"],
  bash: ['', '-e', '-c', "-c 'echo $0 $#; cat' zero", '--nosuch'],
};

for (const [verb, options] of Object.entries(OPTIONS))
  test(`${verb}: ${options.length * OPERANDS.length} argument lists`, () => {
    const place = room();
    writeFileSync(join(place.folder, 'snap'), '#!/bin/sh\n[ "$1" != hold ] || exec cat >/dev/null\n', { mode: 0o755 });
    try {
      const calls = options.flatMap((option) => OPERANDS.map((operand) => `${verb} ${option} ${operand}`));
      const work = join(place.folder, 'work');
      const lines = calls.map(
        (call, i) => `cd ${i}; PATH=$TRIED; ${call} <../in; echo "status $?" >&2; PATH=$REAL; cd ..`,
      );
      const run = (path: string) => {
        rmSync(work, { recursive: true, force: true });
        calls.forEach((_, i) => {
          furnish(join(work, String(i)));
        });
        writeFileSync(join(work, 'in'), 'a\nb\n');
        const done = spawnSync('/bin/sh', ['-c', lines.join('\n')], {
          cwd: work,
          env: { ...place.env, SHLVL: '1', PATH: REAL, REAL, TRIED: path, GIT_CEILING_DIRECTORIES: place.folder },
          encoding: 'latin1',
          timeout: 120_000,
        });
        const trees = calls.map((call, i) => [call, left(join(work, String(i)))]);
        return { out: done.stdout, err: done.stderr, status: done.status, trees };
      };
      const bare = run(REAL);
      for (const { kind, root } of roots) assert.equal(run(`${root}/shims/bin:${REAL}`), bare, kind);
    } finally {
      place.close();
    }
  });

test.run();
