import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import type { Arg, Call } from '../../shell/types.ts';
import type { Out } from '../types.ts';
import { known } from './options.ts';
import { findRepository } from './repository.ts';
import { statOf } from './status.ts';
import { linked } from './worktree.ts';

/** Subcommands that change a work tree. */
const TREES: ReadonlySet<Bytes> = new Set(
  'am apply checkout checkout-index cherry-pick clean merge mv pull read-tree rebase reset restore revert rm sparse-checkout stash submodule switch'.split(
    ' ',
  ),
);

/** Those that change what all work trees of a repository share. */
const SHARED: ReadonlySet<Bytes> = new Set(
  'branch gc prune reflog remote repack replace symbolic-ref tag update-ref worktree'.split(' '),
);

/** More work trees than this are not asked one by one. */
const MOST = 20;

/**
 * `git -C "$w" clean -fdx`, `cd "$w" && git reset --hard`: where nobody knows the folder, a work tree of the repository at hand is the
 * likeliest (`git worktree list | while read w …`). Each of them is looked at as if it were meant.
 */
export function everywhere(call: Call, out: Out, name: Bytes, args: readonly Arg[]): void {
  const from = call.cwd.kind === 'known' ? call.cwd : out.start;
  if (from.kind === 'unknown' || !(TREES.has(name) || SHARED.has(name))) return;
  const plain = (variable: Bytes): Bytes | undefined => (variable.startsWith('GIT_') ? undefined : call.env(variable));
  const repo = findRepository({ cwd: from.path, env: plain, command: [], pathspecs: {} });
  if (!repo) return;
  const run = (path: Bytes): void =>
    call.run([known('git'), known(name), ...args], { cwd: { kind: 'known', path }, certainty: 'maybe' });
  if (SHARED.has(name)) {
    run(from.path);
    return;
  }
  const main = basename(repo.commonDir) === '.git' ? [dirname(repo.commonDir)] : [];
  const trees = [...main, ...linked(repo).map((one) => one.path)].filter((path) => statOf(join(path, '.git')));
  for (const path of trees.slice(0, MOST)) run(path);
  for (const path of trees.slice(MOST))
    out.effect({ verb: `git ${name}`, path, way: 'delete', recursive: true, destructive: true, certainty: 'maybe' });
}
