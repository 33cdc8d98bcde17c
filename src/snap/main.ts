import fs from 'node:fs';
import { planLine } from '../effects/plan.ts';
import { type Bytes, fromText } from '../platform/bytes.ts';
import { installFolderOf } from '../platform/compiled.ts';
import { codeOf } from '../platform/files.ts';
import { belayHome, environment } from '../platform/home.ts';
import { describe, leaveNotice, log, logOnce } from '../platform/log.ts';
import { writeAll } from '../platform/output.ts';
import { projectRoot } from '../platform/roots.ts';
import type { Outcome } from '../saving/begin.ts';
import { beginLine } from '../saving/line.ts';
import { openWorld, runtimeOf, type World } from '../saving/world.ts';
import { capturedFolder, sessionFolder, setUnprotected } from '../turns/markers.ts';
import { noteSaved } from './notice.ts';
import { type Request, readRequest } from './request.ts';
import { answerUnsaved, say, sayUnsaved } from './say.ts';

/** Whose line it was is not known, so that no notice reaches its prompt: the shell itself says that it ran unprotected. */
const UNREADABLE = 70;

/** Without either there is no log that could tell it. */
const NO_PLACE = 'neither HOME nor BELAY_HOME is set';

type Saved = Extract<Outcome, { kind: 'saved' }>;

/**
 * belay-snap: what the shims run. It never keeps a command from running (invariant 3): whatever goes wrong is logged, left as
 * a notice for the next prompt, and the answer is 0. Only `on_unsaved` may answer 3, and a request that cannot be read is 70.
 */
async function main(): Promise<number> {
  const [command, ...args] = process.argv.slice(2);
  const world = await openWorld();
  if (world.off && world.foreign === undefined && command !== 'plan' && command !== 'hook') return 0;
  let session: string | undefined;
  let request: Request | undefined;
  try {
    switch (command) {
      case 'hold': {
        request = readRequest(world.env, args[0] === '--wrapper' ? fromText(args[1] ?? '') : undefined);
        session = request.identity.session;
        if (world.foreign !== undefined) throw new Error(world.foreign);
        if (world.home === undefined && planLine(request.line).destructive) throw new Error(NO_PLACE);
        const outcome = await beginLine(request.identity, request.line, world, request.begins);
        if (request.record) (await import('./record.ts')).recordLine(request.identity, world, outcome.kind === 'saved');
        if (request.wrapper && outcome.kind === 'saved') await markCaptured(request, outcome, world);
        if (isTold(outcome, request, world)) noteSaved(outcome, request, world);
        return sayUnsaved(outcome, request, world);
      }
      case 'record': {
        const { identity } = readRequest(world.env, undefined);
        const why = (await import('./record.ts')).recordLine(identity, world, false);
        if (why !== undefined) noticeUnrecorded(world, identity.session, why);
        return 0;
      }
      case 'end': {
        session = fromText(args[0] ?? '');
        const { endTurn } = await import('../saving/settle/end-turn.ts');
        const ended = Number(args[2]?.replace(',', '.')) * 1000;
        const settles = endTurn(
          world,
          session,
          fromText(args[1] ?? ''),
          ended > 0 && Number.isFinite(ended) ? ended : Date.now(),
        );
        if (args[3] === 'environment') await keepEnvironment(world, session, args[1]);
        if (settles) await settleLater();
        return 0;
      }
      case 'environment':
        session = fromText(args[0] ?? '');
        await keepEnvironment(world, session, args[1]);
        return 0;
      case 'settle':
        if (args[0] !== '--now') await settleLater();
        else await settleNow(world, args[1]);
        return 0;
      case 'sweep':
        (await import('./detach.ts')).beNice();
        await sweepWhenDue(world);
        return 0;
      case 'warm':
        await warm(world);
        return 0;
      case 'hook': {
        const { answerHook } = await import('../agents/hook.ts');
        // Codex' `notify` says it in its last argument.
        const given = args[1]?.startsWith('{') ? args[1] : fs.readFileSync(0, 'utf8');
        const { print, settle, grown } = await answerHook(args[0] ?? '', given, world);
        if (print !== '') fs.writeSync(1, print);
        if (settle || grown !== undefined) await settleLater(grown);
        return 0;
      }
      case 'plan': {
        request = readRequest(world.env, args[0] === '--wrapper' ? fromText(args[1] ?? '') : undefined);
        writeAll(1, Buffer.from(`${JSON.stringify(planLine(request.line))}\n`));
        return 0;
      }
      default:
        say(`belay-snap: unknown command ${command ?? ''}\n`);
        return 0;
    }
  } catch (error) {
    fail(world, session, command ?? '', error, request);
    if (command !== 'hold') return 0;
    const answer = answerUnsaved(world, request);
    return answer === 0 && request === undefined ? UNREADABLE : answer;
  }
}

/** Whoever goes on in the session may miss it; nothing else depends on it. */
async function keepEnvironment(world: World, session: string, turn = '0'): Promise<void> {
  try {
    await (await import('../sessions/environment/kept.ts')).keepEnvironment(world, session, Number(turn) || 0);
  } catch (error) {
    log(world.home, `the environment of session ${session}: ${describe(error)}`);
  }
}

