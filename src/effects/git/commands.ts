import type { Bytes } from '../../platform/bytes.ts';
import { checkout, restore, switchBranch } from './checkout.ts';
import { clean } from './clean.ts';
import { reset } from './reset.ts';
import type { Scene } from './scene.ts';

export const COMMANDS: ReadonlyMap<Bytes, (scene: Scene) => void> = new Map([
  ['checkout', checkout],
  ['switch', switchBranch],
  ['restore', restore],
  ['reset', reset],
  ['clean', clean],
]);

/** Commands that only read, print, or add what nobody loses. */
export const HARMLESS: ReadonlySet<Bytes> = new Set(['status', 'diff', 'log', 'show']);
