import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { planLine } from '../../src/effects/plan.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { type Manifest, readManifest } from '../../src/saving/hold/manifest.ts';
import { holdFolders } from '../../src/turns/pending.ts';
import { plan, scene, target } from './given.ts';

/** The bytes that a manifest holds for a path. */
function bytesOf(manifest: Manifest, path: string): Buffer | undefined {
  const hold = manifest.entries.find((entry) => entry.path === path)?.hold;
  if (hold === undefined) return undefined;
  if (hold.how === 'pack') {
    const pack = join(manifest.folder, 'pack');
    return fs.existsSync(pack) ? fs.readFileSync(pack).subarray(hold.at, hold.at + hold.size) : Buffer.alloc(0);
  }
  return fs.readFileSync(hold.file.startsWith('/') ? hold.file : join(manifest.folder, hold.file));
}

function manifests(turnFolder: string): Manifest[] {
  return holdFolders(turnFolder).map((folder) => readManifest(folder) as Manifest);
}

test('named means saved: small files, large files, links, folders and modes of a tree are held', async () => {
  const s = scene();
  const dir = join(s.root, 'data');
  fs.mkdirSync(join(dir, 'empty'), { recursive: true });
  fs.writeFileSync(join(dir, 'small'), 'small\r\n', { mode: 0o640 });
  fs.writeFileSync(join(dir, 'none'), '');
  const large = Buffer.alloc(300_000, 'xyz');
  fs.writeFileSync(join(dir, 'large'), large);
  fs.symlinkSync('/nowhere', join(dir, 'link'));
  const done = await beginPlanned(s.turn('1'), plan([target(dir)]), s.world);
  assert.equal(done.kind, 'saved');
  if (done.kind !== 'saved') return;
  fs.rmSync(dir, { recursive: true });
  const [manifest] = manifests(done.turnFolder);
  assert.ok(manifest);
  assert.equal(bytesOf(manifest, join(dir, 'small'))?.toString(), 'small\r\n');
  assert.equal(bytesOf(manifest, join(dir, 'none'))?.length, 0);
  assert.deepEqual(bytesOf(manifest, join(dir, 'large')), large);
  const entry = (name: string) => manifest.entries.find(({ path }) => path === join(dir, name));
  assert.equal(entry('small')?.look?.mode, 0o640);
  assert.equal(entry('large')?.hold?.how, 'link');
  assert.equal(entry('link')?.link, '/nowhere');
  assert.equal(entry('empty')?.look?.type, 'folder');
  assert.deepEqual(done.leftOut, []);
});

test('a file that changes between the plan and the hold is held as it is then, bytes and mode', async () => {
  const s = scene();
  const changes: Record<string, (path: string) => void> = {
    still: () => undefined,
    written: (path) => fs.writeFileSync(path, 'as long!'),
    longer: (path) => fs.appendFileSync(path, ' and more'),
    mode: (path) => fs.chmodSync(path, 0o600),
    replaced: (path) => {
      fs.writeFileSync(`${path}.new`, 'as short');
      fs.renameSync(`${path}.new`, path);
    },
    grown: (path) => fs.writeFileSync(path, Buffer.alloc(300_000, 'x')),
    link: (path) => {
      fs.rmSync(path);
      fs.symlinkSync('still', path);
    },
    folder: (path) => {
      fs.rmSync(path);
      fs.mkdirSync(path);
    },
    full: (path) => {
      fs.rmSync(path);
      fs.mkdirSync(path);
      fs.writeFileSync(join(path, 'in'), 'in it');
    },
    gone: (path) => fs.rmSync(path),
  };
  const names = Object.keys(changes);
  for (const name of names) fs.writeFileSync(join(s.root, name), 'as large', { mode: 0o644 });
  const planned = planLine({
    text: `rm ${names.join(' ')}`,
    shell: 'bash',
    cwd: s.root,
    variables: new Map([['HOME', s.root]]),
    aliases: new Map(),
    functions: new Map(),
    options: new Set(),
  });
  for (const name of names) changes[name]?.(join(s.root, name));
  const done = await beginPlanned(s.turn('1'), planned, s.world);
  if (done.kind !== 'saved') throw new Error(done.kind);
  const [manifest] = manifests(done.turnFolder);
  assert.ok(manifest);
  const held = names.map((name) => {
    const path = join(s.root, name);
    const entry = manifest.entries.find((one) => one.path === path);
    const what = entry?.link ?? bytesOf(manifest, path)?.toString().slice(0, 20) ?? '';
    return `${name}: ${entry?.look?.type} ${entry?.look?.mode.toString(8)} ${what}`;
  });
  assert.deepEqual(held, [
    'still: file 644 as large',
    'written: file 644 as long!',
    'longer: file 644 as large and more',
    'mode: file 600 as large',
    'replaced: file 644 as short',
    `grown: file 644 ${'x'.repeat(20)}`,
    'link: link 777 still',
    'folder: folder 755 ',
    'full: folder 755 ',
    'gone: undefined undefined ',
  ]);
  assert.deepEqual(
    done.leftOut.map(({ path, reason }) => [path, /became a folder/.test(reason)]),
    [[join(s.root, 'full'), true]],
  );
});

test.run();
