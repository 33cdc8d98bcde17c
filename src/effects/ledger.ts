import type { Bytes } from '../platform/bytes.ts';
import { dirname } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import type { Place } from '../shell/types.ts';
import { Targets } from './targets.ts';
import type { Telling } from './telling.ts';
import type { Effect, GitRepository, GitTarget, Plan } from './types.ts';
import { seen } from './world.ts';

const ABSENT = 'not there now';

/** What has been found out about one line so far, each thing once. */
export class Ledger {
  readonly effects: Effect[] = [];
  readonly targets = new Targets();
  readonly dirs = new Set<Bytes>();
  readonly verbs = new Set<Bytes>();
  readonly programs = new Set<Bytes>();
  /** The paths that were told of so far, by what was told. */
  readonly #told = new Map<string, Set<Bytes>>();
  readonly #git: GitTarget[] = [];
  readonly #captures: { folder: Bytes; why: 'unknown' | 'opaque'; verb: Bytes }[] = [];
  readonly #remarks = new Set<string>();

  capture(folder: Bytes, why: 'unknown' | 'opaque', verb: Bytes): void {
    const there = this.#captures.find((capture) => capture.folder === folder);
    if (!there) this.#captures.push({ folder, why, verb });
    else if (why === 'unknown' && there.why === 'opaque') there.why = 'unknown';
  }

  git(repository: GitRepository, verb: Bytes): void {
    if (!this.#git.some((known) => known.gitDir === repository.gitDir)) this.#git.push({ ...repository, verb });
  }

  remark(text: string): void {
    this.#remarks.add(text);
  }

  /** Something below each path may be lost, which nobody can name. */
  scope(verb: Bytes, paths: readonly Bytes[], deferred: boolean, note?: string): void {
    for (const path of paths) {
      this.dirs.add(path);
      const effect = { verb, path, way: 'delete', certainty: 'unknown', deferred, destructive: true } as const;
      this.#once(`scope\0${verb}\0${note ?? ''}`, note === undefined ? effect : { ...effect, note });
    }
  }

  /** One effect on one path, in the words of the rule. `gone`: it would be deleted, but nothing is there. */
  tell(telling: Telling, path: Bytes, destructive: boolean, gone = false): void {
    const { effect, certainty, deferred, span } = telling;
    const { way, verb } = effect;
    const made = !gone && !destructive && way !== 'append' && path !== '?' && seen(path) === undefined;
    const note = gone ? ABSENT : effect.note;
    const told: { -readonly [K in keyof Effect]: Effect[K] } = {
      verb,
      path,
      way: made ? 'create' : way,
      certainty: gone ? 'maybe' : certainty,
      deferred,
      destructive,
    };
    if (note !== undefined) told.note = note;
    if (span !== undefined) told.span = span;
    this.#once(`${destructive ? '!' : ''}${way}\0${verb}`, told);
  }

  #once(kind: string, effect: Effect): void {
    const paths = this.#told.get(kind);
    if (paths === undefined) this.#told.set(kind, new Set([effect.path]));
    else if (paths.has(effect.path)) return;
    else paths.add(effect.path);
    this.effects.push(effect);
  }

  /** Whose projects are asked for. */
  #places(targets: Plan['targets']): Set<Bytes> {
    const places = new Set<Bytes>();
    // A file is in the project of its folder: asked once for all files there.
    for (const { path } of targets) places.add(isFolder(path) ? path : dirname(path));
    for (const { workTree, gitDir } of this.#git) places.add(workTree ?? gitDir);
    for (const { folder } of this.#captures) places.add(folder);
    return places;
  }

  /** The decision. `cwd`: whose project gets what lies in none. */
  plan(parsed: boolean, cwd: Place, home: Bytes | undefined): Plan {
    const targets = this.targets.all(this.#captures.length > 0);
    return {
      destructive: this.effects.some((effect) => effect.destructive),
      parsed,
      effects: this.effects,
      targets,
      git: this.#git,
      captures: this.#captures,
      dirs: [...this.dirs],
      projects: projects(this.#places(targets), cwd.kind === 'known' ? cwd.path : '/', home),
      verbs: [...this.verbs],
      unknownPrograms: [...this.programs],
      remarks: [...this.#remarks],
    };
  }
}

const isFolder = (path: Bytes): boolean => {
  const look = seen(path);
  return look === 'hidden' || look === 'folder';
};

function projects(paths: ReadonlySet<Bytes>, cwd: Bytes, home: Bytes | undefined): Plan['projects'] {
  const roots = new Map<Bytes, 'full' | 'targets'>();
  let here: Bytes | undefined | 'unasked' = 'unasked';
  for (const path of paths) {
    const root = projectRoot(path, home);
    if (root !== undefined) {
      roots.set(root, 'full');
      continue;
    }
    if (here === 'unasked') here = projectRoot(cwd, home);
    roots.set(here ?? cwd, here === undefined ? 'targets' : 'full');
  }
  return [...roots].map(([root, scope]) => ({ root, scope }));
}
