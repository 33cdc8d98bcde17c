import type { Bytes } from '../../platform/bytes.ts';
import { lookThrough, namesVisible } from '../../platform/files.ts';
import { join, resolve } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { expand } from './config.ts';
import { known } from './options.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';

/** Hooks of whatever makes a commit (githooks(5)). */
const COMMITS = 'prepare-commit-msg commit-msg post-commit reference-transaction post-index-change';
const MERGES = `pre-merge-commit post-merge ${COMMITS}`;
const REBASES = `pre-rebase post-checkout post-rewrite pre-commit ${COMMITS}`;
const INDEX = 'post-index-change';
const REFS = 'reference-transaction';

/** Which hooks of the repository a subcommand may run: githooks(5). Those of the other end of a push are below. */
const HOOKS: ReadonlyMap<Bytes, readonly Bytes[]> = new Map(
  Object.entries({
    add: INDEX,
    am: `applypatch-msg pre-applypatch post-applypatch post-rewrite ${COMMITS}`,
    apply: INDEX,
    bisect: `post-checkout ${INDEX} ${REFS}`,
    branch: REFS,
    checkout: `post-checkout ${INDEX} ${REFS}`,
    'cherry-pick': COMMITS,
    commit: `pre-commit post-rewrite ${COMMITS}`,
    fetch: REFS,
    gc: 'pre-auto-gc',
    merge: MERGES,
    mv: INDEX,
    notes: REFS,
    pull: `${MERGES} pre-rebase post-checkout post-rewrite`,
    push: `pre-push ${REFS}`,
    'read-tree': INDEX,
    rebase: REBASES,
    reset: `${INDEX} ${REFS}`,
    restore: INDEX,
    revert: COMMITS,
    rm: INDEX,
    'sparse-checkout': `post-checkout ${INDEX}`,
    stash: `${INDEX} ${REFS}`,
    submodule: `post-checkout ${INDEX} ${REFS}`,
    switch: `post-checkout ${INDEX} ${REFS}`,
    'symbolic-ref': REFS,
    tag: REFS,
    'update-index': INDEX,
    'update-ref': REFS,
    worktree: `post-checkout ${REFS}`,
  }).map(([name, hooks]) => [name, hooks.split(' ')]),
);

/** `--no-verify` leaves these out (git-commit(1), git-merge(1), git-push(1), git-am(1)). */
const VERIFYING: ReadonlySet<Bytes> = new Set([
  'applypatch-msg',
  'commit-msg',
  'pre-applypatch',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
]);

/** Their first argument is the file of the message. */
const OF_MESSAGE: ReadonlySet<Bytes> = new Set(['applypatch-msg', 'commit-msg', 'prepare-commit-msg']);
/** They read lines that only git knows. */
const READING: ReadonlySet<Bytes> = new Set([
  'pre-push',
  'post-rewrite',
  'reference-transaction',
  'pre-receive',
  'post-receive',
]);

/** One line may run git many times; what a hook does is the same each time. */
const LOOKED_AT = 'git:hooks';
const MOST = 40;

const ANYTHING: Arg = { kind: 'unknown', prefix: '', suffix: '', many: true };

/** Programs that git itself runs in the course of a subcommand: read like any script, opaque where they cannot be read. */
export function runHooks(scene: Scene): void {
  const hooks = HOOKS.get(scene.name);
  if (hooks === undefined || scene.globals.cwd === undefined) return;
  const repo = scene.here();
  if (!repo) return;
  const top = repo.workTree ?? repo.gitDir;
  const unverified = optionsOf(scene.args).some((text) => isNoVerify(scene.name, text));
  runEach(scene, repo, top, unverified ? hooks.filter((hook) => !VERIFYING.has(hook)) : hooks);
}

/** Hooks of the repository that a push goes into, where that is a folder of this machine: they run in its git folder. */
const RECEIVING =
  'pre-receive update proc-receive post-receive post-update push-to-checkout reference-transaction'.split(' ');

export const runReceiving = (scene: Scene, other: Repository): void => runEach(scene, other, other.gitDir, RECEIVING);

function runEach(scene: Scene, repo: Repository, top: Bytes, hooks: readonly Bytes[]): void {
  const folder = folderOf(repo, top);
  const there = new Set(namesVisible(folder));
  for (const hook of hooks) {
    if (!there.has(hook)) continue;
    const path = join(folder, hook);
    const look = lookThrough(path);
    if (look?.type !== 'file' || (look.mode & 0o111) === 0) continue;
    const seen = seenBy(scene, `${top}\0${path}`);
    if (seen === 'before') continue;
    if (seen === 'too many') {
      scene.out.opaque(hook, { kind: 'known', path: top });
      continue;
    }
    scene.call.run([known(path), ...argumentsOf(hook, repo)], {
      cwd: { kind: 'known', path: top },
      certainty: 'maybe',
      ...(READING.has(hook) ? { stdin: { kind: 'pipe' } } : {}),
    });
  }
}

/** git-config(1), `core.hooksPath`: from the folder in which hooks run. */
function folderOf(repo: Repository, top: Bytes): Bytes {
  const own = repo.config.text('core.hookspath');
  return own === undefined || own === '' ? join(repo.commonDir, 'hooks') : resolve(top, expand(own, repo.where.env));
}

const isNoVerify = (name: Bytes, word: Bytes): boolean =>
  /^--no-v(e(r(i(f(y)?)?)?)?)?$/.test(word) || (name === 'commit' && /^-[aeiopqsvz]*n/.test(word));

/** Words that may be options: not behind `--`, nor the value of another one. One too few only keeps more. */
function optionsOf(args: readonly Arg[]): readonly Bytes[] {
  const out: Bytes[] = [];
  let isValue = false;
  for (const arg of args) {
    const text = arg.kind === 'known' ? arg.text : '';
    if (text === '--') break;
    if (!isValue) out.push(text);
    isValue = !isValue && VALUED.test(text);
  }
  return out;
}

/** Options of git-commit(1), git-merge(1), git-push(1) that take the next word. */
const VALUED =
  /^(?:-[a-zA-Z]*[mFCctXo]|--(?:message|file|reuse-message|reedit-message|template|author|date|trailer|fixup|squash|cleanup|strategy|strategy-option|push-option|into-name))$/;

/** A hook may run git, which runs hooks. */
function seenBy(scene: Scene, key: Bytes): 'before' | 'new' | 'too many' {
  const seen = (scene.out.memory.get(LOOKED_AT) ?? new Set<Bytes>()) as Set<Bytes>;
  scene.out.memory.set(LOOKED_AT, seen);
  if (seen.has(key)) return 'before';
  if (seen.size >= MOST) return 'too many';
  seen.add(key);
  return 'new';
}

/** The message is git's own draft, written a moment before: nothing of the person's is lost with it, so it is a name of nothing. */
const argumentsOf = (hook: Bytes, repo: Repository): readonly Arg[] =>
  OF_MESSAGE.has(hook) ? [known(join(repo.gitDir, 'COMMIT_EDITMSG.draft')), ANYTHING] : [ANYTHING];
