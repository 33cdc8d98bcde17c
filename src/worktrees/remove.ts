import fs from 'node:fs';
import { deleteFolder } from '../installs/disk.ts';
import { type Bytes, fromText, toBuffer, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, removeTree } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { acquire, type Lock } from '../platform/lock.ts';
import { dirname, join } from '../platform/paths.ts';
import { type Archive, putAway } from './archive.ts';
import { type Aside, finishAside, finishAsides, forget, hasAsides, putAside, putBack, write } from './aside.ts';
import { type Facts, factsNow, type Inquiry } from './facts.ts';
import { openerOf, ownHaveLeft, STILL_OURS } from './in-use.ts';
import { keepLogged } from './reflogs.ts';
import { type Tree, treesOf } from './trees.ts';
import { type Limits, verdictOf } from './verdict.ts';

export type Removal =
  | { readonly is: 'removed'; readonly archive?: Archive; readonly branch?: Bytes }
  | { readonly is: 'kept'; readonly reason: string };

export interface RemoveWish {
  readonly inquiry: Inquiry;
  readonly limits: Limits;
  /** Saves the tree as it is, before it is touched. Says why where that failed. */
  readonly checkpoint: (tree: Bytes) => Promise<string | undefined>;
  /** How long belay's own processes in it are waited for, ms. */
  readonly patience?: number;
}

/** One removal at a time in a home. Undefined where another was not over in `wait` ms. */
export async function removing(home: Bytes, wait: number): Promise<Lock | undefined> {
  const lock = acquire(join(home, 'worktrees/.remove.lock'), wait);
  if (lock !== undefined) await finishAsides(home);
  return lock;
}

/** Where a killed removal left something, and nobody is at it: it is brought to its end. */
export async function recover(home: Bytes): Promise<void> {
  if (hasAsides(home)) (await removing(home, 0))?.release();
}

/**
 * Removes a worktree if the verdict is still that it may go. It is renamed first: from then on nobody reaches it by its name; whoever
 * stands in it or has a file of it open is seen, and only then it is judged for the last time. Whatever speaks against it brings it back
 * as it was. With the lock of `removing`.
 */
export async function removeWorktree({ path }: Tree, wish: RemoveWish): Promise<Removal> {
  const { inquiry, limits } = wish;
  const all = treesOf(inquiry.repository.commonDir);
  if (all === undefined) return kept('git cannot list the worktrees of its repository');
  const tree = all.find((one) => one.path === path);
  if (tree === undefined) return kept('its repository no longer lists it');
  if (!(await ownHaveLeft(tree.path, wish.patience))) return kept(STILL_OURS);
  const before = verdictOf(await factsNow(tree, tree.path, inquiry), limits);
  if (before.verdict === 'keep') return kept(before.reason);
  const unsaved = await wish.checkpoint(tree.path);
  if (unsaved !== undefined) return kept(`it could not be saved first: ${unsaved}`);
  let note: Aside;
  try {
    note = putAside(inquiry.belayHome, tree.path);
  } catch (error) {
    return kept(`it cannot be renamed (${codeOf(error)})`);
  }
  try {
    return await removeAside(tree, note, wish);
  } catch (error) {
    await finishAside(inquiry.belayHome, note);
    throw error;
  }
}

const kept = (reason: string): Removal => ({ is: 'kept', reason });

async function removeAside(tree: Tree, note: Aside, { inquiry, limits, patience }: RemoveWish): Promise<Removal> {
  const home = inquiry.belayHome;
  const opener = openerOf(note.aside);
  if (opener !== undefined) return back(home, note, `in use by pid ${opener}`);
  if (!(await ownHaveLeft(note.aside, patience))) return back(home, note, STILL_OURS);
  const facts = await factsNow(tree, note.aside, inquiry);
  const verdict = verdictOf(facts, limits);
  if (verdict.verdict === 'keep') return back(home, note, verdict.reason);
  const { linked, work, behindGit } = facts;
  const logged = behindGit?.logged ?? 'unknown';
  if (linked === undefined || work === 'unknown' || logged === 'unknown')
    return back(home, note, 'git cannot tell what it holds');
  const now = git(['rev-parse', '--verify', '-q', 'HEAD'], { gitDir: linked.gitDir });
  if (tree.head !== '' && (!now.ok || now.out.toString('latin1').trim() !== tree.head))
    return back(home, note, 'its HEAD has moved');
  let archive: Archive | undefined;
  if (verdict.verdict === 'archive') {
    const { path, head, branch } = tree;
    const entries = [...work.untracked, ...work.ignored];
    const { commits } = logged;
    const about = {
      path,
      head,
      commonDir: linked.commonDir,
      entries,
      ...(branch === undefined ? {} : { branch }),
      ...(commits === 0 ? {} : { commits }),
    };
    archive = putAway(home, note.aside, about, (folder, id) => {
      write(home, { ...note, archive: id });
      if (commits > 0) keepLogged(folder, tree, linked, logged);
    });
  }
  write(home, { ...note, decided: true });
  forgetInGit(linked.gitDir);
  const branch = dropBranch(tree, facts, inquiry);
  if (await deleteFolder(note.aside)) forget(home, note);
  return { is: 'removed', ...(archive === undefined ? {} : { archive }), ...(branch === undefined ? {} : { branch }) };
}

function back(home: Bytes, note: Aside, reason = 'something went wrong'): Removal {
  if (lookAt(note.aside) === undefined || putBack(home, note)) return kept(reason);
  return kept(`${reason}; something else has its name now, so it lies in ${toText(note.aside)}`);
}

/** What `git worktree remove` does last: the worktree's own folder below the repository goes, and with it the entry. */
function forgetInGit(gitDir: Bytes): void {
  removeTree(gitDir);
  try {
    fs.rmdirSync(toBuffer(dirname(gitDir)));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error; // other worktrees are there
  }
}

/** belay's own branches go with their worktree once their commits are elsewhere for good: in the trunk, or on a remote. */
function dropBranch(
  { branch, head }: Tree,
  { merged, pushed }: Facts,
  { repository, config }: Inquiry,
): Bytes | undefined {
  const prefix = fromText(config.worktrees.branch_prefix);
  if (branch === undefined || prefix === '' || !branch.startsWith(prefix) || head === '' || !(merged || pushed))
    return undefined;
  const ref = `refs/heads/${toText(branch)}`;
  const done = git(['update-ref', '-d', ref, head], { gitDir: repository.commonDir });
  if (!done.ok) return undefined; // moved meanwhile: it stays
  git(['config', '--local', '--remove-section', `branch.${toText(branch)}`], { gitDir: repository.commonDir });
  return branch;
}
