import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freeHolds } from '../../src/checkpoint/free.ts';
import { enter, shut, writing } from '../../src/checkpoint/gate.ts';
import { measure } from '../../src/checkpoint/measure.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { placeOfProject } from '../../src/checkpoint/place.ts';
import { parseProject, projectKey, projectOf, readProject, updateProject } from '../../src/checkpoint/projects.ts';
import { prune } from '../../src/checkpoint/prune.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { NOTHING_RESTS } from '../../src/checkpoint/resting.ts';
import { openStore, type Store, StoreError } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { lookAt } from '../../src/platform/files.ts';
import { capture } from '../../src/saving/capture/capture.ts';
import { absent, file, pruneBy, scratch, turn } from './given.ts';

const KEEP_ALL = { maxSnapshots: 10_000, maxTotalBytes: 1e12, retentionMs: 1e12 };
const DAY = 86_400_000;

const losing = (text: string) => {
  const bytes = Buffer.from(text);
  return {
    draft: (more = {}) => turn({ changes: [{ path: 'a', before: file(bytes), after: absent, by: 'named' }], ...more }),
    contents: new Map([[blobOid(bytes), bytes]]),
  };
};

const numbers = (at: { home: string; root: string }): number[] =>
  readHistory(openStore(at.home), projectKey(openStore(at.home), at.root)).checkpoints.map(({ record }) => record.n);

test('turns that only made new files go before one that deleted data, and safety checkpoints outlive both', () => {
  const at = scratch();
  const store = openStore(at.home);
  const made = [{ path: 'new', before: absent, after: file(Buffer.from('n')), by: 'named' as const }];
  const contents = new Map([[blobOid(Buffer.from('n')), Buffer.from('n')]]);
  const rm = losing('precious');
  writeRecord(store, at.root, rm.draft(), rm.contents);
  writeRecord(store, at.root, rm.draft({ kind: 'manual' } as never), rm.contents);
  for (let i = 0; i < 4; i++) writeRecord(store, at.root, turn({ changes: made }), contents);
  pruneBy(store, { ...KEEP_ALL, maxSnapshots: 3 }, Date.now());
  assert.equal(numbers(at), [6, 2, 1]);
  pruneBy(store, { ...KEEP_ALL, maxSnapshots: 2 }, Date.now());
  assert.equal(numbers(at), [6, 2]);
});

test('what was made by hand stays longer than a turn of the same age; a project left alone goes as a whole', () => {
  const at = scratch();
  const store = openStore(at.home);
  const rm = losing('x');
  writeRecord(store, at.root, rm.draft({ started: Date.now() - 3 * DAY }), rm.contents);
  writeRecord(store, at.root, rm.draft({ started: Date.now() - 3 * DAY, kind: 'manual' } as never), rm.contents);
  writeRecord(store, at.root, rm.draft({ started: Date.now() - 3 * DAY }), rm.contents);
  pruneBy(store, { ...KEEP_ALL, retentionMs: 2 * DAY }, Date.now());
  assert.equal(numbers(at), [3, 2]);
  pruneBy(store, { ...KEEP_ALL, retentionMs: 2 * DAY }, Date.now() + 3 * DAY);
  assert.equal(numbers(at), []);
  assert.is(writeRecord(store, at.root, rm.draft(), rm.contents).n, 4);
  assert.equal(verify(store), []);
});

test('a clock that was ahead keeps nothing for ever, and one that goes back deletes nothing', () => {
  const at = scratch();
  const store = openStore(at.home);
  const rm = losing('x');
  writeRecord(store, at.root, rm.draft({ started: Date.now() + 1000 * DAY }), rm.contents);
  writeRecord(store, at.root, rm.draft(), rm.contents);
  pruneBy(store, { ...KEEP_ALL, retentionMs: 2 * DAY }, Date.now() - 100 * DAY);
  assert.equal(numbers(at), [2, 1]);
});

