import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { applySteps } from '../../src/checkpoint/apply/apply.ts';
import { groupsOf } from '../../src/checkpoint/apply/groups.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { Step } from '../../src/checkpoint/plan/steps.ts';
import type { Version } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { toBuffer } from '../../src/platform/bytes.ts';
import { lookAt } from '../../src/platform/files.ts';
import { scratch } from './given.ts';

const at = scratch();
const store = openStore(at.home);
const KEY = '0123456789abcdef';
const isRoot = process.getuid?.() === 0;
const owner = [process.getuid?.() ?? 0, process.getgid?.() ?? 0] as const;

/** As many as are laid down together. */
const MANY = Array.from({ length: 150 }, (_, i) => `f${i}`);

let projects = 0;
let orders = 0;

function project(mode = 0o755): string {
  const root = join(at.root, `p${projects++}`);
  fs.mkdirSync(root, { recursive: true });
  fs.chmodSync(root, mode);
  return root;
}

function blob(content: string): string {
  const bytes = toBuffer(content);
  const done = spawnSync('git', ['hash-object', '-w', '--stdin'], {
    env: { ...process.env, GIT_DIR: store.gitDir },
    input: bytes,
  });
  assert.is(done.status, 0);
  return blobOid(bytes);
}

const blobs = new Map<string, string>();
const oidOf = (content: string): string => {
  const oid = blobs.get(content) ?? blob(content);
  blobs.set(content, oid);
  return oid;
};

const common = (path: string, becomes: Version) => ({ path, key: KEY, seen: lookAt(path), becomes });

const folder = (path: string, mode = 0o755): Step => ({
  ...common(path, { kind: 'folder', mode, owner }),
  do: 'folder',
  mode,
});

const link = (path: string, target: string): Step => ({
  ...common(path, { kind: 'link', target, owner }),
  do: 'link',
  target,
});

const MTIME = '1500000000123456000';

function file(path: string, content: string, mode = 0o644, of: readonly [number, number] = owner): Step {
  const oid = oidOf(content);
  const size = content.length;
  const becomes = { kind: 'file', mode, owner: of, size, mtime: MTIME, content: { at: 'git', oid } } as const;
  const source = { at: 'blob', oid } as const;
  return { ...common(path, becomes), do: 'file', mode, size, mtime: MTIME, source, inPlace: false };
}

function apply(root: string, steps: readonly Step[], key = KEY) {
  const sorted = [...steps].sort((a, b) => (a.path < b.path ? -1 : 1));
  const ticks: number[] = [];
  const rules = { minFreePercent: 0, roots: new Map([[key, root]]), tick: (done: number) => ticks.push(done) };
  const { restored, kept } = applySteps(store, sorted, ++orders, rules);
  return { restored: [...restored].sort(), kept, ticks };
}

const left = (root: string): string[] => fs.readdirSync(root).filter((name) => name.startsWith('.belay'));

for (const [what, mode] of [
  ['a folder', 0o755],
  ['a folder that others can write', 0o777],
] as const)
  test(`what is many comes back into ${what} as it was: bytes, modes, owners, times, links, names of any bytes`, () => {
    const root = project(mode);
    const d = join(root, 'd');
    const other = [isRoot ? 12345 : owner[0], isRoot ? 54321 : owner[1]] as const;
    const odd = ['new\nline', '\xff\xfe', ' lead', '-n', ':(top)x', '.git', '"q"\\'].map((name) => `${d}/odd/${name}`);
    const steps: Step[] = [
      folder(d, 0o750),
      folder(join(d, 'odd')),
      folder(join(d, 'empty'), 0o511),
      folder(join(d, 'closed'), 0o300),
      ...MANY.map((name) => file(join(d, name), `${name}\r\n$Id$\n`)),
      file(join(d, '.gitattributes'), '* text eol=crlf ident filter=x\n'),
      file(join(d, 'secret'), 'secret', 0o600),
      file(join(d, 'run'), '#!/bin/sh\n', 0o755),
      file(join(d, 'shared'), 'shared', 0o664),
      file(join(d, 'none'), '', 0),
      file(join(d, 'theirs'), 'theirs', 0o640, other),
      file(join(d, 'setuid'), 'setuid', 0o4755, other),
      file(join(d, 'closed/x'), 'x'),
      link(join(d, 'dangling'), '/nowhere/\xff'),
      link(join(d, 'up'), '..'),
      ...odd.map((path) => file(path, 'odd')),
    ];
    const { restored, kept, ticks } = apply(root, steps);
    assert.equal(kept, []);
    assert.equal(restored, steps.map(({ path }) => path).sort());
    assert.is(ticks.at(-1), steps.length);
    for (const step of steps) {
      const look = lookAt(step.path);
      if (step.do === 'file') {
        assert.is(look?.type, 'file', step.path);
        assert.is(blobOid(fs.readFileSync(toBuffer(step.path))), step.source.at === 'blob' ? step.source.oid : '');
        assert.is(look?.mtime, MTIME);
      }
      if (step.do === 'link') assert.is(fs.readlinkSync(step.path, 'latin1'), step.target);
      if (step.do !== 'link' && 'mode' in step) assert.is(look?.mode, step.mode, step.path);
      const whose = step.becomes.kind === 'file' ? step.becomes.owner : owner;
      assert.equal([look?.uid, look?.gid], whose, step.path);
    }
    assert.equal(left(root), []);
  });

