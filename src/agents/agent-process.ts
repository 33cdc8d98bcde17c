import { nameOf, type ProcessName, processesAbove, programOf } from '../platform/processes.ts';

/** Programs through which a hook is started: they end with it. */
const BETWEEN = /^(sh|bash|dash|zsh|fish|busybox|env|timeout|belay|belay-snap)$/;

/** The program that runs this hook: its first ancestor that is no shell. Undefined where nobody can know: none will be told from a killed agent. */
export function agentProcess(): ProcessName | undefined {
  for (const pid of processesAbove()) {
    const program = programOf(pid);
    if (program === undefined) return undefined;
    if (!BETWEEN.test(program)) return nameOf(pid);
  }
  return undefined;
}
