import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';
import type { Terminal } from '../pty/terminal.ts';
import { type Room, room, root } from './recorder.ts';

/** The real belay-snap behind every entry at once: each line is saved once, and comes back whole. */
const test = suite('all layers at once');

const snap = builtSnap();
const BELAY = join(root, 'bin/belay');

/** A project with an ignored build folder, a Makefile that destroys, and a shell script that does. */
function project(place: Room): void {
  writeFileSync(join(place.folder, 'snap'), `#!/bin/sh\nexec ${snap.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(join(place.folder, 'snap'), 0o755);
  const work = join(place.folder, 'work');
  mkdirSync(join(work, 'build'));
  for (const [name, text] of [
    ['.gitignore', 'build\n'],
    ['build/o', 'object\n'],
    ['f', 'first\n'],
    ['Makefile', 'clean:\n\trm -rf build\n\techo new > f\n\tsh -c "echo x > made"\n'],
    ['wipe.sh', 'rm -rf build\n{ echo new; } > f\nbash -c "echo x > made"\n'],
  ] as const)
    writeFileSync(join(work, name), text);
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...git, 'commit', '-qm', 'x'],
  ])
    assert.is(spawnSync('git', args, { cwd: work, env: place.env }).status, 0);
}

interface Listed {
  readonly checkpoints: readonly {
    readonly n: number;
    readonly kind: string;
    readonly stats: { readonly files: number };
  }[];
}

function belay(place: Room, args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(BELAY, args, {
    cwd: join(place.folder, 'work'),
    env: { ...place.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

/** The turn is ended by a process that waits for the shell's end: what is listed before that is not yet all. */
async function settled(place: Room): Promise<(readonly [string, number])[]> {
  for (const end = Date.now() + 30_000; ; ) {
    const { checkpoints } = JSON.parse(belay(place, ['list', '--json']).stdout) as Listed;
    const found = checkpoints.map(({ kind, stats }) => [kind, stats.files] as const);
    if ((found[0]?.[1] ?? 0) >= 3 || Date.now() > end) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** One checkpoint, of three paths; and after the undo everything is as it was. */
async function onceAndWhole(place: Room): Promise<void> {
  assert.equal(await settled(place), [['turn', 3]]);
  const undone = belay(place, ['undo', '--yes']);
  assert.is(undone.status, 0, undone.stderr);
  assert.is(readFileSync(join(place.folder, 'work/build/o'), 'utf8'), 'object\n');
  assert.is(readFileSync(join(place.folder, 'work/f'), 'utf8'), 'first\n');
  assert.not.ok(existsSync(join(place.folder, 'work/made')));
}

async function within(body: (place: Room) => Promise<void> | void): Promise<void> {
  const place = room();
  try {
    project(place);
    await body(place);
  } finally {
    place.close();
  }
}

const printed = (place: Room): Record<string, string> =>
  Object.fromEntries(
    belay(place, ['init', 'bash', '--print-env'])
      .stdout.trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

for (const line of ['make clean', 'sh wipe.sh', 'bash wipe.sh', 'rm -rf build; echo new > f; echo x > made']) {
  test(`belay run: ${line}`, () =>
    within(async (place) => {
      assert.is(belay(place, ['run', '--', 'bash', '-c', line]).status, 0);
      await onceAndWhole(place);
    }));

  test(`BASH_ENV and wrappers: ${line}`, () =>
    within(async (place) => {
      spawnSync('bash', ['-c', line], {
        cwd: join(place.folder, 'work'),
        env: { ...place.env, ...printed(place), SHLVL: '1' },
        timeout: 60_000,
      });
      await onceAndWhole(place);
    }));

  test(`typed at a bash with all of it: ${line}`, () =>
    within(async (place) => {
      const exports = Object.entries(printed(place)).map(([name, value]) => `export ${name}='${value}'`);
      const shell: Terminal = await place.bash(`{belay}\n${exports.join('\n')}`);
      try {
        assert.is((await shell.type(line)).status, 0);
        await onceAndWhole(place);
      } finally {
        await shell.close();
      }
    }));
}

test('what a line of several commands has belay put back is no work of that line: its undo leaves it there', () =>
  within(async (place) => {
    const work = join(place.folder, 'work');
    copyFileSync(realpathSync('/bin/sh'), join(work, 'tool'));
    chmodSync(join(work, 'tool'), 0o755);
    const shell: Terminal = await place.bash(`{belay}\nPATH=${root}/bin:$PATH`);
    try {
      for (const [line, file] of [
        ['./tool -c "echo theirs > f"', 'f'],
        ['rm -f Makefile', 'Makefile'],
      ] as const) {
        const was = readFileSync(join(work, file));
        await shell.type('rm -rf build');
        assert.is((await shell.type(`belay undo --yes; ${line}`)).status, 0);
        assert.is(readFileSync(join(work, 'build/o'), 'utf8'), 'object\n');
        assert.is((await shell.type('belay undo --yes')).status, 0);
        assert.equal(readFileSync(join(work, file)), was);
        assert.is(readFileSync(join(work, 'build/o'), 'utf8'), 'object\n');
      }
    } finally {
      await shell.close();
    }
  }));

test('without belay-snap nothing is saved, and everything runs', () =>
  within((place) => {
    const env = { BELAY_SNAP: '', BELAY_DISABLE: '1' };
    assert.is(belay(place, ['run', '--', 'make', 'clean'], env).status, 0);
    assert.ok(existsSync(join(place.folder, 'work/made')));
    assert.not.ok(existsSync(join(place.folder, 'belay/checkpoints')));
  }));

test.run();