test('the capture that a turn rests on which is not settled yet is kept, however old', async () => {
  const at = scratch();
  const store = openStore(at.home);
  const take = async (text: string): Promise<number> => {
    fs.writeFileSync(join(at.root, 'a'), text);
    const done = await capture({ store, root: at.root, config: DEFAULTS, budget: 60_000 });
    if (!('m' in done)) throw new Error(JSON.stringify(done));
    return done.m;
  };
  const [first, second, third] = [await take('1'), await take('2'), await take('3')];
  const rm = losing('x');
  writeRecord(store, at.root, rm.draft({ order: 1_000_000 }), rm.contents);
  const captures = (): number[] => readHistory(store, projectKey(store, at.root)).captures.map(({ m }) => m);
  const key = projectKey(store, at.root);
  pruneBy(store, KEEP_ALL, Date.now(), { ...NOTHING_RESTS, captures: new Map([[key, new Set([first])]]) });
  assert.equal(captures(), [third, first]);
  pruneBy(store, KEEP_ALL, Date.now(), { ...NOTHING_RESTS, unknown: true });
  assert.equal(captures(), [third, first]);
  pruneBy(store, KEEP_ALL, Date.now());
  assert.equal(captures(), [third]);
  assert.ok(second > first);
  assert.equal(verify(store), []);
});

test('over its size the store lets the oldest of every project go, and what is left fits', () => {
  const at = scratch();
  const store = openStore(at.home);
  const roots = [at.root, join(at.top, 'other')];
  fs.mkdirSync(roots[1] ?? '');
  for (let i = 0; i < 12; i++)
    for (const root of roots) {
      write(store, root, randomBytes(50_000));
    }
  const { freed } = pruneBy(store, { ...KEEP_ALL, maxTotalBytes: 650_000 }, Date.now());
  assert.ok(measure(store.base).store <= 650_000, 'on disk, all that git keeps beside the objects included');
  const left = roots.map((root) =>
    readHistory(store, projectKey(store, root)).checkpoints.map(({ record }) => record.n),
  );
  for (const list of left) assert.ok(list.length >= 5 && list.length <= 6 && list[0] === 12, list.join(' '));
  assert.ok(left.flat().length >= 10, 'no more went than must');
  assert.ok(freed > 600_000, 'the space is free at once');
  assert.equal(verify(store), []);
});

const noise = (bytes: number): Buffer => Buffer.from(randomBytes(bytes / 2).toString('hex'));

const write = (store: Store, root: string, bytes: Buffer): unknown =>
  writeRecord(
    store,
    root,
    turn({ changes: [{ path: 'a', before: file(bytes), after: absent, by: 'named' }] }),
    new Map([[blobOid(bytes), bytes]]),
  );

test('what was measured last is believed only where it has the form of such a note', () => {
  const at = scratch();
  const store = openStore(at.home);
  write(store, at.root, noise(10_000));
  const truth = measure(store.base);
  const { mtime } = lookAt(join(store.base, 'store')) ?? { mtime: '' };
  for (const text of [
    '7',
    '{}',
    '[["store"]]',
    `[["store",{"mtime":"${mtime}"}]]`,
    '[null]',
    '[["store",null]',
    '[[',
  ]) {
    fs.writeFileSync(join(store.base, '.sizes'), text);
    assert.equal(measure(store.base), truth, text);
  }
});

test('a held file whose other name goes afterwards is counted, though its folder has not changed', () => {
  const at = scratch();
  const store = openStore(at.home);
  const folder = join(store.base, 'holds/k/1');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(join(at.root, 'film'), noise(100_000));
  fs.linkSync(join(at.root, 'film'), join(folder, 'f0'));
  for (const path of ['holds', 'holds/k', 'holds/k/1']) fs.utimesSync(join(store.base, path), 1000, 1000);
  assert.is(measure(store.base).holds, 0);
  fs.rmSync(join(at.root, 'film'));
  assert.ok(measure(store.base).holds >= 100_000);
  assert.ok(measure(store.base).holds >= 100_000);
});

