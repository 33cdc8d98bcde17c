import type { Bytes } from '../../platform/bytes.ts';
import { realAsFar } from '../../platform/files.ts';
import { resolve } from '../../platform/paths.ts';
import type { Arg, Call } from '../../shell/types.ts';
import type { Out } from '../types.ts';
import type { Config } from './config.ts';
import { initedAbove, type LineState, stateOf } from './line-state.ts';
import { configOf, findRepository, type Repository, type Where } from './repository.ts';

/** What git's own arguments said before the subcommand, and the environment it would see. */
export interface Globals {
  readonly where: Omit<Where, 'cwd'>;
  /** Undefined: not to be known before the line runs. */
  readonly cwd: Bytes | undefined;
}

/** One git subcommand about to run. Families ask it for the repository only when something may be lost. */
export interface Scene {
  readonly call: Call;
  readonly out: Out;
  /** `git reset`: as `explain` names it. */
  readonly verb: Bytes;
  readonly name: Bytes;
  /** Behind the subcommand. */
  readonly args: readonly Arg[];
  readonly globals: Globals;
  /**
   * The repository the command would work in. Undefined where there is none (git itself refuses), or where it cannot be known: then
   * that has been reported already, and the caller has nothing left to say.
   */
  repository(): Repository | undefined;
  /** Likewise, with a work tree. */
  workTree(): (Repository & { readonly workTree: Bytes }) | undefined;
  /** The repository that is there now, with nothing said where there is none. */
  here(): Repository | undefined;
  config(): Config;
  state(repo: Repository): LineState;
  /** Another subcommand of git in this one's place, in the same repository or another. */
  again(args: readonly Arg[], cwd?: Bytes): void;
}

/** Subcommands that delete or overwrite files of a work tree nobody has seen yet. */
const SWEEPING: ReadonlySet<Bytes> = new Set([
  'checkout',
  'clean',
  'merge',
  'pull',
  'reset',
  'restore',
  'rm',
  'stash',
  'switch',
]);

export function sceneOf(
  call: Call,
  out: Out,
  globals: Globals,
  name: Bytes,
  args: readonly Arg[],
  again: Scene['again'],
): Scene {
  const verb = `git ${name}`;
  const { cwd, where } = globals;
  let found: Repository | undefined | null = null;
  const repository = (): Repository | undefined => {
    if (found !== null) return found;
    found = undefined;
    if (cwd === undefined) {
      out.unknown(verb, { kind: 'unknown' }, 'the folder is not known before the line runs');
      return undefined;
    }
    const fresh = initedAbove(out, realAsFar(cwd));
    if (fresh !== undefined) {
      // every file in it is untracked, or overwritten by what a fetch brings
      if (SWEEPING.has(name)) out.unknown(verb, fresh, 'the repository is made by the line itself');
      return undefined;
    }
    found = findRepository({ ...where, cwd });
    if (!found) out.remark(`${verb}: no repository here`);
    return found;
  };
  const here = (): Repository | undefined => {
    if (cwd !== undefined && !found) found = findRepository({ ...where, cwd });
    return found ?? undefined;
  };
  const scene: Scene = {
    call,
    out,
    verb,
    name,
    args,
    globals,
    repository,
    workTree: () => {
      const repo = repository();
      return repo?.workTree === undefined ? undefined : (repo as Repository & { readonly workTree: Bytes });
    },
    here,
    config: () => here()?.config ?? configOf({ ...where, cwd: cwd ?? '/' }, undefined, undefined),
    state: (repo) => stateOf(out, repo),
    again,
  };
  return scene;
}

/** A file named by an option or operand, from the folder in which git runs. */
export const fileOf = (scene: Scene, text: Bytes): Bytes | undefined =>
  scene.globals.cwd === undefined ? (text.startsWith('/') ? text : undefined) : resolve(scene.globals.cwd, text);
