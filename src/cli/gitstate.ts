import fs from 'node:fs';
import os from 'node:os';
import { applyGitState, type GitGoal, movedSince } from '../checkpoint/apply/git-state.ts';
import type { Source } from '../checkpoint/fast-import.ts';
import type { Event } from '../checkpoint/ledger.ts';
import { absolutePath, isAfter } from '../checkpoint/ledger.ts';
import { blobOid } from '../checkpoint/oid.ts';
import { readObjects } from '../checkpoint/read.ts';
import type { CheckpointRecord, GitState } from '../checkpoint/record.ts';
import { followLogs, onlyLogs } from '../checkpoint/reflogs.ts';
import { differ } from '../checkpoint/version.ts';
import { type Bytes, fromText, toText } from '../platform/bytes.ts';
import { lookAt, readBytesIfAny, removeTree } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { holdGit } from '../saving/hold/gitfiles.ts';
import { refused } from './command.ts';
import type { Context } from './context.ts';
import { shown } from './paths.ts';
import type { Wish } from './restoring.ts';

/** Whether a turn changed git's own state and no file. */
export function onlyGit(record: CheckpointRecord): boolean {
  return (
    !record.changes.some(({ before, after }) => differ(before, after)) &&
    JSON.stringify(record.gitBefore) !== JSON.stringify(record.gitAfter)
  );
}

/**
 * What `--git` adds to a restore: each repository that the events changed goes back to before the first of them. Refuses where its
 * HEAD or a ref was moved by somebody else since, unless forced.
 */
export function gitWish(context: Context, events: readonly Event[], force: boolean): Wish['git'] | undefined {
  const goals = goalsOf(context, events);
  if (goals.length === 0) return undefined;
  for (const { goal } of goals) {
    const moved = movedSince(goal);
    if (moved.length > 0 && !force)
      throw refused(
        'git_moved',
        `${moved.map(shown).join(', ')} of ${shown(goal.wanted.gitDir)} was moved since, by something else`,
        'To put it back all the same: --force.',
      );
  }
  const keys = new Set(goals.map(({ key }) => key));
  return {
    states: [...keys].map((key) => ({
      key,
      before: goals.filter((goal) => goal.key === key).map(({ goal }) => onlyLogs(goal.present, logNames(goal))),
      after: goals.filter((goal) => goal.key === key).map(({ goal }) => goal.wanted),
    })),
    contents: new Map(goals.flatMap(({ contents }) => [...contents])),
    apply: () => goals.flatMap(({ goal }) => applyGitState(goal)),
  };
}

/** Every other reflog only grows: a redo of the restore leaves it alone. */
const logNames = ({ wanted, left }: GitGoal): Set<Bytes> =>
  new Set([...(wanted.logs ?? []), ...(left.logs ?? [])].map(([name]) => name));

interface KeyedGoal {
  readonly key: string;
  readonly goal: GitGoal;
  readonly contents: ReadonlyMap<string, Source>;
}

function goalsOf(context: Context, events: readonly Event[]): KeyedGoal[] {
  const found = new Map<Bytes, { key: string; root: Bytes; wanted: GitState; left: GitState }>();
  for (const event of [...events].sort((a, b) => (isAfter(a, b) ? 1 : -1)))
    for (const wanted of event.record.gitBefore) {
      const left = event.record.gitAfter.find(({ gitDir }) => gitDir === wanted.gitDir);
      if (left === undefined) continue;
      const known = found.get(wanted.gitDir);
      if (known) {
        const [wantedLogs, leftLogs] = followLogs([known.wanted, known.left], [wanted, left]);
        known.wanted = { ...known.wanted, logs: wantedLogs };
        known.left = { ...left, logs: leftLogs };
      } else found.set(wanted.gitDir, { key: event.key, root: event.record.root, wanted, left });
    }
  return [...found.values()].flatMap(({ key, root, wanted, left }) => {
    if (JSON.stringify(wanted) === JSON.stringify(left)) return [];
    const { present, index } = presentState(root, wanted);
    const wantedIndex =
      wanted.index === undefined || !context.store ? undefined : readObjects(context.store, [wanted.index])[0];
    const contents = new Map<string, Source>();
    if (index !== undefined && present.index !== undefined) contents.set(present.index, index);
    return [{ key, goal: { wanted, left, present, wantedIndex }, contents }];
  });
}

/** HEAD, index, refs and stash as they are now, read the way in which they were read before the turn. */
function presentState(root: Bytes, like: GitState): { present: GitState; index: Uint8Array | undefined } {
  const { gitDir, commonDir } = like;
  const workTree = like.workTree === undefined ? undefined : absolutePath(root, like.workTree);
  if (lookAt(gitDir) === undefined) return { present: { ...like, head: '', refs: [], stash: [] }, index: undefined };
  const folder = fromText(fs.mkdtempSync(`${os.tmpdir()}/belay-git-`));
  try {
    const { indexFile, ...state } = holdGit({ gitDir, commonDir, workTree }, folder, 0, []);
    const index = indexFile === undefined ? undefined : readBytesIfAny(join(folder, indexFile));
    const named = index === undefined ? {} : { index: blobOid(index) };
    return { present: { ...state, workTree: like.workTree, ...named }, index };
  } finally {
    removeTree(folder);
  }
}

/** `HEAD, refs/heads/main`: what a turn changed of git's own, for `show`. */
export function gitChanges(record: CheckpointRecord): string[] {
  const out: string[] = [];
  for (const before of record.gitBefore) {
    const after = record.gitAfter.find(({ gitDir }) => gitDir === before.gitDir);
    if (after === undefined) continue;
    if (before.head !== after.head) out.push(`HEAD: ${toText(before.head)} -> ${toText(after.head)}`);
    const [old, now] = [new Map(before.refs), new Map(after.refs)];
    for (const name of new Set([...old.keys(), ...now.keys()]))
      if (old.get(name) !== now.get(name))
        out.push(
          `${toText(name)}: ${old.get(name)?.slice(0, 10) ?? 'none'} -> ${now.get(name)?.slice(0, 10) ?? 'none'}`,
        );
    if (before.stash.length !== after.stash.length)
      out.push(`stash: ${before.stash.length} -> ${after.stash.length} entries`);
    if (before.index !== after.index) out.push('index');
    const kept = new Map(after.logs);
    for (const [name, log] of before.logs ?? [])
      if (now.has(name) && kept.get(name)?.startsWith(log) !== true) out.push(`reflog of ${toText(name)}`);
    const [was, is] = [new Map(before.files), new Map(after.files)];
    for (const name of new Set([...was.keys(), ...is.keys()].map((file) => file.split('/')[0] ?? ''))) {
      const [had, has] = [was, is].map((files) => [...files].filter(([file]) => file.split('/')[0] === name));
      if (JSON.stringify(had) !== JSON.stringify(has))
        out.push(`${toText(name)}: ${had?.length === 0 ? 'made' : has?.length === 0 ? 'removed' : 'changed'}`);
    }
  }
  return out;
}
