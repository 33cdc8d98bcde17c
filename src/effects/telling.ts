import type { Bytes } from '../platform/bytes.ts';
import { dirname, isInside } from '../platform/paths.ts';
import type { Arg, Place, Span } from '../shell/types.ts';
import { isDisk } from './devices.ts';
import { globFolder } from './looks.ts';
import type { Certainty, RuleEffect } from './types.ts';
import { seen, spotOf } from './world.ts';

/** How one effect of a rule is told: what does not change from path to path. */
export interface Telling {
  readonly effect: RuleEffect;
  readonly certainty: Certainty;
  readonly deferred: boolean;
  readonly blind: boolean;
  readonly span: Span | undefined;
  /** The folder in front of the first name with a glob character. */
  readonly glob: Bytes | undefined;
}

export function tellingOf(
  effect: RuleEffect,
  context: {
    readonly cwd: Place;
    readonly certainty: Certainty;
    readonly deferred: boolean;
    readonly argv?: readonly Arg[];
  },
  blind: boolean,
): Telling {
  const arg = typeof effect.path === 'string' ? undefined : effect.path;
  return {
    effect,
    certainty: effect.certainty ?? context.certainty,
    deferred: context.deferred,
    blind: effect.blind === true || blind,
    span: arg?.span ?? wordOf(context.argv ?? [], arg ?? effect.path),
    glob:
      arg?.kind === 'known' && arg.glob !== undefined ? folderOfGlob(arg.glob, effect.from ?? context.cwd) : undefined,
  };
}

/** More words are not searched for the one that holds a path. */
const MOST_WORDS = 32;

/** The word of a command that holds a path (`of=a.txt`, a program's text) or its folder; else the program's own. */
function wordOf(argv: readonly Arg[], path: Arg | Bytes): Span | undefined {
  const text = typeof path === 'string' ? path : path.kind === 'known' ? path.text : '';
  const texts = argv
    .slice(1, MOST_WORDS)
    .flatMap((arg) => (arg.kind === 'known' && arg.text !== '' && arg.span ? [arg] : []));
  const holds = (test: (word: Bytes) => boolean) => texts.find((arg) => test(arg.text));
  const found =
    text === ''
      ? undefined
      : (holds((word) => word === text) ??
        holds((word) => word.includes(text)) ??
        holds((word) => text.startsWith(`${word.replace(/\/+$/, '')}/`)));
  return (found ?? argv[0])?.span;
}

const folderOfGlob = (pattern: Bytes, from: Place): Bytes | undefined =>
  globFolder(`${from.kind === 'known' ? from.path : ''}\0${pattern}`, () => literalFolder(pattern, from));

/** `src/*.c` → `/…/src`: the smallest folder in which every match lies. */
function literalFolder(pattern: Bytes, from: Place): Bytes | undefined {
  const names = pattern.split('/');
  const first = names.findIndex((name) => /[*?[{]|[!@+]\(/.test(name));
  const folder = names.slice(0, Math.max(0, first)).join('/');
  const spot = spotOf(folder === '' ? (pattern.startsWith('/') ? '/' : '.') : `${folder}/`, from);
  return spot.kind === 'known' ? spot.real : undefined;
}

/** The smallest folder to save for a loss: a tree itself, a glob's folder, a file's folder. A disk has none. */
export function folderOf(telling: Telling, path: Bytes): Bytes | undefined {
  if (isDisk(path)) return undefined;
  if (telling.glob !== undefined && isInside(path, telling.glob)) return telling.glob;
  const look = seen(path);
  const { recursive, way } = telling.effect;
  const isFolder = look !== undefined && look !== 'hidden' ? look === 'folder' : recursive === true && way === 'delete';
  return isFolder && (recursive === true || way === 'move') ? path : dirname(path);
}
