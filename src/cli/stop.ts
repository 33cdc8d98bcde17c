import { type Bytes, toText } from '../platform/bytes.ts';
import { namesInOrNone, readBytesIfAny, removeFile } from '../platform/files.ts';
import { belayHome, environment } from '../platform/home.ts';
import { join } from '../platform/paths.ts';
import { membersOf, nameOf } from '../platform/processes.ts';
import { endSession } from '../saving/settle/end-session.ts';
import { settleAll } from '../saving/settle/settle.ts';
import { openWorld, type World } from '../saving/world.ts';
import { chainOf } from '../sessions/chain.ts';
import { type Command, failed, notThere, wrongUsage } from './command.ts';

/** So long a program that was asked to end may take. */
const GRACE_MS = 5000;

/** So long the kernel may take with one that was killed. */
const DYING_MS = 1000;

/**
 * `belay stop [ID]`: ends the process group of a session in the background, known by process id and start time together. Its turn ends there
 * and then: what others do afterwards is not its work.
 */
export const stop: Command = {
  summary: 'end what `belay run --background` started',
  usage: ['belay stop [SESSION]'],
  help: 'Without SESSION: those that this session has started, else the one that runs. SIGTERM first, SIGKILL after five seconds; what it destroyed stays undoable.',
  async run({ words }) {
    const home = belayHome(environment());
    if (home === undefined) throw failed('no_home', 'HOME is not set: there is nothing to look in');
    const folder = join(home, 'background');
    if (words.length > 1) throw wrongUsage('one session, or none');
    const own = words[0] === undefined ? startedHere(folder, home) : [];
    const sessions = own.length > 0 ? own : [words[0] ?? onlyOne(folder)];
    const world = await ourWorld();
    const ended = await Promise.all(sessions.map((session) => stopOne(folder, session, world)));
    const settling = world === undefined ? undefined : await settleAll(world, { wait: 10_000 });
    const [first] = ended;
    return {
      json: { ...first, ...(ended.length > 1 ? { all: ended } : {}) },
      text: ended.map(({ session }) => `${session} stopped\n`).join(''),
      ...(settling?.is === 'busy'
        ? { note: 'belay: another belay is filing turns: this one is filed with the next' }
        : {}),
    };
  },
};

interface Stopped {
  readonly session: string;
  readonly stopped: true;
  readonly killed: boolean;
}

async function stopOne(folder: Bytes, session: Bytes, world: World | undefined): Promise<Stopped> {
  const pid = runningPid(folder, session);
  if (pid === undefined) throw notThere('not_running', `no session ${toText(session)} runs in the background`);
  const killed = await end(pid);
  if (world !== undefined) endSession(world, toText(session), Date.now());
  removeFile(join(folder, session));
  return { session: toText(session), stopped: true, killed };
}

/** A turn that was begun is ended, whether or not belay is off for who stops it; undefined where nothing may be written. */
async function ourWorld(): Promise<World | undefined> {
  const world = await openWorld();
  return world.foreign === undefined ? { ...world, off: false } : undefined;
}

/** Those that run and that the caller's session, or one that it goes on from, has started. */
function startedHere(folder: Bytes, home: Bytes): Bytes[] {
  const session = toText(environment().get('BELAY_SESSION') ?? '');
  const own = session === '' ? new Set<string>() : chainOf(home, session);
  return namesInOrNone(folder).filter((name) => {
    const by = readBytesIfAny(join(folder, name))?.toString('latin1').trim().split(' ')[2] ?? '';
    return own.has(toText(by)) && runningPid(folder, name) !== undefined;
  });
}

/** The number of its process; undefined where it has ended, also when another process has the number now. */
function runningPid(folder: Bytes, session: Bytes): number | undefined {
  if (!/^[A-Za-z0-9_]+$/.test(session)) return undefined;
  const [pid, start] = (readBytesIfAny(join(folder, session))?.toString('latin1') ?? '').trim().split(' ');
  if (!/^[1-9]\d*$/.test(pid ?? '') || start === undefined || start === '') return undefined;
  return nameOf(Number(pid)).start === start ? Number(pid) : undefined;
}

function onlyOne(folder: Bytes): Bytes {
  const running = namesInOrNone(folder).filter((name) => runningPid(folder, name) !== undefined);
  if (running.length === 0) throw notThere('not_running', 'no session runs in the background');
  if (running.length > 1) throw wrongUsage(`which one? ${running.map(toText).join(', ')}`);
  return running[0] ?? '';
}

/** True where it had to be killed. Nothing of its group runs on. */
async function end(pid: number): Promise<boolean> {
  signal(pid, 'SIGTERM');
  if (await isGone(pid, GRACE_MS)) return false;
  signal(pid, 'SIGKILL');
  await isGone(pid, DYING_MS);
  return true;
}

async function isGone(group: number, patience: number): Promise<boolean> {
  for (const until = Date.now() + patience; membersOf(group).length > 0; ) {
    if (Date.now() > until) return false;
    await new Promise((done) => setTimeout(done, 20));
  }
  return true;
}

/** The whole group: it is its leader (setsid). */
function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // gone by itself meanwhile
  }
}
