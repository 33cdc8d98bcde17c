import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer, toText } from '../../platform/bytes.ts';
import { codeOf, isAbsentError, lookAt, makeFolder, readBytesIfAny, writeAtomic } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { dirname, join } from '../../platform/paths.ts';
import { blobOid } from '../oid.ts';
import type { Kept } from '../plan/steps.ts';
import type { GitState } from '../record.ts';
import { setOperation } from './git-operation.ts';
import { setReflogs } from './reflogs.ts';

export interface GitGoal {
  /** As it is to be. */
  readonly wanted: GitState;
  /** As the turn left it; what differs from `wanted` is the turn's work. */
  readonly left: GitState;
  /** As it is now. */
  readonly present: GitState;
  readonly wantedIndex: Uint8Array | undefined;
}

/** What somebody else moved since the turn: a restore of git's state would drop it. */
export function movedSince({ wanted, left, present }: GitGoal): Bytes[] {
  const moved = new Set<Bytes>();
  if (present.head !== left.head && present.head !== wanted.head) moved.add('HEAD');
  const [want, leave, now] = [new Map(wanted.refs), new Map(left.refs), new Map(present.refs)];
  // The index goes with its branch: where that was moved on, an older index would take the newer commits back.
  const branch = left.head.startsWith('ref: ') ? [left.head.slice(5).trim()] : [];
  for (const name of new Set([...changedRefs(wanted, left), ...branch]))
    if (now.get(name) !== leave.get(name) && now.get(name) !== want.get(name)) moved.add(name);
  for (const name of changedOperation(wanted, left, present).filter(isAnOperation)) moved.add(name);
  return [...moved];
}

/** Names of an operation that are neither as the turn left them nor as they are to be. */
function changedOperation(wanted: GitState, left: GitState, present: GitState): Bytes[] {
  if (wanted.files === undefined || left.files === undefined || present.files === undefined) return [];
  const [want, leave, now] = [new Map(wanted.files), new Map(left.files), new Map(present.files)];
  const names = [...new Set([...want.keys(), ...leave.keys(), ...now.keys()])];
  return names.filter((name) => {
    const touched = want.get(name) !== leave.get(name);
    return (touched || !leave.has(name)) && now.get(name) !== leave.get(name) && now.get(name) !== want.get(name);
  });
}

/** Its being there says that something is under way; other files of it are only notes. */
const isAnOperation = (name: Bytes): boolean =>
  /^(?:MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|BISECT_START|(?:rebase-merge|rebase-apply|sequencer)\/.*)$/.test(name);

function changedRefs(wanted: GitState, left: GitState): Bytes[] {
  const [want, leave] = [new Map(wanted.refs), new Map(left.refs)];
  return [...new Set([...want.keys(), ...leave.keys()])].filter((name) => want.get(name) !== leave.get(name));
}

const NOTHING = '0'.repeat(40);

/**
 * HEAD, index, refs, stash and the files of an operation under way as they were: one transaction for the refs, no hook, no other
 * file. Objects are git's own; a ref whose object is gone stays as it is, and is named.
 */
export function applyGitState(goal: GitGoal): Kept[] {
  const { wanted, left, present } = goal;
  const { gitDir, commonDir } = wanted;
  if (lookAt(gitDir)?.type !== 'folder') return [keep(gitDir, 'the repository is gone')];
  const kept: Kept[] = [];
  const lost = lostObjects(goal);
  kept.push(...setRefs(goal, lost));
  if (wanted.head !== left.head || present.head !== left.head)
    kept.push(...setHead(gitDir, wanted.head, present.head, lost));
  if (JSON.stringify(wanted.stash) !== JSON.stringify(present.stash)) kept.push(...setStash(commonDir, wanted, lost));
  kept.push(...setReflogs(goal, lost));
  kept.push(...setOperation(goal, lost));
  kept.push(...setIndex(goal));
  kept.push(...lostStaged(goal));
  return kept;
}

/** Objects that the wanted state names and the repository does not have any more. */
function lostObjects({ wanted, left }: GitGoal): ReadonlySet<string> {
  const want = new Map(wanted.refs);
  return missing(
    wanted.gitDir,
    [
      ...changedRefs(wanted, left).flatMap((name) => want.get(name) ?? []),
      wanted.head,
      ...wanted.stash.map(stashed),
      ...(wanted.files ?? []).filter(([name]) => name.endsWith('_HEAD')).flatMap(([, text]) => text.trim().split('\n')),
    ].filter(isOid),
  );
}

/** The commit that a line of the stash's log names. */
const stashed = (line: Bytes): string => line.split(' ')[1] ?? '';

function setRefs({ wanted, left, present }: GitGoal, lost: ReadonlySet<string>): Kept[] {
  const { gitDir } = wanted;
  const kept: Kept[] = [];
  const [want, now] = [new Map(wanted.refs), new Map(present.refs)];
  const lines: string[] = [];
  for (const name of changedRefs(wanted, left)) {
    const [to, from] = [want.get(name), now.get(name)];
    if (to === from) continue;
    if (to !== undefined && lost.has(to)) {
      kept.push(keep(join(gitDir, name), `its object ${to} is gone`));
      continue;
    }
    if (to?.startsWith('ref: ')) {
      const set = git(['symbolic-ref', name, to.slice(5)], { gitDir });
      if (!set.ok) kept.push(keep(join(gitDir, name), set.err.trim()));
      continue;
    }
    // Zeros: the ref must not be there. What is neither a name nor nothing (a symbolic ref) is not compared.
    const old = from === undefined ? NOTHING : isOid(from) ? from : '';
    if (to !== undefined) lines.push(`update ${name}\0${to}\0${old}\0`);
    else if (from !== undefined) lines.push(`delete ${name}\0${old}\0`);
  }
  if (lines.length === 0) return kept;
  // HEAD's own branch may be among them: update-ref itself asks nothing, so the work tree stays as the files say.
  const done = git(['update-ref', '--no-deref', '--create-reflog', '--stdin', '-z', '-m', 'belay: undo'], {
    gitDir,
    input: Buffer.from(lines.join(''), 'latin1'),
  });
  if (!done.ok) kept.push(keep(gitDir, `refs: ${done.err.trim()}`));
  return kept;
}

