import { spawn } from 'node:child_process';
import { type Bytes, fromBuffer, isText, toText } from './bytes.ts';

export interface Ran {
  readonly status: number | null;
  readonly out: Bytes;
}

/**
 * A program of the system's, beside this process, with paths as its last words; what it says of failures is dropped. By its path: what is
 * in PATH may be belay's wrapper. Undefined where it is not there, or cannot be told these paths (node hands over text only).
 */
export function runBeside(
  program: string,
  options: readonly string[],
  paths: readonly Bytes[],
  after: readonly string[] = [],
): Promise<Ran | undefined> {
  if (!paths.every(isText)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const child = spawn(program, [...options, ...paths.map(toText), ...after], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const out: Buffer[] = [];
    child.stdout.on('data', (piece) => out.push(piece));
    child.on('error', () => resolve(undefined));
    child.on('close', (status) => resolve({ status, out: fromBuffer(Buffer.concat(out)) }));
  });
}
