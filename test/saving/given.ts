import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { readHistories, readObjects } from '../../src/checkpoint/read.ts';
import type { Change, CheckpointRecord } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import type { Plan, Target } from '../../src/effects/types.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import type { World } from '../../src/saving/world.ts';
import type { TurnIdentity } from '../../src/turns/types.ts';

export interface Scene {
  readonly top: string;
  readonly home: string;
  readonly root: string;
  readonly world: World;
  turn(turn: string, cwd?: string): TurnIdentity;
}

const made: string[] = [];
const mounts: string[] = [];
process.on('exit', () => {
  for (const folder of mounts) spawnSync('umount', ['-l', folder]);
  for (const top of made) fs.rmSync(top, { recursive: true, force: true });
});

/** A temporary home, runtime folder and git-less project, gone when the process ends. */
export function scene(where: string = os.tmpdir()): Scene {
  const top = fs.realpathSync(fs.mkdtempSync(join(where, 'belay-save-')));
  made.push(top);
  const [home, root, run] = ['belay', 'project', 'run'].map((name) => join(top, name)) as [string, string, string];
  fs.mkdirSync(join(root, '.git'), { recursive: true });
  fs.mkdirSync(run, { mode: 0o700 });
  fs.mkdirSync(join(top, 'user'));
  const env = new Map([
    ['HOME', join(top, 'user')],
    ['BELAY_HOME', home],
    ['XDG_RUNTIME_DIR', run],
    ['PATH', process.env['PATH'] ?? ''],
  ]);
  const world: World = { env, home: fromText(home), userHome: join(top, 'user'), config: DEFAULTS, off: false };
  return {
    top,
    home,
    root,
    world,
    turn: (turn, cwd = root) => ({
      session: '20250101_000000_abcdef',
      turn,
      source: 'run',
      shell: 'bash',
      cwd,
      line: `line ${turn}`,
      hidden: false,
      pid: process.pid,
    }),
  };
}

const GIT = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};

/** git as somebody without a configuration has it. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], { cwd, env: GIT, encoding: 'latin1', stdio: 'pipe' });

/** A scene whose project is a repository. */
export function repository(): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  git(s.root, 'init', '-q');
  return s;
}

export const target = (path: string, given: Partial<Target> = {}): Target => ({
  path,
  way: 'delete',
  recursive: true,
  deferred: false,
  exposed: false,
  ...given,
});

export const plan = (targets: readonly Target[], given: Partial<Plan> = {}): Plan => ({
  destructive: true,
  parsed: true,
  effects: [],
  targets,
  git: [],
  captures: [],
  dirs: [],
  projects: [],
  verbs: ['rm'],
  unknownPrograms: [],
  remarks: [],
  ...given,
});

export function records(s: Scene): CheckpointRecord[] {
  return [...readHistories(openStore(s.home)).values()].flatMap(({ checkpoints }) => checkpoints.map((c) => c.record));
}

export function changeOf(record: CheckpointRecord | undefined, path: string): Change | undefined {
  return record?.changes.find((change) => change.path === path);
}

export function before(s: Scene, record: CheckpointRecord, change: Change | undefined): Buffer | undefined {
  if (change?.before.kind !== 'file') return undefined;
  const { content } = change.before;
  const store = openStore(s.home);
  if (content.at === 'git') return readObjects(store, [content.oid])[0];
  if (content.at !== 'hold') return undefined;
  if (content.path.startsWith('/')) return fs.readFileSync(content.path);
  const key = [...readHistories(store)].find(([, { checkpoints }]) =>
    checkpoints.some((c) => c.record === record || c.record.order === record.order),
  )?.[0];
  return fs.readFileSync(join(store.base, 'holds', key ?? '', String(record.n), content.path));
}

/** A file system of its own at a folder of the scene, unmounted when the process ends; undefined where nobody may mount. */
export function mounted(s: Scene, name: string, size = '64m'): string | undefined {
  const folder = join(s.top, name);
  fs.mkdirSync(folder, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'belay-test', folder]).status !== 0) {
    console.log('may not mount here: skipped');
    return undefined;
  }
  mounts.push(folder);
  return folder;
}
