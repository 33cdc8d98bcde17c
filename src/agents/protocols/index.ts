import type { Protocol } from '../event.ts';
import { claude } from './claude.ts';

/** Every agent whose hooks belay understands. */
export const protocols: readonly Protocol[] = [claude];

export const protocolOf = (name: string): Protocol | undefined => protocols.find((one) => one.name === name);
