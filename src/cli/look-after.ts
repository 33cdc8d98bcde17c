import { spawn } from 'node:child_process';
import { type Bytes, toText } from '../platform/bytes.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { isPruneDue } from '../saving/prune.ts';
import { openWorld } from '../saving/world.ts';

/**
 * What was just written may have taken the store over its size: that is seen to in the background, and nobody waits for it. The command
 * is done and has its answer: what fails here is logged.
 */
export async function lookAfter(install: Bytes): Promise<void> {
  const world = await openWorld();
  try {
    if (!isPruneDue(world)) return;
  } catch (error) {
    log(world.home, `the size of the store: ${describe(error)}`);
    return;
  }
  const child = spawn(toText(join(install, 'bin/belay-snap')), ['settle'], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined); // the next line's settle sees to it
  child.unref();
}
