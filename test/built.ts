import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOADER } from './loader.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

let fresh = false;

/** Builds where the sources are newer than what is built: once a process, and once a run of test/run.ts (`BELAY_TEST_BUILT`). */
function build(): void {
  const said = process.env['BELAY_TEST_BUILT'];
  if (fresh || (said !== undefined && existsSync(said))) return;
  const built = spawnSync(process.execPath, ['--import', LOADER, 'scripts/build.ts', '--if-stale'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the build failed: ${built.stdout}${built.stderr}`);
  fresh = true;
  if (said !== undefined) writeFileSync(said, '');
}

/** The built belay-snap as a command: compiled or on node, as the runner asks (`BELAY_TEST_SNAP`). */
export function builtSnap(): readonly string[] {
  build();
  const compiled = join(root, 'dist/belay-snap');
  if (process.env['BELAY_TEST_SNAP'] !== 'node' && existsSync(compiled)) return [compiled];
  return [process.execPath, join(root, 'dist/belay-snap.cjs')];
}

/** The built belay as a command, on node. */
export function builtBelay(): readonly [string, string] {
  build();
  return [process.execPath, join(root, 'dist/belay.cjs')];
}