test('no history goes for what packing saves: many versions of one text stay', () => {
  const at = scratch();
  const store = openStore(at.home);
  const text = noise(100_000);
  for (let i = 0; i < 12; i++) write(store, at.root, Buffer.concat([text, Buffer.from(`line ${i}\n`)]));
  assert.ok(measure(store.base).store > 500_000);
  pruneBy(store, { ...KEEP_ALL, maxTotalBytes: 500_000 }, Date.now());
  assert.is(numbers(at).length, 12);
  assert.ok(measure(store.base).store <= 500_000);
});

test('while somebody writes nothing goes for the size: what was let go would still lie there, and more would go for it', () => {
  const at = scratch();
  const store = openStore(at.home);
  for (let i = 0; i < 6; i++) write(store, at.root, noise(100_000));
  const rules = { ...KEEP_ALL, maxTotalBytes: 300_000 };
  const request = { rules, now: Date.now(), resting: NOTHING_RESTS, farMark: 'x', patience: 0 };
  const leave = enter(store, 0);
  prune(store, request);
  leave?.();
  assert.is(numbers(at).length, 6);
  prune(store, request);
  const left = numbers(at).length;
  assert.ok(left < 6 && left >= 2, String(left));
  assert.ok(measure(store.base).store <= 300_000);
});

test('a project whose folder was deleted is an orphan, one whose volume is gone cannot be reached; neither goes by itself', () => {
  const at = scratch();
  const store = openStore(at.home);
  const [gone, away] = ['gone/p', 'away/p'].map((name) => join(at.top, name)) as [string, string];
  const rm = losing('x');
  for (const root of [gone, away]) {
    fs.mkdirSync(root, { recursive: true });
    writeRecord(store, root, rm.draft(), rm.contents);
  }
  fs.rmSync(gone, { recursive: true });
  fs.rmSync(join(at.top, 'away'), { recursive: true });
  const place = (root: string) => {
    const project = projectOf(store, root);
    return project && placeOfProject(project);
  };
  assert.equal([place(gone), place(away)], ['orphan', 'unreachable']);
  pruneBy(store, { ...KEEP_ALL, retentionMs: 0, maxTotalBytes: 0 }, Date.now() + DAY);
  const left = (root: string): number => readHistory(store, projectKey(store, root)).checkpoints.length;
  assert.equal([left(gone), left(away)], [1, 1]);
});

test('held files on another file system go with their checkpoint, and nothing else does', () => {
  const at = scratch();
  const store = openStore(at.home);
  const far = join(at.top, `.belay-${process.getuid?.() ?? 0}`);
  fs.mkdirSync(join(far, 'test0000-1'), { recursive: true, mode: 0o700 });
  fs.mkdirSync(join(far, 'other000-1'));
  for (const path of ['test0000-1/f1', 'other000-1/f1']) fs.writeFileSync(join(far, path), 'held');
  fs.writeFileSync(join(at.top, 'mine'), 'text');
  const held = (path: string) => ({
    kind: 'file' as const,
    mode: 0o644,
    size: 4,
    content: { at: 'hold' as const, path, linked: true },
  });
  const changes = [
    { path: 'big', before: held(join(far, 'test0000-1/f1')), after: absent, by: 'named' as const },
    { path: 'forged', before: held(join(at.top, 'mine')), after: absent, by: 'named' as const },
  ];
  writeRecord(store, at.root, turn({ changes }), new Map());
  writeRecord(store, at.root, turn({}), new Map());
  pruneBy(store, { ...KEEP_ALL, maxSnapshots: 1 }, Date.now());
  assert.equal(fs.readdirSync(far), ['other000-1']);
  assert.is(fs.readFileSync(join(at.top, 'mine'), 'utf8'), 'text');
});

