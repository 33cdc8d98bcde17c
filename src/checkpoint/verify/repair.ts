import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer, toText } from '../../platform/bytes.ts';
import { readBytesIfAny, removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { breakStaleLocks } from '../git-locks.ts';
import { deleteRefs } from '../let-go.ts';
import { projectKey, updateProject } from '../projects.ts';
import { readHistories } from '../read.ts';
import type { CheckpointRecord, GitState, Version } from '../record.ts';
import { type Store, StoreError } from '../store.ts';
import { captureRef, gitOid, importedRef, rewriteRecord, sentRef, turnRef } from '../write.ts';
import { type Fsck, fsck } from './fsck.ts';
import { dropIndexes } from './indexes.ts';
import { lessen } from './lessen.ts';
import { type Failure, provesLoss, whyNot } from './loss.ts';
import { salvage } from './salvage.ts';
import { findProblems, type Lost, type Problem } from './verify.ts';

export interface Repaired {
  /** What was done, one line each. */
  readonly done: readonly string[];
  /** What is still wrong. */
  readonly problems: readonly string[];
}

/**
 * Lets go what is proved broken, and nothing else: an object that is not what its name says, a content that is lost (its
 * checkpoint stays, and says so of that path), a record that cannot be read, what a capture lacks, an index that
 * names lost objects. Whoever calls holds the locks of all that write.
 */
export function repair(store: Store): Repaired {
  const done: string[] = [];
  const locks = breakStaleLocks(store);
  if (locks > 0) done.push(`${locks} lock file(s) of killed processes removed`);
  done.push(...salvage(store));
  let found = fsck(store);
  if (found.loose.length + found.packs.length > 0) {
    done.push(...dropCorrupt(store, found));
    found = fsck(store);
  }
  const problems = findProblems(store, found);
  for (const problem of problems) done.push(...mend(store, problem));
  const seen = new Set<string>();
  for (const problem of problems) {
    if (problem.is !== 'contents' || seen.has(`${problem.key} ${problem.checkpoint.record.n}`)) continue;
    seen.add(`${problem.key} ${problem.checkpoint.record.n}`);
    rewriteRecord(store, problem.key, without(problem.checkpoint.record, problem.lost));
  }
  if (found.bad.size > 0) done.push(...dropIncomplete(store, found.bad));
  done.push(...dropEmpty(store));
  return { done, problems: findProblems(store).map(({ text }) => text) };
}

/** Files that are no objects go; of a broken pack everything that can still be read goes into a new one first. */
function dropCorrupt(store: Store, found: Fsck): string[] {
  const done: string[] = [];
  const objects = join(store.gitDir, 'objects');
  for (const name of found.loose) {
    removeFile(join(objects, name));
    done.push(`object ${name.replace('/', '')} removed: its file held something else`);
  }
  for (const pack of found.packs) {
    const base = join(join(objects, 'pack'), pack.replace(/\.pack$/, ''));
    const index = readBytesIfAny(`${base}.idx`);
    const listed = index === undefined ? undefined : git(['show-index'], { gitDir: store.gitDir, input: index });
    if (listed === undefined || !listed.ok) {
      done.push(`${pack} is left as it is: its list of objects cannot be read`);
      continue;
    }
    const oids = fromBuffer(listed.out)
      .split('\n')
      .flatMap((line) => /^\d+ ([0-9a-f]{40})/.exec(line)?.[1] ?? []);
    const good = oids.filter((oid) => !found.bad.has(oid));
    const packed = git(['pack-objects', '-q', 'objects/pack/pack'], {
      cwd: store.gitDir,
      gitDir: store.gitDir,
      input: `${good.join('\n')}\n`,
      timeout: 600_000,
    });
    if (!packed.ok) {
      done.push(`${pack} replaced by what could be read from its beginning: ${unpackBeginning(store, base)} objects`);
      continue;
    }
    for (const end of ['pack', 'idx', 'rev', 'keep', 'bitmap']) fs.rmSync(toBuffer(`${base}.${end}`), { force: true });
    done.push(`${pack} replaced: ${good.length} of its ${oids.length} objects are whole`);
  }
  return done;
}

/** A pack that is cut off is read as far as it goes; the file itself is put aside, since it is no pack. Returns how many objects came out. */
function unpackBeginning(store: Store, base: Bytes): number {
  const aside = join(store.base, `.staging-${process.pid}-cut.pack`);
  fs.renameSync(toBuffer(`${base}.pack`), toBuffer(aside));
  for (const end of ['idx', 'rev', 'bitmap']) fs.rmSync(toBuffer(`${base}.${end}`), { force: true });
  const count = (): number =>
    Number(/^count: (\d+)$/m.exec(fromBuffer(git(['count-objects', '-v'], { gitDir: store.gitDir }).out))?.[1] ?? 0);
  const before = count();
  git(['unpack-objects', '-r', '-q'], { gitDir: store.gitDir, inputFile: aside, timeout: 600_000 });
  removeFile(aside);
  return count() - before;
}

function mend(store: Store, problem: Problem): string[] {
  switch (problem.is) {
    case 'checkpoint':
      deleteRefs(store, [turnRef(problem.key, problem.n)]);
      return [`${problem.text}: dropped (its held files stay under holds/${problem.key}/${problem.n})`];
    case 'capture':
      deleteRefs(store, [captureRef(problem.key, problem.m)]);
      return [`${problem.text}: dropped`];
    case 'state':
      deleteRefs(store, [importedRef(problem.key, problem.n)]);
      return [`${problem.text}: dropped, the checkpoint stays`];
    case 'contents':
      return [`${problem.text}: the checkpoint stays without it`];
    case 'index':
      dropIndexes(store, problem.key);
      return [`${problem.text}: dropped, the next capture makes it anew`];
    case 'future':
      updateProject(store, problem.key, problem.root, {});
      return [`${problem.text}: it is now`];
    case 'project': {
      const { root, key } = problem;
      if (root === undefined || projectKey(store, root) !== key) return [];
      updateProject(store, key, root, {});
      return [`${problem.text}: written anew for ${toText(root)}`];
    }
    case 'object':
      return [];
  }
}

/** A checkpoint by hand is nothing but its capture: where that is gone, it would lead back to another state. */
function dropEmpty(store: Store): string[] {
  const done: string[] = [];
  for (const [key, { checkpoints, captures }] of readHistories(store))
    for (const { record } of checkpoints) {
      if (record.kind !== 'manual' || record.origin !== undefined || record.changes.length > 0) continue;
      if (record.captureBefore === undefined || captures.some(({ m }) => m === record.captureBefore)) continue;
      deleteRefs(store, [turnRef(key, record.n)]);
      done.push(
        `${toText(record.root)}: checkpoint ${record.n} was capture ${record.captureBefore}, which is gone: dropped`,
      );
    }
  return done;
}

/** Captures that lack an object, and the index of which one is the newest. What git cannot tell of stays, and is said. */
function dropIncomplete(store: Store, bad: ReadonlySet<string>): string[] {
  const done: string[] = [];
  const isIncomplete = (name: Bytes, what: string): boolean => {
    const found = lacks(store, name, bad);
    if (typeof found === 'boolean') return found;
    done.push(`${what} stays: git could not tell whether it is complete (${toText(whyNot(found))})`);
    return false;
  };
  for (const [key, { checkpoints, captures, imported, sent }] of readHistories(store)) {
    let lost = false;
    for (const { m: n, id } of imported) {
      if (!isIncomplete(id, `${key}: the state of imported checkpoint ${n}`)) continue;
      deleteRefs(store, [importedRef(key, n)]);
      done.push(`${key}: the state of imported checkpoint ${n} is not complete: dropped`);
    }
    // They are made anew from their checkpoints by the next sync.
    deleteRefs(
      store,
      sent
        .filter(({ m: n, id }) => isIncomplete(id, `${key}: what was sent of checkpoint ${n}`))
        .map(({ m: n }) => sentRef(key, n)),
    );
    for (const { m, id } of captures) {
      if (!isIncomplete(id, `${key}: capture ${m}`)) continue;
      lost = true;
      const without = lessen(store, key, m, bad);
      if (without.is === 'failed')
        throw new StoreError(
          'store_failed',
          `capture ${m} could not be written anew without what is lost: ${toText(without.why)}`,
        );
      if (without.is === 'more is lost') {
        deleteRefs(store, [captureRef(key, m)]);
        done.push(`${key}: capture ${m} is not complete: dropped`);
        continue;
      }
      const names = without.gone.map(({ path }) => toText(path)).join(', ');
      done.push(`${key}: capture ${m} is not complete: it stays without ${names}`);
      // A checkpoint by hand is that capture: a restore of it names what is not in it.
      for (const { record } of checkpoints)
        if (record.kind === 'manual' && record.origin === undefined && record.captureBefore === m)
          rewriteRecord(store, key, { ...record, leftOut: [...record.leftOut, ...without.gone] });
    }
    const index = `refs/belay/${key}/index`;
    if (lost || isIncomplete(index, `${key}: the kept index`)) {
      deleteRefs(store, [index]);
      dropIndexes(store, key);
    }
  }
  return done;
}

/**
 * Whether something that a name leads to is missing or broken; a name that does not exist leads to nothing. The failure where git
 * could not tell.
 */
function lacks(store: Store, name: Bytes, bad: ReadonlySet<string>): boolean | Failure {
  const exists = git(['rev-parse', '-q', '--verify', name], { gitDir: store.gitDir });
  if (!exists.ok) return false;
  const listed = git(['rev-list', '--objects', '--missing=print', '--no-object-names', name], {
    gitDir: store.gitDir,
    timeout: 120_000,
  });
  if (!listed.ok) return provesLoss(listed) || listed;
  return fromBuffer(listed.out)
    .split('\n')
    .some((line) => line.startsWith('?') || bad.has(line));
}

const GONE = 'the store had lost it when it was repaired';

/** The same record, but for contents that are gone. */
function without(record: CheckpointRecord, lost: Lost): CheckpointRecord {
  const version = (one: Version): Version => {
    if (one.kind !== 'file') return one;
    const { content } = one;
    const oid = gitOid(one);
    const isLost = (oid !== undefined && lost.oids.has(oid)) || (content.at === 'hold' && lost.holds.has(content.path));
    if (!isLost) return one;
    const name = content.at === 'git' || content.at === 'hold' ? content.oid : undefined;
    return { ...one, content: name === undefined ? { at: 'nowhere', why: GONE } : { at: 'hash', oid: name } };
  };
  const state = ({ index, ...rest }: GitState): GitState =>
    index === undefined || lost.oids.has(index) ? rest : { ...rest, index };
  return {
    ...record,
    changes: record.changes.map((change) => ({
      ...change,
      before: version(change.before),
      after: version(change.after),
      ...(change.later === undefined ? {} : { later: change.later.map(version) }),
    })),
    gitBefore: record.gitBefore.map(state),
    gitAfter: record.gitAfter.map(state),
  };
}
