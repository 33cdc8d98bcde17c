import { createHash } from 'node:crypto';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { realAsFar } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/**
 * `installs/<key>/`: the dependency environments of one checkout.
 *
 *   inputs/.project-root      the checkout's path, written once an environment of it was whole
 *   inputs/.checkout.json     what proves later that the checkout was deleted (`Checkout`)
 *   .install.lock             flock(2): held by whoever changes or reclaims the state
 *   environments/<generation>/  an environment; `.leases/` in it names its living readers
 *   current                   a link to the generation that counts
 */
export const installsFolder = (home: Bytes): Bytes => join(home, 'installs');

/** First 16 hex digits of sha256(real path of the checkout). */
export const installKey = (checkout: Bytes): string =>
  createHash('sha256')
    .update(toBuffer(realAsFar(checkout)))
    .digest('hex')
    .slice(0, 16);

export const lockOf = (state: Bytes): Bytes => join(state, '.install.lock');
export const pathFile = (state: Bytes): Bytes => join(state, 'inputs/.project-root');
export const checkoutFile = (state: Bytes): Bytes => join(state, 'inputs/.checkout.json');
export const environmentsOf = (state: Bytes): Bytes => join(state, 'environments');
export const currentLink = (state: Bytes): Bytes => join(state, 'current');

/** A state on its way out: renamed under its lock, then deleted. Nobody uses it any more; whoever finds one finishes it. */
export const GONE = '.gone-';
