import os from 'node:os';
import { fromText } from '../platform/bytes.ts';
import { nameOf } from '../platform/processes.ts';

const DAY = 86_400_000;

/** How this machine is called in records: as the shells write it, which leave other characters out. */
export const hostName = (): string => fromText(os.hostname().replace(/[^A-Za-z0-9._-]/g, ''));

/** What its record tells of a session that may go on. `last`: when it spoke last, ms since 1970. */
export interface Speaker {
  readonly ended: boolean;
  readonly pid: number | undefined;
  readonly start: string | undefined;
  /** The machine on which it is that process: where homes are shared, others have sessions there, too. */
  readonly host: string | undefined;
  readonly last: number;
}

/**
 * Whether a session may go on: its process lives; where nobody here can know, it spoke within a day, or (a shell of another machine, of
 * which an index here has no other sign than its record) within a week.
 */
export function mayGoOn({ ended, pid, start, host, last }: Speaker): boolean {
  if (ended) return false;
  if (pid === undefined || start === undefined) return Date.now() - last < DAY;
  if (host !== undefined && host !== hostName()) return Date.now() - last < 7 * DAY;
  return nameOf(pid).start === start;
}
