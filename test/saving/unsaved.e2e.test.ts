import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';
import type { Terminal } from '../pty/terminal.ts';
import { type Room, room, root } from '../shims/recorder.ts';
import { mounted, scene } from './given.ts';
import { lines } from './lines.ts';

const test = suite('what cannot be saved is said before the line runs');

const snap = builtSnap();
const SIZE = 3 << 20;
/** Nothing but a copy guards a write in place, and this one is larger than what may be copied. */
const LINE = 'truncate -s 0 big';

/** A folder with a file too large to save, and belay's real programs. */
function given(rule: 'warn' | 'ask' | 'refuse'): Room {
  const place = room();
  const config = join(place.folder, 'home/.config/belay');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, 'config.json'),
    JSON.stringify({ checkpoints: { on_unsaved: rule, hold: { max_mb: 1 } } }),
  );
  writeFileSync(join(place.folder, 'snap'), `#!/bin/sh\nexec ${snap.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(join(place.folder, 'snap'), 0o755);
  writeFileSync(join(place.folder, 'work/big'), Buffer.alloc(SIZE, 'x'));
  return place;
}

const isThere = (place: Room): boolean => statSync(join(place.folder, 'work/big')).size === SIZE;

/** What runs on behind the shell may still write there for a moment. */
async function leave(place: Room): Promise<void> {
  for (const limit = Date.now() + 60_000; ; ) {
    try {
      return rmSync(place.folder, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > limit) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Answers the question when it stands there. */
async function answered(shell: Terminal, answer: string): Promise<void> {
  shell.send(`${LINE}\r`);
  await shell.shows('run it all the same? [y/N]');
  shell.send(`${answer}\r`);
  await shell.prompt();
}

for (const name of ['bash', 'zsh'] as const) {
  const at = async (rule: 'warn' | 'ask' | 'refuse', body: (shell: Terminal, place: Room) => Promise<void>) => {
    if (spawnSync(name, ['-c', ':']).error) return console.log(`no ${name} here: skipped`);
    const place = given(rule);
    try {
      const shell = await place[name]('{belay}');
      try {
        await body(shell, place);
      } finally {
        await shell.close();
      }
    } finally {
      await leave(place);
    }
  };

  test(`${name}, warn: it is named on the terminal, and the line runs`, () =>
    at('warn', async (shell, place) => {
      const { text, status } = await shell.type(LINE);
      assert.match(text, /belay: not saved: .*work\/big \(larger than hold\.max_mb allows to copy\)/);
      assert.is(status, 0);
      assert.is(isThere(place), false);
    }));

  test(`${name}, warn: the command's own streams have nothing of it`, () =>
    at('warn', async (shell, place) => {
      await shell.type(`{ ${LINE}; } >out 2>err`);
      for (const stream of ['out', 'err']) assert.is(readFileSync(join(place.folder, 'work', stream), 'utf8'), '');
    }));

  test(`${name}, ask: no keeps the line from running, yes runs it`, () =>
    at('ask', async (shell, place) => {
      await answered(shell, 'n');
      assert.is(isThere(place), true);
      await answered(shell, '');
      assert.is(isThere(place), true);
      await answered(shell, 'y');
      assert.is(isThere(place), false);
    }));

  test(`${name}, refuse: the line is cancelled, and the next one runs`, () =>
    at('refuse', async (shell, place) => {
      const { text, status } = await shell.type(`${LINE}; echo ran`);
      assert.match(text, /not saved: .*big/);
      assert.not.match(text, /^ran$/m);
      if (name === 'bash') assert.is.not(status, 0); // zsh says 0 of a line that never began
      assert.is(isThere(place), true);
      assert.is((await shell.type('echo next')).text.includes('next'), true);
    }));
}

for (const rule of ['warn', 'ask', 'refuse'] as const)
  test(`fish, ${rule}: it is named on the terminal; fish lets nobody cancel a line, which is said instead of asked`, async () => {
    if (spawnSync('fish', ['-c', ':']).error) return console.log('no fish here: skipped');
    const place = given(rule);
    try {
      const shell = await place.fish('{belay}');
      try {
        shell.send(`${LINE}\r`);
        await shell.shows(/belay: not saved: .*work\/big \(larger than hold\.max_mb allows to copy\)/);
        if (rule !== 'warn') await shell.shows('fish lets nobody cancel a line');
        await shell.prompt();
        assert.is(isThere(place), false);
      } finally {
        await shell.close();
      }
    } finally {
      await leave(place);
    }
  });

// fish itself is killed there by what it writes of its own.
for (const name of ['bash', 'zsh'] as const)
  test(`${name}, ulimit -f 0: that nothing can be saved is said, the line runs, and the shell lives`, async () => {
    if (spawnSync(name, ['-c', ':']).error) return console.log(`no ${name} here: skipped`);
    const place = given('warn');
    try {
      const shell = await place[name]('{belay}');
      try {
        await shell.type('ulimit -f 0');
        const { text } = await shell.type('rm big');
        assert.match(text, /belay: this line is not saved \(EFBIG/);
        assert.is(existsSync(join(place.folder, 'work/big')), false);
        assert.match((await shell.type('echo lives')).text, /lives/);
      } finally {
        await shell.close();
      }
    } finally {
      await leave(place);
    }
  });

test('refuse: a wrapper exits 1, and the program is not started', async () => {
  const place = given('refuse');
  try {
    const done = spawnSync('dash', ['-c', LINE], {
      cwd: join(place.folder, 'work'),
      env: { ...place.env, PATH: `${join(root, 'shims/bin')}:${place.env['PATH']}` },
      encoding: 'utf8',
    });
    if (done.error) return console.log('no dash here: skipped');
    assert.is(done.status, 1, done.stderr);
    assert.is(isThere(place), true);
    assert.is(done.stdout, '');
  } finally {
    await leave(place);
  }
});

test('on a disk that is nearly full it is said how much stays taken, and what gives it back', () => {
  const s = scene();
  const disk = mounted(s, 'disk');
  if (disk === undefined) return;
  writeFileSync(join(disk, 'filler'), Buffer.alloc(40 << 20));
  writeFileSync(join(disk, 'large'), Buffer.alloc(12 << 20));
  const said = lines(s).run(`rm ${disk}/large`);
  assert.match(
    said,
    /belay: 12 MB stay taken until the checkpoint goes \(1\d % of the disk is free\); `belay free` gives them back/,
  );
  assert.is(existsSync(join(disk, 'large')), false);
});

test('over 1 GB of links it is said, whatever is free', () => {
  const s = scene();
  spawnSync('truncate', ['-s', '1100M', join(s.root, 'sparse')]);
  assert.match(
    lines(s).run('rm sparse'),
    /belay: 1\.1 GB stay taken until the checkpoint goes( \(\d+ % of the disk is free\))?; `belay free` gives them back/,
  );
});

test.run();
