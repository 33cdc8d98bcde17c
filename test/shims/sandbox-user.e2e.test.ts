import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';
import { root } from './recorder.ts';

/** Everything that an ordinary user runs lies where that user can read it: the checkout may not. */
const top = mkdtempSync(join(tmpdir(), 'belay-sandbox-'));
const install = join(top, 'install');
const work = join(top, 'work');
builtSnap();
for (const name of ['bin', 'shims', 'dist', 'package.json'])
  cpSync(join(root, name), join(install, name), { recursive: true });
mkdirSync(join(work, '.git'), { recursive: true });
for (const name of ['home', 'run']) mkdirSync(join(top, name), { mode: 0o700 });
writeFileSync(join(work, 'f'), 'kept\n');
writeFileSync(join(work, 'script'), '#!/bin/sh\necho lost > g\n', { mode: 0o755 });
writeFileSync(join(work, 'g'), 'kept too\n');

const asRoot = process.getuid?.() === 0;
const user = asRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] : [];
if (asRoot) spawnSync('chown', ['-R', '65534:65534', top]);

function run(argv: readonly string[]) {
  const [file = '', ...args] = [...user, ...argv];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(top, 'home'),
    BELAY_HOME: join(top, 'home/belay'),
    XDG_RUNTIME_DIR: join(top, 'run'),
    LANG: 'C.UTF-8',
  };
  return spawnSync(file, args, { cwd: work, env, encoding: 'utf8', timeout: 120_000 });
}

const belay = (...args: string[]) => run([join(install, 'bin/belay'), ...args]);
const read = (name: string): string => readFileSync(join(work, name), 'utf8');

const may = run(['unshare', '--mount', '--user', '--map-current-user', '--keep-caps', 'true']).status === 0;
if (run(['node', '-e', '']).status !== 0) console.log('skipped: an ordinary user cannot start node here');
else if (!may) console.log('skipped: this kernel gives an ordinary user no namespace');
else {
  test('an ordinary user: what /bin/sh overwrites under belay run --sandbox comes back, as the same user', () => {
    const write = 'require("child_process").execSync("echo lost > f; ./script; id -u > who")';
    const done = belay('run', '--sandbox', '--', 'node', '-e', write);
    assert.is(done.status, 0, done.stderr);
    assert.is(read('f'), 'lost\n');
    assert.is(read('g'), 'lost\n');
    assert.is(read('who'), run(['id', '-u']).stdout);
    const undone = belay('undo', '--all', '--yes');
    assert.is(undone.status, 0, undone.stderr + undone.stdout);
    assert.is(read('f'), 'kept\n');
    assert.is(read('g'), 'kept too\n');
    assert.equal(readdirSync(work).sort(), ['.git', 'f', 'g', 'script']);
  });

  test('an ordinary user: the program has no rights there that the user has not', () => {
    const done = belay('run', '--sandbox', '--', 'sh', '-c', 'grep CapEff /proc/self/status; mount --bind /etc /mnt');
    assert.match(done.stdout, /^CapEff:\s0+$/m);
    assert.is.not(done.status, 0);
  });
}

test.after(() => rmSync(top, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
test.run();
