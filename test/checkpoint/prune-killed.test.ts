import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { packInPieces } from '../../src/checkpoint/pieces.ts';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { LOADER } from '../loader.ts';
import { absent, file, pruneBy, scratch, turn } from './given.ts';

const KEEP_ALL = { maxSnapshots: 10_000, maxTotalBytes: 1e12, retentionMs: 1e12 };
const CHECKPOINTS = 24;
const KILLS = 5;
const FEWER = 3;

const [, , home, most] = process.argv;
if (home !== undefined && most === 'pieces') {
  // In the packing process: again and again, for what there is.
  process.stdout.write('ready\n');
  for (;;) packInPieces(openStore(home), 1 << 20);
}
if (home !== undefined && most !== undefined) {
  // In the pruning process: fewer and fewer stay, until it is killed or through.
  const store = openStore(home);
  process.stdout.write('ready\n');
  for (let left = Number(most); left > Number(most) - 3; left--)
    pruneBy(store, { ...KEEP_ALL, maxSnapshots: left }, Date.now());
  process.exit(0);
}

test('a prune killed at any instant has lost nothing that is still listed, and the next one ends what it began', async () => {
  const at = scratch();
  const store = openStore(at.home);
  const key = projectKey(store, at.root);
  for (let i = 0; i < CHECKPOINTS; i++) {
    const bytes = Buffer.from(`content ${i}`);
    const held = { at: 'hold' as const, path: 'b0', linked: false, oid: blobOid(bytes) };
    const { n } = writeRecord(
      store,
      at.root,
      turn({
        changes: [
          { path: 'a', before: file(bytes), after: absent, by: 'named' },
          {
            path: 'b',
            before: { kind: 'file', mode: 0o644, size: bytes.length, content: held },
            after: absent,
            by: 'named',
          },
        ],
      }),
      new Map([[blobOid(bytes), bytes]]),
    );
    const folder = join(store.base, `holds/${key}/${n}`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(join(folder, 'b0'), bytes);
  }
  const listed = (): number[] => readHistory(store, key).checkpoints.map(({ record }) => record.n);
  for (let i = 0; i < KILLS; i++) {
    const before = listed();
    const child = spawn(
      process.execPath,
      ['--import', LOADER, fileURLToPath(import.meta.url), at.home, String(before.length - 1)],
      { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
    );
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    await new Promise((resolve) => setTimeout(resolve, 12 + i * 23));
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    assert.equal(verify(store), []);
    const after = listed();
    assert.ok(after.every((n) => before.includes(n)) && after.includes(CHECKPOINTS), after.join(' '));
  }
  fs.writeFileSync(join(store.gitDir, 'packed-refs.lock'), ''); // of a git that was killed while it had it
  pruneBy(store, { ...KEEP_ALL, maxSnapshots: 2 }, Date.now());
  assert.equal([listed(), verify(store)], [[CHECKPOINTS, CHECKPOINTS - 1], []]);
  pruneBy(store, { ...KEEP_ALL, maxSnapshots: 2 }, Date.now() + 2 * 86_400_000);
  assert.equal(fs.readdirSync(join(store.base, `holds/${key}`)).sort(), [String(CHECKPOINTS - 1), String(CHECKPOINTS)]);
});

test('packing piece by piece is killed at any instant: no object is lost, and the next one ends what it began', async () => {
  const at = scratch();
  const store = openStore(at.home);
  const key = projectKey(store, at.root);
  const packs = (): number =>
    fs.readdirSync(join(store.gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack')).length;
  let saved = 0;
  for (let i = 0; i < FEWER; i++) {
    for (let k = 0; k < 6; k++, saved++) {
      const bytes = randomBytes(60_000);
      const change = { path: 'a', before: file(bytes), after: absent, by: 'named' as const };
      writeRecord(store, at.root, turn({ changes: [change] }), new Map([[blobOid(bytes), bytes]]));
    }
    const before = packs();
    const child = spawn(process.execPath, ['--import', LOADER, fileURLToPath(import.meta.url), at.home, 'pieces'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 8 + i * 17));
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    assert.equal([verify(store), readHistory(store, key).checkpoints.length], [[], saved], `${before} packs`);
  }
  packInPieces(store, 1 << 20);
  assert.equal([verify(store), readHistory(store, key).checkpoints.length], [[], saved]);
  assert.ok(packs() < FEWER * 4, String(packs()));
});

test.run();
