import type { Bytes } from '../../platform/bytes.ts';
import { isAbsolute, isInside, normalize, relativeTo } from '../../platform/paths.ts';
import { wild } from '../../platform/wild.ts';
import type { Arg } from '../../shell/types.ts';
import type { Repository } from './repository.ts';

/** Which paths of a work tree a command means (gitglossary(7), pathspec). */
export interface Pathspec {
  /** No pathspec at all, or one that names everything. */
  readonly all: boolean;
  /** Paths are seen from the top of the work tree. */
  readonly matches: (path: Bytes) => boolean;
  /** What the command names, for people: each positive element's literal folder or file, from the top; `''` is the top. */
  readonly frames: readonly Bytes[];
  /** Some element is a pattern, or unknown: more may match than stands there now. */
  readonly unknown: boolean;
}

interface Element {
  readonly match: Bytes;
  readonly literal: boolean;
  readonly glob: boolean;
  readonly icase: boolean;
  readonly exclude: boolean;
  readonly attr: boolean;
}

const WILD = /[*?[\\]/;

export const everything: Pathspec = { all: true, matches: () => true, frames: [''], unknown: false };

export function readPathspec(repo: Repository, args: readonly Arg[]): Pathspec {
  if (args.length === 0) return everything;
  const elements: Element[] = [];
  let unknown = false;
  for (const arg of args) {
    if (arg.kind === 'unknown') {
      unknown = true;
      continue;
    }
    const element = readElement(repo, arg.text);
    if (element) elements.push(element);
  }
  const positive = elements.filter((element) => !element.exclude);
  const negative = elements.filter((element) => element.exclude);
  const open = unknown || (positive.length === 0 && negative.length > 0);
  const any = open || positive.some((element) => element.match === '');
  const tests = positive.map(testOf);
  const not = negative.filter((element) => !element.attr).map(testOf);
  return {
    all: any && not.length === 0,
    matches: (path) => (any || tests.some((test) => test(path))) && !not.some((test) => test(path)),
    frames: open ? [''] : positive.map(frameOf),
    unknown,
  };
}

const LETTERS: Record<string, string> = { '/': 'top', '!': 'exclude', '^': 'exclude' };

function readElement(repo: Repository, text: Bytes): Element | undefined {
  const set = repo.where.pathspecs;
  const magic = new Set<string>();
  let rest = text;
  if (!set.literal && text.startsWith(':')) {
    const long = /^:\(([^)]*)\)/s.exec(text);
    if (long) {
      for (const word of (long[1] ?? '').split(',')) magic.add(word.replace(/:.*/s, ''));
      rest = text.slice(long[0].length);
    } else {
      let at = 1;
      for (; at < text.length; at++) {
        const name = LETTERS[text[at] ?? ''];
        if (!name) break;
        magic.add(name);
      }
      if (text[at] === ':') at++;
      rest = text.slice(at);
      // `:` alone: no pathspec
      if (text === ':') return { match: '', literal: true, glob: false, icase: false, exclude: false, attr: false };
    }
  }
  const match = place(repo, rest, magic.has('top'));
  if (match === undefined) return undefined;
  return {
    match,
    literal:
      set.literal === true || magic.has('literal') || (set.noglob === true && !magic.has('glob')) || !WILD.test(match),
    glob: magic.has('glob') || set.glob === true,
    icase: magic.has('icase') || set.icase === true,
    exclude: magic.has('exclude'),
    attr: magic.has('attr'),
  };
}

/** From the top of the work tree, a final slash kept; undefined where it leads out of it (git refuses the command). */
function place(repo: Repository, text: Bytes, top: boolean): Bytes | undefined {
  const slash = text.endsWith('/') ? '/' : '';
  if (isAbsolute(text)) {
    const path = normalize(text);
    const tree = repo.workTree;
    if (tree === undefined || !isInside(path, tree)) return undefined;
    const below = relativeTo(tree, path);
    return below === '.' ? '' : below + slash;
  }
  const path = normalize(`${top ? '' : repo.prefix}${text}`);
  if (path === '.' || path === '') return '';
  if (path === '..' || path.startsWith('../')) return undefined;
  return path + slash;
}

function testOf(element: Element): (path: Bytes) => boolean {
  const fold = element.icase ? (path: Bytes): Bytes => path.toLowerCase() : (path: Bytes): Bytes => path;
  const match = fold(element.match);
  const folder = match.endsWith('/') ? match : `${match}/`;
  const exact = (path: Bytes): boolean => fold(path) === match || fold(path).startsWith(folder) || match === '';
  if (element.literal) return exact;
  const pattern = wild(element.match, { path: element.glob, ignoreCase: element.icase });
  return (path) => exact(path) || pattern.test(path);
}

/** The folders in front of the first name with a wildcard, or the whole. */
function frameOf(element: Element): Bytes {
  const bare = element.match.replace(/\/$/, '');
  if (element.literal) return bare;
  const names = bare.split('/');
  const at = names.findIndex((name) => WILD.test(name));
  return names.slice(0, at < 0 ? names.length : at).join('/');
}
