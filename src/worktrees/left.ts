import { spawnSync } from 'node:child_process';
import { type Bytes, isText, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, namesInOrNone, removeFile } from '../platform/files.ts';
import { describe, log } from '../platform/log.ts';
import { readNote } from '../platform/notes.ts';
import { join } from '../platform/paths.ts';
import { type Leaving, leavingFolder } from '../saving/leaving.ts';
import type { World } from '../saving/world.ts';

/** A line that has not removed its worktree by now will not, ms. */
const LONGEST_MS = 3_600_000;

/** What a hook may take, ms: it runs behind everybody's back. */
const HOOK_MS = 600_000;

/**
 * Runs hooks/post-worktree-remove for every worktree that a line removed since: `PATH COMMON_DIR`, nothing on standard input, its output
 * nowhere. A failure is logged; the sweep comes by later.
 */
export function runLeftHooks(world: World, install: Bytes): void {
  const { home } = world;
  if (world.off || home === undefined) return;
  for (const name of namesInOrNone(leavingFolder(home))) {
    const file = join(leavingFolder(home), name);
    try {
      const note = readNote<Leaving>(file, ['path', 'commonDir']);
      const left = note !== undefined && lookAt(note.path) === undefined && lookAt(note.commonDir) !== undefined;
      if (!left && note !== undefined && Date.now() - note.at < LONGEST_MS) continue;
      removeFile(file); // first: a hook that fails is not run again and again
      if (left) runHook(home, install, note);
    } catch (error) {
      log(home, `hooks/post-worktree-remove: ${describe(error)}`, 'debug');
    }
  }
}

function runHook(home: Bytes, install: Bytes, { path, commonDir }: Leaving): void {
  if (![path, commonDir, install].every(isText)) return; // argv would change it: the sweep finds it all the same
  const done = spawnSync(toText(join(install, 'hooks/post-worktree-remove')), [toText(path), toText(commonDir)], {
    cwd: '/',
    stdio: 'ignore',
    timeout: HOOK_MS,
  });
  if (done.status === 0) return;
  const why = done.error === undefined ? `ended with ${done.status ?? done.signal}` : codeOf(done.error);
  log(home, `hooks/post-worktree-remove ${toText(path)}: ${why}`, 'debug');
}
