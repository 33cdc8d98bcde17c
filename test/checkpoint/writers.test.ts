import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { projectKey, readProject } from '../../src/checkpoint/projects.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { expired } from '../../src/checkpoint/retention.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { LOADER } from '../loader.ts';
import { absent, file, pruneBy, scratch, turn } from './given.ts';

const PROCESSES = 8;
const EACH = 8;
const KEEP_ALL = { maxSnapshots: 10_000, maxTotalBytes: 1e12, retentionMs: 1e12 };

/** In a writer's process: some records, as fast as it can. */
function write(home: string, root: string, who: string): void {
  for (let i = 0; i < EACH; i++) {
    const bytes = Buffer.from(`${who} ${i}`);
    const changes = [{ path: `f${i}`, before: file(bytes), after: absent, by: 'named' as const }];
    writeRecord(
      openStore(home),
      root,
      turn({ session: who, turn: String(i), changes }),
      new Map([[blobOid(bytes), bytes]]),
    );
  }
}

const [, , home, root, who] = process.argv;
if (home !== undefined && root !== undefined && who !== undefined) {
  write(home, root, who);
  process.exit(0);
}

const writer = (at: { home: string; root: string }, name: string) => {
  const child = spawn(process.execPath, ['--import', LOADER, fileURLToPath(import.meta.url), at.home, at.root, name], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) };
};

test('writers at once each get a number of their own, prune beside them, and everything listed is whole', async () => {
  const at = scratch();
  const running = Array.from({ length: PROCESSES }, (_, i) => writer(at, `writer${i}`));
  let left = PROCESSES;
  for (const { ended } of running) void ended.then(() => left--);
  const store = openStore(at.home);
  while (left > 0) {
    pruneBy(store, KEEP_ALL, Date.now());
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(await Promise.all(running.map(({ ended }) => ended)), Array(PROCESSES).fill(0));
  const { checkpoints, broken } = readHistory(store, projectKey(store, at.root));
  assert.equal(broken, []);
  const numbers = checkpoints.map(({ record }) => record.n).sort((a, b) => a - b);
  assert.equal(numbers.length, PROCESSES * EACH);
  assert.equal(new Set(numbers).size, numbers.length);
  assert.equal(new Set(checkpoints.map(({ record }) => `${record.session} ${record.turn}`)).size, numbers.length);
  assert.equal(verify(store), []);
});

test('a writer killed at any instant leaves a whole store, and no number is given twice', async () => {
  const at = scratch();
  const store = openStore(at.home);
  for (let i = 0; i < 6; i++) {
    const { child, ended } = writer(at, `killed${i}`);
    const goal = readHistory(store, projectKey(store, at.root)).checkpoints.length + 1 + (i % 3);
    const until = Date.now() + 30_000;
    while (
      child.exitCode === null &&
      Date.now() < until &&
      readHistory(store, projectKey(store, at.root)).checkpoints.length < goal
    )
      await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await ended;
  }
  write(at.home, at.root, 'after');
  const { checkpoints, broken } = readHistory(store, projectKey(store, at.root));
  assert.equal(broken, []);
  assert.equal(new Set(checkpoints.map(({ record }) => record.n)).size, checkpoints.length);
  assert.equal(verify(store), []);
  assert.ok(
    (readProject(store, projectKey(store, at.root))?.next ?? 0) >
      Math.max(...checkpoints.map(({ record }) => record.n)),
  );
});

test('prune lets go what is too old or too many, turns that lost nothing first, a project left alone as a whole, and their numbers stay used', () => {
  const at = scratch();
  const store = openStore(at.home);
  const bytes = Buffer.from('x'.repeat(1000));
  const losing = [{ path: 'a', before: file(bytes), after: absent, by: 'named' as const }];
  for (let i = 0; i < 6; i++)
    writeRecord(store, at.root, turn({ changes: i % 2 === 0 ? losing : [] }), new Map([[blobOid(bytes), bytes]]));
  const key = projectKey(store, at.root);
  const numbers = (): number[] => readHistory(store, key).checkpoints.map(({ record }) => record.n);
  const many = expired(readHistory(store, key).checkpoints, { ...KEEP_ALL, maxSnapshots: 4 }, Date.now());
  assert.equal(
    many.map(({ record }) => record.n),
    [2, 4],
  );
  pruneBy(store, { ...KEEP_ALL, maxSnapshots: 3 }, Date.now());
  assert.equal(numbers(), [6, 5, 3]);
  pruneBy(store, { ...KEEP_ALL, retentionMs: 3_000_000 }, Date.now());
  assert.equal(numbers(), [6]);
  pruneBy(store, { ...KEEP_ALL, retentionMs: 0 }, Date.now() + 10_000);
  assert.equal(numbers(), []);
  assert.is(writeRecord(store, at.root, turn({}), new Map()).n, 7);
  assert.equal(verify(store), []);
});

test('verify names a lost object and a lost hold', () => {
  const at = scratch();
  const store = openStore(at.home);
  const bytes = Buffer.from('kept');
  const held = {
    kind: 'file' as const,
    mode: 0o644,
    size: 4,
    content: { at: 'hold' as const, path: 'f0', linked: false },
  };
  const { key } = writeRecord(
    store,
    at.root,
    turn({
      changes: [
        { path: 'a', before: file(bytes), after: absent, by: 'named' },
        { path: 'b', before: held, after: absent, by: 'named' },
      ],
    }),
    new Map([[blobOid(bytes), bytes]]),
  );
  assert.match(verify(store).join('\n'), 'the held copy of b is gone');
  const oid = blobOid(bytes);
  fs.rmSync(join(store.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  assert.match(verify(store).join('\n'), oid);
  assert.ok(readHistory(store, key).checkpoints.length === 1);
});

test.run();
