import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { losesInside, repositoryAt } from './nested.ts';
import { known, parseOptions } from './options.ts';
import { everything, readPathspec } from './pathspec.ts';
import { reportState } from './report.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { isGitlink, statOf } from './status.ts';

/** git-submodule(1). */
export function submodule(scene: Scene): void {
  const outer = parseOptions('q,quiet cached', scene.args, true);
  const [first, ...rest] = outer.before;
  const word = first?.kind === 'known' ? first.text : '';
  if (outer.help) return;
  if (word === 'foreach') foreach(scene, rest);
  else if (word === 'update') update(scene, rest);
  else if (word === 'deinit') deinit(scene, rest);
  else if (first?.kind === 'unknown') deinit(scene, [known('--force'), known('--all')]);
  else if (word === 'add' || word === 'set-branch' || word === 'set-url') registers(scene, word);
}

interface Submodule {
  readonly path: Bytes;
  readonly oid: string;
}

/** Those that are checked out, of the index. */
function checkedOut(repo: Repository, matches: (path: Bytes) => boolean = () => true): Submodule[] {
  const top = repo.workTree;
  if (top === undefined) return [];
  return (repo.index() ?? []).flatMap((entry) => {
    const path = join(top, entry.path);
    return isGitlink(entry) && matches(entry.path) && statOf(join(path, '.git')) ? [{ path, oid: entry.oid }] : [];
  });
}

/** One argument is a text for `sh`, several are a command; each submodule is its folder. */
function foreach(scene: Scene, args: readonly Arg[]): void {
  const parsed = parseOptions('q,quiet recursive', args, true);
  const command = [...parsed.before, ...(parsed.after ?? [])];
  if (parsed.help || command.length === 0) return;
  const repo = scene.workTree();
  if (repo) visit(scene, repo, command, parsed.has('recursive'), 0);
}

const DEPTH = 8;

function visit(scene: Scene, repo: Repository, command: readonly Arg[], recursive: boolean, depth: number): void {
  for (const { path } of checkedOut(repo)) {
    const cwd = { kind: 'known', path } as const;
    const [only] = command;
    if (command.length === 1 && only?.kind === 'known') scene.call.script(only.text, { shell: 'sh', cwd });
    else scene.call.run(command, { cwd });
    const inner = recursive && depth < DEPTH ? repositoryAt(scene, path) : undefined;
    if (inner) visit(scene, inner, command, recursive, depth + 1);
  }
}

const UPDATE =
  'q,quiet progress init remote N,no-fetch f,force checkout m,merge r,rebase reference= dissociate depth= recursive j,jobs= ' +
  'recommend-shallow single-branch filter= require-init';

/** Without force a checkout in each, by git's own care; with it what is changed goes. */
function update(scene: Scene, args: readonly Arg[]): void {
  const parsed = parseOptions(UPDATE, args);
  if (parsed.help) return;
  const repo = scene.workTree();
  if (!repo) return;
  const pathspec = readPathspec(repo, [...parsed.before, ...(parsed.after ?? [])]);
  for (const { path, oid } of checkedOut(repo, pathspec.matches)) {
    // an earlier command of the line may have changed which commit that is
    if (parsed.has('remote') || scene.state(repo).head !== 'HEAD')
      scene.out.opaque(scene.verb, { kind: 'known', path });
    if (parsed.has('force')) scene.again([known('checkout'), known('-f'), known('-q'), known(oid)], path);
    else if (parsed.has('merge')) scene.again([known('merge'), known(oid)], path);
    else if (parsed.has('rebase')) scene.again([known('rebase'), known(oid)], path);
    else if (!parsed.has('remote')) scene.again([known('checkout'), known('-q'), known(oid)], path);
    if (parsed.has('recursive'))
      scene.again(
        [known('submodule'), known('update'), ...(parsed.has('force') ? [known('--force')] : []), known('--recursive')],
        path,
      );
  }
}

/** `.gitmodules` is written; what `add` clones is a new folder, which loses nothing. */
function registers(scene: Scene, word: Bytes): void {
  const repo = scene.workTree();
  if (!repo) return;
  const path = join(repo.workTree, '.gitmodules');
  scene.out.effect({ verb: scene.verb, path, way: statOf(path) ? 'replace' : 'create', destructive: false });
  if (word === 'add') reportState(scene, repo);
}

/** Empties the folder; without force it refuses where something is changed or untracked, ignored files excepted. */
function deinit(scene: Scene, args: readonly Arg[]): void {
  const parsed = parseOptions('q,quiet f,force all', args);
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  if (parsed.help || (operands.length === 0 && !parsed.has('all'))) return;
  const repo = scene.workTree();
  if (!repo) return;
  const pathspec = operands.length === 0 ? everything : readPathspec(repo, operands);
  for (const { path } of checkedOut(repo, pathspec.matches))
    scene.out.effect({
      verb: scene.verb,
      path,
      way: 'delete',
      recursive: true,
      destructive: losesInside(scene, path, parsed.has('force')),
    });
}
