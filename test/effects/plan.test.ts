import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tree } from './world.ts';

const at = tree({
  'a.txt': 'a',
  'b.txt': 'b',
  'sub/a.txt': 'sa',
  'sub/deep/d': 'd',
  'build/out.o': 'o',
  'empty/': '',
  'hollow/inner/': '',
  'store/f1': '1',
  'store/f2': '2',
  'link -> a.txt': '',
  'linkdir -> store': '',
  'dangling -> nowhere.txt': '',
  'src/main.c': 'm',
  'src/new.c': 'n',
  'dst/main.c': 'old',
  'dst/other.c': 'other',
});

test('a file that is deleted is a target, its folder the smallest one to save', () => {
  const plan = at.plan('rm a.txt');
  assert.ok(plan.destructive && plan.parsed);
  assert.equal(at.targets('rm a.txt'), ['delete a.txt']);
  assert.equal(plan.dirs.map(at.relative), ['.']);
  assert.equal(plan.projects, [{ root: at.root, scope: 'full' }]);
  assert.equal(plan.captures, []);
});

test('a recursive delete is one target, whatever is below', () => {
  assert.equal(at.targets('rm -rf build sub'), ['delete build/', 'delete sub/']);
  assert.equal(at.plan('rm -rf build').dirs.map(at.relative), ['build']);
});

test('nothing there: nothing to lose', () => {
  assert.not.ok(at.plan('rm -rf nope').destructive);
  assert.equal(at.targets('rm -rf nope'), []);
  assert.not.ok(at.plan('rm build').destructive, 'rm without -r leaves a folder alone');
});

test('empty folders are kept for undo but are no loss', () => {
  const plan = at.plan('rm -rf empty hollow; rmdir empty');
  assert.not.ok(plan.destructive);
  assert.equal(at.targets('rm -rf empty hollow'), ['delete empty/', 'delete hollow/']);
  assert.equal(at.targets('rmdir build'), []);
});

test('a new file is a creation: absent is what is held', () => {
  const plan = at.plan('echo x > new.txt');
  assert.not.ok(plan.destructive);
  assert.equal(at.targets('echo x > new.txt'), ['create new.txt/']);
  assert.equal(at.targets('mkdir -p p/q/r; echo x > p/q/f'), ['create p/']);
});

test('a redirection writes through a link: both ends are told, the end is held', () => {
  assert.equal(at.lost('echo x > link').sort(), ['a.txt', 'link']);
  assert.ok(at.targets('echo x > link').includes('write-in-place a.txt exposed'));
});

test('what appears behind a dangling link is made where it points', () => {
  const plan = at.plan('echo x > dangling');
  assert.ok(at.targets('echo x > dangling').some((target) => target.startsWith('create nowhere.txt')));
  assert.ok(plan.effects.some((effect) => at.relative(effect.path) === 'dangling'));
});

test('rm of a link takes the link only; with a slash it empties the folder behind', () => {
  assert.equal(at.targets('rm linkdir'), ['delete linkdir']);
  assert.equal(at.targets('rm -rf linkdir/'), ['delete store/']);
  assert.equal(at.plan('rm -rf linkdir/').dirs.map(at.relative).sort(), ['linkdir', 'store']);
  assert.equal(at.targets('rm -rf linkdir/*'), ['delete store/f1', 'delete store/f2']);
});

test('mv -T replaces the link itself, cp writes through it', () => {
  assert.equal(at.targets('mv -T b.txt link'), ['replace link', 'move b.txt']);
  assert.ok(at.targets('cp b.txt link').includes('write-in-place a.txt exposed'));
});

test('a path behind a linked folder is held where it really lies', () => {
  assert.equal(at.targets('cp a.txt linkdir/f1'), ['write-in-place store/f1 exposed']);
  assert.equal(at.lost('cp a.txt linkdir/f1').sort(), ['linkdir/f1', 'store/f1']);
});

test('a move is undone by renaming back, unless the line destroys what was moved', () => {
  const [, moved] = at.plan('mv a.txt c.txt').targets;
  assert.is(moved?.way, 'move');
  assert.is(moved?.to, `${at.root}/c.txt`);
  assert.ok(at.targets('mv a.txt c.txt; rm c.txt').includes('delete a.txt'), 'deleted under its new name');
  const [target] = at.plan('mv a.txt c.txt; rm c.txt').targets.filter((one) => one.path.endsWith('/a.txt'));
  assert.is(target?.to, undefined);
});