test('files of folders that are there come together, too; what changed since it was looked at stays', () => {
  const root = project();
  fs.mkdirSync(join(root, 'src'));
  for (const name of MANY) fs.writeFileSync(join(root, 'src', name), 'by the turn');
  const steps = [...MANY.map((name) => file(join(root, 'src', name), name)), file(join(root, 'top'), 'top')];
  fs.writeFileSync(join(root, 'src/f7'), 'by hand, meanwhile');
  const { restored, kept } = apply(root, steps);
  assert.equal(
    kept.map(({ path, why }) => [path, why]),
    [[join(root, 'src/f7'), 'changed-meanwhile']],
  );
  assert.is(restored.length, steps.length - 1);
  assert.is(fs.readFileSync(join(root, 'src/f8'), 'utf8'), 'f8');
  assert.is(fs.readFileSync(join(root, 'src/f7'), 'utf8'), 'by hand, meanwhile');
  assert.equal(left(root), []);
});

test('a folder that somebody has made meanwhile keeps what is in it, and the rest comes', () => {
  const root = project();
  const [d, e] = [join(root, 'd'), join(root, 'e')];
  const steps = [
    folder(d),
    folder(e),
    ...MANY.flatMap((name) => [file(join(d, name), name), file(join(e, name), name)]),
  ];
  fs.mkdirSync(d);
  fs.writeFileSync(join(d, 'f3'), 'mine');
  const { kept } = apply(root, steps);
  assert.equal(
    kept.map(({ path, why }) => [path, why]),
    [
      [d, 'changed-meanwhile'],
      [join(d, 'f3'), 'changed-meanwhile'],
    ],
  );
  assert.is(fs.readFileSync(join(d, 'f3'), 'utf8'), 'mine');
  for (const name of MANY) {
    if (name !== 'f3') assert.is(fs.readFileSync(join(d, name), 'utf8'), name);
    assert.is(fs.readFileSync(join(e, name), 'utf8'), name);
  }
  assert.equal(left(root), []);
});

test('a link that lies where the folder aside is to be, and one in the place of a parent, lead nowhere', () => {
  const root = project();
  const victim = project();
  fs.symlinkSync(victim, join(root, `.belay-${orders + 1}-w0`));
  const steps = [folder(join(root, 'd')), ...MANY.map((name) => file(join(root, 'd', name), name))];
  assert.equal(apply(root, steps).kept, []);
  assert.is(fs.readFileSync(join(root, 'd/f7'), 'utf8'), 'f7');
  const inner = project();
  const below = [folder(join(inner, 'x/d')), ...MANY.map((name) => file(join(inner, 'x/d', name), name))];
  fs.symlinkSync(victim, join(inner, 'x'));
  const { restored } = apply(inner, below);
  assert.equal(restored, []);
  assert.equal(fs.readdirSync(victim), []);
});

test('where the store has lost an object it is said, and nothing is left aside', () => {
  const root = project();
  const steps = [folder(join(root, 'd')), ...MANY.map((name) => file(join(root, 'd', name), name))];
  const lost = oidOf('lost');
  const all = [...steps, file(join(root, 'd/lost'), 'lost')];
  fs.rmSync(join(store.gitDir, 'objects', lost.slice(0, 2), lost.slice(2)), { force: true });
  assert.throws(() => apply(root, all), new RegExp(lost));
  assert.equal(left(root), []);
});

test('a project whose own folder is gone comes back as one', () => {
  const top = project();
  const root = join(top, 'gone');
  const steps = [folder(root), ...MANY.map((name) => file(join(root, name), name))];
  assert.equal(apply(root, steps).kept, []);
  assert.is(fs.readdirSync(root).length, MANY.length);
  assert.equal(left(top), []);
});

test('folders whose names begin alike come back whole, each in one piece', () => {
  const root = project();
  const names = ['src', 'src/a b', 'src-old', 'src.bak', 'lib'];
  const steps = names
    .flatMap((name) => [folder(join(root, name)), ...MANY.map((one) => file(join(root, name, one), one))])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const [group] = groupsOf(steps, new Map([[KEY, root]]), () => false);
  assert.equal(
    group?.tops.map(({ path }) => path.slice(root.length + 1)),
    ['lib', 'src', 'src-old', 'src.bak'],
  );
  assert.is((group?.bulk.length ?? 0) + (group?.others.length ?? 0), steps.length);
});

test.run();
