import type { Bytes } from '../../platform/bytes.ts';
import { join, normalize } from '../../platform/paths.ts';
import { wild } from '../../platform/wild.ts';
import type { Arg } from '../../shell/types.ts';
import { abort } from './abort.ts';
import type { Change } from './changes.ts';
import { type Parsed, parseOptions } from './options.ts';
import { type PatchedFile, patchedFiles } from './patch-text.ts';
import { contentOf, stdinOf } from './pathspec-file.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { fileOf, type Scene } from './scene.ts';
import { Status, statOf } from './status.ts';

const APPLY =
  'exclude= include= p= no-add stat numstat summary check index N,intent-to-add cached unsafe-paths apply 3,3way ours theirs union ' +
  'build-fake-ancestor= z C= unidiff-zero R,reverse allow-binary-replacement binary whitespace= ignore-space-change ignore-whitespace ' +
  'reject directory= v,verbose q,quiet inaccurate-eof recount allow-empty allow-overlap';

/** git-apply(1): files named in the patch, tracked or not, changed or not, in a repository or in none. */
export function apply(scene: Scene): void {
  const parsed = parseOptions(APPLY, scene.args);
  if (parsed.help) return;
  const readOnly = ['stat', 'numstat', 'summary', 'check'].some((name) => parsed.has(name));
  if ((readOnly && parsed.get('apply') !== true) || parsed.get('apply') === false) return;
  const { cwd } = scene.globals;
  const repo = scene.repository();
  if (cwd === undefined) return;
  if (parsed.has('cached')) {
    if (repo) reportState(scene, repo);
    return;
  }
  const files = chosen(
    readPatches(scene, [...parsed.before, ...(parsed.after ?? [])], Number(parsed.text('p') ?? 1)),
    parsed,
  );
  if (files === undefined) {
    scene.out.unknown(scene.verb, repo?.workTree ?? cwd, 'the patch is not known before the line runs');
    return;
  }
  const tree = repo?.workTree === undefined ? undefined : repo;
  const folder = parsed.text('directory');
  const careful = parsed.has('index') || parsed.has('3way');
  const turned = parsed.has('reverse') ? files.map(reversed) : files;
  touch(scene, tree, turned, { folder, careful, rejects: parsed.has('reject') });
  if (repo && (careful || parsed.has('intent-to-add'))) reportState(scene, repo);
}

const AM =
  'i,interactive 3,3way q,quiet s,signoff u,utf8 k,keep keep-non-patch b m,message-id keep-cr c,scissors quoted-cr= whitespace= ' +
  'ignore-space-change ignore-whitespace directory= exclude= include= C= p= patch-format= reject resolvemsg= continue r,resolved skip ' +
  'abort quit show-current-patch=? retry allow-empty committer-date-is-author-date ignore-date rerere-autoupdate S,gpg-sign=? empty= n verify';

/** git-am(1): patches as commits; refuses where a file is changed. */
export function am(scene: Scene): void {
  const parsed = parseOptions(AM, scene.args);
  if (parsed.help || parsed.has('quit') || parsed.has('show-current-patch')) return;
  if (parsed.has('abort') || parsed.has('skip')) {
    abort(scene, 'am', parsed.has('skip'));
    return;
  }
  if (parsed.has('continue') || parsed.has('resolved') || parsed.has('retry')) return;
  const repo = scene.workTree();
  if (!repo) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const files = chosen(readPatches(scene, operands, Number(parsed.text('p') ?? 1)), parsed);
  if (files === undefined) scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  else
    touch(
      scene,
      repo,
      files.map((file) => ({ ...file, fromTop: true })),
      { folder: parsed.text('directory'), careful: true, rejects: parsed.has('reject') },
    );
  scene.state(repo).head = undefined;
  reportState(scene, repo);
}