test('what was moved into a folder that is then deleted is held under its old name', () => {
  const targets = at.targets('mkdir d; mv a.txt b.txt d; rm -rf d');
  assert.ok(targets.includes('delete a.txt'));
  assert.ok(targets.includes('delete b.txt'));
  assert.ok(at.lost('mkdir d; mv a.txt b.txt d; rm -rf d').includes('a.txt'));
});

test('what was moved and is then written in place must be copied', () => {
  assert.ok(at.targets('mv a.txt c.txt; truncate -s 0 c.txt').includes('write-in-place a.txt exposed'));
});

test('content written through a hard link or symbolic link made in the same line is held', () => {
  assert.ok(at.targets('ln a.txt hard; echo x > hard').includes('write-in-place a.txt exposed'));
  assert.ok(at.targets('ln -s a.txt soft; echo x > soft').includes('write-in-place a.txt exposed'));
  assert.not.ok(at.plan('ln -s a.txt soft; rm soft').destructive, 'deleting the new link loses nothing');
});

test('cp and rm of the twin: the deleted one is the target', () => {
  assert.equal(at.targets('cp a.txt b.txt && rm a.txt'), ['write-in-place b.txt exposed', 'delete a.txt']);
});

test('a tree copied onto another is told as its destination and held file by file', () => {
  assert.equal(at.lost('cp -r src/. dst/'), ['dst']);
  assert.equal(at.targets('cp -r src/. dst/'), ['write-in-place dst/main.c exposed', 'create dst/new.c/']);
});

test('a deferred effect says so', () => {
  assert.ok(at.targets('rm a.txt &').includes('delete a.txt deferred'));
  assert.ok(at.targets('nohup rm a.txt').includes('delete a.txt deferred'));
});

test('appending loses nothing and is held all the same', () => {
  assert.not.ok(at.plan('echo x >> a.txt').destructive);
  assert.equal(at.targets('echo x >> a.txt'), ['append a.txt exposed']);
});

test('sinks are no files', () => {
  for (const line of [
    'echo x > /dev/null',
    'cp a.txt /dev/null',
    'ls > /dev/tty 2> /dev/stderr',
    'echo x | tee /dev/full',
  ])
    assert.equal(at.targets(line), [], line);
});

test('a disk is a loss that no folder can hold', () => {
  const plan = at.plan('dd if=a.txt of=/dev/sdz');
  assert.ok(plan.destructive);
  assert.equal(plan.dirs, []);
});

test('noclobber refuses an existing file, >| does not', () => {
  assert.not.ok(at.plan('set -C; echo x > a.txt').destructive);
  assert.ok(at.plan('set -C; echo x >| a.txt').destructive);
});

test('a path that is not known is ?, and the project is captured', () => {
  const plan = at.plan('rm -rf "$UNSET_HERE/x"');
  assert.ok(plan.effects.some((effect) => effect.path === '?' && effect.destructive));
  assert.ok(plan.dirs.includes('?'));
  assert.equal(
    plan.captures.map((capture) => [at.relative(capture.folder), capture.why]),
    [['.', 'unknown']],
  );
});

test('below a known folder, that folder is captured', () => {
  const plan = at.plan('rm -rf "build/$UNSET_HERE"');
  assert.equal(
    plan.captures.map((capture) => at.relative(capture.folder)),
    ['build'],
  );
});

test('a program that nobody can parse is opaque, captured, and not destructive; held files may be written by it', () => {
  const own = tree({ 'a.txt': 'a', tool: '\x7fELF\x02\x01\x01\0' });
  const plan = own.plan('./tool');
  assert.not.ok(plan.destructive);
  assert.equal(plan.unknownPrograms, ['tool']);
  assert.equal(
    plan.captures.map((capture) => capture.why),
    ['opaque'],
  );
  assert.ok(own.targets('./tool; rm a.txt').includes('delete a.txt exposed'));
});

test('a harmless line needs nothing', () => {
  for (const line of [
    'ls -la',
    'cat a.txt | grep x',
    'echo rm -rf build',
    'cd sub && pwd',
    'test -e a.txt',
    'rm --help a.txt',
    'true # rm a.txt',
  ]) {
    const plan = at.plan(line);
    assert.equal([plan.effects, plan.targets, plan.captures, plan.dirs, plan.projects], [[], [], [], [], []], line);
  }
});

