import { spawn } from 'node:child_process';
import { prepare } from '../../installs/prepare.ts';
import { type Bytes, fromText, toText } from '../../platform/bytes.ts';
import { type Answer, type Call, failed, wrongUsage } from '../command.ts';
import { pathKeys, shown } from '../paths.ts';
import { checkoutOf, type Homed, openHome } from './place.ts';

/** `belay installs prepare`. */
export async function prepareHere(call: Call): Promise<Answer> {
  const world = await openHome();
  const given = call.values['setup'];
  const setup = typeof given === 'string' ? given : fromText(world.config.installs.setup);
  if (setup.trim() === '') throw wrongUsage('how? --setup CMD, or installs.setup in the configuration');
  const checkout = checkoutOf(call, world);
  const { key, environment } = await prepareFor(world, checkout, setup);
  const keys = pathKeys(environment);
  return {
    json: { key, environment: keys.path, checkout: pathKeys(checkout).path },
    text: `${shown(environment)} is the environment of ${shown(checkout)} now\n`,
  };
}

/** Runs the setup command in the checkout; its output is for the person who waits, so it goes to stderr. */
export async function prepareFor(
  world: Homed,
  checkout: Bytes,
  setup: Bytes,
): Promise<{ readonly key: string; readonly environment: Bytes }> {
  const done = await prepare(world.home, checkout, (environment) => runSetup(checkout, setup, environment));
  if (done.is === 'busy')
    throw failed('install_busy', `the install state of ${shown(checkout)} stayed locked by another process`);
  if (done.is === 'failed')
    throw failed(
      'setup_failed',
      `the setup command ended with status ${done.status}: the environment before is still the current one`,
      'Mend the command (--setup, or installs.setup), then run this again.',
    );
  return done;
}

function runSetup(checkout: Bytes, setup: Bytes, environment: Bytes): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', toText(setup)], {
      cwd: toText(checkout),
      stdio: ['inherit', 2, 2],
      env: { ...process.env, BELAY_INSTALL_DIR: toText(environment), BELAY_CHECKOUT: toText(checkout) },
    });
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
}
