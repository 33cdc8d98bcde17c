import type { Bytes } from '../../platform/bytes.ts';
import { isAbsolute, join, resolve } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { runReceiving } from './hooks.ts';
import { mayBeOptions, parseOptions } from './options.ts';
import { stdinOf } from './pathspec-file.ts';
import { reportState } from './report.ts';
import { findRepository, headRefOf, type Repository } from './repository.ts';
import { fileOf, type Scene } from './scene.ts';
import { statOf } from './status.ts';
import { linked } from './worktree.ts';

/**
 * Commands that drop or move refs. A ref that goes takes its reflog along; one that moves leaves its old value there, where it has one:
 * tags have none, and neither have the branches of a bare repository.
 */

const logged = (repo: Repository, ref: Bytes): boolean => statOf(join(repo.commonDir, `logs/${ref}`)) !== undefined;

const exists = (repo: Repository, ref: Bytes): boolean =>
  repo.foreignRefs ? repo.resolve(ref) !== undefined : repo.ref(ref) !== undefined;

/** Some operand names an existing ref, or may. */
const some = (repo: Repository, operands: readonly Arg[], full: (name: Bytes) => Bytes): boolean =>
  operands.some((arg) => arg.kind === 'unknown' || exists(repo, full(arg.text)));

const BRANCH =
  'v,verbose q,quiet t,track=? u,set-upstream-to= unset-upstream color=? r,remotes contains= no-contains= abbrev=? a,all d,delete D ' +
  'm,move M c,copy C l,list show-current create-reflog edit-description f,force merged=? no-merged=? column=? sort= points-at= ' +
  'i,ignore-case recurse-submodules format=';

export function branch(scene: Scene): void {
  const parsed = parseOptions(BRANCH, scene.args);
  if (parsed.help || parsed.has('list') || parsed.has('show-current')) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const force = parsed.has('force');
  const unsure = mayBeOptions(parsed.before) && !parsed.has('delete');
  const deletes = parsed.has('delete') || parsed.has('D') || unsure;
  const renames = parsed.has('move') || parsed.has('M');
  const copies = parsed.has('copy') || parsed.has('C');
  if (!deletes && !renames && !copies && !force) return;
  const repo = scene.repository();
  if (!repo) return;
  const full = (name: Bytes): Bytes => (parsed.has('remotes') ? `refs/remotes/${name}` : `refs/heads/${name}`);
  if (deletes) {
    // git keeps a branch that is checked out somewhere
    const heads = parsed.has('remotes') ? new Set<Bytes>() : headsOf(repo);
    const free = operands.filter((arg) => arg.kind === 'unknown' || !heads.has(full(arg.text)));
    if (some(repo, free, full))
      reportState(scene, repo, !parsed.has('delete') || force, { maybe: unsure && !parsed.has('D') });
    return;
  }
  if (renames || copies) {
    const over = parsed.has('M') || parsed.has('C') || force;
    const target = operands.at(-1);
    if (target === undefined) return;
    const same =
      operands.length > 1 &&
      target.kind === 'known' &&
      operands[0]?.kind === 'known' &&
      operands[0].text === target.text;
    const lost = over && !same && some(repo, [target], full) && !isCurrent(repo, operands.length < 2, target);
    reportState(scene, repo, lost);
    return;
  }
  const name = operands[0];
  if (name === undefined || !some(repo, [name], full)) return;
  reportState(scene, repo, name.kind === 'known' && !logged(repo, full(name.text)));
}

/** Branches that this work tree or a linked one stands on. */
function headsOf(repo: Repository): ReadonlySet<Bytes> {
  const folders = [repo.commonDir, ...linked(repo).map((one) => one.gitDir)];
  return new Set(folders.flatMap((folder) => headRefOf(folder) ?? []));
}

/** `git branch -M main` on main itself. */
const isCurrent = (repo: Repository, implicit: boolean, target: Arg): boolean =>
  implicit && target.kind === 'known' && repo.headRef() === `refs/heads/${target.text}`;

