import type { Bytes } from '../platform/bytes.ts';
import { namesVisible } from '../platform/files.ts';
import { dirname, isInside } from '../platform/paths.ts';
import type { Arg, Call, Place } from '../shell/types.ts';
import { isSink } from './devices.ts';
import { Ledger } from './ledger.ts';
import { type Loss, lossAt } from './loss.ts';
import { folderOf, type Telling, tellingOf } from './telling.ts';
import type { GitChange, GitRepository, Out, Plan, RuleEffect } from './types.ts';
import { endOf, type Spot, seen, spotOf, World } from './world.ts';

type Context = Pick<Call, 'cwd' | 'certainty' | 'deferred'> & Partial<Pick<Call, 'written' | 'argv'>>;
type KnownSpot = Spot & { readonly kind: 'known' };

const TEXT_LIMIT = 1 << 20;

/** A line whose commands reach more paths than this is not told path by path any more. */
const MOST_EFFECTS = 20_000;

/** Looks at what the rules say, path by path, and writes down what it means. */
export class Judge {
  readonly #world = new World();
  readonly #ledger = new Ledger();
  readonly #memory = new Map<string, unknown>();
  readonly #cwd: Place;
  readonly #home: Bytes | undefined;
  #blind = 0;
  #considered = 0;
  /** Only what lies in one of these folders is this machine's. */
  #within: readonly Bytes[] | undefined;
  #foretold: { readonly program: Bytes; readonly surely: boolean } | undefined;

  constructor(cwd: Place, home: Bytes | undefined) {
    this.#cwd = cwd;
    this.#home = home;
  }

  plan(parsed: boolean): Plan {
    return this.#ledger.plan(parsed, this.#cwd, this.#home);
  }

