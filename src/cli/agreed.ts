import { createHash } from 'node:crypto';
import type { RestorePlan, Step } from '../checkpoint/plan/steps.ts';
import type { Look } from '../platform/files.ts';
import { type Call, refused } from './command.ts';
import type { Wish } from './restoring.ts';

/**
 * Names a plan of a restore: what would become of which path, what is there now, and git's state now where that goes back as well. What
 * was edited since bears another name, although the same paths would be written.
 */
export function planName({ did, roots, git }: Wish, { steps, kept }: RestorePlan): string {
  const parts = [did, [...roots], steps.map(stepOf), kept, git?.states ?? []];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

const stepOf = (step: Step): unknown => [
  step.do,
  step.path,
  seenOf(step.seen),
  step.becomes,
  ...(step.do === 'move' ? [step.from, seenOf(step.fromSeen)] : []),
];

/** The times of a folder change with what is in it, which has steps of its own. */
const seenOf = (look: Look | undefined): unknown =>
  look && [
    look.type,
    look.mode,
    look.dev,
    look.ino,
    ...(look.type === 'folder' ? [] : [look.size, look.mtime, look.ctime]),
  ];

/** `--agreed NAME`: that plan and no other. Asked within the lock that the restore is done in. */
export function mustBeAgreed(call: Call, name: string): void {
  const { agreed } = call.values;
  if (agreed !== undefined && agreed !== name)
    throw refused('changed_meanwhile', 'something has changed since the preview, so nothing was restored');
}
