import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../src/cli/command.ts';
import { answerTo } from '../../src/cli/main.ts';
import { builtBelay } from '../built.ts';

/** What a restore says in its document. */
export interface Restored {
  readonly restored: string[];
  readonly removed: string[];
  readonly kept: { path: string; why: string; reason: string }[];
  readonly safety: number | null;
  readonly notes: string[];
  readonly plan?: string;
}

export interface Answered<T> {
  readonly exit: number;
  readonly json: T;
  readonly text: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** `belay WORDS`, in this process, called in `cwd`. */
export async function belay<T = Restored>(cwd: string, ...words: string[]): Promise<Answered<T>> {
  try {
    const latin = ['-C', cwd, ...words].map((word) => Buffer.from(word).toString('latin1'));
    const answer = await answerTo(latin);
    if (typeof answer === 'number') return { exit: answer, json: {} as T, text: '', code: '', message: '', hint: '' };
    return { exit: answer.exit ?? 0, json: answer.json as T, text: answer.text, code: '', message: '', hint: '' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { exit, code, message, hint } = error;
    return { exit, json: {} as T, text: '', code, message, hint: hint ?? '' };
  }
}

/** The same as a process of its own, as it was built. */
export function spawnBelay(
  cwd: string,
  words: string[],
  env: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  const [node, file] = builtBelay();
  const done = spawnSync(node, [file, ...words], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

/** Writes files, making their folders. */
export function put(root: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), content);
  }
}

let projects = 0;

/** A project folder of its own below `top`. */
export function project(at: { readonly top: string }, files: Record<string, string> = {}): string {
  projects++;
  const root = join(at.top, `project${projects}`);
  put(root, { 'package.json': '{}', ...files });
  return root;
}