test('held files that no checkpoint names are swept after a day: here, and of this home on other file systems', () => {
  const at = scratch();
  const store = openStore(at.home);
  const key = projectKey(store, at.root);
  writeRecord(store, at.root, turn({}), new Map());
  const far = join(at.top, `.belay-${process.getuid?.() ?? 0}`);
  for (const path of [
    join(store.base, `holds/${key}/77`),
    join(store.base, `holds/${key}/s88`),
    join(far, 'test0000-9'),
    join(far, 'other000-9'),
  ])
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  pruneBy(store, KEEP_ALL, Date.now());
  assert.equal(fs.readdirSync(join(store.base, `holds/${key}`)), ['77', 's88']);
  pruneBy(store, KEEP_ALL, Date.now() + 2 * DAY);
  assert.equal([fs.readdirSync(join(store.base, `holds/${key}`)), fs.readdirSync(far)], [[], ['other000-9']]);
});

test('an archived store of an older layout is swept when it is older than anything is kept', () => {
  const store = openStore(scratch().home);
  const legacy = join(store.base, 'legacy-20250101T000000Z');
  fs.mkdirSync(join(legacy, 'abcdef0123456789'), { recursive: true });
  pruneBy(store, { ...KEEP_ALL, retentionMs: 7 * DAY }, Date.now() + 6 * DAY);
  assert.ok(fs.existsSync(legacy));
  pruneBy(store, { ...KEEP_ALL, retentionMs: 7 * DAY }, Date.now() + 8 * DAY);
  assert.not.ok(fs.existsSync(legacy));
});

test('free goes nowhere but into the holds, and leaves a link whose file is still there', () => {
  const at = scratch();
  const store = openStore(at.home);
  const held = (path: string) => ({
    path,
    before: { kind: 'file' as const, mode: 0o644, size: 4, content: { at: 'hold' as const, path, linked: true } },
    after: absent,
    by: 'named' as const,
  });
  const outside = ['../../../order', '../../../../../mine'];
  const draft = turn({ changes: [...outside, 'b0', 'b1'].map(held) });
  const { key, n, record } = writeRecord(store, at.root, draft, new Map());
  const folder = join(store.base, `holds/${key}/${n}`);
  fs.mkdirSync(folder, { recursive: true });
  for (const path of [...outside, 'b0', 'b1']) fs.writeFileSync(join(folder, path), 'held');
  fs.linkSync(join(folder, 'b1'), join(at.root, 'b1'));
  assert.equal(freeHolds(store, key, record).held, 4);
  assert.equal(fs.readdirSync(folder), ['b1']);
  for (const path of outside) assert.ok(fs.existsSync(join(folder, path)), path);
});

test('what can be made again is held for a day, the rest as long as anything is kept; their checkpoints stay', () => {
  const at = scratch();
  const store = openStore(at.home);
  const held = (path: string, name: string) => ({
    path,
    before: {
      kind: 'file' as const,
      mode: 0o644,
      size: 4,
      content: { at: 'hold' as const, path: name, linked: false },
    },
    after: absent,
    by: 'named' as const,
  });
  const changes = [held('web/node_modules/x/big.js', 'b0'), held('film.mp4', 'b1')];
  const { key, n } = writeRecord(store, at.root, turn({ changes }), new Map());
  const folder = join(store.base, `holds/${key}/${n}`);
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ['b0', 'b1']) fs.writeFileSync(join(folder, name), 'held');
  const rules = { ...KEEP_ALL, retentionMs: 7 * DAY, regenerable: { names: ['node_modules'], ms: DAY } };
  const left = (days: number): string[] => {
    pruneBy(store, rules, Date.now() + days * DAY);
    return fs.readdirSync(folder);
  };
  assert.equal(left(0.5), ['b0', 'b1']);
  const dry = prune(store, {
    ...{ rules, resting: NOTHING_RESTS, farMark: 'x', dryRun: true },
    now: Date.now() + 1.5 * DAY,
  });
  assert.equal(dry.freedHolds, [{ key, n, held: 4 }]);
  assert.equal([left(1.5), left(6)], [['b1'], ['b1']]);
  updateProject(store, key, at.root, { last_touch: Date.now() + 7 * DAY }); // somebody works there
  assert.equal(left(7.5), []);
  assert.equal(numbers(at), [1]);
});

