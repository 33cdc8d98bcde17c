import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { codeOf } from '../../platform/files.ts';

/** A throwaway folder with a home, a store and a runtime folder of its own: nothing of the person's is touched. */
export interface Stage {
  readonly folder: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a shell needs from outside; everything else could steer it, belay or git. */
const KEPT = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'USER', 'LOGNAME'];

/** `install`: where `bin/` and `shims/` lie. */
export function setStage(install: string, colour: boolean): Stage {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'belay-demo-')));
  const project = join(folder, 'shop');
  for (const name of [project, join(folder, 'home'), join(folder, 'run')]) fs.mkdirSync(name, { mode: 0o700 });
  const env: Record<string, string> = {};
  for (const name of KEPT) if (process.env[name] !== undefined) env[name] = process.env[name];
  Object.assign(env, {
    PATH: [join(install, 'bin'), process.env['PATH'] ?? '/usr/bin:/bin'].join(delimiter),
    HOME: join(folder, 'home'),
    BELAY_HOME: join(folder, 'belay'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    TERM: colour ? (process.env['TERM'] ?? 'xterm') : 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    // Without it a bash whose standard input is a socket, as node's pipes are, believes that rshd has started it.
    SHLVL: '1',
  });
  const made = spawnSync('sh', [join(install, 'shims/demo-setup.sh'), project], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (made.status !== 0) {
    strike({ folder, project, env });
    throw new Error(`the project of the demo could not be made: ${made.error?.message ?? made.stderr.trim()}`);
  }
  return { folder, project, env };
}

/** The folder goes; what still settles in the background may write into it for a moment. */
export function strike(stage: Stage): void {
  for (let tries = 0; ; tries++) {
    try {
      fs.rmSync(stage.folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (codeOf(error) !== 'ENOTEMPTY' || tries === 100) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
