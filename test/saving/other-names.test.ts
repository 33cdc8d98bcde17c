import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { scene } from './given.ts';
import { lines } from './lines.ts';

const LINES = ['shred -u b', 'truncate -s0 b; mv b q', 'echo x > b; mv a b', '> far/c; rm -r far'];

test('a file that a line empties and then removes or replaces is again what it was under its other names, too', () => {
  const s = scene();
  const at = lines(s);
  for (const line of LINES) {
    for (const name of fs.readdirSync(s.root)) if (name !== '.git') fs.rmSync(join(s.root, name), { recursive: true });
    fs.mkdirSync(join(s.root, 'deep/far'), { recursive: true });
    fs.mkdirSync(join(s.root, 'far'));
    fs.writeFileSync(join(s.root, 'a'), 'a\n');
    fs.writeFileSync(join(s.root, 'b'), '1\n');
    fs.writeFileSync(join(s.root, 'far/c'), '2\n');
    fs.linkSync(join(s.root, 'b'), join(s.root, 'deep/far/hard'));
    fs.linkSync(join(s.root, 'far/c'), join(s.root, 'hard'));
    assert.doesNotMatch(at.run(line), /one more name/, line);
    at.belay('undo');
    const read = (name: string): string => fs.readFileSync(join(s.root, name), 'utf8');
    assert.deepEqual(['a', 'b', 'deep/far/hard', 'far/c', 'hard'].map(read), ['a\n', '1\n', '1\n', '2\n', '2\n'], line);
    const ino = (name: string): number => fs.statSync(join(s.root, name)).ino;
    assert.deepEqual([ino('b'), ino('far/c')], [ino('deep/far/hard'), ino('hard')], `${line}: one file again`);
  }
});

test('one line empties a file, a later one takes its name: before both, the other names are what they were, too', () => {
  for (const [first = '', second = ''] of [
    ['> b', 'rm b'],
    ['> b', 'sed -i s/a/b/ b'],
  ]) {
    const s = scene();
    const at = lines(s);
    fs.writeFileSync(join(s.root, 'a'), 'a\n');
    fs.writeFileSync(join(s.root, 'b'), '1\n');
    fs.mkdirSync(join(s.root, 'deep'));
    fs.linkSync(join(s.root, 'b'), join(s.root, 'deep/hard'));
    at.run(first);
    at.run(second);
    at.belay('rollback', '1');
    const [a, b, hard] = ['a', 'b', 'deep/hard'].map((name) => fs.readFileSync(join(s.root, name), 'utf8'));
    assert.deepEqual([a, b, hard], ['a\n', '1\n', '1\n'], `${first} · ${second}`);
    assert.equal(fs.statSync(join(s.root, 'b')).ino, fs.statSync(join(s.root, 'deep/hard')).ino, second);
  }
});

test('a file that has come by the number of one that is gone is nobody’s other name', () => {
  const s = scene();
  const at = lines(s);
  const [b, hard] = [join(s.root, 'b'), join(s.root, 'hard')];
  fs.writeFileSync(b, '1\n');
  fs.linkSync(b, hard);
  at.run('> b');
  at.run('rm b');
  fs.utimesSync(hard, 1, 1); // what the number's new file would differ in
  at.belay('rollback', '1');
  assert.deepEqual([fs.readFileSync(b, 'utf8'), fs.readFileSync(hard, 'utf8')], ['1\n', '']);
});

test('a name that is not found is told before the line runs, and only where the line cannot be undone without it', () => {
  const s = scene();
  const at = lines(s);
  const make = (): void => {
    fs.rmSync(join(s.top, 'outside'), { force: true });
    fs.writeFileSync(join(s.root, 'b'), '1\n');
    fs.linkSync(join(s.root, 'b'), join(s.top, 'outside'));
  };
  make();
  assert.match(at.run('> b; rm b'), /b \(it has one more name \(a hard link\), which was not found/);
  for (const line of ['rm b', 'rm b; echo x > b', '> b']) {
    fs.rmSync(join(s.root, 'b'), { force: true });
    make();
    assert.equal(at.run(line), '', line);
  }
  at.belay('list'); // waits for what is settled in the background
});

test('another file that got the inode of the last name, with the same bytes, stays a file by itself', () => {
  const s = scene();
  const at = lines(s);
  const [name, other] = [join(s.root, 'c'), join(s.root, 'sub/c')];
  fs.mkdirSync(join(s.root, 'sub'));
  fs.writeFileSync(name, 'c');
  fs.linkSync(name, other);
  at.run('rm c');
  fs.rmSync(other);
  fs.writeFileSync(other, 'c');
  at.belay('undo');
  assert.equal(fs.readFileSync(name, 'utf8'), 'c');
  assert.notEqual(fs.statSync(name).ino, fs.statSync(other).ino);
});

test.run();
