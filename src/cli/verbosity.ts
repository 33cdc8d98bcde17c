import { echoLog } from '../platform/log.ts';

/** `--verbose`, once for the whole call. */
let verbose = false;

/** What goes into the log is said on standard error, too, and lists of paths are told whole. */
export function chooseVerbose(): void {
  verbose = true;
  echoLog();
}

/** So many of a list are named; all of them with `--verbose`. */
export const most = (usual: number): number => (verbose ? Number.POSITIVE_INFINITY : usual);
