import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { scene } from './given.ts';
import { lines } from './lines.ts';

/** Goes down 18 folders of long names, 4,500 bytes: no system call takes such a path whole. */
const DOWN = `import os, sys
for i in range(18):
    if sys.argv[1] == 'make': os.mkdir('d' * 250)
    os.chdir('d' * 250)
`;
const MAKE = `${DOWN}
open('small', 'w').write('small')
open('large', 'w').write('l' * 100000)
os.symlink('small', 'link')
os.chmod('small', 0o600)
`;
const LOOK = `${DOWN}
print(open('small').read(), len(open('large').read()), os.readlink('link'), oct(os.stat('small').st_mode)[-3:], end='')
`;

const python = (cwd: string, script: string, how: string): string =>
  spawnSync('python3', ['-c', script, how], { cwd, encoding: 'utf8' }).stdout ?? '';

test('what lies deeper than a path can say is held and comes back', () => {
  const s = scene();
  const top = join(s.root, 'deep');
  if (spawnSync('mkdir', [top]).status !== 0 || spawnSync('python3', ['-c', '']).status !== 0)
    return console.log('no python here: skipped');
  try {
    python(top, MAKE, 'make');
    const was = python(top, LOOK, 'look');
    assert.equal(was, 'small 100000 small 600');
    const { run, belay } = lines(s);
    assert.equal(run('rm -rf deep'), '');
    const { status, json } = belay<{ kept: unknown[] }>('undo');
    assert.deepEqual([status, json.kept], [0, []], JSON.stringify(json).slice(0, 2000));
    assert.equal(python(top, LOOK, 'look'), was);
    // Its folder is there: room is looked for in it, and what else the line took comes back beside it.
    fs.writeFileSync(join(s.root, 'other'), 'other');
    assert.equal(run(`rm other; cd deep; ${`cd ${'d'.repeat(250)}; `.repeat(18)}rm small`), '');
    const again = belay<{ restored: string[]; kept: unknown[] }>('undo');
    assert.deepEqual([again.status, again.json.restored?.length, again.json.kept], [0, 2, []]);
    assert.equal(python(top, LOOK, 'look'), was);
  } finally {
    spawnSync('rm', ['-rf', top]);
  }
});

test.run();
