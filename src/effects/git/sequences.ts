import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { abort } from './abort.ts';
import { overwritten, unharmed } from './changes.ts';
import { followsGit } from './line-state.ts';
import { baseOf, captureIfTangled, going } from './moves.ts';
import { type Parsed, parseOptions } from './options.ts';
import { everything } from './pathspec.ts';
import { runShell } from './programs.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { isHead, revisionOf } from './revisions.ts';
import type { Scene } from './scene.ts';
import { isFolderEntry, isGitlink, Status } from './status.ts';
import { type Answer, ofCommits, sinceMergeBase, treeToIndex, treeToTree } from './trees.ts';

/**
 * Commands that bring other commits into the work tree. All refuse where a changed file is in the way, none where an ignored one is;
 * commits stay in the reflog.
 */

type Tree = Repository & { readonly workTree: Bytes };

const MERGE =
  'abort quit continue n stat summary compact-summary log=? squash commit e,edit cleanup= ff ff-only rerere-autoupdate ' +
  'verify-signatures s,strategy= X,strategy-option= m,message= F,file= into-name= v,verbose q,quiet progress ' +
  'allow-unrelated-histories autostash S,gpg-sign=? overwrite-ignore verify signoff';

export function merge(scene: Scene): void {
  const parsed = parseOptions(MERGE, scene.args);
  if (parsed.help || parsed.has('quit')) return;
  if (parsed.has('abort')) {
    abort(scene, 'merge', false);
    return;
  }
  if (parsed.has('continue')) return;
  const repo = scene.workTree();
  if (!repo) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const others: readonly Arg[] = operands.length > 0 ? operands : [{ kind: 'known', text: '@{upstream}' }];
  autostash(scene, repo, parsed, 'merge.autostash');
  for (const other of others)
    bring(scene, repo, other, (revision, head) => sinceMergeBase(repo, head, revision), {
      overwriteIgnored: parsed.get('overwrite-ignore') !== false,
      merges: true,
    });
  // `-s subtree`, `-X subtree=lib`: the other side's paths are others here
  if ([...parsed.all('strategy'), ...parsed.all('strategy-option')].some(isSubtree))
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  started(scene, repo);
}

const isSubtree = (arg: Arg): boolean => arg.kind === 'unknown' || arg.text.startsWith('subtree');

interface Manner {
  readonly overwriteIgnored?: boolean;
  /** By a three-way merge. */
  readonly merges?: boolean;
  /** git looks for local changes first, and stops: asked only where something would be lost. */
  readonly refused?: () => boolean;
}

/** Brings what `ask` says of one operand, seen from where HEAD is by then, into the work tree. */
function bring(
  scene: Scene,
  repo: Tree,
  operand: Arg,
  ask: (revision: Bytes, head: Bytes) => Answer,
  manner: Manner = {},
): void {
  const revision = operand.kind === 'known' ? revisionOf(repo, operand.text, scene.state(repo).head) : undefined;
  if (revision === undefined) {
    // made by an earlier command of the line, or not known before it runs; else git refuses
    if (operand.kind === 'unknown' || followsGit(scene.out))
      scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
    return;
  }
  const head = baseOf(scene, repo, revision);
  if (scene.state(repo).committed || !isHead(repo, revision, head)) show(scene, repo, ask(revision, head), manner);
}

function show(scene: Scene, repo: Tree, answer: Answer, manner: Manner = {}): void {
  if (answer.kind !== 'found') {
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
    return;
  }
  if (manner.merges) captureIfTangled(scene, repo, answer);
  const found = going(scene, repo, answer, { overwriteIgnored: manner.overwriteIgnored !== false });
  const lost = found.kind === 'changes' && found.changes.some((change) => change.lost);
  reportChanges(scene, repo, lost && manner.refused?.() ? unharmed(found) : found, []);
}

/** Local changes are put into a stash entry and come back afterwards, or stay in it where they do not fit. */
function autostash(scene: Scene, repo: Tree, parsed: Parsed, setting: Bytes): boolean {
  const wanted = parsed.get('autostash') ?? repo.config.flag(setting) === true;
  if (wanted === false) return false;
  const found = overwritten(repo, scene.state(repo), { from: { tree: 'HEAD' }, pathspec: everything, remove: true });
  reportChanges(scene, repo, unharmed(found), []);
  return true;
}