test('a target elsewhere brings its own project and no other', () => {
  const other = tree({ 'x.txt': 'x' });
  const plan = at.plan(`rm ${other.root}/x.txt`);
  assert.equal(plan.projects, [{ root: other.root, scope: 'full' }]);
});

test('find -delete holds what its tests let through, and tells where it started', () => {
  assert.equal(at.targets("find . -name '*.c' -delete").sort(), [
    'delete dst/main.c',
    'delete dst/other.c',
    'delete src/main.c',
    'delete src/new.c',
  ]);
  assert.equal(at.lost("find . -name '*.c' -delete"), ['.']);
  assert.equal(at.targets('find build -delete'), ['delete build/']);
  assert.equal(at.targets("find . -name '*.c' -path './src/*' ! -name new.c -delete"), ['delete src/main.c']);
  assert.equal(at.targets("find . -name '*.zzz' -delete"), []);
});

test('find -exec runs its command on what is there', () => {
  assert.equal(at.targets('find src -type f -exec rm -f {} +').sort(), ['delete src/main.c', 'delete src/new.c']);
  assert.equal(at.lost('find src -type f -exec rm -f {} +').includes('src'), true);
  assert.not.ok(at.plan('find . -exec echo rm {} ";"').destructive);
  assert.equal(at.targets("find src -name main.c -exec cp {} {}.bak ';'"), ['create src/main.c.bak/']);
});

test('xargs follows what is known on its standard input', () => {
  assert.equal(at.targets('printf "a.txt\\nb.txt\\n" | xargs rm'), ['delete a.txt', 'delete b.txt']);
  assert.equal(at.targets("printf 'a.txt\\0b.txt\\0' | xargs -0 rm"), ['delete a.txt', 'delete b.txt']);
  assert.equal(
    at.targets('echo a.txt b.txt | xargs -n1 -I{} mv {} sub/x-{}').filter((target) => target.startsWith('move')).length,
    0,
    'one item a line',
  );
  assert.ok(at.plan('cat nosuchlist | xargs rm').dirs.includes('?'));
});

test('sudo, env, nice and their kin change nothing about what is lost', () => {
  for (const wrapper of [
    'sudo',
    'sudo -u x --',
    'env A=b',
    'env -i',
    'nice -n 5',
    'timeout 5',
    'stdbuf -oL',
    'command',
    'busybox',
    'ionice -c 3',
    'setsid -w',
    'time',
    '! ',
    'xargs -r',
    'flock lk',
  ])
    if (wrapper !== 'xargs -r') assert.equal(at.lost(`${wrapper} rm a.txt`), ['a.txt'], wrapper);
});

test('another user may see what we do not', () => {
  assert.ok(at.plan('sudo rm nope.txt').destructive);
});

test('chroot counts absolute paths from the new root', () => {
  assert.equal(at.targets(`chroot ${at.root}/store rm -rf /f1`), ['delete store/f1']);
});

test('a container touches only what the line binds into it', () => {
  assert.equal(at.targets('docker run --rm -v "$PWD":/w img rm -rf /w/build'), ['delete build/']);
  assert.equal(at.targets('docker run --rm -v "$PWD":/w img sh -c \'rm -rf /w/build /data\''), ['delete build/']);
  assert.equal(at.targets('docker run --rm img rm -rf /w/build'), []);
  assert.not.ok(at.plan('ssh host "rm -rf build"').destructive);
});

test('a shell script is read and followed', () => {
  const scripts = tree({ 's.sh': 'cd sub && rm a.txt\n', 'sub/a.txt': 'x', 'keep.txt': 'k' });
  assert.equal(scripts.targets('sh s.sh'), ['delete sub/a.txt']);
  assert.equal(scripts.targets('bash -c \'rm "$1"\' _ keep.txt'), ['delete keep.txt']);
});

test('planning never throws: whatever goes wrong, the working directory is captured', () => {
  const broken = {
    has(): boolean {
      throw new Error('broken on purpose');
    },
  } as never;
  const plan = at.plan('rm a.txt', { options: broken, aliases: { get: broken } as never });
  assert.ok(plan.destructive);
  assert.not.ok(plan.parsed);
  assert.equal(
    plan.captures.map((capture) => capture.why),
    ['unknown'],
  );
});

test.run();