test('while a turn that is not settled cannot be read, no hold on another file system is swept', () => {
  const at = scratch();
  const store = openStore(at.home);
  writeRecord(store, at.root, turn({}), new Map());
  const far = join(at.top, `.belay-${process.getuid?.() ?? 0}`);
  fs.mkdirSync(join(far, 'test0000-9'), { recursive: true, mode: 0o700 });
  pruneBy(store, KEEP_ALL, Date.now() + 2 * DAY, { ...NOTHING_RESTS, unknown: true });
  assert.equal(fs.readdirSync(far), ['test0000-9']);
  pruneBy(store, KEEP_ALL, Date.now() + 2 * DAY);
  assert.equal(fs.readdirSync(far), []);
});

test('a store that cannot be written says so, does not try for ever, and gives no number away', () => {
  const at = scratch();
  const store = openStore(at.home);
  const rm = losing('x');
  writeRecord(store, at.root, rm.draft(), rm.contents);
  const key = projectKey(store, at.root);
  const turns = join(store.gitDir, `refs/belay/${key}/turns`);
  fs.renameSync(turns, `${turns}.aside`);
  fs.writeFileSync(turns, ''); // no ref can be made below it
  assert.throws(
    () => writeRecord(store, at.root, rm.draft(), rm.contents),
    (error: unknown) => error instanceof StoreError,
  );
  fs.rmSync(turns);
  fs.renameSync(`${turns}.aside`, turns);
  assert.is(writeRecord(store, at.root, rm.draft(), rm.contents).n, 2);
});

test("a project's numbers only grow, whoever wrote in between; a damaged file is made anew from the records", () => {
  const at = scratch();
  const store = openStore(at.home);
  const rm = losing('x');
  const { key } = writeRecord(store, at.root, rm.draft(), rm.contents);
  updateProject(store, key, at.root, { next: 9, generation: 3, nextCapture: 5 });
  updateProject(store, key, at.root, { next: 4, generation: 2 });
  const project = readProject(store, key);
  assert.equal([project?.next, project?.generation, project?.nextCapture], [9, 3, 5]);
  writeRecord(store, at.root, rm.draft(), rm.contents);
  fs.writeFileSync(join(store.gitDir, `projects/${key}.json`), '{"workdir": "');
  assert.is(parseProject(store, key), 'damaged');
  assert.match(verify(store).join('\n'), 'its file under projects/ is damaged');
  assert.is(writeRecord(store, at.root, rm.draft(), rm.contents).n, 10);
  assert.is(readProject(store, key)?.generation, 3);
});

test('who writes keeps the gate of a collection open, and who comes while it is shut waits no longer than he may', () => {
  const store = openStore(scratch().home);
  const leave = enter(store, 0);
  assert.ok(leave);
  assert.not.ok(shut(store, 20, (quiet) => quiet));
  leave?.();
  assert.ok(shut(store, 20, (quiet) => quiet && enter(store, 20) === undefined));
  const again = enter(store, 0);
  assert.ok(again);
  again?.();
});

test('nothing is written into a store that is being collected all the time: it is said, and what was to be written is still to be', () => {
  const store = openStore(scratch().home);
  let written = 0;
  shut(store, 20, () =>
    assert.throws(
      () => writing(store, () => written++, 20),
      (error: unknown) => error instanceof StoreError && error.code === 'busy',
    ),
  );
  assert.is(written, 0);
  writing(store, () => written++, 20);
  assert.is(written, 1);
});

test.run();
