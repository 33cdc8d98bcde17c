import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';
import { wrapperRoots } from './native.ts';
import { room } from './recorder.ts';

const test = suite('wrappers in a turn that has captured its project');

const snap = builtSnap();
/** One build is tried with the scripts, the other with the wrappers as a program. */
const root = wrapperRoots().at(process.env['BELAY_TEST_SNAP'] === 'node' ? 0 : -1)?.root ?? '';

/**
 * Runs a text of sh that nobody can plan whole, in a turn whose project is captured first; returns the arguments of the calls that
 * belay-snap was started for, as the text noted them between its steps.
 */
function turn(steps: readonly string[], prepare: (work: string) => void): { held: number[]; back: () => void } {
  const place = room();
  const work = join(place.folder, 'work');
  const calls = join(place.folder, 'calls');
  writeFileSync(join(place.folder, 'snap'), `#!/bin/sh\necho "$1" >> '${calls}'\nexec ${snap.join(' ')} "$@"\n`);
  chmodSync(join(place.folder, 'snap'), 0o755);
  mkdirSync(join(work, 'd/sub'), { recursive: true });
  for (let n = 0; n < 30; n++) writeFileSync(join(work, `d/f${n}`), `content ${n}\n`);
  writeFileSync(join(work, 'd/sub/deep'), 'deep\n');
  writeFileSync(join(work, '.gitignore'), '*.out\n');
  prepare(work);
  // A file's time lies well before the capture, as it does for files that were there before the command.
  spawnSync('sh', ['-c', 'git init -q .; sleep 0.3'], { cwd: work, env: place.env });
  const count = `grep -c hold '${calls}' >> '${calls}.counted'`;
  const script = [
    'eval ": $(date +%s)"',
    'for i in 0 1 2; do rm d/f$i; done',
    count,
    ...steps.flatMap((step) => [step, count]),
  ];
  writeFileSync(join(place.folder, 'script'), script.join('\n'));
  const done = spawnSync(join(root, 'bin/belay'), ['run', '--', 'bash', join(place.folder, 'script')], {
    cwd: work,
    env: place.env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.is(done.status, 0, done.stderr);
  const counted = readFileSync(`${calls}.counted`, 'utf8').trim().split('\n').map(Number);
  return {
    held: counted.slice(1).map((n, i) => n - (counted[i] ?? 0)),
    back: () => {
      const undone = spawnSync(join(root, 'bin/belay'), ['undo', '--all', '--yes'], {
        cwd: work,
        env: place.env,
        encoding: 'utf8',
        timeout: 60_000,
      });
      try {
        assert.is(undone.status, 0, undone.stdout + undone.stderr);
        for (let n = 0; n < 30; n++) assert.is(readFileSync(join(work, `d/f${n}`), 'utf8'), `content ${n}\n`);
        assert.is(readFileSync(join(work, 'd/sub/deep'), 'utf8'), 'deep\n');
        if (existsSync(join(place.folder, 'kept')))
          assert.is(readFileSync(join(work, 'd/x.out'), 'utf8'), 'ignored by git\n');
      } finally {
        place.close();
      }
    },
  };
}

test('rm called again and again starts nothing of belay, and everything comes back', () => {
  const { held, back } = turn(
    [
      'for i in 3 4 5 6 7 8 9 10; do rm -f ./d/f$i; done; cd d; rm -- f11 f12 nothing 2>/dev/null; cd ..',
      'rm -rf d/sub',
    ],
    () => {},
  );
  assert.equal(held, [0, 0]);
  back();
});

test('what changed since the capture is held, also with its old time put back', () => {
  const { held, back } = turn(
    [
      'echo changed > d/f3; rm d/f3',
      'echo changed > d/f4; touch -d "2001-01-01" d/f4; rm d/f4',
      'echo changed > d/sub/deep; touch -d "2001-01-01" d/sub/deep; rm -r d/sub',
      'rm d/f5',
    ],
    () => {},
  );
  assert.equal(held, [1, 1, 1, 0]);
  back();
});

test('what the capture does not have is held: ignored by git, a folder put in place of another, outside', () => {
  const { held, back } = turn(
    [
      'rm d/x.out',
      'mkdir o; echo other > o/f6; touch -d "2001-01-01" o/f6 o; /bin/mv d e; /bin/mv o d; rm d/f6; rm -r d; /bin/mv e d',
      'rm ../outside',
      'rm .//d/f7',
      'cd d; rm -f .//f8 .///f9; rm -rf .//sub; cd ..',
    ],
    (work) => {
      writeFileSync(join(work, 'd/x.out'), 'ignored by git\n');
      writeFileSync(join(work, '../outside'), 'outside\n');
      writeFileSync(join(work, '../kept'), '');
    },
  );
  assert.equal(held, [1, 2, 1, 1, 2]);
  back();
});

test('a link with a slash behind it is the folder it leads to: that is held', () => {
  const { held, back } = turn(['rm -rf d/way/ 2>/dev/null || true', 'rm d/way'], (work) => {
    mkdirSync(join(work, '../beyond'));
    writeFileSync(join(work, '../beyond/file'), 'outside\n');
    symlinkSync('../../beyond', join(work, 'd/way'));
  });
  assert.equal(held, [1, 0]);
  back();
});

test('what was mounted since the capture, on an operand or below it, is held', () => {
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return; // not root, or a machine without
  const { held, back } = turn(
    [
      'mount --bind ../beyond d/sub; rm -rf d/sub/ 2>/dev/null; umount d/sub; rm -rf d/sub',
      'mount --bind ../single d/f3; echo x | tee d/f3 >/dev/null; umount d/f3; rm d/f4',
    ],
    (work) => {
      mkdirSync(join(work, '../beyond'));
      writeFileSync(join(work, '../single'), 'outside\n');
      writeFileSync(join(work, '../beyond/kept'), 'outside\n');
    },
  );
  assert.equal(held, [1, 1]);
  back();
});

test.run();
