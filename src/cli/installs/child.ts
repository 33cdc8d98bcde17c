import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { failed } from '../command.ts';

/** The environment of a program that finds an install state's programs first. */
export function withInstall(environment: Bytes): Record<string, string> {
  const folders = ['bin', 'node_modules/.bin']
    .map((name) => join(environment, name))
    .filter((folder) => lookAt(folder) !== undefined);
  return {
    PATH: [...folders.map(toText), process.env['PATH'] ?? ''].join(':'),
    BELAY_INSTALL_DIR: toText(environment),
  };
}

export interface Child {
  readonly child: ChildProcess;
  /** Its status as a shell says it. */
  readonly status: Promise<number>;
}

/** Starts the user's program on this terminal, with the user's own environment but for `more`; `status` waits for it. */
export function startChild(program: string, args: readonly string[], cwd: Bytes, more: Record<string, string>): Child {
  const { BELAY_NODE_OPTIONS: options, ...env } = process.env;
  const child = spawn(program, [...args], {
    cwd: toText(cwd),
    stdio: 'inherit',
    env: { ...env, ...(options === undefined ? {} : { NODE_OPTIONS: options }), ...more },
  });
  // What the terminal sends reaches the program by itself; what is sent to this process is passed on.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const status = new Promise<number>((resolve, reject) => {
    child.on('error', (error) => reject(failed('not_run', `${program} cannot be started: ${error.message}`)));
    child.on('close', (code, signal) => resolve(code ?? 128 + (os.constants.signals[signal ?? 'SIGTERM'] ?? 0)));
  });
  return { child, status };
}