function started(scene: Scene, repo: Repository): void {
  scene.state(repo).head = undefined;
  reportState(scene, repo);
}

const staged = (repo: Repository): boolean => {
  const answer = treeToIndex(repo, 'HEAD');
  return answer.kind === 'found' && answer.differences.length > 0;
};

/** Something tracked is changed, or staged. */
function changed(repo: Repository): boolean {
  if (staged(repo)) return true;
  const status = new Status(repo);
  return (repo.index() ?? []).some(
    (entry) => !isGitlink(entry) && !isFolderEntry(entry) && !['same', 'folder'].includes(status.of(entry).kind),
  );
}

const REBASE =
  'onto= keep-base root i,interactive abort continue skip quit edit-todo show-current-patch x,exec= r,rebase-merges=? f,force-rebase ' +
  'ff m,merge apply s,strategy= X,strategy-option= autosquash autostash fork-point C= whitespace= S,gpg-sign=? q,quiet v,verbose ' +
  'n,stat update-refs ignore-whitespace committer-date-is-author-date reset-author-date ignore-date signoff empty= ' +
  'reapply-cherry-picks allow-empty-message k,keep-empty verify rerere-autoupdate reschedule-failed-exec preserve-merges p';

export function rebase(scene: Scene): void {
  const parsed = parseOptions(REBASE, scene.args);
  if (parsed.help || parsed.has('quit') || parsed.has('edit-todo') || parsed.has('show-current-patch')) return;
  if (parsed.has('abort') || parsed.has('skip')) {
    abort(scene, 'rebase', parsed.has('skip'));
    return;
  }
  if (parsed.has('continue')) return;
  const repo = scene.workTree();
  if (!repo) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const [upstream, branch] = parsed.has('root') ? [undefined, operands[0]] : operands;
  const onto = parsed.get('onto');
  const base: Arg =
    typeof onto === 'object'
      ? onto
      : (upstream ?? { kind: 'known', text: parsed.has('root') ? 'HEAD' : '@{upstream}' });
  const stashes = autostash(scene, repo, parsed, 'rebase.autostash');
  const clean = stashes || followsGit(scene.out) ? {} : { refused: () => changed(repo) };
  const manner: Manner = { ...clean, merges: true };
  if (branch) bring(scene, repo, branch, (revision, head) => treeToTree(repo, head, revision), manner);
  bring(scene, repo, base, (revision, head) => treeToTree(repo, head, revision), manner);
  started(scene, repo);
  for (const text of parsed.all('exec'))
    if (text.kind === 'known') runShell(scene, text.text, { cwd: repo.workTree, sure: true });
}

const PICK =
  'quit continue abort skip cleanup= n,no-commit e,edit s,signoff m,mainline= rerere-autoupdate strategy= X,strategy-option= ' +
  'S,gpg-sign=? x ff allow-empty allow-empty-message keep-redundant-commits empty= reference r';

export function cherryPick(scene: Scene): void {
  pick(scene, 'cherry-pick');
}

export function revert(scene: Scene): void {
  pick(scene, 'revert');
}

function pick(scene: Scene, operation: 'cherry-pick' | 'revert'): void {
  const parsed = parseOptions(PICK, scene.args);
  if (parsed.help || parsed.has('quit')) return;
  if (parsed.has('abort') || parsed.has('skip')) {
    abort(scene, operation, parsed.has('skip'));
    return;
  }
  if (parsed.has('continue')) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  if (operands.length === 0) return;
  const repo = scene.workTree();
  if (!repo) return;
  const words = operands.flatMap((arg) => (arg.kind === 'known' ? [arg.text === '-' ? '@{-1}' : arg.text] : []));
  const answer: Answer = words.length < operands.length ? { kind: 'failed' } : ofCommits(repo, words, false);
  const later = followsGit(scene.out);
  if (answer.kind === 'nothing' && !later) return;
  if (scene.state(repo).head !== 'HEAD') scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  // reverting goes the other way
  const turned: Answer =
    operation === 'revert' && answer.kind === 'found'
      ? {
          kind: 'found',
          differences: answer.differences.map((difference) => ({
            ...difference,
            from: difference.to,
            to: difference.from,
          })),
        }
      : answer;
  const clean = parsed.has('no-commit') || later ? {} : { refused: () => staged(repo) };
  show(scene, repo, turned, { ...clean, merges: true });
  started(scene, repo);
}

