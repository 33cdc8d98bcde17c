import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The built belay-snap as a command: compiled or on node, as the runner asks (`BELAY_TEST_SNAP`). Built first where the sources
 * are newer.
 */
export function builtSnap(): readonly string[] {
  const built = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--if-stale'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the build failed: ${built.stdout}${built.stderr}`);
  const compiled = join(root, 'dist/belay-snap');
  if (process.env['BELAY_TEST_SNAP'] !== 'node' && existsSync(compiled)) return [compiled];
  return [process.execPath, join(root, 'dist/belay-snap.cjs')];
}
