import { spawn } from 'node:child_process';
import os from 'node:os';
import { compiledProgram, isCompiled } from '../platform/compiled.ts';

/**
 * Runs another `belay-snap` that outlives this one: a session of its own, no terminal on any descriptor, and nobody waits for
 * it (a child with the terminal would keep it open after the shell is gone).
 */
export function detach(args: readonly string[]): void {
  // A compiled belay-snap is its own program; on node the script comes first.
  const [program, script] = isCompiled()
    ? [compiledProgram(), []]
    : [process.execPath, [...process.execArgv, process.argv[1] ?? '']];
  const child = spawn(program, [...script, ...args], { cwd: '/', detached: true, stdio: 'ignore' });
  child.on('error', () => undefined); // the turn stays pending: whoever comes next settles it
  child.unref();
}

/** Behind everything that somebody waits for. */
export function beNice(): void {
  try {
    os.setPriority(19);
  } catch {
    // not allowed to: then at the usual priority
  }
}
