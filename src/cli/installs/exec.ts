import { spawn } from 'node:child_process';
import os from 'node:os';
import { leaseCurrent } from '../../installs/prepare.ts';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { type Call, failed, notThere, wrongUsage } from '../command.ts';
import { shown } from '../paths.ts';
import { checkoutOf, openHome } from './place.ts';

/** `belay installs exec -- CMD…`: its status is the command's. */
export async function execIn(call: Call, words: readonly Bytes[]): Promise<number> {
  const [program, ...args] = words.map(toText);
  if (program === undefined) throw wrongUsage('which command? belay installs exec -- CMD…');
  const world = await openHome();
  const checkout = checkoutOf(call, world);
  const leased = leaseCurrent(world.home, checkout);
  if (leased === undefined)
    throw notThere('no_install', `${shown(checkout)} has no environment`, 'belay installs prepare makes one.');
  const { environment } = leased;
  const folders = ['bin', 'node_modules/.bin']
    .map((name) => join(environment, name))
    .filter((folder) => lookAt(folder));
  const child = spawn(program, args, {
    cwd: call.cwd === undefined ? '/' : toText(call.cwd),
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(process.env['BELAY_NODE_OPTIONS'] === undefined ? {} : { NODE_OPTIONS: process.env['BELAY_NODE_OPTIONS'] }),
      PATH: [...folders.map(toText), process.env['PATH'] ?? ''].join(':'),
      BELAY_INSTALL_DIR: toText(environment),
    },
  });
  const lease = leased.lease(child.pid ?? process.pid);
  // What the terminal sends reaches the command by itself; what is sent to this process is passed on.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (error) => reject(failed('not_run', `${program} cannot be started: ${error.message}`)));
      child.on('close', (status, signal) => resolve(status ?? 128 + (os.constants.signals[signal ?? 'SIGTERM'] ?? 0)));
    });
  } finally {
    lease.end();
  }
}
