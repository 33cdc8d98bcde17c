import fs from 'node:fs';
import { nameOf, type ProcessName } from '../platform/processes.ts';

/** Programs through which a hook is started: they end with it. */
const BETWEEN = /^(sh|bash|dash|zsh|fish|busybox|env|timeout|belay|belay-snap)$/;

/** The program that runs this hook: its first ancestor that is no shell. Undefined without /proc. */
export function agentProcess(): ProcessName | undefined {
  try {
    for (let pid = process.ppid; pid > 1; ) {
      if (!BETWEEN.test(fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim())) return nameOf(pid);
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
      pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }
  } catch {
    // no /proc, or a parent that has just ended: nobody will be told from a killed agent
  }
  return undefined;
}
