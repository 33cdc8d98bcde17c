import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wrapperRoots } from './native.ts';
import { room } from './recorder.ts';

/** Every wrapped program beside itself, by script and as a program: argument lists by table, each in a folder of the same content. */
const test = suite('a wrapped program is the program');

const REAL = '/usr/local/bin:/usr/bin:/bin';
const roots = wrapperRoots();
const FOLDER =
  'printf "a\\nb\\nc\\n" > f; printf "x y\\n" > "g h"; mkdir d e; echo in > d/in; ln -s f l; ln -s nowhere dead; : > -dash';

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
    try {
      const steps = options.flatMap((option) =>
        OPERANDS.map(
          (operand) =>
            `rm -rf w; mkdir w; cd w; ${FOLDER}; PATH=$TRIED; ${verb} ${option} ${operand} <../in; echo "status $?" >&2; PATH=$REAL; ls -lRn --time-style=+ | grep -v '^total'; cat f 2>/dev/null; cd ..`,
        ),
      );
      const run = (path: string) => {
        const work = join(place.folder, 'work');
        rmSync(join(work, 'w'), { recursive: true, force: true });
        const done = spawnSync('/bin/sh', ['-c', ['printf "a\\nb\\n" > in', ...steps].join('\n')], {
          cwd: work,
          env: { ...place.env, SHLVL: '1', PATH: REAL, REAL, TRIED: path, GIT_CEILING_DIRECTORIES: place.folder },
          encoding: 'latin1',
          timeout: 120_000,
        });
        return { out: done.stdout, err: done.stderr, status: done.status };
      };
      const bare = run(REAL);
      for (const { kind, root } of roots) assert.equal(run(`${root}/shims/bin:${REAL}`), bare, kind);
    } finally {
      place.close();
    }
  });

test.run();
