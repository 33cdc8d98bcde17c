import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { test } from 'uvu';
import { type Scene, scene } from './given.ts';
import { lines } from './lines.ts';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A belay-snap made from the sources with these changes: file, what stands there, what stands there instead. */
async function changedSnap(s: Scene, changes: readonly (readonly [string, string, string])[]): Promise<string[]> {
  const outfile = join(s.top, 'changed-snap.cjs');
  const done = new Set<string>();
  await build({
    entryPoints: [join(top, 'src/snap/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': '__filename' },
    logLevel: 'error',
    plugins: [
      {
        name: 'changed',
        setup: ({ onLoad }) => {
          for (const [file, old, now] of changes)
            onLoad({ filter: new RegExp(`${file.replaceAll('.', '\\.')}$`) }, ({ path }) => {
              const text = fs.readFileSync(path, 'utf8');
              assert.ok(text.includes(old), `${file} has no ${old}`);
              done.add(file);
              return { contents: text.replace(old, now), loader: 'ts' };
            });
        },
      },
    ],
  });
  assert.equal(done.size, changes.length);
  return [process.execPath, outfile];
}

const NO_ROW = ['src/effects/families/coreutils.ts', "names: 'rm',", "names: 'rm-of-another-name',"] as const;
const HARMLESS = [
  'src/effects/harmless.ts',
  'export function isHarmless(program: Bytes): boolean {',
  "export function isHarmless(program: Bytes): boolean {\n  if (program === 'rm') return true;",
] as const;

function project(): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  fs.mkdirSync(join(s.root, 'd'));
  for (const name of ['a', 'd/b', 'd/c']) fs.writeFileSync(join(s.root, name), `content of ${name}`);
  return s;
}

const read = (s: Scene, name: string): string | undefined => {
  const path = join(s.root, name);
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined;
};

interface Done {
  readonly notes: string[];
}

test('a gap in the tables loses nothing captured: without the row for rm its line is opaque, and undone', async () => {
  const s = project();
  const { run, belay } = lines(s, undefined, await changedSnap(s, [NO_ROW]));
  run('rm -rf a d');
  assert.equal(read(s, 'a'), undefined);
  assert.equal(belay('undo').status, 0);
  for (const name of ['a', 'd/b', 'd/c']) assert.equal(read(s, name), `content of ${name}`);
});

for (const how of ['by pathspec', '--all'])
  test(`though rm were called harmless, undo lists what is gone, and it comes back: ${how}`, async () => {
    const s = project();
    const { run, belay } = lines(s, undefined, await changedSnap(s, [NO_ROW, HARMLESS]));
    run('echo changed > a');
    belay('checkpoint');
    run('rm -rf d');
    assert.deepEqual(belay<{ also_gone: string[] }>('list').json.also_gone, ['d/b', 'd/c']);
    assert.match(belay<Done>('undo').json.notes.join(' '), /d\/b, d\/c/);
    assert.equal(read(s, 'd/b'), undefined);
    if (how === '--all') {
      assert.equal(belay('rollback', '2', '--all').status, 0);
      assert.deepEqual([read(s, 'd/b'), read(s, 'd/c')], ['content of d/b', 'content of d/c']);
    } else {
      assert.equal(belay('rollback', '2', 'd/b').status, 0);
      assert.deepEqual([read(s, 'd/b'), read(s, 'd/c')], ['content of d/b', undefined]);
      // That restore found d/b absent: the checkpoint's own capture knows better what belongs to it.
      assert.equal(belay('rollback', '2', '--all').status, 0);
      assert.deepEqual([read(s, 'd/b'), read(s, 'd/c')], ['content of d/b', 'content of d/c']);
    }
  });

test.run();
