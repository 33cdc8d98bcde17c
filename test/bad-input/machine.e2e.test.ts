import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { bash, belay, clear, diagnosis, exists, isRoot, mount, pathWithout, place, write } from './given.ts';

/** The machine is broken: the command runs as if belay were not there, the log or the prompt says it, doctor names it. */

const machine = suite('bad input: the machine');
machine.after(clear);

machine('git is missing from PATH: lines run and are held, doctor names it, and with git back undo works', async () => {
  const given = place();
  write(given, 'a', 'only copy\n');
  const path = { PATH: pathWithout(given, ['git']) };
  const terminal = await bash({ ...given, env: { ...given.env, ...path } });
  assert.deepEqual(await terminal.type('rm a; echo ran'), { text: 'ran\n', status: 0 });
  assert.equal((await terminal.type('true')).status, 0);
  await terminal.close();
  assert.match(diagnosis(given, path), /wrong git: git is not in PATH/);
  assert.equal(belay(given, ['undo']).status, 0);
  assert.equal(fs.readFileSync(join(given.project, 'a'), 'utf8'), 'only copy\n');
});

machine('node is missing: lines run, the log says it once a line, the prompt stays whole', async () => {
  const given = place({ compiled: false });
  write(given, 'a', 'gone\n');
  const terminal = await bash({ ...given, env: { ...given.env, PATH: pathWithout(given, ['node', 'nodejs']) } });
  const { status } = await terminal.type('rm a');
  assert.equal(status, 0);
  assert.ok(!exists(given, 'a'));
  assert.equal((await terminal.type('echo still here')).text, 'still here\n');
  await terminal.close();
  assert.match(given.log().join('\n'), /node is not in PATH|belay-snap failed/);
  assert.match(diagnosis(given), /log: .*(node is not in PATH|belay-snap failed)/s);
});

machine('the bundle of belay-snap is missing: lines run, the log says it, doctor names it', async () => {
  const given = place({ compiled: false });
  fs.rmSync(join(given.install, 'dist/belay-snap.cjs'));
  write(given, 'a', 'gone\n');
  const terminal = await bash(given);
  const { status } = await terminal.type('rm a');
  assert.equal(status, 0);
  assert.ok(!exists(given, 'a'));
  await terminal.close();
  assert.ok(given.log().length > 0);
  assert.match(diagnosis(given), /wrong belay-snap: .*is missing/);
});

machine('the compiled belay-snap does not run here: node takes over', async () => {
  const given = place({ compiled: false });
  fs.writeFileSync(join(given.install, 'dist/belay-snap'), '#!/no/such/loader\n', { mode: 0o755 });
  write(given, 'a', 'only copy\n');
  const terminal = await bash(given);
  assert.equal((await terminal.type('rm a')).status, 0);
  await terminal.close();
  assert.match(diagnosis(given), /note belay-snap: the compiled one does not run/);
  assert.equal(belay(given, ['undo']).status, 0);
  assert.ok(exists(given, 'a'));
});

machine('HOME is unset: lines run, it is said at the prompt, doctor names it', async () => {
  const given = place();
  write(given, 'a', 'gone\n');
  const env = Object.fromEntries(Object.entries(given.env).filter(([name]) => !['HOME', 'BELAY_HOME'].includes(name)));
  const terminal = await bash({ ...given, env });
  await terminal.type('unset HOME');
  const { text, status } = await terminal.type('rm a; echo ran');
  assert.match(text, /^ran\nbelay: .*neither HOME nor BELAY_HOME is set/);
  assert.equal(status, 0);
  await terminal.close();
  assert.ok(!exists(given, 'a'));
  assert.match(diagnosis(given, { HOME: undefined, BELAY_HOME: undefined }), /wrong home: HOME is not set/);
});

machine('the store is read-only: lines run, it is said at the prompt, doctor names it', async () => {
  const given = place();
  if (isRoot ? !mount(given.store, 'size=1m,mode=700') : false) return;
  if (isRoot) spawnSync('mount', ['-o', 'remount,ro', given.store]);
  else fs.chmodSync(given.store, 0o500);
  write(given, 'a', 'gone\n');
  const terminal = await bash(given);
  assert.match((await terminal.type('rm a; echo ran')).text, /^ran\n/);
  assert.ok(!exists(given, 'a'));
  assert.equal((await terminal.type('true')).status, 0);
  await terminal.close();
  assert.match(diagnosis(given), /wrong store: .*cannot be written/);
});

if (isRoot) {
  machine('the store is full: lines run, doctor names it, and nothing half-held is left', async () => {
    const given = place();
    if (!mount(given.store, 'size=256k,mode=700')) return console.log('skipped: this machine lets nobody mount');
    const fill = fs.openSync(join(given.store, 'fill'), 'w');
    try {
      for (;;) fs.writeSync(fill, Buffer.alloc(4096));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
    fs.closeSync(fill);
    write(given, 'a', 'x'.repeat(100_000));
    const terminal = await bash(given);
    assert.match((await terminal.type('rm a; echo ran')).text, /^ran\n/);
    assert.ok(!exists(given, 'a'));
    await terminal.close();
    assert.match(diagnosis(given), /wrong store: .*ENOSPC/);
    const left = fs.readdirSync(given.store, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      left.filter((name) => name.endsWith('manifest.tmp')),
      [],
    );
  });
}

machine('the runtime folder is somebody’s link: lines run and are saved, doctor names it', async () => {
  const given = place();
  fs.symlinkSync(given.folder, join(given.folder, 'run/belay'));
  write(given, 'a', 'only copy\n');
  const terminal = await bash(given);
  assert.deepEqual(await terminal.type('rm a; echo ran'), { text: 'ran\n', status: 0 });
  await terminal.close();
  assert.match(diagnosis(given), /wrong runtime/);
  assert.equal(belay(given, ['undo']).status, 0);
  assert.ok(exists(given, 'a'));
});

machine.run();
