import type { Plan } from '../effects/types.ts';
import type { Bytes } from '../platform/bytes.ts';
import { describe, log } from '../platform/log.ts';
import { writeNote } from '../platform/notes.ts';
import { isInside, join } from '../platform/paths.ts';
import { randomHex } from '../platform/random.ts';

/** A worktree that a line is about to remove, as `git worktree remove` names it. */
export interface Leaving {
  readonly v: 1;
  readonly path: Bytes;
  readonly commonDir: Bytes;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Notes of worktrees that lines were about to remove: read when the turn is over, by what runs hooks/post-worktree-remove. */
export const leavingFolder = (home: Bytes): Bytes => join(home, 'worktrees/leaving');

/**
 * git runs no hook when a worktree is removed, so the plan is the place to see it: by whatever options, alias or folder it was said, at a
 * prompt, in a script or by an agent. Nobody waits: it costs one small file.
 */
export function noteLeaving(plan: Plan, home: Bytes): void {
  try {
    writeNotes(plan, home);
  } catch (error) {
    // The hook is not run: the sweep finds the worktree gone. Saving the line comes first.
    log(home, `worktrees that leave: ${describe(error)}`);
  }
}

function writeNotes({ effects, git }: Plan, home: Bytes): void {
  for (const { verb, way, path } of effects) {
    if (verb !== 'git worktree' || way !== 'delete') continue;
    const commonDir = git.find((one) => one.verb === verb)?.commonDir;
    if (commonDir === undefined || isInside(path, commonDir)) continue;
    const note: Leaving = { v: 1, path, commonDir, at: Date.now() };
    writeNote(join(leavingFolder(home), randomHex(8)), note);
  }
}
