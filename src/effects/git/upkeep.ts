import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { parseOptions } from './options.ts';
import { reportState } from './report.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { statOf } from './status.ts';
import { linked } from './worktree.ts';

/** Commands that throw away what nothing reaches any more: reflog entries and objects. */

/** Objects are files with one name: links hold them for nothing. */
function objects(scene: Scene, repo: Repository): void {
  scene.out.effect({
    verb: scene.verb,
    path: join(repo.commonDir, 'objects'),
    way: 'delete',
    recursive: true,
    destructive: true,
    certainty: 'maybe',
    note: 'objects that nothing reaches',
  });
  reportState(scene, repo, true, { note: 'what nothing reaches any more is deleted' });
}

export function reflog(scene: Scene): void {
  const [first, ...rest] = scene.args;
  const word = first?.kind === 'known' ? first.text : '';
  if (word !== 'expire' && word !== 'delete') return;
  const parsed = parseOptions(
    'n,dry-run rewrite updateref verbose expire= expire-unreachable= stale-fix all single-worktree',
    rest,
  );
  if (parsed.help || parsed.has('dry-run')) return;
  if (!parsed.has('all') && parsed.before.length === 0 && parsed.after === undefined) return;
  const repo = scene.repository();
  if (!repo) return;
  const given = parsed.has('expire') || parsed.has('expire-unreachable') || parsed.has('stale-fix');
  const never = parsed.text('expire') === 'never' && (parsed.text('expire-unreachable') ?? 'never') === 'never';
  if (never && word === 'expire') return;
  logs(scene, repo, word === 'delete' || given);
  reportState(scene, repo, word === 'delete' || given, { note: 'reflog entries go' });
}

/** The reflogs of the repository and of every linked worktree. */
function logs(scene: Scene, repo: Repository, destructive: boolean): void {
  for (const folder of [repo.commonDir, ...linked(repo).map((one) => one.gitDir)]) {
    const path = join(folder, 'logs');
    if (statOf(path))
      scene.out.effect({
        verb: scene.verb,
        path,
        way: 'replace',
        recursive: true,
        destructive,
        note: 'reflog entries go',
      });
  }
}

/** git-gc(1): without `--prune` only what is older than two weeks goes. */
export function gc(scene: Scene): void {
  const parsed = parseOptions(
    'q,quiet prune=? cruft max-cruft-size= expire-to= aggressive auto detach force keep-largest-pack',
    scene.args,
  );
  if (parsed.help || parsed.has('auto') || parsed.get('prune') === false) return;
  const repo = scene.repository();
  if (!repo) return;
  const age = parsed.text('prune') ?? repo.config.text('gc.pruneexpire') ?? '2.weeks.ago';
  // entries older than `gc.reflogExpire` (90 days) go, the other files of `logs` stay
  logs(scene, repo, false);
  if (age === 'never') return;
  if (age !== '2.weeks.ago') objects(scene, repo);
  else reportState(scene, repo);
}

export function prune(scene: Scene): void {
  const parsed = parseOptions('n,dry-run v,verbose progress expire= exclude-promisor-objects', scene.args);
  if (parsed.help || parsed.has('dry-run') || parsed.text('expire') === 'never') return;
  const repo = scene.repository();
  if (repo) objects(scene, repo);
}

/** git-repack(1): `-a -d` drops unreachable objects that lie in packs; `-A`, `-k` and `--cruft` keep them. */
export function repack(scene: Scene): void {
  const parsed = parseOptions(
    'a A cruft cruft-expiration= d f F n q,quiet l,local b,write-bitmap-index i,delta-islands unpack-unreachable= k,keep-unreachable ' +
      'window= window-memory= depth= threads= max-pack-size= pack-kept-objects keep-pack= g,geometric= m,write-midx expire-to= filter= ' +
      'filter-to= max-cruft-size=',
    scene.args,
  );
  if (parsed.help || !parsed.has('a') || !parsed.has('d') || parsed.has('A') || parsed.has('keep-unreachable')) return;
  if (parsed.has('cruft') && !parsed.has('cruft-expiration')) return;
  const repo = scene.repository();
  if (repo) objects(scene, repo);
}

/** git-lfs-prune(1): local copies of large files that no recent commit needs. */
export function lfs(scene: Scene): void {
  const [first, ...rest] = scene.args;
  const word = first?.kind === 'known' ? first.text : '';
  const parsed = parseOptions('d,dry-run n f,force r,recent c,verify-remote verbose prune', rest);
  if (parsed.has('dry-run')) return;
  const repo = scene.globals.cwd === undefined ? undefined : scene.repository();
  if (!repo) return;
  if (word === 'prune' || (word === 'fetch' && parsed.has('prune'))) {
    const path: Bytes = join(repo.commonDir, 'lfs/objects');
    if (statOf(path)) scene.out.effect({ verb: scene.verb, path, way: 'delete', recursive: true, certainty: 'maybe' });
    reportState(scene, repo, true, { note: 'local copies of large files go' });
  }
  if (word === 'migrate') {
    scene.out.unknown(scene.verb, repo.workTree ?? repo.gitDir, 'history is written anew');
    reportState(scene, repo);
  }
  if ((word === 'checkout' || word === 'pull') && repo.workTree !== undefined)
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
}
