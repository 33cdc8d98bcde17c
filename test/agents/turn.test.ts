import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { builtSnap } from '../built.ts';
import { type Scene, scene } from '../saving/given.ts';

builtSnap();
const bin = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'bin');

function script(s: Scene, text: string): string {
  const env = { ...Object.fromEntries(s.world.env), PATH: `${bin}:${process.env['PATH']}` };
  const done = spawnSync('sh', ['-ec', text], {
    cwd: s.root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  return done.stdout;
}

const project = (): Scene => {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  for (const name of ['a', 'b']) fs.writeFileSync(join(s.root, name), name);
  return s;
};

test('a script begins and ends its turns: each is one checkpoint, whatever happened in between', () => {
  const s = project();
  script(
    s,
    `eval "$(belay turn begin --label 'nightly update')"
     rm a; echo new >c
     belay turn end
     belay turn begin >/dev/null; rm b; belay turn end`,
  );
  const { checkpoints } = JSON.parse(script(s, 'belay list --json'));
  const rows = checkpoints.map((one: { turn: string; label: string; scope: string; stats: { files: number } }) => [
    one.turn,
    one.label,
    one.scope,
    one.stats.files,
  ]);
  assert.deepEqual(rows, [
    ['2', 'turn 2', 'full', 1],
    ['1', 'nightly update', 'full', 2],
  ]);
  assert.equal(new Set(checkpoints.map((one: { session: string }) => one.session)).size, 1);
  script(s, 'belay undo --yes; belay undo --yes');
  assert.deepEqual(fs.readdirSync(s.root).sort(), ['.git', 'a', 'b']);
});

test('what is changed after `belay turn end` is not the turn’s work', () => {
  const s = project();
  script(s, `eval "$(belay turn begin)"; rm a; belay turn end; echo hand >b; belay undo --yes`);
  assert.equal(fs.readFileSync(join(s.root, 'b'), 'utf8'), 'hand\n');
  assert.equal(fs.readFileSync(join(s.root, 'a'), 'utf8'), 'a');
});

test('an end without a beginning says so, and a shell’s session is left to the shell', () => {
  const s = project();
  const out = script(s, 'BELAY_SESSION=20250101_000000_abcdef; export BELAY_SESSION; belay turn end --json || echo $?');
  assert.match(out, /no_session[\s\S]*\n4\n$/);
  const begun = JSON.parse(script(s, 'BELAY_SESSION=20250101_000000_abcdef belay turn begin --json'));
  assert.notEqual(begun.session, '20250101_000000_abcdef');
});

test('what a script does that was started in a session is that session’s, too: its undo takes it back', () => {
  const s = project();
  const shell = 'BELAY_SESSION=20250101_000000_abcdef; export BELAY_SESSION';
  script(s, `${shell}; (eval "$(belay turn begin)"; rm a; belay turn end); belay undo --yes`);
  assert.equal(fs.readFileSync(join(s.root, 'a'), 'utf8'), 'a');
});

test('a script that ends before its turn does has ended it', () => {
  const s = project();
  const env = { ...Object.fromEntries(s.world.env), PATH: `${bin}:${process.env['PATH']}` };
  const text = 'set -e; eval "$(belay turn begin)"; rm a; false; belay turn end';
  spawnSync('setsid', ['-w', 'sh', '-c', text], { cwd: s.root, env, stdio: 'ignore' });
  assert.ok(!fs.existsSync(join(s.root, 'a')));
  script(s, 'belay undo --yes');
  assert.equal(fs.readFileSync(join(s.root, 'a'), 'utf8'), 'a');
});

test('where each line that is typed is a turn, none is begun; what such a line runs may begin its own', () => {
  const s = project();
  const asked = script(
    s,
    'BELAY_LOADED=bash:$$: belay turn begin --json || echo $?; BELAY_LOADED=bash:1: belay turn begin --json',
  );
  assert.match(asked, /"at_prompt"[\s\S]*\n3\n[\s\S]*"session"/);
});

test.run();
