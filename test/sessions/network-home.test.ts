import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isNetworkKind } from '../../src/platform/network.ts';
import { indexFile } from '../../src/sessions/index/open.ts';
import { appendEvents, journalFile } from '../../src/turns/journal.ts';
import { builtSnap } from '../built.ts';
import { LOADER } from '../loader.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const top = fs.mkdtempSync(join(os.tmpdir(), 'belay-network-'));
const ID = '20260101_000000_aaaaaa';

/** A machine that has the shared folder mounted: a name, a mount and a cache of its own. */
interface Machine {
  readonly name: string;
  readonly home: string;
  readonly cache: string;
}

const folder = (name: string): string => {
  fs.mkdirSync(join(top, name), { recursive: true, mode: 0o700 });
  return join(top, name);
};

const mounted: string[] = [];
process.on('exit', () => {
  for (const point of mounted) spawnSync('umount', ['-l', point]);
  fs.rmSync(top, { recursive: true, force: true });
});

/** undefined where the system lets nobody mount, or give a machine another name. */
async function machine(name: string): Promise<Machine | undefined> {
  const point = folder(`mounts/${name}`);
  if (spawnSync('unshare', ['--uts', 'true']).status !== 0 || !fs.existsSync('/dev/fuse')) return undefined;
  const server = [process.execPath, '--import', LOADER, join(root, 'test/sessions/fuse-run.ts')];
  const serving = spawn('timeout', ['120', ...server, folder('shared'), point, 'fuse.shown'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = await new Promise((done) => {
    serving.stdout.once('data', done);
    serving.once('exit', () => done(undefined));
  });
  if (said === undefined) return undefined;
  mounted.push(point);
  serving.stdout.destroy();
  serving.unref();
  return { name, home: join(point, 'belay'), cache: folder(`cache-${name}`) };
}

const on = ({ name, home, cache }: Machine, ...words: string[]) =>
  spawnSync('unshare', ['--uts', 'sh', '-c', 'hostname "$1"; shift; exec "$@"', 'sh', name, 'bin/belay', ...words], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env['PATH'], HOME: folder('person'), BELAY_HOME: home, XDG_CACHE_HOME: cache },
  });

const found = (at: Machine, word: string): readonly string[] => {
  const done = on(at, 'sessions', 'search', word, '--json');
  assert.is(done.status, 0, done.stderr);
  return JSON.parse(done.stdout).hits.map(({ session }: { session: string }) => session);
};
const titles = (at: Machine): readonly string[] =>
  JSON.parse(on(at, 'sessions', 'list', '--json').stdout).sessions.map(({ title }: { title: string }) => title);

test('file systems over a network are told apart by the kernel’s number, those that a program serves by their name', () => {
  const is = (type: number, name?: string): boolean => isNetworkKind(type, () => name);
  // nfs, cifs, smb2, 9p, ceph, afs
  for (const type of [0x6969, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x6b414653]) assert.ok(is(type));
  // ext4, btrfs, xfs, tmpfs, overlay, zfs
  for (const type of [0xef53, 0x9123683e, 0x58465342, 0x01021994, 0x794c7630, 0x2fc12fc1]) assert.not.ok(is(type));
  for (const name of ['fuse.sshfs', 'fuse.rclone', 'fuse.glusterfs', 'fuse', undefined])
    assert.ok(is(0x65735546, name));
  for (const name of ['fuse.gocryptfs', 'fuse.encfs', 'fuse.mergerfs', 'fuseblk'])
    assert.not.ok(is(0x65735546, name), name);
});

const machines = [await machine('one'), await machine('two')];
const [one, two] = machines;
if (one === undefined || two === undefined)
  test('nothing can be mounted here: skipped', () => console.log('no FUSE here: skipped'));
else {
  builtSnap();

  test('where the home lies on a network, each machine has an index of its own, and they all tell the same', () => {
    const env = (at: Machine) => new Map([['XDG_CACHE_HOME', at.cache]]);
    // A shell that lives on the first machine writes its lines itself, and nobody elsewhere can tell by its process.
    const line = (turn: string, text: string): void =>
      fs.appendFileSync(
        journalFile(one.home, ID),
        `${JSON.stringify({ e: 'command', t: Date.now(), turn, line: text, cwd: '/work' })}\n`,
      );
    appendEvents(one.home, ID, [
      {
        e: 'session',
        v: 1,
        t: Date.now(),
        id: ID,
        source: 'cli',
        cwd: '/work',
        host: 'one',
        pid: 4_194_000,
        start: '1',
      },
    ]);
    line('1', 'rm -rf alpha');
    for (const at of [one, two]) assert.equal(found(at, 'alpha'), [ID], at.name);
    assert.not.ok(fs.existsSync(join(top, 'shared/belay/state.db')));
    for (const at of [one, two]) {
      assert.is(dirname(dirname(indexFile(at.home, env(at)))), join(at.cache, 'belay'));
      assert.ok(fs.existsSync(indexFile(at.home, env(at))));
    }
    line('2', 'rm -rf beta');
    assert.equal(found(two, 'beta'), [ID]);

    // What was run on one is found on the other, and what is done to a record on one is seen on the other.
    assert.is(on(two, 'run', '--', 'rm', '-f', 'gamma').status, 0);
    const [made = ''] = found(one, 'gamma');
    assert.is(on(one, 'sessions', 'rename', made, 'Made on two').status, 0);
    for (const at of [one, two]) assert.ok(titles(at).includes('Made on two'), at.name);
    assert.is(on(two, 'sessions', 'delete', ID, '--yes').status, 0);
    for (const at of [one, two]) assert.equal(found(at, 'alpha'), [], at.name);
    fs.rmSync(one.cache, { recursive: true });
    for (const at of [one, two]) assert.equal(found(at, 'gamma'), [made], at.name);
  });

  test('where the cache is on the network, too, the index lies in /var/tmp, and nowhere if somebody else made that folder', () => {
    const third = { ...one, cache: join(dirname(one.home), 'cache') };
    const file = indexFile(third.home, new Map([['XDG_CACHE_HOME', third.cache]]));
    assert.match(file, /^\/var\/tmp\/belay-\d+-[0-9a-f]{16}\/state\.db$/);
    try {
      assert.is(found(third, 'gamma').length, 1);
      assert.is(fs.statSync(dirname(file)).mode & 0o777, 0o700);
      fs.chmodSync(dirname(file), 0o755);
      const done = on(third, 'sessions', 'search', 'gamma');
      assert.is(done.status, 1);
      assert.match(done.stderr, 'belongs to somebody else');
      const list = on(third, 'sessions');
      assert.match(list.stdout, 'Made on two');
      assert.match(list.stderr, 'told from the records');
    } finally {
      fs.rmSync(dirname(file), { recursive: true, force: true });
    }
  });
}

test.run();
