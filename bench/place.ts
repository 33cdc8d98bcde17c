import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

/** An installation as `install.sh` lays it out, in a throwaway folder, with a home of its own. */
export interface Place {
  readonly snap: 'compiled' | 'node';
  readonly install: string;
  readonly env: Readonly<Record<string, string>>;
}

export const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'belay-bench-')));
process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));

/** `compiled` only where the build made an executable. */
export function places(): readonly Place[] {
  const made = [place('node')];
  if (fs.existsSync(join(checkout, 'dist/belay-snap'))) made.unshift(place('compiled'));
  return made;
}

function place(snap: Place['snap']): Place {
  const base = join(top, snap);
  const install = join(base, 'install');
  fs.mkdirSync(join(install, 'dist'), { recursive: true });
  for (const name of ['bin', 'shims']) fs.cpSync(join(checkout, name), join(install, name), { recursive: true });
  for (const name of fs.readdirSync(join(checkout, 'dist')).filter((one) => /^(?:belay|help|wrapper)/.test(one)))
    if (snap === 'compiled' || name !== 'belay-snap')
      fs.copyFileSync(join(checkout, 'dist', name), join(install, 'dist', name));
  run('sh', [join(install, 'shims/parts/native.sh'), install], {});
  for (const name of ['home', 'run']) fs.mkdirSync(join(base, name), { mode: 0o700 });
  return {
    snap,
    install,
    env: {
      ...bareEnvironment(base),
      PATH: `${join(install, 'bin')}:${process.env['PATH'] ?? ''}`,
      BELAY_HOME: join(base, 'belay'),
    },
  };
}

/** What the shells and programs see where belay is not. */
export const bareEnvironment = (base: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(base, 'home'),
  XDG_RUNTIME_DIR: join(base, 'run'),
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
});

/** The environment of shells that are not interactive: `belay init bash --print-env`. */
export function protectedEnvironment(place: Place): Record<string, string> {
  const said = run(join(place.install, 'bin/belay'), ['init', 'bash', '--print-env'], { env: place.env });
  const entries = said.split('\n').filter((entry) => entry.includes('='));
  const pairs = entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
  return { ...place.env, ...Object.fromEntries(pairs) };
}

/** Runs a program and gives back what it printed; a failure ends the run, for a figure of a failure is worth nothing. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string | Buffer },
): string {
  const done = spawnSync(program, args, {
    cwd: options.cwd ?? top,
    env: { ...(options.env ?? bareEnvironment(top)) },
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${done.error?.message ?? `${done.status}: ${done.stderr}`}`);
  return done.stdout;
}
