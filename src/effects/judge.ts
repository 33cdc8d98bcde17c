import type { Bytes } from '../platform/bytes.ts';
import { namesInOrNone } from '../platform/files.ts';
import { dirname, isInside } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import type { Arg, Call, Place, Span } from '../shell/types.ts';
import { isDisk, isSink } from './devices.ts';
import { Targets } from './targets.ts';
import type { Certainty, Effect, GitChange, GitRepository, GitTarget, Out, Plan, RuleEffect, Way } from './types.ts';
import { endOf, holdsAnything, type Spot, seen, spotOf, topmostAbsent, World } from './world.ts';

type Context = Pick<Call, 'cwd' | 'certainty' | 'deferred'> & Partial<Pick<Call, 'written'>>;

const TEXT_LIMIT = 1 << 20;

/** How one effect is told: what does not change from path to path. */
interface Telling {
  readonly effect: RuleEffect;
  readonly certainty: Certainty;
  readonly deferred: boolean;
  readonly blind: boolean;
  readonly span: Span | undefined;
  /** The folder in front of the first name with a glob character. */
  readonly glob: Bytes | undefined;
}

/** Looks at what the rules say, path by path, and collects the plan. */
export class Judge {
  readonly #world = new World();
  readonly #targets = new Targets();
  readonly #effects: Effect[] = [];
  readonly #told = new Set<string>();
  readonly #git: GitTarget[] = [];
  readonly #captures: { folder: Bytes; why: 'unknown' | 'opaque'; verb: Bytes }[] = [];
  readonly #dirs = new Set<Bytes>();
  readonly #verbs = new Set<Bytes>();
  readonly #programs = new Set<Bytes>();
  readonly #remarks: string[] = [];
  readonly #memory = new Map<string, unknown>();
  readonly #cwd: Place;
  readonly #home: Bytes | undefined;
  #blind = 0;
  /** Only what lies in one of these folders is this machine's. */
  #within: readonly Bytes[] | undefined;

  constructor(cwd: Place, home: Bytes | undefined) {
    this.#cwd = cwd;
    this.#home = home;
  }