const PULL =
  'v,verbose q,quiet progress recurse-submodules=? r,rebase=? n stat summary log=? signoff squash commit edit cleanup= ff ff-only ' +
  'verify verify-signatures autostash s,strategy= X,strategy-option= S,gpg-sign=? allow-unrelated-histories all a,append upload-pack= ' +
  'f,force t,tags p,prune j,jobs= dry-run k,keep depth= shallow-since= shallow-exclude= deepen= unshallow update-shallow refmap= ' +
  'o,server-option= 4,ipv4 6,ipv6 negotiation-tip= show-forced-updates set-upstream';

/** git-pull(1): what comes is not here yet; what the last fetch brought is the best guess for files that git ignores. */
export function pull(scene: Scene): void {
  const parsed = parseOptions(PULL, scene.args);
  if (parsed.help || parsed.has('dry-run')) return;
  const repo = scene.workTree();
  if (!repo) return;
  scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  for (const upstream of lastKnown(repo, [...parsed.before, ...(parsed.after ?? [])]))
    show(scene, repo, sinceMergeBase(repo, 'HEAD', upstream));
  autostash(scene, repo, parsed, parsed.has('rebase') ? 'rebase.autostash' : 'merge.autostash');
  scene.state(repo).fetched = true;
  started(scene, repo);
}

/** What `REMOTE BRANCH…`, or without them the upstream, was when it was fetched last. */
function lastKnown(repo: Repository, operands: readonly Arg[]): Bytes[] {
  const [remote, ...branches] = operands.flatMap((arg) => (arg.kind === 'known' ? [arg.text] : []));
  if (remote === undefined || branches.length === 0) {
    const upstream = revisionOf(repo, '@{upstream}');
    return upstream === undefined ? [] : [upstream];
  }
  return branches
    .map((name) => `refs/remotes/${remote}/${name.replace(/^\+|:.*$/g, '').replace(/^refs\/heads\//, '')}`)
    .filter((ref) => repo.ref(ref) !== undefined);
}

/** git-bisect(1): every step checks another commit out; `run` runs a command at each. */
export function bisect(scene: Scene): void {
  const [first, ...rest] = scene.args;
  const word = first?.kind === 'known' ? first.text : '';
  if (['log', 'visualize', 'view', 'terms', 'help', 'next', ''].includes(word)) return;
  const repo = scene.workTree();
  if (!repo) return;
  if (word === 'reset') {
    const { before } = parseOptions('', rest);
    const target: Arg = before[0] ?? { kind: 'known', text: startOf(repo) };
    bring(scene, repo, target, (revision, head) => treeToTree(repo, head, revision));
  } else scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  started(scene, repo);
  if (word === 'run' && rest.length > 0) scene.call.run(rest, { cwd: { kind: 'known', path: repo.workTree } });
}

const startOf = (repo: Repository): Bytes => repo.bisectStart() ?? 'HEAD';

/** `git commit`: only `--amend` takes something away, and that stays in the reflog. */
export function commit(scene: Scene): void {
  const parsed: Parsed = parseOptions(
    'q,quiet v,verbose F,file= author= date= m,message= c,reedit-message= C,reuse-message= fixup= squash= reset-author trailer= s,signoff ' +
      't,template= e,edit cleanup= status S,gpg-sign=? a,all i,include interactive p,patch o,only n,verify dry-run short branch ' +
      'ahead-behind porcelain long z,null amend no-post-rewrite u,untracked-files=? pathspec-from-file= pathspec-file-nul ' +
      'allow-empty allow-empty-message',
    scene.args,
  );
  if (parsed.help || parsed.has('dry-run') || parsed.has('short') || parsed.has('porcelain')) return;
  const repo = scene.globals.cwd === undefined ? undefined : scene.repository();
  if (!repo) return;
  const state = scene.state(repo);
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const everythingAdded = state.grown.some((added) => added.pathspec.all);
  if (everythingAdded) state.saved = 'all';
  else if (parsed.has('all') && operands.length === 0 && state.saved === 'nothing') state.saved = 'tracked';
  state.kept.push(...state.grown);
  state.grown = [];
  state.committed = true;
  if (parsed.has('amend')) reportState(scene, repo);
}
