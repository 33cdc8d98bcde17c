import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { isAbsentError, lookAt, makeFolder, writeAtomic } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Kept } from '../plan/steps.ts';
import type { GitState } from '../record.ts';

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
  const moved: Bytes[] = [];
  if (wanted.head !== left.head && present.head !== left.head && present.head !== wanted.head) moved.push('HEAD');
  const [want, leave, now] = [wanted, left, present].map((state) => new Map(state.refs));
  if (!want || !leave || !now) return moved;
  for (const name of changedRefs(wanted, left))
    if (now.get(name) !== leave.get(name) && now.get(name) !== want.get(name)) moved.push(name);
  return moved;
}

function changedRefs(wanted: GitState, left: GitState): Bytes[] {
  const [want, leave] = [new Map(wanted.refs), new Map(left.refs)];
  return [...new Set([...want.keys(), ...leave.keys()])].filter((name) => want.get(name) !== leave.get(name));
}

/**
 * HEAD, index, refs and stash as they were: one transaction for the refs, no hook, no other file. Objects are git's own; a ref
 * whose object is gone stays as it is, and is named.
 */
export function applyGitState({ wanted, left, present, wantedIndex }: GitGoal): Kept[] {
  const kept: Kept[] = [];
  const { gitDir, commonDir } = wanted;
  if (lookAt(gitDir)?.type !== 'folder') return [keep(gitDir, 'the repository is gone')];
  const names = changedRefs(wanted, left);
  const [want, now] = [new Map(wanted.refs), new Map(present.refs)];
  const lost = missing(gitDir, [...names.flatMap((name) => want.get(name) ?? []), detached(wanted.head)].filter(isOid));
  const lines: string[] = [];
  for (const name of names) {
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
    const old = from === undefined || !isOid(from) ? '' : from;
    lines.push(to === undefined ? `delete ${name}\0${old}\0` : `update ${name}\0${to}\0${old}\0`);
  }
  if (lines.length > 0) {
    // HEAD's own branch may be among them: update-ref itself asks nothing, so the work tree stays as the files say.
    const done = git(['update-ref', '--no-deref', '--create-reflog', '--stdin', '-z', '-m', 'belay: undo'], {
      gitDir,
      input: Buffer.from(lines.join(''), 'latin1'),
    });
    if (!done.ok) kept.push(keep(gitDir, `refs: ${done.err.trim()}`));
  }
  if (wanted.head !== left.head || present.head !== left.head)
    kept.push(...setHead(gitDir, wanted.head, present.head, lost));
  if (JSON.stringify(wanted.stash) !== JSON.stringify(present.stash)) setStash(commonDir, wanted, lost);
  kept.push(...setIndex(gitDir, wanted, wantedIndex));
  return kept;
}

const keep = (path: Bytes, reason: string): Kept => ({ path, why: 'failed', reason: `git: ${reason}` });

const isOid = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{40,64}$/.test(text);

const detached = (head: Bytes): string | undefined => (isOid(head) ? head : undefined);

/** Those of the objects that the repository does not have any more. */
function missing(gitDir: Bytes, oids: readonly string[]): Set<string> {
  if (oids.length === 0) return new Set();
  const answer = git(['cat-file', '--batch-check'], { gitDir, input: `${oids.join('\n')}\n` });
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
function setStash(commonDir: Bytes, wanted: GitState, lost: ReadonlySet<string>): void {
  const log = join(commonDir, 'logs/refs/stash');
  const lines = wanted.stash.filter((line) => !lost.has(line.split(' ')[1] ?? ''));
  if (lines.length === 0) {
    fs.rmSync(toBuffer(log), { force: true });
    return;
  }
  makeFolder(dirname(log));
  writeAtomic(log, Buffer.from(`${lines.join('\n')}\n`, 'latin1'));
}

/** Under git's own lock, so that no git writes it at the same time. */
function setIndex(gitDir: Bytes, wanted: GitState, content: Uint8Array | undefined): Kept[] {
  const index = join(gitDir, 'index');
  if (wanted.index !== undefined && content === undefined) return [keep(index, 'its content is gone')];
  const lock = toBuffer(`${index}.lock`);
  try {
    fs.writeFileSync(lock, content ?? '', { flag: 'wx', mode: lookAt(index)?.mode ?? 0o644 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return [keep(index, 'another git holds index.lock')];
    throw error;
  }
  if (content !== undefined) fs.renameSync(lock, toBuffer(index));
  else {
    removeIfThere(index);
    fs.unlinkSync(lock);
  }
  return [];
}

function removeIfThere(path: Bytes): void {
  try {
    fs.unlinkSync(toBuffer(path));
  } catch (error) {
    if (!isAbsentError(error)) throw error;
  }
}