const TAG =
  'l,list n=? d,delete v,verify a,annotate m,message= F,file= trailer= e,edit s,sign cleanup= u,local-user= f,force create-reflog ' +
  'column=? contains=? no-contains=? merged=? no-merged=? sort= points-at= format= color=? i,ignore-case';

export function tag(scene: Scene): void {
  const parsed = parseOptions(TAG, scene.args);
  if (parsed.help || parsed.has('list') || parsed.has('verify')) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const unsure = mayBeOptions(parsed.before);
  if (!parsed.has('delete') && !parsed.has('force') && !unsure) return;
  const repo = scene.repository();
  if (!repo) return;
  const named = parsed.has('delete') || unsure ? operands : operands.slice(0, 1);
  if (some(repo, named, (name) => `refs/tags/${name}`))
    reportState(scene, repo, true, { maybe: unsure && !parsed.has('delete') });
}

export function updateRef(scene: Scene): void {
  const parsed = parseOptions('m= d no-deref deref z stdin create-reflog batch-updates', scene.args);
  if (parsed.help) return;
  const repo = scene.repository();
  if (!repo) return;
  if (parsed.has('stdin')) {
    const text = stdinOf(scene);
    reportState(scene, repo, text === undefined || /^(delete|update|symref-(delete|update)) /m.test(text));
    return;
  }
  const name = [...parsed.before, ...(parsed.after ?? [])][0];
  if (name === undefined) return;
  if (name.kind === 'unknown') {
    reportState(scene, repo, true);
    return;
  }
  const ref = name.text === 'HEAD' ? (repo.headRef() ?? 'HEAD') : name.text;
  if (exists(repo, ref)) reportState(scene, repo, parsed.has('d') || !logged(repo, ref));
}

export function symbolicRef(scene: Scene): void {
  const parsed = parseOptions('d,delete q,quiet short recurse m=', scene.args);
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  if (parsed.help || (!parsed.has('delete') && operands.length < 2)) return;
  const repo = scene.repository();
  if (repo) reportState(scene, repo, parsed.has('delete'));
}

/** git-notes(1): `refs/notes/*` keeps its history; only a ref that goes is lost. */
export function notes(scene: Scene): void {
  const parsed = parseOptions('ref=', scene.args, true);
  const word = parsed.before[0];
  if (parsed.help || word?.kind !== 'known' || ['list', 'show', 'get-ref'].includes(word.text)) return;
  const repo = scene.repository();
  if (repo) reportState(scene, repo);
}

export function replace(scene: Scene): void {
  const parsed = parseOptions('l,list d,delete e,edit g,graft convert-graft-file f,force raw format=', scene.args);
  if (parsed.help || parsed.has('list') || scene.args.length === 0) return;
  const repo = scene.repository();
  const drops = parsed.has('delete') || parsed.has('force');
  if (repo && (!drops || repo.refsBelow('refs/replace/').length > 0)) reportState(scene, repo, drops);
}

export function remote(scene: Scene): void {
  const parsed = parseOptions('v,verbose', scene.args, true);
  const [word, name] = parsed.before;
  if (parsed.help || word?.kind !== 'known') return;
  if (!['remove', 'rm', 'rename', 'prune'].includes(word.text)) return;
  const repo = scene.repository();
  if (!repo) return;
  const refs = name?.kind === 'known' ? repo.refsBelow(`refs/remotes/${name.text}/`) : repo.refsBelow('refs/remotes/');
  const removes = word.text === 'remove' || word.text === 'rm';
  if (removes || refs.length > 0) reportState(scene, repo, removes && refs.length > 0);
}

const FETCH =
  'v,verbose q,quiet all set-upstream a,append atomic upload-pack= f,force m,multiple t,tags n j,jobs= prefetch p,prune P,prune-tags ' +
  'recurse-submodules=? dry-run write-fetch-head k,keep u,update-head-ok progress depth= shallow-since= shallow-exclude= deepen= ' +
  'unshallow refetch update-shallow refmap= o,server-option= 4,ipv4 6,ipv6 negotiation-tip= negotiate-only filter= auto-maintenance ' +
  'auto-gc show-forced-updates write-commit-graph stdin porcelain';

