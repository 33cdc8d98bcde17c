import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
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

test.run();
