import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtSnap } from '../built.ts';
import type { Scene } from '../saving/given.ts';

const [program, ...script] = builtSnap() as [string, ...string[]];
const fixtures = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');

export interface Hooked {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A recorded event of an agent, in the scene's project instead of `/w/proj`, with some fields otherwise. */
export function recorded(s: Scene, agent: string, name: string, more: Record<string, unknown> = {}): string {
  const text = fs.readFileSync(join(fixtures, agent, `${name}.json`), 'utf8').replaceAll('/w/proj', s.root);
  const event = JSON.parse(text);
  for (const [field, value] of Object.entries(more))
    event[field] = isObject(value) && isObject(event[field]) ? { ...event[field], ...value } : value;
  return JSON.stringify(event);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const recordedNames = (agent: string): string[] =>
  fs.readdirSync(join(fixtures, agent)).map((file) => file.replace(/\.json$/, ''));

/** The hook itself, as the agent runs it. */
export function hook(s: Scene, agent: string, input: string, env: Record<string, string> = {}): Hooked {
  const done = spawnSync(program, [...script, 'hook', agent], {
    cwd: s.root,
    env: { ...Object.fromEntries(s.world.env), ...env },
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

export const logOf = (s: Scene): string => {
  const file = join(s.home, 'logs/belay.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};
