import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const LOAD = { bash: 'eval "$(BELAY init bash)"', zsh: 'eval "$(BELAY init zsh)"', fish: 'BELAY init fish | source' };

builtSnap();
for (const shell of ['bash', 'zsh', 'fish'] as const) {
  if (spawnSync('sh', ['-c', `command -v ${shell}`]).status !== 0) continue;

  test(`${shell}: belay on and belay off switch only when they stand alone`, () => {
    const home = fs.mkdtempSync(join(tmpdir(), 'belay-switch-'));
    const say = 'printf "[%s]\\n" "$BELAY_DISABLE"';
    const lines = [
      'belay off',
      say,
      'belay on --help',
      say,
      'belay on now',
      say,
      'belay on',
      say,
      'belay off --help',
      say,
      'belay off',
      'cat "$__belay_folder/off"',
    ];
    const load = LOAD[shell].replace('BELAY', `'${root}/bin/belay'`);
    const done = spawnSync(shell, ['-ic', [load, ...lines].join('\n')], {
      encoding: 'utf8',
      input: '',
      timeout: 120_000,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home, TERM: 'dumb' },
    });
    fs.rmSync(home, { recursive: true, force: true });
    const states = done.stdout.split('\n').filter((line) => line.startsWith('['));
    assert.equal(states, ['[1]', '[1]', '[1]', '[]', '[]'], done.stderr);
    assert.match(done.stdout, 'usage: belay on');
    assert.match(done.stdout, /^\d+$/m, 'belay off leaves the number of the line');
    assert.match(done.stderr, "'now' is one word too many\nusage: belay on");
  });
}

test.run();
