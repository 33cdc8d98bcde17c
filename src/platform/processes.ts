import fs from 'node:fs';
import { codeOf } from './files.ts';

/** A process so named that a later one of the same number is not mistaken for it. */
export interface ProcessName {
  /** The machine, where it has a name of its own: the same one with another boot has started again. */
  readonly machine: string;
  readonly boot: string;
  /** PID namespace: numbers of another one mean nothing here. */
  readonly ns: string;
  readonly pid: number;
  /** Clock ticks since boot. */
  readonly start: string;
}

const readText = (path: string): string => {
  try {
    return fs.readFileSync(path, 'utf8').trim();
  } catch {
    return ''; // no /proc (macOS): the name is weaker, never wrong
  }
};

/** This start of the kernel; empty where there is no /proc. */
export const bootId = (): string => readText('/proc/sys/kernel/random/boot_id');

const namespace = (): string => {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
};

/** Field 22 of `/proc/<pid>/stat`, counted after the last `)`: the program's name may hold blanks and parentheses. */
function startOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Whether the process is a zombie: dead, only not yet waited for. */
const isZombie = (pid: number): boolean => {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
};

const machineName = (): string => {
  const id = readText('/etc/machine-id');
  return id === '' ? '' : `${id} ${readText('/proc/sys/kernel/hostname')}`;
};

export function nameOf(pid: number): ProcessName {
  return {
    machine: machineName(),
    boot: bootId(),
    ns: namespace(),
    pid,
    start: startOf(pid),
  };
}

/**
 * `dead` only on proof: same boot and namespace, and no such process, or another one under its number; or the machine has
 * started again since. `foreign`: another namespace or host; nobody here can know.
 */
export function stateOf(name: ProcessName): 'alive' | 'dead' | 'foreign' {
  const here = nameOf(process.pid);
  if (name.machine !== '' && name.machine === here.machine && name.boot !== here.boot) return 'dead';
  if (name.boot !== here.boot || name.ns !== here.ns) return 'foreign';
  try {
    process.kill(name.pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return 'dead';
    if (codeOf(error) !== 'EPERM') throw error;
  }
  if (name.start !== '' && startOf(name.pid) !== name.start) return 'dead';
  return isZombie(name.pid) ? 'dead' : 'alive';
}

/**
 * The living children of a process that were started at or after a time (ms since 1970) and, if they are another's, before this one; those above it,
 * and belay's own, left aside. None where there is no /proc.
 */
export function childrenSince(parent: number, since: number): number[] {
  const boot = /^btime (\d+)$/m.exec(readText('/proc/stat'))?.[1];
  if (boot === undefined) return [];
  const mine = ownLine();
  return allProcesses()
    .filter((pid) => !mine.has(pid) && parentOf(pid) === parent && !isZombie(pid))
    .filter(
      (pid) =>
        (parent === process.pid || isOlder(pid)) &&
        !/(?:^|[/\0])belay-snap(?:\.cjs)?\0/.test(readText(`/proc/${pid}/cmdline`)),
    )
    .filter((pid) => Number(boot) * 1000 + Number(startOf(pid)) * TICK_MS >= since - SLACK_MS);
}

const allProcesses = (): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** The living processes of a group; belay's own (what waits to end a turn) left aside. */
export const membersOf = (group: number): number[] =>
  allProcesses().filter((pid) => groupOf(pid) === group && !isZombie(pid) && !isBelays(pid));

/** Field 5 of `/proc/<pid>/stat`. */
function groupOf(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

/** Whether it was started before this process. Within a hundredth of a second the number tells. */
function isOlder(pid: number): boolean {
  const [its, own] = [Number(startOf(pid)), Number(startOf(process.pid))];
  return its < own || (its === own && pid < process.pid);
}

/** Whether it is what belay does behind everybody's back: belay-snap, what waits to end a turn, or a git that belay-snap has started. */
export function isBelays(pid: number): boolean {
  let one = pid;
  while (programOf(one) === 'git') one = parentOf(one);
  return isBelaySnap(readText(`/proc/${one}/cmdline`).split('\0'));
}

/** By the program, never by a word among others: an editor that has a file of that name open is not belay's. */
function isBelaySnap([program = '', script = '', ...rest]: readonly string[]): boolean {
  const named = /(?:^|\/)belay-snap(?:\.cjs)?$/;
  if (named.test(program)) return true;
  if (/(?:^|\/)node$/.test(program)) return named.test(script);
  return /(?:^|\/)bash$/.test(program) && [script, ...rest].some((word) => word.endsWith('/shims/parts/outlive.bash'));
}

/** Whether it is this process or one above it. */
export const isAbove = (pid: number): boolean => ownLine().has(pid);

const ownLine = (): ReadonlySet<number> => new Set([process.pid, ...processesAbove()]);

/** The parent of this process, its parent, and so on, up to the first that cannot be seen; the parent alone without /proc. */
export function processesAbove(): readonly number[] {
  const above: number[] = [];
  for (let pid = process.ppid; pid > 1 && !above.includes(pid); pid = parentOf(pid)) above.push(pid);
  return above;
}

/**
 * The outermost process above this one that is not the leader of its session: the script, or the agent, that somebody has started at a
 * shell; the leader itself where nothing is in between (cron, a service). Undefined where that cannot be seen.
 */
export function outermostAbove(): number | undefined {
  const above = processesAbove();
  const stat = readText(`/proc/${process.pid}/stat`);
  const leader = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
  const at = above.indexOf(leader);
  return at < 0 ? undefined : above[Math.max(0, at - 1)];
}

/** The name of the program that it runs, at most 15 bytes of it; undefined without /proc, or when it has ended. */
export const programOf = (pid: number): string | undefined => readText(`/proc/${pid}/comm`) || undefined;

/** Linux counts process times in hundredths of a second (`USER_HZ`); the boot time is told in whole seconds. */
const TICK_MS = 10;
const SLACK_MS = 1000;

function parentOf(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}