/** git-fetch(1): forced refspecs move local refs, and tags keep no reflog. */
export function fetch(scene: Scene): void {
  const parsed = parseOptions(FETCH, scene.args);
  if (parsed.help || parsed.has('dry-run')) return;
  const specs = [...parsed.before.slice(1), ...(parsed.after ?? [])];
  const force = parsed.has('force');
  const here = scene.globals.cwd === undefined ? undefined : scene.repository();
  if (here) scene.state(here).fetched = true;
  const into = specs.flatMap((arg) => {
    if (arg.kind !== 'known') return [];
    const [, target = ''] = arg.text.split(':');
    return target !== '' && (force || arg.text.startsWith('+')) ? [target] : [];
  });
  if (into.length === 0 && !parsed.has('prune') && !parsed.has('prune-tags') && !(force && parsed.has('tags'))) return;
  const repo = scene.repository();
  if (!repo) return;
  const tags = repo.refsBelow('refs/tags/').length > 0;
  const hit = into.some((ref) => {
    const full = ref.startsWith('refs/') ? ref : `refs/heads/${ref}`;
    return /\*/.test(full) || (exists(repo, full) && !logged(repo, full));
  });
  reportState(scene, repo, hit || (tags && (parsed.has('prune-tags') || (force && parsed.has('tags')))));
}

const PUSH =
  'v,verbose q,quiet repo= all branches mirror d,delete tags n,dry-run porcelain f,force force-with-lease=? force-if-includes ' +
  'recurse-submodules= thin receive-pack= exec= u,set-upstream progress prune verify follow-tags signed=? atomic o,push-option= 4,ipv4 6,ipv6';

/** git-push(1): what it drops lies elsewhere, unless the remote is a folder of this machine. */
export function push(scene: Scene): void {
  const parsed = parseOptions(PUSH, scene.args);
  if (parsed.help || parsed.has('dry-run')) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const specs = operands.slice(1);
  const drops =
    ['delete', 'mirror', 'prune', 'force', 'force-with-lease'].some((name) => parsed.has(name)) ||
    specs.some((arg) => arg.kind === 'known' && /^(\+|:.)/.test(arg.text));
  const repo = drops ? scene.repository() : scene.here();
  if (!repo) return;
  const target = operands[0]?.kind === 'known' ? operands[0].text : (parsed.text('repo') ?? 'origin');
  const path = localPath(scene, repo, target);
  const other =
    path === undefined
      ? undefined
      : findRepository({
          cwd: path,
          env: (name) => (name.startsWith('GIT_') ? undefined : scene.call.env(name)),
          command: [],
          pathspecs: {},
        });
  if (other) runReceiving(scene, other);
  if (!drops) return;
  // what is known of the remote moves, too
  if (localRemote(repo, target)) reportState(scene, repo);
  if (other) reportState(scene, other, true, { note: 'the remote is a folder of this machine' });
  else scene.out.remark(`${scene.verb}: what it drops lies in another place`);
}

const localRemote = (repo: Repository, name: Bytes): boolean => repo.refsBelow(`refs/remotes/${name}/`).length > 0;

/** The folder that a remote name or URL stands for; undefined for one that lies elsewhere. */
function localPath(scene: Scene, repo: Repository, name: Bytes): Bytes | undefined {
  const url = repo.config.text(`remote.${name}.pushurl`) ?? repo.config.text(`remote.${name}.url`) ?? name;
  if (url.startsWith('file://')) return url.slice('file://'.length);
  if (/^[\w+.-]+:\/\//.test(url) || (/^[^/]*:/.test(url) && !isAbsolute(url))) return undefined;
  const path = url === name ? fileOf(scene, url) : resolve(repo.workTree ?? repo.gitDir, url);
  return path !== undefined && statOf(path)?.isDirectory() ? path : undefined;
}
