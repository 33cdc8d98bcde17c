import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { bash, belay, clear, exists, isRoot, type Place, place, write } from './given.ts';

/** The line or the tree is strange: it runs unchanged, and what can be known is saved. */

const lines = suite('bad input: lines and trees');
lines.after(clear);

/** Hands a request to belay-snap as the shims do; the bytes go as they are. */
function hold(given: Place, line: Buffer): number | null {
  const fields = ['shell=bash', 'session=20250101_000000_abcdef', 'turn=1', `cwd=${given.project}`, 'interactive=1'];
  const input = Buffer.concat([Buffer.from(`${fields.join('\0')}\0line=`), line, Buffer.from('\0')]);
  const done = spawnSync(join(given.install, 'bin/belay-snap'), ['hold'], {
    input,
    env: given.env,
    cwd: '/',
    timeout: 30_000,
  });
  assert.equal(done.stdout.toString(), '');
  return done.status;
}

const end = (given: Place): void => {
  const args = ['end', '20250101_000000_abcdef', '1', String(Date.now() / 1000)];
  assert.equal(spawnSync(join(given.install, 'bin/belay-snap'), args, { env: given.env, timeout: 30_000 }).status, 0);
};

lines('a line that bash refuses changes nothing, and the prompt comes back', async () => {
  const given = place();
  write(given, 'a', 'stays\n');
  const terminal = await bash(given);
  const { text, status } = await terminal.type('rm a ) ; (');
  assert.match(text, /syntax error/);
  assert.equal(status, 2);
  assert.deepEqual(await terminal.type('echo on'), { text: 'on\n', status: 0 });
  await terminal.close();
  assert.ok(exists(given, 'a'));
});

lines('a line that cannot be parsed is let run', () => {
  const given = place();
  write(given, 'a', 'only copy\n');
  for (const text of [
    'rm a ) ; (',
    'rm a "',
    'rm a <<',
    '$((',
    'rm a `',
    '{ rm a',
    'case x in rm a',
    '\\',
    ';;',
    '&& rm a',
  ])
    assert.equal(hold(given, Buffer.from(text)), 0, text);
});

lines('a line of 100 KB is let run, and what it names comes back', async () => {
  const given = place();
  spawnSync('git', ['init', '-q'], { cwd: given.project });
  write(given, 'a', 'only copy\n');
  write(given, 'b', 'only copy\n');
  const line = `rm a ${'x '.repeat(50_000)} b`;
  assert.equal(hold(given, Buffer.from(line)), 0);
  for (const name of ['a', 'b']) fs.rmSync(join(given.project, name));
  end(given);
  const said = belay(given, ['undo']);
  assert.equal(said.status, 0, said.stderr);
  assert.ok(exists(given, 'a') && exists(given, 'b'));
});

lines('binary garbage is let run, and a name of any bytes comes back', () => {
  const given = place();
  const name = Buffer.from([0x66, 0xff, 0xfe, 0x80, 0x0a, 0x67]);
  const path = Buffer.concat([Buffer.from(`${given.project}/`), name]);
  fs.writeFileSync(path, 'only copy\n');
  const garbage = Buffer.from(Array.from({ length: 4000 }, (_, i) => ((i * 7919) % 255) + 1));
  assert.equal(hold(given, garbage), 0);
  assert.equal(hold(given, Buffer.concat([Buffer.from("rm '"), name, Buffer.from("'")])), 0);
  fs.rmSync(path);
  end(given);
  const said = belay(given, ['undo']);
  assert.equal(said.status, 0, said.stderr);
  assert.equal(fs.readFileSync(path, 'utf8'), 'only copy\n');
});

lines('a working folder that was deleted: lines run as in a bare bash', async () => {
  const given = place();
  write(given, 'd/a', 'x');
  const terminal = await bash(given);
  await terminal.type('cd d && rm -r ../d');
  assert.deepEqual(await terminal.type('rm -f b; echo ran'), { text: 'ran\n', status: 0 });
  assert.equal((await terminal.type('rm b')).status, 1);
  assert.equal((await terminal.type('cd ..')).status, 0);
  await terminal.close();
});

lines('a file that cannot be read: the line runs, and the rest comes back', async () => {
  const given = place();
  write(given, 'shut', 'secret\n', 0o000);
  write(given, 'open', 'only copy\n');
  const as = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  if (isRoot)
    spawnSync('chown', [
      '-R',
      '65534:65534',
      given.project,
      given.store,
      join(given.folder, 'run'),
      join(given.folder, 'home'),
    ]);
  const terminal = await bash(given, as);
  const bare = 'rm -f shut open; echo ran';
  assert.match((await terminal.type(bare)).text, /^ran\n/m);
  assert.ok(!exists(given, 'shut') && !exists(given, 'open'));
  const { status, text } = await terminal.type(`${join(given.install, 'bin/belay')} undo`);
  assert.equal(status, 0, text);
  await terminal.close();
  assert.equal(fs.readFileSync(join(given.project, 'open'), 'utf8'), 'only copy\n');
});

lines(
  'an unreadable file in the tree does not keep an opaque line from running, nor the rest from being captured',
  async () => {
    const given = place();
    write(given, 'shut', 'secret\n', 0o000);
    write(given, 'open', 'only copy\n');
    write(given, 'opaque', '#!/bin/sh\necho lost >open\n', 0o755);
    spawnSync('git', ['init', '-q'], { cwd: given.project });
    const as = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    if (isRoot)
      spawnSync('chown', [
        '-R',
        '65534:65534',
        given.project,
        given.store,
        join(given.folder, 'run'),
        join(given.folder, 'home'),
      ]);
    const terminal = await bash(given, as);
    assert.equal((await terminal.type('./opaque')).status, 0);
    assert.equal(fs.readFileSync(join(given.project, 'open'), 'utf8'), 'lost\n');
    const { status, text } = await terminal.type(`${join(given.install, 'bin/belay')} undo`);
    assert.equal(status, 0, text);
    await terminal.close();
    assert.equal(fs.readFileSync(join(given.project, 'open'), 'utf8'), 'only copy\n');
  },
);

lines('a checkpoint that is not there: exit 4, and the numbers that are', () => {
  const given = place();
  write(given, 'a', 'x\n');
  hold(given, Buffer.from('rm a'));
  fs.rmSync(join(given.project, 'a'));
  end(given);
  const said = belay(given, ['rollback', '99']);
  assert.equal(said.status, 4);
  assert.match(said.stderr, /\b1\b/);
});

lines('a wrong option: exit 2 and the usage line', () => {
  const said = belay(place(), ['rollback', '--frobnicate']);
  assert.equal(said.status, 2);
  assert.match(said.stderr, /usage: belay rollback/);
});

lines.run();
