import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { LOADER } from '../loader.ts';

export interface Home {
  readonly top: string;
  readonly home: string;
}

/** Memory, where there is some: a test that makes thousands of stores waits for no disk. */
function inMemory(): string {
  try {
    fs.accessSync('/dev/shm', fs.constants.W_OK);
    return fs.statfsSync('/dev/shm').bavail * fs.statfsSync('/dev/shm').bsize > 256 << 20 ? '/dev/shm' : os.tmpdir();
  } catch {
    return os.tmpdir(); // no such folder here (macOS): the disk does as well
  }
}

/**
 * belay reads its environment as bytes from `/proc/self/environ`, which a process cannot change for itself: so the test file is
 * started once more with a home, a runtime folder and a session of its own. Returns in that second process only.
 */
export function inOwnHome(file: string, options: { readonly memory?: boolean } = {}): Home {
  const given = process.env['BELAY_TEST_TOP'];
  if (given !== undefined) return { top: given, home: join(given, 'home') };
  const top = fs.realpathSync(fs.mkdtempSync(join(options.memory ? inMemory() : os.tmpdir(), 'belay-test-')));
  for (const name of ['person', 'run']) fs.mkdirSync(join(top, name), { mode: 0o700 });
  const { BELAY_GRANT: _, BELAY_REMOTE: __, BELAY_AGENT: ___, BELAY_DISABLE: ____, ...env } = process.env;
  const done = spawnSync(process.execPath, ['--import', LOADER, file], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...env,
      BELAY_TEST_TOP: top,
      BELAY_HOME: join(top, 'home'),
      HOME: join(top, 'person'),
      XDG_RUNTIME_DIR: join(top, 'run'),
      BELAY_SESSION: '20250101_000000_abcdef',
      BELAY_TURN: '9999',
    },
  });
  spawnSync('chmod', ['-R', 'u+rwx', top]);
  // A settle in the background may be at it still.
  spawnSync('sh', ['-c', 'for i in $(seq 200); do rm -rf "$1" 2>/dev/null && exit; sleep 0.1; done', 'sh', top]);
  process.exit(done.status ?? 1);
}
