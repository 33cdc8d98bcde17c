import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { installKey } from '../../src/installs/layout.ts';
import { builtBelay } from '../built.ts';
import { belay, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const [node, main] = builtBelay();
let count = 0;

function checkout(): string {
  const path = join(at.top, `repo${++count}/.worktrees/wt`);
  fs.mkdirSync(path, { recursive: true });
  fs.writeFileSync(join(path, 'package.json'), '{}');
  return path;
}

interface Installs {
  total_bytes: number;
  count: number;
  installs: { key: string; checkout: string | null; bytes: number; age_s: number; state: string }[];
}
interface Gc {
  reclaimed: { key: string; checkout: string; bytes: number }[];
  kept: { key: string; reason: string; state: string }[];
}

const SETUP =
  'mkdir "$BELAY_INSTALL_DIR/bin" && printf "#!/bin/sh\\necho tool %s\\n" "$BELAY_CHECKOUT" > "$BELAY_INSTALL_DIR/bin/tool" && chmod +x "$BELAY_INSTALL_DIR/bin/tool"';

test('prepare makes an environment that exec finds first; one that failed changes nothing', async () => {
  const path = checkout();
  assert.is((await belay(path, 'installs', 'exec', '--', 'tool')).code, 'no_install');
  const failedFirst = await belay(path, 'installs', 'prepare', '--setup', 'exit 7');
  assert.equal([failedFirst.exit, failedFirst.code], [1, 'setup_failed']);
  assert.is(fs.existsSync(join(at.home, 'installs', installKey(path))), false, 'it leaves no state without a record');
  const made = await belay<{ key: string; environment: string }>(path, 'installs', 'prepare', '--setup', SETUP);
  assert.is(made.json.key, installKey(path));
  assert.is(fs.readFileSync(join(at.home, 'installs', made.json.key, 'inputs/.project-root'), 'utf8'), path);
  const ran = spawnBelay(path, ['installs', 'exec', '--', 'tool']);
  assert.equal([ran.status, ran.stdout], [0, `tool ${path}\n`]);
  assert.is(spawnBelay(path, ['installs', 'exec', '--', 'sh', '-c', 'exit 9']).status, 9);
  await belay(path, 'installs', 'prepare', '--setup', 'echo half > "$BELAY_INSTALL_DIR/half"; exit 1');
  const state = join(at.home, 'installs', made.json.key);
  assert.is(fs.realpathSync(join(state, 'current')), made.json.environment);
  assert.is(fs.readdirSync(join(state, 'environments')).length, 1, 'nothing half made stays');
  const again = await belay<{ environment: string }>(path, 'installs', 'prepare', '--setup', SETUP);
  assert.equal(fs.readdirSync(join(state, 'environments')), [again.json.environment.split('/').at(-1)]);
});

test('a generation that somebody reads outlives the next one, and its checkout', async () => {
  const path = checkout();
  await belay(path, 'installs', 'prepare', '--setup', SETUP);
  const state = join(at.home, 'installs', installKey(path));
  const reader = spawn(node, [main, 'installs', 'exec', '--', 'sh', '-c', 'echo; exec cat'], {
    cwd: path,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => reader.stdout.once('data', resolve));
  await belay(path, 'installs', 'prepare', '--setup', SETUP);
  assert.is(fs.readdirSync(join(state, 'environments')).length, 2);
  fs.rmSync(path, { recursive: true });
  const held = await belay<Gc>(at.top, 'gc');
  assert.equal(held.json.reclaimed, []);
  assert.match(held.json.kept.find(({ key }) => key === installKey(path))?.reason ?? '', 'leased by process');
  reader.stdin.end();
  await new Promise((resolve) => reader.once('close', resolve));
  const done = await belay<Gc>(at.top, 'gc');
  assert.equal(
    done.json.reclaimed.map((one) => one.checkout),
    [path],
  );
  assert.match(done.text, /^1 install state of deleted checkouts/m);
  assert.not(fs.existsSync(state));
});

test('a half made environment whose maker was killed is taken away by the next one', async () => {
  const path = checkout();
  const state = join(at.home, 'installs', installKey(path));
  const maker = spawn(
    node,
    [main, 'installs', 'prepare', '--setup', 'echo >&2; touch "$BELAY_INSTALL_DIR/half"; exec sleep 60'],
    { cwd: path, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  await new Promise((resolve) => maker.stderr.once('data', resolve));
  process.kill(-(maker.pid ?? 0), 'SIGKILL');
  await new Promise((resolve) => maker.once('close', resolve));
  assert.is(fs.existsSync(join(state, 'inputs/.project-root')), false);
  await belay(path, 'installs', 'prepare', '--setup', SETUP);
  assert.is(fs.readdirSync(join(state, 'environments')).length, 1);
});

test('installs list names each state, its size and what is known of its checkout', async () => {
  for (const name of fs.readdirSync(join(at.home, 'installs')))
    fs.rmSync(join(at.home, 'installs', name), { recursive: true });
  const [live, orphan] = [checkout(), checkout()] as [string, string];
  for (const path of [live, orphan]) await belay(path, 'installs', 'prepare', '--setup', SETUP);
  fs.rmSync(orphan, { recursive: true });
  fs.mkdirSync(join(at.home, 'installs/nobody'));
  const { json, text } = await belay<Installs>(at.top, 'installs', 'list');
  assert.equal(Object.fromEntries(json.installs.map(({ checkout: path, state }) => [path, state])), {
    [live]: 'live',
    [orphan]: 'orphan',
    null: 'no record',
  });
  assert.is(json.count, 3);
  assert.ok(json.total_bytes > 0 && json.installs.every(({ bytes, age_s }) => bytes >= 0 && age_s >= 0));
  assert.match(text, '3 install states');
  const dry = await belay<Gc>(at.top, 'gc', '--dry-run');
  assert.equal(
    dry.json.reclaimed.map((one) => one.checkout),
    [orphan],
  );
  assert.ok(fs.existsSync(join(at.home, 'installs', installKey(orphan))));
});

test('wrong words are said', async () => {
  assert.is((await belay(at.top, 'installs', 'prepare')).code, 'usage');
  assert.is((await belay(at.top, 'installs', 'exec')).code, 'usage');
  assert.is((await belay(at.top, 'installs', 'nonsense')).code, 'usage');
});

test.run();