  /** What a rule says its piece to, for one command. */
  outFor(context: Context): Out {
    const world = this.#world;
    const spot = (path: Arg | Bytes, from?: Place): Spot => spotOf(path, from ?? context.cwd);
    return {
      effect: (effect) => this.#consider(effect, context),
      unknown: (verb, place, note) => this.#unknown(verb, place, note, context),
      opaque: (program, place) => {
        this.#verbs.add(program);
        this.#programs.add(program);
        for (const folder of this.#reachable(this.#folder(place))) this.#capture(folder, 'opaque', program);
      },
      gitState: (verb, repository, change) => this.#gitState(verb, repository, change, context),
      remark: (text) => {
        if (!this.#remarks.includes(text)) this.#remarks.push(text);
      },
      kindOf: (path, from) => {
        const at = spot(path, from);
        return at.kind === 'unknown' ? 'unknown' : world.kindOf(at.real);
      },
      absolute: (path, from) => {
        const at = spot(path, from);
        return at.kind === 'unknown' ? undefined : at.real;
      },
      textOf: (path, from) => {
        const at = spot(path, from);
        if (at.kind === 'unknown') return undefined;
        const written = context.written?.(at.real);
        if (written) return written.kind === 'text' ? written.text : undefined;
        return world.textOf(endOf(at.real), TEXT_LIMIT);
      },
      headOf: (path, from) => {
        const at = spot(path, from);
        if (at.kind === 'unknown') return undefined;
        const written = context.written?.(at.real);
        if (written) return written.kind === 'text' ? written.text.slice(0, 512) : undefined;
        return world.headOf(endOf(at.real));
      },
      isLink: (path, from) => {
        const at = spot(path, from);
        const look = at.kind === 'known' ? seen(at.real) : undefined;
        return look !== undefined && look !== 'hidden' && look.type === 'link';
      },
      namesIn: (folder) => namesInOrNone(folder),
      memory: this.#memory,
      same: (existing, name) => world.same(existing, name),
      within: (folders, body) => {
        const outer = this.#within;
        this.#within = folders.map((folder) => endOf(folder));
        try {
          body();
        } finally {
          this.#within = outer;
        }
      },
      scope: (verb, paths, body) => {
        const before = this.#effects.length;
        body();
        if (this.#effects.slice(before).some((effect) => effect.destructive)) this.#scope(verb, paths, context);
      },
      blind: (body) => {
        this.#blind++;
        try {
          body();
        } finally {
          this.#blind--;
        }
      },
    };
  }

  plan(parsed: boolean): Plan {
    const roots = new Map<Bytes, 'full' | 'targets'>();
    const targets = this.#targets.all(this.#captures.length > 0);
    const loose = this.#cwd.kind === 'known' ? this.#cwd.path : '/';
    const enter = (folder: Bytes): void => {
      const root = projectRoot(folder, this.#home);
      if (root !== undefined) roots.set(root, 'full');
      else roots.set(projectRoot(loose, this.#home) ?? loose, projectRoot(loose, this.#home) ? 'full' : 'targets');
    };
    for (const target of targets) enter(target.path);
    for (const target of this.#git) enter(target.workTree ?? target.gitDir);
    for (const capture of this.#captures) enter(capture.folder);
    return {
      destructive: this.#effects.some((effect) => effect.destructive),
      parsed,
      effects: this.#effects,
      targets,
      git: this.#git,
      captures: this.#captures,
      dirs: [...this.#dirs],
      projects: [...roots].map(([root, scope]) => ({ root, scope })),
      verbs: [...this.#verbs],
      unknownPrograms: [...this.#programs],
      remarks: this.#remarks,
    };
  }

  #folder(place: Place | Bytes): Bytes {
    if (typeof place === 'string') return place;
    if (place.kind === 'known') return place.path;
    return this.#cwd.kind === 'known' ? this.#cwd.path : '/';
  }

  #capture(folder: Bytes, why: 'unknown' | 'opaque', verb: Bytes): void {
    const there = this.#captures.find((capture) => capture.folder === folder);
    if (!there) this.#captures.push({ folder, why, verb });
    else if (why === 'unknown' && there.why === 'opaque') there.why = 'unknown';
  }

  /** The folders in which something that starts in `folder` can do harm. */
  #reachable(folder: Bytes): readonly Bytes[] {
    if (this.#within === undefined) return [folder];
    return this.#within.some((one) => isInside(folder, one)) ? [folder] : this.#within;
  }

  #unknown(verb: Bytes, place: Place | Bytes, note: string, context: Context): void {
    this.#verbs.add(verb);
    const folders = this.#reachable(this.#folder(place));
    if (folders.length === 0) return;
    this.#scope(verb, typeof place === 'string' ? folders : ['?'], context, note);
    for (const folder of folders) this.#capture(folder, 'unknown', verb);
  }

  #scope(verb: Bytes, paths: readonly Bytes[], context: Context, note?: string): void {
    for (const path of paths) {
      this.#effects.push({
        verb,
        path,
        way: 'delete',
        certainty: 'unknown',
        deferred: context.deferred,
        destructive: true,
        ...(note === undefined ? {} : { note }),
      });
      this.#dirs.add(path);
    }
  }

  #gitState(verb: Bytes, repository: GitRepository, change: GitChange, context: Context): void {
    const home = repository.workTree ?? repository.gitDir;
    if (this.#within && !this.#within.some((folder) => isInside(home, folder))) return;
    this.#verbs.add(verb);
    if (!this.#git.some((known) => known.gitDir === repository.gitDir)) this.#git.push({ ...repository, verb });
    this.#effects.push({
      verb,
      path: repository.commonDir,
      way: 'git-state',
      certainty: change.certainty ?? context.certainty,
      deferred: context.deferred,
      destructive: change.destructive,
      ...(change.note === undefined ? {} : { note: change.note }),
    });
    if (change.destructive) this.#dirs.add(home);
  }

  #consider(effect: RuleEffect, context: Context): void {
    const spot = spotOf(effect.path, effect.from ?? context.cwd);
    const arg = typeof effect.path === 'string' ? undefined : effect.path;
    const telling: Telling = {
      effect,
      certainty: effect.certainty ?? context.certainty,
      deferred: context.deferred,
      blind: effect.blind === true || this.#blind > 0,
      span: arg?.span,
      glob:
        arg?.kind === 'known' && arg.glob !== undefined
          ? literalFolder(arg.glob, effect.from ?? context.cwd)
          : undefined,
    };
    this.#verbs.add(effect.verb);
    if (spot.kind === 'unknown') {
      this.#somewhere(telling, spot.folder);
      return;
    }
    if (isSink(spot.real) || isSink(spot.written)) return;
    if (this.#within && !this.#within.some((folder) => isInside(spot.real, folder))) return;
    if (effect.frame) {
      this.#frame(telling, spot);
      return;
    }
    if (effect.parts) this.#inParts(telling, spot, effect.parts);
    else this.#at(telling, spot);
    this.#remember(effect, spot, context);
  }

  /** A path that cannot be known: whatever lies below the deepest known folder. */
  #somewhere(telling: Telling, folder: Bytes | undefined): void {
    const way = telling.effect.way;
    const loses = way !== 'append' && way !== 'create';
    const reach = this.#within && (folder === undefined || !this.#within.some((one) => isInside(folder, one)));
    if (reach && this.#within?.length === 0) return;
    this.#tell({ ...telling, certainty: 'unknown' }, '?', loses);
    if (!loses) return;
    this.#dirs.add('?');
    if (folder !== undefined) this.#dirs.add(folder);
    for (const one of this.#reachable(folder ?? this.#folder(this.#cwd)))
      this.#capture(one, 'unknown', telling.effect.verb);
  }

  /** Told, and its folder is one to save; nothing is held for it. */
  #frame(telling: Telling, spot: Spot & { kind: 'known' }): void {
    for (const path of new Set([spot.real, spot.written])) {
      this.#tell(telling, path, telling.effect.destructive ?? true);
      if (telling.effect.destructive === false) continue;
      const look = seen(path);
      const isFolder = look !== undefined && look !== 'hidden' && look.type === 'folder';
      this.#dirs.add(isFolder ? path : dirname(path));
    }
  }

  /** One path, at both ends of a link, under each name it has before the line. */
  #at(telling: Telling, spot: Spot & { kind: 'known' }): void {
    const { effect } = telling;
    const end = effect.follows ? endOf(spot.real) : spot.real;
    if (isSink(end)) return;
    const content = effect.way === 'write-in-place' || effect.way === 'append';
    const names = new Set(this.#world.before(spot.real, content));
    if (end !== spot.real) for (const name of this.#world.before(end, content)) names.add(name);
    let lost = false;
    let told = false;
    for (const name of names) {
      const what = this.#lossAt(telling, name);
      if (what === 'nothing') continue;
      told = true;
      const loss = what === 'loss' && effect.destructive !== false;
      lost ||= loss;
      this.#tell(telling, name, loss);
      if (loss) this.#dir(telling, name);
    }
    if (effect.recursive) for (const origin of this.#world.movedInto(spot.real)) this.#upgrade(telling, origin);
    if (told && spot.written !== spot.real) {
      this.#tell(telling, spot.written, lost);
      if (lost && spot.through) this.#dirs.add(spot.written);
      else if (lost) this.#dir(telling, spot.written);
    }
  }

  /** What was moved into a tree that is lost now: it cannot be renamed back, its content is the target. */
  #upgrade(telling: Telling, origin: Bytes): void {
    if (seen(origin) === undefined) return;
    this.#targets.upgrade(origin, telling.effect.way);
    this.#tell(telling, origin, true);
    this.#dir(telling, origin);
  }

  /**
   * What one path loses, its target added. `loss`: existing content; `held`: something to be undone, no content lost;
   * `nothing`: the command cannot change it.
   */
  #lossAt(telling: Telling, path: Bytes): 'loss' | 'held' | 'nothing' {
    const { effect, deferred } = telling;
    const { way } = effect;
    const recursive = effect.recursive === true;
    const to = effect.to === undefined ? undefined : this.#destination(effect);
    const add = (as: Way, whole: boolean): void =>
      this.#targets.add(path, as, whole, deferred, as === 'move' ? to : undefined);
    if (isDisk(path)) {
      add(way, recursive);
      return way === 'append' || way === 'create' ? 'held' : 'loss';
    }
    const look = seen(path);
    if (look === undefined) return this.#absent(telling, path);
    if (way === 'create') return 'nothing';
    if (look === 'hidden') {
      add(way, recursive);
      return way === 'append' ? 'held' : 'loss';
    }
    if (look.type === 'folder') {
      if (way === 'metadata' || way === 'move') {
        add(way, way === 'move' || recursive);
        return 'loss';
      }
      if (!recursive) {
        const empty = (effect.emptyFolder === true || way === 'replace') && !holdsAnything(path);
        if (empty) add(way, false);
        return empty ? 'held' : 'nothing';
      }
      add(way, true);
      return holdsAnything(path) ? 'loss' : 'held';
    }
    if (look.type === 'device' || look.type === 'fifo' || look.type === 'socket') {
      // Writing into one of these destroys no content that is kept anywhere.
      if (way === 'write-in-place' || way === 'append') return 'nothing';
    }
    add(way, false);
    if (way === 'append') return 'held';
    return 'loss';
  }

  #absent(telling: Telling, path: Bytes): 'loss' | 'held' | 'nothing' {
    const { way } = telling.effect;
    if (telling.blind && way !== 'create' && way !== 'append') {
      this.#targets.add(path, way, telling.effect.recursive === true, telling.deferred);
      return 'loss';
    }
    if (way === 'delete' || way === 'move' || way === 'metadata') return 'nothing';
    this.#targets.add(topmostAbsent(path), 'create', true, telling.deferred);
    return 'held';
  }

  /** Only some entries below the path are meant. */
  #inParts(telling: Telling, spot: Spot & { kind: 'known' }, parts: readonly Bytes[]): void {
    let lost = false;
    let told = false;
    for (const part of parts) {
      for (const name of this.#world.before(part, telling.effect.way === 'write-in-place')) {
        const end = telling.effect.follows ? endOf(name) : name;
        const what = this.#lossAt(telling, name);
        if (end !== name) this.#lossAt(telling, end);
        told ||= what !== 'nothing';
        lost ||= what === 'loss' && telling.effect.destructive !== false;
      }
    }
    if (!told) return;
    for (const path of new Set([spot.real, spot.written])) {
      this.#tell(telling, path, lost);
      if (lost) this.#dirs.add(path);
    }
  }

  #destination(effect: RuleEffect): Bytes | undefined {
    if (effect.to === undefined) return undefined;
    const spot = spotOf(effect.to, effect.from ?? this.#cwd);
    return spot.kind === 'known' ? spot.real : undefined;
  }

  /** What later commands of the line will find. */
  #remember(effect: RuleEffect, spot: Spot & { kind: 'known' }, context: Context): void {
    const world = this.#world;
    if (effect.way === 'move') {
      const to = effect.to === undefined ? undefined : spotOf(effect.to, effect.from ?? context.cwd);
      if (to?.kind === 'known' && context.certainty === 'known') world.moved(spot.real, to.real);
      else if (to?.kind === 'known') world.same(spot.real, to.real);
      return;
    }
    if (effect.way === 'delete' || effect.way === 'metadata' || effect.way === 'git-state') return;
    const end = effect.follows ? endOf(spot.real) : spot.real;
    if (effect.way !== 'create') world.rewrote(end);
    if (effect.way !== 'append' || world.kindOf(end) === 'absent')
      if (world.kindOf(end) === 'absent') world.made(end, effect.recursive ? 'folder' : 'file');
  }

  #tell(telling: Telling, path: Bytes, destructive: boolean): void {
    const { effect, certainty, deferred, span } = telling;
    const way = effect.way;
    const key = `${destructive ? '!' : ''}${way}\0${effect.verb}\0${path}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const absent = !destructive && way !== 'append' && path !== '?' && seen(path) === undefined;
    this.#effects.push({
      verb: effect.verb,
      path,
      way: absent ? 'create' : way,
      certainty,
      deferred,
      destructive,
      ...(effect.note === undefined ? {} : { note: effect.note }),
      ...(span === undefined ? {} : { span }),
    });
  }

  /** The smallest folder to save: a tree itself, a glob's folder, a file's folder. A disk has none. */
  #dir(telling: Telling, path: Bytes): void {
    if (isDisk(path)) return;
    if (telling.glob !== undefined && isInside(path, telling.glob)) {
      this.#dirs.add(telling.glob);
      return;
    }
    const look = seen(path);
    const { recursive, way } = telling.effect;
    const isFolder =
      look !== undefined && look !== 'hidden' ? look.type === 'folder' : recursive === true && way === 'delete';
    const whole = recursive === true || way === 'move';
    this.#dirs.add(isFolder && whole ? path : dirname(path));
  }
}

/** `src/*.c` → `/…/src`: the smallest folder in which every match lies. */
function literalFolder(pattern: Bytes, from: Place): Bytes | undefined {
  const names = pattern.split('/');
  const first = names.findIndex((name) => /[*?[{]|[!@+]\(/.test(name));
  const folder = names.slice(0, Math.max(0, first)).join('/');
  const spot = spotOf(folder === '' ? (pattern.startsWith('/') ? '/' : '.') : `${folder}/`, from);
  return spot.kind === 'known' ? spot.real : undefined;
}
