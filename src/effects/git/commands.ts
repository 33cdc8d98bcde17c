import type { Bytes } from '../../platform/bytes.ts';
import { am, apply } from './apply.ts';
import { checkout, restore, switchBranch } from './checkout.ts';
import { clean } from './clean.ts';
import { formatPatch } from './format-patch.ts';
import { filterBranch, filterRepo, forEachRepo, init, opaque } from './history.ts';
import { bundle, config, credentialStore, difftool, grep, mailsplit, outputFiles } from './outputs.ts';
import { checkoutIndex, readTree, updateIndex } from './plumbing.ts';
import { branch, fetch, notes, push, remote, replace, symbolicRef, tag, updateRef } from './refs.ts';
import { add, mv, rm } from './remove.ts';
import { reset } from './reset.ts';
import type { Scene } from './scene.ts';
import { bisect, cherryPick, commit, merge, pull, rebase, revert } from './sequences.ts';
import { sparseCheckout } from './sparse.ts';
import { stash } from './stash.ts';
import { submodule } from './submodule.ts';
import { gc, lfs, prune, reflog, repack } from './upkeep.ts';
import { worktree } from './worktree.ts';

/** What each subcommand destroys. A subcommand that is in neither table is an alias, or a program of its own. */
export const COMMANDS: ReadonlyMap<Bytes, (scene: Scene) => void> = new Map([
  ['add', add],
  ['stage', add],
  ['am', am],
  ['apply', apply],
  ['archive', outputFiles],
  ['bisect', bisect],
  ['branch', branch],
  ['bundle', bundle],
  ['checkout', checkout],
  ['checkout-index', checkoutIndex],
  ['cherry-pick', cherryPick],
  ['clean', clean],
  ['commit', commit],
  ['config', config],
  ['credential-store', credentialStore],
  ['diff', outputFiles],
  ['diff-files', outputFiles],
  ['diff-index', outputFiles],
  ['diff-tree', outputFiles],
  ['difftool', difftool],
  ['fast-export', outputFiles],
  ['fast-import', outputFiles],
  ['fetch', fetch],
  ['filter-branch', filterBranch],
  ['filter-repo', filterRepo],
  ['for-each-repo', forEachRepo],
  ['format-patch', formatPatch],
  ['gc', gc],
  ['grep', grep],
  ['index-pack', outputFiles],
  ['init', init],
  ['init-db', init],
  ['interpret-trailers', outputFiles],
  ['lfs', lfs],
  ['log', outputFiles],
  ['mailinfo', outputFiles],
  ['mailsplit', mailsplit],
  ['merge', merge],
  ['merge-file', outputFiles],
  ['merge-index', opaque],
  ['merge-one-file', opaque],
  ['mergetool', opaque],
  ['mv', mv],
  ['notes', notes],
  ['prune', prune],
  ['pull', pull],
  ['push', push],
  ['quiltimport', opaque],
  ['read-tree', readTree],
  ['rebase', rebase],
  ['reflog', reflog],
  ['remote', remote],
  ['repack', repack],
  ['replace', replace],
  ['reset', reset],
  ['restore', restore],
  ['revert', revert],
  ['rm', rm],
  ['show', outputFiles],
  ['sparse-checkout', sparseCheckout],
  ['stash', stash],
  ['submodule', submodule],
  ['subtree', opaque],
  ['svn', opaque],
  ['p4', opaque],
  ['switch', switchBranch],
  ['symbolic-ref', symbolicRef],
  ['tag', tag],
  ['update-index', updateIndex],
  ['update-ref', updateRef],
  ['whatchanged', outputFiles],
  ['worktree', worktree],
]);

/** Commands that only read, print, talk to others, or add what nobody loses. */
export const HARMLESS: ReadonlySet<Bytes> = new Set(
  (
    'annotate archimport backfill blame bugreport cat-file check-attr check-ignore check-mailmap check-ref-format cherry citool clone column ' +
    'commit-graph commit-tree count-objects credential credential-cache credential-cache--daemon cvsexportcommit cvsimport cvsserver daemon ' +
    'describe diagnose diff-pairs fetch-pack fmt-merge-msg for-each-ref fsck fsck-objects fsmonitor--daemon get-tar-commit-id gitk gui ' +
    'hash-object help hook http-backend http-fetch http-push imap-send instaweb last-modified ls-files ls-remote ls-tree maintenance ' +
    'merge-base merge-tree mktag mktree multi-pack-index name-rev pack-objects pack-redundant pack-refs patch-id prune-packed range-diff ' +
    'receive-pack refs remote-ext remote-fd remote-ftp remote-ftps remote-http remote-https replay repo request-pull rerere rev-list rev-parse ' +
    'send-email send-pack shell sh-i18n sh-setup shortlog show-branch show-index show-ref status stripspace unpack-file unpack-objects ' +
    'update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version web--browse write-tree'
  ).split(' '),
);