/** Once in a while is enough: a shell tells the same text once. */
function noticeUnrecorded(world: World, session: string, why: string): void {
  const runtime = runtimeOf(world, true);
  if (runtime !== undefined)
    leaveNotice(sessionFolder(runtime, session), `belay: lines are not recorded for now (${why}): belay doctor`);
}

/** Whether the person may want to hear that something was saved. */
const isTold = (outcome: Outcome, { interactive, identity }: Request, { config }: World): outcome is Saved =>
  outcome.kind === 'saved' && outcome.files > 0 && interactive && !identity.hidden && config.notice !== 'never';

/** The save has succeeded: marks that fail cost time, nothing else. */
async function markCaptured({ identity }: Request, { turnFolder, paths }: Saved, world: World): Promise<void> {
  const runtime = runtimeOf(world, true);
  if (runtime === undefined || world.home === undefined || paths.length === 0) return;
  try {
    const captured = await import('../saving/captured.ts');
    captured.markCaptured(paths, turnFolder, world.home, capturedFolder(runtime, identity.session, identity.turn));
  } catch (error) {
    log(world.home, `marks of a capture: ${describe(error)}`);
  }
}

async function settleLater(grown?: string): Promise<void> {
  (await import('./detach.ts')).detach(['settle', '--now', ...(grown === undefined ? [] : [grown])]);
}

/** Everything that waits, behind everybody's back. `grown`: a session that may have become too long, whether or not anything waits of it. */
async function settleNow(world: World, grown: string | undefined): Promise<void> {
  (await import('./detach.ts')).beNice();
  const { settleWithin } = await import('../saving/settle/settle-within.ts');
  const { captureDue, takeDueCaptures } = await import('../saving/background.ts');
  const { isOverSize, pruneWhenDue } = await import('../saving/prune.ts');
  const { settled, isPruned } = await settleWithin(world, 30_000);
  for (const { root, changes } of settled) if (changes > 0) captureDue(world, root);
  const { titleSession } = await import('../sessions/titled.ts');
  const sessions = new Set(settled.map((one) => one.session));
  for (const session of sessions) titleSession(world, session);
  await compactGrown(world, grown === undefined ? sessions : sessions.add(grown));
  await takeDueCaptures(world, () => isOverSize(world));
  if ((pruneWhenDue(world) || isPruned) && world.home !== undefined)
    (await import('../agents/forget.ts')).forgetConversations(
      world.home,
      world.config.checkpoints.retention_days,
      Date.now(),
    );
  (await import('../worktrees/left.ts')).runLeftHooks(world, installFolderOf(process.argv[1] ?? process.execPath));
  await sweepWhenDue(world);
}

/** Sessions that run on and have become too long go on as others. */
async function compactGrown(world: World, sessions: ReadonlySet<string>): Promise<void> {
  const { home, config } = world;
  const runtime = runtimeOf(world, true);
  if (home === undefined || runtime === undefined) return;
  const { compactUnderWay } = await import('../sessions/compact.ts');
  for (const session of sessions) compactUnderWay({ home, config }, runtime, session);
}

/** Install states of checkouts that were deleted since. */
async function sweepWhenDue(world: World): Promise<void> {
  if ((await import('../installs/due.ts')).isSweepDue(world)) await (await import('../installs/sweep.ts')).sweep(world);
}

/** A shell enters a folder: its project's first capture is prepared, so that no opaque command has to wait for it; and the store is
 * looked after where its time has come. */
async function warm(world: World): Promise<void> {
  if (world.off) return;
  const root = projectRoot(readRequest(world.env, undefined).identity.cwd, world.userHome);
  if (root !== undefined) (await import('../saving/background.ts')).captureDue(world, root);
  if (root !== undefined || (await import('../saving/prune.ts')).isPruneDue(world)) await settleLater();
}

/** Told at the next prompt; where nothing at all can be written (`ulimit -f 0`), on the terminal at once. */
function fail(world: World, session: Bytes | undefined, command: string, error: unknown, request?: Request): void {
  // Whose home it is does not change from line to line.
  if (world.foreign === undefined) log(world.home, `${command}: ${describe(error)}`);
  else logOnce(world.home, `nothing is saved: ${world.foreign}`);
  const runtime = runtimeOf(world, true);
  const folder = runtime === undefined || session === undefined ? undefined : sessionFolder(runtime, session);
  const why = world.home === undefined ? NO_PLACE : 'belay doctor tells why';
  if (command === 'hold' && runtime !== undefined && request !== undefined) markUnprotected(runtime, request, world);
  if (!leaveNotice(folder, `belay: the last line was not saved (${why})`) && request?.interactive)
    say(`belay: this line is not saved (${codeOf(error) || describe(error)})\n`);
}

function markUnprotected(runtime: Bytes, { identity }: Request, world: World): void {
  try {
    setUnprotected(runtime, identity.session, identity.turn);
  } catch (error) {
    log(world.home, `the mark of a line that was not saved: ${describe(error)}`);
  }
}

void main()
  .catch((error) => {
    log(belayHome(environment()), describe(error));
    return 0;
  })
  .then((status) => {
    process.exitCode = status;
  });