/** Undefined where some patch cannot be read now. */
function readPatches(scene: Scene, operands: readonly Arg[], strip: number): PatchedFile[] | undefined {
  const out: PatchedFile[] = [];
  const sources: readonly Arg[] = operands.length > 0 ? operands : [{ kind: 'known', text: '-' }];
  for (const source of sources) {
    if (source.kind === 'unknown') return undefined;
    const path = fileOf(scene, source.text);
    // `git apply <(git diff)`, a patch that the line writes: what is there now is not what git will read.
    const said = source.text === '-' ? undefined : scene.call.written(source.text);
    if (said?.kind === 'unknown') return undefined;
    const text = source.text === '-' ? stdinOf(scene) : (said?.text ?? contentOf(path));
    if (text === undefined) {
      // git stops at a patch that is not there
      if (source.text !== '-' && path !== undefined && statOf(path) === undefined) return out;
      return undefined;
    }
    out.push(...patchedFiles(text, Number.isNaN(strip) ? 1 : strip));
  }
  return out;
}

/** `--include`, `--exclude`: a file is passed over that only an `--exclude` matches, or no `--include` where there are some. */
function chosen(files: readonly PatchedFile[] | undefined, parsed: Parsed): readonly PatchedFile[] | undefined {
  const [only, never] = (['include', 'exclude'] as const).map((name) => parsed.all(name));
  if (!files || !only || !never || (only.length === 0 && never.length === 0)) return files;
  const folder = parsed.text('directory');
  const matches = (patterns: readonly Arg[], file: PatchedFile): boolean => {
    const name = file.to ?? file.from ?? '';
    const path = folder === undefined ? name : `${folder}/${name}`;
    return patterns.some((pattern) => pattern.kind === 'unknown' || wild(pattern.text).test(path));
  };
  return files.filter((file) => matches(only, file) || (only.length === 0 && !matches(never, file)));
}

const reversed = (file: PatchedFile): PatchedFile => ({
  ...file,
  from: file.copied ? undefined : file.to,
  to: file.copied ? undefined : file.from,
});

interface Manner {
  readonly folder: Bytes | undefined;
  /** Refuses where a file differs from the index. */
  readonly careful: boolean;
  readonly rejects: boolean;
}

function touch(scene: Scene, repo: Repository | undefined, files: readonly PatchedFile[], manner: Manner): void {
  const { cwd } = scene.globals;
  if (cwd === undefined) return;
  const top = repo?.workTree ?? cwd;
  const place = (name: Bytes, fromTop: boolean): Bytes | undefined => {
    const below = manner.folder === undefined ? name : `${manner.folder}/${name}`;
    const path = normalize(fromTop || !repo ? below : `${repo.prefix}${below}`);
    if (path.startsWith('../') || path.startsWith('/')) return undefined;
    // from a subfolder git passes over what lies outside it
    return repo && !path.startsWith(repo.prefix) && manner.folder === undefined ? undefined : path;
  };
  const entries = new Map((repo?.index() ?? []).map((entry) => [entry.path, entry]));
  const status = repo ? new Status(repo) : undefined;
  const changes: Change[] = [];
  const note = (path: Bytes, way: 'replace' | 'delete'): void => {
    if (!statOf(join(top, path))) return;
    const entry = entries.get(path);
    const clean = entry !== undefined && status?.of(entry).kind === 'same';
    changes.push({ path, way, lost: !clean && !manner.careful, tracked: entry !== undefined });
  };
  for (const file of files) {
    const from = file.from === undefined ? undefined : place(file.from, file.fromTop);
    const to = file.to === undefined ? undefined : place(file.to, file.fromTop);
    if (to !== undefined && to === from) note(to, 'replace');
    else {
      if (from !== undefined && !file.copied) note(from, 'delete');
      if (to !== undefined && !statOf(join(top, to)))
        changes.push({ path: to, way: 'create', lost: false, tracked: false });
    }
    const rejected = to ?? from;
    if (manner.rejects && rejected !== undefined) {
      const there = statOf(join(top, `${rejected}.rej`)) !== undefined;
      changes.push({
        path: `${rejected}.rej`,
        way: there ? 'replace' : 'create',
        lost: there,
        tracked: false,
        maybe: true,
      });
    }
  }
  if (repo) reportChanges(scene, repo, { kind: 'changes', changes }, [repo.prefix.replace(/\/$/, '')]);
  else
    for (const change of changes)
      scene.out.effect({ verb: scene.verb, path: join(top, change.path), way: change.way, destructive: change.lost });
}
