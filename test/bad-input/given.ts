import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROMPT, Terminal } from '../pty/terminal.ts';

/** An installation, a home and a project that may be broken in every way a machine can be. */

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'belay-bad-')));
fs.chmodSync(top, 0o755);
const mounts: string[] = [];

const open: Terminal[] = [];

/** For `suite.after`: what a test that failed left open is closed, what was mounted goes. */
export async function clear(): Promise<void> {
  for (const terminal of open) await terminal.close();
  for (const folder of mounts) spawnSync('umount', ['-l', folder]);
  fs.rmSync(top, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

export const isRoot = process.getuid?.() === 0;

export interface Place {
  readonly folder: string;
  readonly project: string;
  readonly store: string;
  readonly install: string;
  readonly env: Record<string, string>;
  /** The lines of `logs/belay.log`. */
  log(): readonly string[];
}

let count = 0;

/** `compiled: false` leaves the executable out, whatever build is tested. */
export function place(more: { readonly compiled?: boolean } = {}): Place {
  const folder = join(top, String(count++));
  const at = (name: string): string => join(folder, name);
  for (const name of ['home', 'run', 'project', 'belay', 'install/dist']) fs.mkdirSync(at(name), { recursive: true });
  fs.chmodSync(at('run'), 0o700);
  fs.chmodSync(at('belay'), 0o700);
  for (const name of ['bin', 'shims']) fs.cpSync(join(checkout, name), at(`install/${name}`), { recursive: true });
  for (const name of fs
    .readdirSync(join(checkout, 'dist'))
    .filter((one) => one.startsWith('belay') && one !== 'belay-snap'))
    fs.copyFileSync(join(checkout, 'dist', name), at(`install/dist/${name}`));
  const compiled = process.env['BELAY_TEST_SNAP'] !== 'node' && more.compiled !== false;
  if (compiled && fs.existsSync(join(checkout, 'dist/belay-snap')))
    fs.linkSync(join(checkout, 'dist/belay-snap'), at('install/dist/belay-snap'));
  const store = at('belay');
  return {
    folder,
    project: at('project'),
    store,
    install: at('install'),
    env: {
      HOME: at('home'),
      BELAY_HOME: store,
      XDG_RUNTIME_DIR: at('run'),
      PATH: `${at('install/bin')}:${process.env['PATH'] ?? ''}`,
      LC_ALL: 'C.UTF-8',
    },
    log: () => {
      const file = join(store, 'logs/belay.log');
      return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
    },
  };
}

/** A bash that has loaded belay, at its prompt in the project. */
export async function bash(
  { folder, install, project, env }: Place,
  prefix: readonly string[] = [],
): Promise<Terminal> {
  const rc = join(folder, 'rc');
  // An absolute path: PATH may be what is broken.
  fs.writeFileSync(rc, `__n=0\nPS1='${PROMPT}'\nHISTFILE=\neval "$('${install}/bin/belay' init bash)"\n`);
  const terminal = await Terminal.open([...prefix, 'bash', '--rcfile', rc, '-i'], { cwd: project, env });
  open.push(terminal);
  return terminal;
}

export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `belay …`, as from a script. */
export function belay(given: Place, args: readonly string[], env: Record<string, string | undefined> = {}): Said {
  return spawnSync(join(given.install, 'bin/belay'), args, {
    cwd: given.project,
    env: { ...given.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

/** What doctor calls wrong, or worth knowing. */
export function diagnosis(given: Place, env: Record<string, string | undefined> = {}): string {
  const said = belay(given, ['doctor', '--json'], env);
  const { findings } = JSON.parse(said.stdout) as { findings: { check: string; level: string; text: string }[] };
  return findings
    .filter(({ level }) => level !== 'fine')
    .map(({ check, level, text }) => `${level} ${check}: ${text}`)
    .join('\n');
}

/** Every program of the real PATH but those named. */
export function pathWithout(given: Place, gone: readonly string[]): string {
  const folder = join(given.folder, 'programs');
  fs.mkdirSync(folder);
  for (const from of (process.env['PATH'] ?? '').split(':').reverse()) {
    if (!fs.existsSync(from)) continue;
    for (const name of fs.readdirSync(from)) {
      if (gone.includes(name)) continue;
      fs.rmSync(join(folder, name), { force: true });
      fs.symlinkSync(join(from, name), join(folder, name));
    }
  }
  return folder;
}

/** A small file system of its own there; false where this machine does not let us. */
export function mount(folder: string, options: string): boolean {
  if (!isRoot || spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder]).status !== 0) return false;
  mounts.push(folder);
  return true;
}

export const write = (given: Place, name: string, content: string | Uint8Array, mode = 0o644): void => {
  fs.mkdirSync(dirname(join(given.project, name)), { recursive: true });
  fs.writeFileSync(join(given.project, name), content, { mode });
};

export const exists = (given: Place, name: string): boolean => fs.existsSync(join(given.project, name));
