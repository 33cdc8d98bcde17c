import fs from 'node:fs';
import { type Bytes, fromBuffer, toText } from '../platform/bytes.ts';
import { isAbsentError, realAsFar } from '../platform/files.ts';
import { isInside } from '../platform/paths.ts';
import { isBelays, nameOf } from '../platform/processes.ts';
import { basesOf } from '../saving/place.ts';
import { isEnded, isOrphan, pendingTurns } from '../turns/pending.ts';

/** What works in which folder at this moment. */
export interface Workers {
  /** Processes by their working folder, but for this one. */
  readonly processes: readonly { readonly pid: number; readonly cwd: Bytes }[];
  /** Sessions with a turn under way, by its folder. */
  readonly sessions: readonly { readonly session: string; readonly cwd: Bytes }[];
}

/** One look at every process; those of other users cannot be seen, but by root. */
export function workers(home: Bytes): Workers {
  return { processes: processes(), sessions: sessions(home) };
}

function processes(): Workers['processes'] {
  let names: string[] = [];
  try {
    names = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch (error) {
    if (!isAbsentError(error)) throw error; // no /proc here (macOS): locks and sessions are what there is
  }
  return names
    .filter((name) => Number(name) !== process.pid)
    .flatMap((name) => leadsTo(`/proc/${name}/cwd`).map((cwd) => ({ pid: Number(name), cwd })));
}

const sessions = (home: Bytes): Workers['sessions'] =>
  basesOf(home)
    .flatMap(pendingTurns)
    .filter(({ folder, turn }) => !isEnded(folder) && !isOrphan(turn))
    .map(({ turn }) => ({ session: turn.session, cwd: realAsFar(turn.cwd) }));

/** Who works inside the folder; undefined where nobody is known to. What belay does behind everybody's back is nobody's work. */
export function userOf(folder: Bytes, { processes: all, sessions: some }: Workers): string | undefined {
  const one = all.find(({ pid, cwd }) => isInside(cwd, folder) && !isBelays(pid));
  if (one !== undefined) return `pid ${one.pid}`;
  const session = some.find(({ cwd }) => isInside(cwd, folder))?.session;
  return session === undefined ? undefined : `session ${session}`;
}

/** A process that stands in the folder or has something in it open: it could still write there, whatever its name is now. */
export function openerOf(folder: Bytes): number | undefined {
  for (const { pid, links } of openBy())
    for (const link of links()) if (isInside(link, folder) && !isBelays(pid)) return pid;
  return undefined;
}

/** What belay does in the background takes moments: a capture of a project, the end of a turn. */
const PATIENCE_MS = 20_000;

/**
 * Waits until belay's own processes have left the folder: what they are about to record is the tree as it is. False where one is still
 * there after `patience` ms: it would find the tree gone, and record that as somebody's deletion.
 */
export async function ownHaveLeft(folder: Bytes, patience = PATIENCE_MS): Promise<boolean> {
  const isThere = (): boolean => processes().some(({ pid, cwd }) => isInside(cwd, folder) && isBelays(pid));
  for (const until = Date.now() + patience; isThere(); await new Promise((done) => setTimeout(done, 50)))
    if (Date.now() >= until) return false;
  return true;
}

export const STILL_OURS = 'belay is still at work in it';

function* openBy(): Generator<{ readonly pid: number; readonly links: () => Bytes[] }> {
  for (const name of fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc').filter((one) => /^\d+$/.test(one)) : []) {
    if (Number(name) === process.pid) continue;
    yield {
      pid: Number(name),
      links: () => ['cwd', 'root', ...filesOf(name)].flatMap((one) => leadsTo(`/proc/${name}/${one}`)),
    };
  }
}

function filesOf(pid: string): string[] {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).map((fd) => `fd/${fd}`);
  } catch {
    return []; // gone meanwhile, or another user's
  }
}

function leadsTo(link: string): Bytes[] {
  try {
    const to = fromBuffer(fs.readlinkSync(link, 'buffer'));
    return to === '/' ? [] : [to];
  } catch {
    return []; // gone meanwhile, or another user's
  }
}

/** How belay locks a worktree that a process of its works in: enough to tell later that the process is dead. */
export function lockReason(pid: number): string {
  const { boot, ns, start } = nameOf(pid);
  return `belay: pid ${pid} start ${start} boot ${boot} ${ns}`;
}

/** Of a locked worktree: whether the process that its reason names is dead. Other tools name a process id, some its start. */
export function isOwnerDead(reason: Bytes): boolean {
  const [, number, start] = /\bpid[ :=#]*(\d{1,10})\b(?: start (\d+))?/i.exec(toText(reason)) ?? [];
  if (number === undefined || !fs.existsSync('/proc/self/stat')) return false;
  const now = nameOf(Number(number));
  const boot = /\bboot ([0-9a-f-]+)(?: (\S+))?/.exec(reason);
  if (boot !== null && (boot[2] ?? '') !== now.ns) return false; // another namespace's numbers
  if (boot !== null && boot[1] !== now.boot) return true;
  return now.start === '' || (start !== undefined && now.start !== start);
}
