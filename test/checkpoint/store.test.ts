import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ImportStream, runImport } from '../../src/checkpoint/fast-import.ts';
import { writeLoose } from '../../src/checkpoint/loose.ts';
import { blobOid, EMPTY_TREE } from '../../src/checkpoint/oid.ts';
import { projectOf } from '../../src/checkpoint/projects.ts';
import { readHistory, readObjects } from '../../src/checkpoint/read.ts';
import { findStore, openStore } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { git } from '../../src/platform/git.ts';
import { absent, file, scratch, turn } from './given.ts';

test('a store is made only when something is saved, whole, with every conversion off', () => {
  const at = scratch();
  assert.is(findStore(at.home), undefined);
  assert.not(fs.existsSync(at.home));
  const store = openStore(at.home);
  assert.ok(git(['rev-parse', '--is-bare-repository'], { gitDir: store.gitDir }).ok);
  assert.is(
    fs.readFileSync(join(store.gitDir, 'info/attributes'), 'utf8'),
    '* -text -eol -ident -filter -working-tree-encoding\n',
  );
  assert.is(fs.statSync(store.gitDir).mode & 0o777, 0o700);
  assert.equal(
    fs.readdirSync(store.base).filter((name) => name.startsWith('.store-')),
    [],
  );
  assert.equal(openStore(at.home), findStore(at.home));
});

test('a record comes back as it was written, bytes and hostile names included', () => {
  const at = scratch();
  const store = openStore(at.home);
  const bytes = Buffer.from([0, 255, 13, 10, 128]);
  const oid = blobOid(bytes);
  const wrote = writeRecord(
    store,
    at.root,
    turn({ line: 'rm \xff', changes: [{ path: '../\xff\n"', before: file(bytes), after: absent, by: 'named' }] }),
    new Map([[oid, bytes]]),
  );
  assert.is(wrote.n, 1);
  const history = readHistory(store, wrote.key);
  assert.equal(history.broken, []);
  assert.equal(history.checkpoints[0]?.record, wrote.record);
  assert.equal(readObjects(store, [`${history.checkpoints[0]?.id}:before/0`, 'nothing'])[0], bytes);
});

test('numbers count up, are never reused, and the same session and turn is recorded once', () => {
  const at = scratch();
  const store = openStore(at.home);
  const first = writeRecord(store, at.root, turn({ turn: '1' }), new Map());
  const second = writeRecord(store, at.root, turn({ turn: '2' }), new Map());
  assert.equal([first.n, second.n], [1, 2]);
  const again = writeRecord(store, at.root, turn({ turn: '1' }), new Map());
  assert.equal([again.n, again.fresh], [1, false]);
  git(['update-ref', '-d', `refs/belay/${first.key}/turns/2`], { gitDir: store.gitDir });
  assert.is(writeRecord(store, at.root, turn({ turn: '3' }), new Map()).n, 3);
});

test('what belay writes by itself is what git makes of it, object by object', () => {
  const at = scratch();
  const store = openStore(at.home);
  const entries = [
    { path: 'meta.json', data: Buffer.from('{}') },
    ...['10', '2', '1.5'].map((name) => ({ path: `before/${name}`, data: Buffer.from(name) })),
    { path: 'files', tree: EMPTY_TREE },
  ];
  const commit = {
    ref: 'refs/belay/0123456789abcdef/turns/1',
    subject: 'one \xff\n\nbelay-turn: x\n',
    when: 1.7e12,
    entries,
  };
  const stream = new ImportStream();
  stream.commit({ ...commit, entries: entries.slice(0, -1) });
  assert.is(runImport(store, stream).is, 'written');
  const tip = (ref: string): string => git(['rev-parse', ref], { gitDir: store.gitDir }).out.toString().trim();
  const byGit = tip(commit.ref);
  fs.rmSync(join(store.gitDir, 'objects'), { recursive: true });
  fs.mkdirSync(join(store.gitDir, 'objects/pack'), { recursive: true });
  const write = (refs: string[], over: 'new' | 'any') => writeLoose(store, { commit, blobs: new Map(), refs, over });
  assert.is(write([commit.ref], 'new').is, 'taken');
  const refs = [commit.ref, 'refs/belay/0123456789abcdef/index'];
  fs.writeFileSync(join(store.gitDir, `${refs[1]}.lock`), '');
  assert.is(write(refs, 'any').is, 'taken');
  assert.not(fs.existsSync(join(store.gitDir, `${commit.ref}.lock`)));
  fs.rmSync(join(store.gitDir, `${refs[1]}.lock`));
  assert.is(write(refs, 'any').is, 'written');
  assert.equal(refs.map(tip), [byGit, byGit]);
  assert.ok(git(['fsck', '--strict', '--full'], { gitDir: store.gitDir }).ok);
  git(['pack-refs', '--all'], { gitDir: store.gitDir });
  assert.is(write([commit.ref], 'new').is, 'taken');
});

test('a record that names what the store has lost is not written', () => {
  const at = scratch();
  const changes = [{ path: 'a', before: file(Buffer.from('gone')), after: absent, by: 'named' as const }];
  assert.throws(() => writeRecord(openStore(at.home), at.root, turn({ changes }), new Map()), /lost object/);
});

test('a settle killed between the ref and its note does not record the turn twice', () => {
  const at = scratch();
  const store = openStore(at.home);
  const first = writeRecord(store, at.root, turn({ turn: '1' }), new Map());
  fs.rmSync(join(store.gitDir, 'projects', `${first.key}.turns`));
  fs.rmSync(join(store.gitDir, 'projects', `${first.key}.json`));
  const again = writeRecord(store, at.root, turn({ turn: '1' }), new Map());
  assert.equal([again.n, again.fresh], [1, false]);
  assert.is(writeRecord(store, at.root, turn({ turn: '2' }), new Map()).n, 2);
});

test('content that is no longer what its name says is not kept', () => {
  const at = scratch();
  const store = openStore(at.home);
  const oid = blobOid(Buffer.from('one'));
  assert.throws(
    () =>
      writeRecord(
        store,
        at.root,
        turn({ changes: [{ path: 'a', before: file(Buffer.from('one')), after: absent, by: 'named' }] }),
        new Map([[oid, Buffer.from('two')]]),
      ),
    /not .* any more/,
  );
});

test('a folder deleted and made again is a new generation of the same project', () => {
  const at = scratch();
  const store = openStore(at.home);
  const first = writeRecord(store, at.root, turn({ turn: '1' }), new Map());
  fs.renameSync(at.root, `${at.root}-old`);
  fs.mkdirSync(at.root);
  const second = writeRecord(store, at.root, turn({ turn: '2' }), new Map());
  assert.is(second.key, first.key);
  assert.equal([first.record.generation, second.record.generation, second.n], [1, 2, 2]);
  assert.is(projectOf(store, at.root)?.generation, 2);
});

test.run();
