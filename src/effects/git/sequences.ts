import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { abort } from './abort.ts';
import { carefully } from './changes.ts';
import { type Parsed, parseOptions } from './options.ts';
import { runShell } from './programs.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { isHead, revisionOf } from './revisions.ts';
import type { Scene } from './scene.ts';
import { type Answer, ofCommits, sinceMergeBase, treeToTree } from './trees.ts';

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
  for (const other of others)
    bring(scene, repo, other, (revision) => sinceMergeBase(repo, revision), parsed.get('overwrite-ignore') !== false);
  started(scene, repo);
}

/** Brings what `ask` says of one operand into the work tree. */
function bring(
  scene: Scene,
  repo: Tree,
  operand: Arg,
  ask: (revision: Bytes) => Answer,
  overwriteIgnored = true,
): void {
  const revision = operand.kind === 'known' ? revisionOf(repo, operand.text) : undefined;
  if (revision === undefined) {
    // not here yet (an earlier `fetch`), or not known before the line runs
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
    return;
  }
  if (!isHead(repo, revision)) show(scene, repo, ask(revision), overwriteIgnored);
}

function show(scene: Scene, repo: Tree, answer: Answer, overwriteIgnored = true): void {
  if (answer.kind === 'found')
    reportChanges(scene, repo, carefully(repo, answer.differences, { overwriteIgnored }), []);
  else scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
}

function started(scene: Scene, repo: Repository): void {
  const state = scene.state(repo);
  state.moved = true;
  state.started = true;
  reportState(scene, repo);
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
  bring(scene, repo, base, (revision) => treeToTree(repo, 'HEAD', revision));
  if (branch) bring(scene, repo, branch, (revision) => treeToTree(repo, 'HEAD', revision));
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
  if (answer.kind === 'nothing') return;
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
  show(scene, repo, turned);
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
  if (parsed.before.length === 0) {
    const upstream = revisionOf(repo, '@{upstream}');
    if (upstream !== undefined) show(scene, repo, sinceMergeBase(repo, upstream));
  }
  started(scene, repo);
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
    bring(scene, repo, target, (revision) => treeToTree(repo, 'HEAD', revision));
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
  state.grown = [];
  state.moved = true;
  if (parsed.has('amend')) reportState(scene, repo);
}
