import type { Bytes } from '../../platform/bytes.ts';
import type { GitAnswer } from '../../platform/git.ts';

export type Failure = GitAnswer & { readonly ok: false };

/**
 * Whether a git that failed has said that an object is missing or broken. Every other failure (a full disk, no time, no permission)
 * proves nothing about the store. The words are those of git 2.30 to 2.50 in the C locale.
 */
export const provesLoss = ({ code, err }: Failure): boolean =>
  typeof code === 'number' &&
  !/No space left|Input\/output error|Disk quota|Permission denied|Too many open files|out of memory|Cannot allocate/i.test(
    err,
  ) &&
  /missing|corrupt|inflate|hash mismatch|garbage at end|unable to (?:read|parse|unpack|find)|(?:could not|failed to|cannot) (?:read|parse|unpack|traverse)|bad (?:object|tree|blob|commit|revision)|not a (?:valid|tree|blob|commit)|invalid object|Not a valid object/i.test(
    err,
  );

/** One line for people. */
export const whyNot = ({ code, err }: Failure): Bytes => err.trim().split('\n').at(-1) || `git: ${code}`;
