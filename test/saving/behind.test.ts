import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { type Scene, scene } from './given.ts';
import { lines } from './lines.ts';

const manifest = (s: Scene): string =>
  spawnSync(
    'sh',
    ['-c', 'find . -path ./.git -prune -o -type f -exec sha256sum {} + -o -printf "%p %y %l\\n" | sort'],
    {
      cwd: s.root,
      encoding: 'utf8',
    },
  ).stdout;

/** A folder that a line moves and leaves a link for: what is found through the link is not what lay there. */
const turns: readonly (readonly string[])[] = [
  ['mv src s; ln -s s src'],
  ['mv src s', 'ln -s s src', 'echo x > src/main.js'],
  ['rm -rf src; mkdir e; ln -s e src; echo x > src/main.js'],
  ['mv src s', 'ln -s s src', 'rm src/main.js', 'rm src', 'mv s src'],
  ['mv src s', 'ln -s s src', 'sed -i s/x/y/ src/main.js', 'rm -rf s'],
  ['mv src ../elsewhere; ln -s ../elsewhere src', 'rm -r src/img'],
];

for (const typed of turns)
  test(`rolled back, whole: ${typed.join(' · ')}`, () => {
    const s = scene();
    fs.mkdirSync(join(s.root, 'src/img'), { recursive: true });
    fs.writeFileSync(join(s.root, 'src/main.js'), 'x=1\n');
    fs.writeFileSync(join(s.root, 'src/img/logo.bin'), 'logo\n');
    const before = manifest(s);
    const at = lines(s);
    for (const line of typed) at.run(line);
    const done = at.belay('rollback', '1', '--yes');
    assert.equal(done.status, 0, JSON.stringify(done.json));
    assert.equal(manifest(s), before);
  });

const HARD: readonly (readonly [typed: readonly string[], back: readonly string[]])[] = [
  [['echo x >> b', 'rm -f hard'], ['rollback 1']],
  [['echo x >> b', 'echo y >> hard'], ['rollback 1']],
  [
    ['echo x >> b', 'rm -f b', 'rm -f hard'],
    ['undo', 'undo', 'undo'],
  ],
  [
    ['echo x >> b', 'mv hard h2', 'rm -f b h2'],
    ['undo', 'undo', 'undo'],
  ],
  [
    ['mv large src', 'dd if=/dev/zero of=src/large bs=1M count=1 conv=notrunc', 'rm -f src/large other'],
    ['rollback 1'],
  ],
];

for (const [typed, back] of HARD)
  test(`two names of one file: ${typed.join('; ')}; ${back.join('; ')}: both are as they were`, () => {
    const s = scene();
    fs.mkdirSync(join(s.root, 'src'));
    fs.writeFileSync(join(s.root, 'b'), 'first\n');
    fs.linkSync(join(s.root, 'b'), join(s.root, 'hard'));
    if (typed.some((line) => line.includes('large'))) {
      fs.writeFileSync(join(s.root, 'large'), Buffer.alloc(11 << 20, 'L'));
      fs.linkSync(join(s.root, 'large'), join(s.root, 'other'));
    }
    const state = (): string[] =>
      ['b', 'hard', 'h2', 'large', 'other', 'src/large'].map((name) => {
        const path = join(s.root, name);
        return fs.existsSync(path) ? `${name} ${createHash('sha1').update(fs.readFileSync(path)).digest('hex')}` : name;
      });
    const was = state();
    const { run, belay } = lines(s);
    for (const line of typed) run(line);
    const answers = back.map((words) => belay(...words.split(' '), '--yes'));
    assert.deepEqual([state(), answers.map(({ status }) => status)], [was, back.map(() => 0)], JSON.stringify(answers));
  });

test.run();