  /** What this program will print was told from how things are now; what the rest of the line names rests on it. */
  foretold(program: Bytes, surely: boolean): void {
    this.#foretold = {
      program: this.#foretold?.program ?? program,
      surely: surely && this.#foretold?.surely !== false,
    };
  }

  /** What a rule says its piece to, for one command. */
  outFor(context: Context): Out {
    const ledger = this.#ledger;
    return {
      ...this.#eyes(context),
      effect: (effect) => this.#consider(effect, context),
      unknown: (verb, place, note) => this.#unknown(verb, place, note, context),
      opaque: (program, place) => {
        ledger.verbs.add(program);
        ledger.programs.add(program);
        for (const folder of this.#reachable(this.#folder(place))) ledger.capture(folder, 'opaque', program);
      },
      gitState: (verb, repository, change) => this.#gitState(verb, repository, change, context),
      remark: (text) => ledger.remark(text),
      untouched: () => ledger.verbs.size === 0,
      memory: this.#memory,
      start: this.#cwd,
      same: (existing, name) => this.#world.same(existing, name),
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
        const before = ledger.effects.length;
        body();
        if (ledger.effects.slice(before).some((effect) => effect.destructive))
          ledger.scope(verb, paths, context.deferred);
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

  /** The part of `Out` that only looks. */
  #eyes(context: Context): Pick<Out, 'kindOf' | 'absolute' | 'textOf' | 'headOf' | 'isLink' | 'namesIn'> {
    const world = this.#world;
    const spot = (path: Arg | Bytes, from?: Place): Spot => spotOf(path, from ?? context.cwd);
    /** What the line itself wrote there; undefined where it did not. */
    const written = (at: KnownSpot): { readonly text: Bytes | undefined } | undefined => {
      const found = context.written?.(at.written) ?? context.written?.(at.real);
      return found && { text: found.kind === 'text' ? found.text : undefined };
    };
    return {
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
        const said = written(at);
        return said ? said.text : world.textOf(endOf(at.real), TEXT_LIMIT);
      },
      headOf: (path, from) => {
        const at = spot(path, from);
        if (at.kind === 'unknown') return undefined;
        const said = written(at);
        return said ? said.text?.slice(0, 512) : world.headOf(endOf(at.real));
      },
      isLink: (path, from) => {
        const at = spot(path, from);
        const look = at.kind === 'known' ? seen(at.real) : undefined;
        return look === 'link';
      },
      namesIn: (folder) => namesVisible(folder),
    };
  }

  #folder(place: Place | Bytes): Bytes {
    if (typeof place === 'string') return place;
    if (place.kind === 'known') return place.path;
    return this.#cwd.kind === 'known' ? this.#cwd.path : '/';
  }

  /** The folders in which something that starts in `folder` can do harm. */
  #reachable(folder: Bytes): readonly Bytes[] {
    if (this.#within === undefined) return [folder];
    return this.#within.some((one) => isInside(folder, one)) ? [folder] : this.#within;
  }

  #isElsewhere(path: Bytes): boolean {
    return this.#within !== undefined && !this.#within.some((folder) => isInside(path, folder));
  }

  #unknown(verb: Bytes, place: Place | Bytes, note: string, context: Context): void {
    this.#ledger.verbs.add(verb);
    const folders = this.#reachable(this.#folder(place));
    if (folders.length === 0) return;
    this.#ledger.scope(verb, typeof place === 'string' ? folders : ['?'], context.deferred, note);
    for (const folder of folders) this.#ledger.capture(folder, 'unknown', verb);
  }

  #gitState(verb: Bytes, repository: GitRepository, change: GitChange, context: Context): void {
    const home = repository.workTree ?? repository.gitDir;
    if (this.#isElsewhere(home)) return;
    const ledger = this.#ledger;
    ledger.verbs.add(verb);
    ledger.git(repository, verb);
    ledger.effects.push({
      verb,
      path: repository.commonDir,
      way: 'git-state',
      certainty: change.certainty ?? context.certainty,
      deferred: context.deferred,
      destructive: change.destructive,
      ...(change.note === undefined ? {} : { note: change.note }),
    });
    if (change.destructive) ledger.dirs.add(home);
  }

  #consider(effect: RuleEffect, context: Context): void {
    if (++this.#considered > MOST_EFFECTS) throw new Error('more paths than are told one by one');
    const spot = spotOf(effect.path, effect.from ?? context.cwd);
    const telling = tellingOf(effect, context, this.#blind > 0);
    this.#ledger.verbs.add(effect.verb);
    if (spot.kind === 'unknown') {
      this.#somewhere(telling, spot.folder);
      return;
    }
    if (isSink(spot.real) || (spot.written !== spot.real && isSink(spot.written))) return;
    if (this.#within !== undefined && this.#isElsewhere(spot.real)) return;
    if (effect.frame) {
      this.#frame(telling, spot);
      return;
    }
    const lost = effect.parts ? this.#inParts(telling, spot, effect.parts) : this.#at(telling, spot);
    if (lost && this.#foretold !== undefined) this.#restsOn(this.#foretold, effect.verb, context);
    if (lost && effect.way !== 'move' && effect.to !== undefined) {
      const to = this.#destination(effect);
      if (to !== undefined) this.#ledger.dirs.add(dirname(to));
    }
    this.#remember(effect, spot, context);
  }

  /** What is lost was told from what a program will print: that may be something else by then. */
  #restsOn(foretold: { readonly program: Bytes; readonly surely: boolean }, verb: Bytes, context: Context): void {
    this.#ledger.scope(verb, ['?'], context.deferred, `what ${foretold.program} prints may be another by then`);
    if (!foretold.surely)
      for (const one of this.#reachable(this.#folder(context.cwd))) this.#ledger.capture(one, 'unknown', verb);
  }

  /** A path that cannot be known: whatever lies below the deepest known folder. */
  #somewhere(telling: Telling, folder: Bytes | undefined): void {
    const ledger = this.#ledger;
    const { way, verb } = telling.effect;
    const loses = way !== 'append' && way !== 'create';
    if (this.#within?.length === 0 && (folder === undefined || this.#isElsewhere(folder))) return;
    ledger.tell({ ...telling, certainty: 'unknown' }, '?', loses);
    if (!loses) return;
    ledger.dirs.add('?');
    if (folder !== undefined) ledger.dirs.add(folder);
    for (const one of this.#reachable(folder ?? this.#folder(this.#cwd))) ledger.capture(one, 'unknown', verb);
  }

  /** Told, and its folder is one to save; nothing is held for it. */
  #frame(telling: Telling, spot: KnownSpot): void {
    for (const path of new Set([spot.real, spot.written])) {
      this.#ledger.tell(telling, path, telling.effect.destructive ?? true);
      if (telling.effect.destructive === false) continue;
      const look = seen(path);
      const isFolder = look === 'folder';
      this.#ledger.dirs.add(isFolder ? path : dirname(path));
    }
  }

  /** One path, at both ends of a link, under each name it has before the line. Whether anything is lost. */
  #at(telling: Telling, spot: KnownSpot): boolean {
    const ledger = this.#ledger;
    const { effect } = telling;
    const end = effect.follows ? endOf(spot.real) : spot.real;
    if (end !== spot.real && isSink(end)) return false;
    const content = effect.way === 'write-in-place' || effect.way === 'append' || effect.follows === true;
    const before = this.#world.before(spot.real, content);
    const names = end === spot.real ? before : [...new Set([...before, ...this.#world.before(end, content)])];
    let lost = false;
    let told = false;
    for (const name of names) {
      const what = this.#lossAt(telling, name);
      if (what === 'absent' && names.length === 1) ledger.tell(telling, spot.written, false, true);
      if (what === 'nothing' || what === 'absent') continue;
      told = true;
      const loss = what === 'loss' && effect.destructive !== false;
      lost ||= loss;
      ledger.tell(telling, name, loss);
      if (loss) this.#dir(telling, name);
    }
    if (effect.recursive) for (const origin of this.#world.movedInto(spot.real)) this.#upgrade(telling, origin);
    if (told && spot.written !== spot.real) {
      ledger.tell(telling, spot.written, lost);
      if (lost && spot.through) ledger.dirs.add(spot.written);
      else if (lost) this.#dir(telling, spot.written);
    }
    return lost;
  }

  #dir(telling: Telling, path: Bytes): void {
    const folder = folderOf(telling, path);
    if (folder !== undefined) this.#ledger.dirs.add(folder);
  }

  /** What was moved into a tree that is lost now: it cannot be renamed back, its content is the target. */
  #upgrade(telling: Telling, origin: Bytes): void {
    if (seen(origin) === undefined) return;
    this.#ledger.targets.upgrade(origin, telling.effect.way);
    this.#ledger.tell(telling, origin, true);
    this.#dir(telling, origin);
  }

  #lossAt(telling: Telling, path: Bytes): Loss {
    return lossAt(telling, path, this.#ledger.targets, this.#destination(telling.effect));
  }

  /** Only some entries below the path are meant. Whether anything is lost. */
  #inParts(telling: Telling, spot: KnownSpot, parts: readonly Bytes[]): boolean {
    let lost = false;
    let told = false;
    for (const part of parts) {
      for (const name of this.#world.before(part, telling.effect.way === 'write-in-place')) {
        const end = telling.effect.follows ? endOf(name) : name;
        const what = this.#lossAt(telling, name);
        if (end !== name) this.#lossAt(telling, end);
        told ||= what !== 'nothing' && what !== 'absent';
        lost ||= what === 'loss' && telling.effect.destructive !== false;
      }
    }
    if (!told) return false;
    for (const path of new Set([spot.real, spot.written])) {
      this.#ledger.tell(telling, path, lost);
      if (lost) this.#ledger.dirs.add(path);
    }
    return lost;
  }

  #destination(effect: RuleEffect): Bytes | undefined {
    if (effect.to === undefined) return undefined;
    const spot = spotOf(effect.to, effect.from ?? this.#cwd);
    return spot.kind === 'known' ? spot.real : undefined;
  }

  /** What later commands of the line will find. */
  #remember(effect: RuleEffect, spot: KnownSpot, context: Context): void {
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
    if (world.kindOf(end) === 'absent') world.made(end, effect.recursive ? 'folder' : 'file');
  }
}
