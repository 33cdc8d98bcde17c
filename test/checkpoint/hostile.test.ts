import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { placeOf } from '../../src/checkpoint/ledger.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { captureTree, readHistory } from '../../src/checkpoint/read.ts';
import { type Parcel, withParcel } from '../../src/checkpoint/share/parcel.ts';
import { unpack } from '../../src/checkpoint/share/unpack.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { absent, file, scratch, turn } from './given.ts';

const at = scratch();
const store = openStore(at.home);
const key = projectKey(store, at.root);

type Entry = readonly [mode: string, name: string, oid: string];

/** Objects as no git of good will writes them, straight into their files. */
function object(parcel: Parcel, type: string, content: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.byteLength}\0`), content]);
  const oid = createHash('sha1').update(bytes).digest('hex');
  const folder = join(parcel.gitDir, 'objects', oid.slice(0, 2));
  fs.mkdirSync(folder, { recursive: true });
  if (!fs.existsSync(join(folder, oid.slice(2)))) fs.writeFileSync(join(folder, oid.slice(2)), deflateSync(bytes));
  return oid;
}

const blob = (parcel: Parcel, text: string): string => object(parcel, 'blob', Buffer.from(text));

const tree = (parcel: Parcel, entries: readonly Entry[]): string =>
  object(
    parcel,
    'tree',
    Buffer.concat(
      entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]),
    ),
  );

const origin = { key: '0123456789abcdef', n: 3, root: '/elsewhere', host: 'there', from: 'belay' };
const state = { v: 1, order: 1, taken: 1, modes: [], emptyFolders: [], leftOut: [], nested: [] };

let turns = 0;
const record = (more: object = {}) => ({
  ...turn({ turn: `hostile${turns++}` }),
  v: 1,
  n: 3,
  generation: 1,
  root: '/elsewhere',
  ...more,
});

const portable = (more: object = {}) => ({ belay: 'portable', v: 1, origin, record: record(), ...more });

/** Takes over what `make` has put into a parcel: the commit's entries, and its record. */
function take(make: (parcel: Parcel) => { entries?: readonly Entry[]; meta: unknown }) {
  return withParcel(store, [], (parcel) => {
    const { entries = [], meta } = make(parcel);
    const text = typeof meta === 'string' ? meta : JSON.stringify(meta);
    const all: Entry[] = [...entries, ['100644', 'meta.json', blob(parcel, text)]];
    const top = tree(
      parcel,
      all.sort(([, a], [, b]) => (a < b ? -1 : 1)), // git looks names up in their order
    );
    const who = 'x <x@x> 1 +0000';
    const commit = object(parcel, 'commit', Buffer.from(`tree ${top}\nauthor ${who}\ncommitter ${who}\n\nx\n`));
    return unpack(store, at.root, parcel, commit, Date.now());
  });
}

function refused(why: RegExp, make: Parameters<typeof take>[0]): void {
  const before = readHistory(store, key).checkpoints.length;
  const done = take(make);
  assert.is(done.is, 'refused');
  if (done.is === 'refused') assert.match(done.why, why, done.why);
  assert.is(readHistory(store, key).checkpoints.length, before);
}

const withState = (parcel: Parcel, entries: readonly Entry[]) => ({
  entries: [['40000', 'state', tree(parcel, entries)]] as const,
  meta: portable({ state }),
});

test('trees with names that lead out of the project, or into a .git, or are there twice, are refused whole', () => {
  for (const name of ['..', '.', '.git', '.GIT', 'git~1', 'a/b', '../../etc'])
    refused(/a name in it/, (parcel) => withState(parcel, [['100644', name, blob(parcel, 'x')]]));
  refused(/a name in it/, (parcel) =>
    withState(parcel, [['40000', 'deep', tree(parcel, [['40000', '.git', tree(parcel, [])]])]]),
  );
  refused(/twice/, (parcel) =>
    withState(parcel, [
      ['120000', 'a', blob(parcel, '/etc')],
      ['40000', 'a', tree(parcel, [['100644', 'passwd', blob(parcel, 'x')]])],
    ]),
  );
  refused(/mode/, (parcel) => withState(parcel, [['104755', 'a', blob(parcel, 'x')]]));
  refused(/too long/, (parcel) => withState(parcel, [['100644', 'a'.repeat(300), blob(parcel, 'x')]]));
  refused(/missing or broken/, (parcel) => withState(parcel, [['40000', 'a', '1'.repeat(40)]]));
});

test('a tree that unfolds to more files than there is room for is refused at once', () => {
  refused(/entries/, (parcel) => {
    let folder = tree(parcel, [['100644', 'f', blob(parcel, 'x')]]);
    for (let i = 0; i < 12; i++)
      folder = tree(
        parcel,
        [...'0123456789'].map((name) => ['40000', name, folder] as const),
      );
    return withState(parcel, [['40000', 'a', folder]]);
  });
  refused(/deeper/, (parcel) => {
    let folder = tree(parcel, []);
    for (let i = 0; i < 140; i++) folder = tree(parcel, [['40000', 'a', folder]]);
    return withState(parcel, [['40000', 'a', folder]]);
  });
});

test('a record that is none, is too large, or has numbers out of range is refused', () => {
  refused(/no JSON/, () => ({ meta: '{"belay":' }));
  refused(/no checkpoint of belay/, () => ({ meta: { belay: 'portable', v: 2 } }));
  refused(/record is not one/, () => ({ meta: portable({ record: null }) }));
  refused(/where it comes from/, () => ({ meta: portable({ origin: { ...origin, key: '../../x' } }) }));
  for (const n of [-1, 1.5, 1e300, '7', null])
    refused(/out of range/, () => ({ meta: portable({ origin: { ...origin, n } }) }));
  for (const started of [-1, 1e308])
    refused(/out of range/, () => ({ meta: portable({ record: record({ started }) }) }));
  for (const session of ['a b', 'a\nb', '../..', '', 'x'.repeat(1000)])
    refused(/no name/, () => ({ meta: portable({ record: record({ session }) }) }));
  refused(/too much/, () => ({ meta: `{"belay":"portable","x":"${'x'.repeat(33 << 20)}"}` }));
  refused(/more than/, () => ({ meta: portable({ record: record({ changes: Array(200_001).fill(0) }) }) }));
  refused(/a part that no checkpoint/, (parcel) => ({
    entries: [['40000', 'hooks', tree(parcel, [])]],
    meta: portable(),
  }));
});

test('a content that did not come with it is refused, though this store has it: nothing of another project is reached', () => {
  const secret = Buffer.from('of another project');
  writeRecord(
    store,
    at.root,
    turn({ changes: [{ path: 'a', before: file(secret), after: absent, by: 'named' }] }),
    new Map([[blobOid(secret), secret]]),
  );
  const changes = [{ path: 'a', before: file(secret), after: absent, by: 'named' }];
  refused(/did not come with it/, () => ({ meta: portable({ record: record({ changes }) }) }));
});

test('paths outside the project, holds, states of git and setuid bits are not taken over; the rest is, and is whole', () => {
  const mine = join(at.top, 'mine');
  fs.writeFileSync(mine, 'mine');
  const text = Buffer.from('text');
  const held = { kind: 'file', mode: 0o644, size: 4, content: { at: 'hold', path: mine, linked: true } };
  const strays = ['/etc/passwd', '../up', 'a/../../b', '.git/hooks/pre-commit', 'sub/.GIT/config', 'nul\0', 'a//b', ''];
  const changes = [
    ...strays.map((path) => ({ path, before: file(text), after: absent, by: 'named' })),
    { path: 'good', before: { ...file(text), mode: 0o6755 }, after: absent, by: 'named', movedTo: '/etc/x' },
    { path: 'big', before: held, after: absent, by: 'named' },
    // The project itself is neither taken away nor replaced nor shut.
    ...[absent, file(text), { kind: 'link', target: '/etc' }, { kind: 'folder', mode: 0 }].map((before) => ({
      path: '.',
      before,
      after: { kind: 'folder', mode: 0o755 },
      by: 'named',
    })),
  ];
  const gitBefore = [
    { workTree: '/', gitDir: '/', commonDir: '/', head: 'x', refs: [], stash: [], files: [['x', 'y']] },
  ];
  const done = take((parcel) => ({
    entries: [['40000', 'before', tree(parcel, [['100644', '0', object(parcel, 'blob', text)]])]],
    meta: portable({ record: record({ changes, gitBefore, kind: 'safety', did: {} }) }),
  }));
  assert.is(done.is, 'taken');
  if (done.is !== 'taken') return;
  const kept = readHistory(store, key).checkpoints.find((one) => one.record.n === done.n)?.record;
  assert.equal(
    kept?.changes.map(({ path, before, movedTo }) => [path, before.kind === 'file' && before.mode, movedTo]),
    [
      ['good', 0o755, undefined],
      ['big', 0o644, undefined],
    ],
  );
  assert.equal([kept?.gitBefore, kept?.kind, kept?.root], [[], 'turn', at.root]);
  for (const change of kept?.changes ?? []) assert.ok(placeOf(at.root, change)?.startsWith(`${at.root}/`));
  const big = kept?.changes[1]?.before;
  assert.is(big?.kind === 'file' && big.content.at, 'nowhere');
  assert.equal(verify(store), []);
});

test('a capture that was tampered with in the store itself names no path outside the project', () => {
  withParcel(store, [], (parcel) => {
    const inside = { ...parcel, gitDir: store.gitDir };
    const files = tree(inside, [
      ['40000', '..', tree(inside, [['100644', 'x', blob(inside, 'x')]])],
      ['40000', '.git', tree(inside, [['100644', 'config', blob(inside, 'x')]])],
      ['100644', 'good', blob(inside, 'x')],
    ]);
    const top = tree(inside, [['40000', 'files', files]]);
    assert.equal(
      captureTree(store, top).map(({ path }) => path),
      ['good'],
    );
  });
});

test.run();