const keep = (path: Bytes, reason: string): Kept => ({ path, why: 'failed', reason: `git: ${reason}` });

const isOid = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{40,64}$/.test(text);

/** Those of the objects that the repository does not have any more. */
function missing(gitDir: Bytes, oids: readonly string[]): Set<string> {
  if (oids.length === 0) return new Set();
  const answer = git(['cat-file', '--batch-check', '--buffer'], { gitDir, input: `${oids.join('\n')}\n` });
  const out = new Set<string>();
  for (const line of fromBuffer(answer.out).split('\n')) {
    const oid = /^([0-9a-f]+) missing$/.exec(line)?.[1];
    if (oid !== undefined) out.add(oid);
  }
  return out;
}

function setHead(gitDir: Bytes, wanted: Bytes, present: Bytes, lost: ReadonlySet<string>): Kept[] {
  if (wanted === present) return [];
  if (isOid(wanted) && lost.has(wanted)) return [keep(join(gitDir, 'HEAD'), `its commit ${wanted} is gone`)];
  const args = wanted.startsWith('ref: ')
    ? ['symbolic-ref', '-m', 'belay: undo', 'HEAD', wanted.slice(5).trim()]
    : ['update-ref', '--no-deref', '-m', 'belay: undo', 'HEAD', wanted];
  const done = git(args, { gitDir });
  return done.ok ? [] : [keep(join(gitDir, 'HEAD'), done.err.trim())];
}

/** The stash is a ref and its reflog: the list of stashes is the log. */
function setStash(commonDir: Bytes, wanted: GitState, lost: ReadonlySet<string>): Kept[] {
  const log = join(commonDir, 'logs/refs/stash');
  const lines = wanted.stash.filter((line) => !lost.has(stashed(line)));
  const gone = wanted.stash.filter((line) => lost.has(stashed(line)));
  if (lines.length === 0) fs.rmSync(toBuffer(log), { force: true });
  else {
    makeFolder(dirname(log));
    writeAtomic(log, Buffer.from(`${lines.join('\n')}\n`, 'latin1'));
  }
  return gone.map((line) => keep(log, `stash ${stashed(line)} is gone (${line.split('\t')[1] ?? ''})`));
}

/** Under git's own lock, so that no git writes it at the same time. */
function setIndex({ wanted, present, wantedIndex: content }: GitGoal): Kept[] {
  const { gitDir } = wanted;
  const index = join(gitDir, 'index');
  if (wanted.index !== undefined && content === undefined) return [keep(index, 'its content is gone')];
  const lock = toBuffer(`${index}.lock`);
  let fd: number;
  try {
    fd = fs.openSync(lock, 'wx', lookAt(index)?.mode ?? 0o644);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return [keep(index, 'another git holds index.lock')];
    throw error;
  }
  let isOurs = true;
  try {
    try {
      const now = readBytesIfAny(index);
      if (present.index !== undefined && (now === undefined || blobOid(now) !== present.index))
        return [keep(index, 'something else has written it meanwhile')];
      if (content !== undefined) fs.writeFileSync(fd, content);
    } finally {
      fs.closeSync(fd);
    }
    if (content === undefined) removeIfThere(index);
    else {
      fs.renameSync(lock, toBuffer(index));
      isOurs = false; // whoever has a lock of that name now is another git
    }
  } finally {
    // Also where the disk is full: a lock that stays would keep every git out.
    if (isOurs) fs.rmSync(lock, { force: true });
  }
  return [];
}

/** Staged contents that the repository does not have any more: the index names them all the same, and git would complain later. */
function lostStaged({ wanted, wantedIndex }: GitGoal): Kept[] {
  const { gitDir } = wanted;
  if (wantedIndex === undefined) return [];
  const listed = git(['ls-files', '-z', '--stage'], { gitDir, timeout: 120_000 });
  if (!listed.ok) return [keep(join(gitDir, 'index'), listed.err.trim())];
  const staged = fromBuffer(listed.out)
    .split('\0')
    .flatMap((line) => {
      const [, mode, oid, name] = /^(\d+) ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
      return mode === undefined || mode === '160000' || oid === undefined || name === undefined ? [] : [{ oid, name }];
    });
  const lost = missing(
    gitDir,
    staged.map(({ oid }) => oid),
  );
  return staged
    .filter(({ oid }) => lost.has(oid))
    .map(({ oid, name }) => keep(join(gitDir, 'index'), `the staged content of ${toText(name)} is gone (${oid})`));
}

function removeIfThere(path: Bytes): void {
  try {
    fs.unlinkSync(toBuffer(path));
  } catch (error) {
    if (!isAbsentError(error)) throw error;
  }
}
