import { spawn } from 'node:child_process';
import { type Bytes, toText } from '../platform/bytes.ts';
import { join } from '../platform/paths.ts';
import { isPruneDue } from '../saving/prune.ts';
import { openWorld } from '../saving/world.ts';

/** What was just written may have taken the store over its size: that is seen to in the background, and nobody waits for it. */
export async function lookAfter(install: Bytes): Promise<void> {
  if (!isPruneDue(await openWorld())) return;
  const child = spawn(toText(join(install, 'bin/belay-snap')), ['settle'], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined); // the next line's settle sees to it
  child.unref();
}
