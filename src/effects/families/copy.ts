import type { Bytes } from '../../platform/bytes.ts';
import { basename, join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { merged } from '../merge.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';
import { holdsAnything } from '../world.ts';
import { backedUp } from './backup.ts';

const COMMON = 'help version';
const TARGET = 'target-directory,t= no-target-directory,T';

/** Sources and where they go: into a folder, or to a name. */
interface Route {
  readonly sources: readonly Arg[];
  readonly to: Arg | undefined;
  /** Certainly or possibly into it; undefined where `to` is the name itself. */
  readonly into: boolean;
}

/** Which operand is the destination, and whether it is a folder: common to cp, mv, install and ln (coreutils 2.10). */
export function route(use: Use, linksAreNames: boolean): Route {
  const { words, out } = use;
  const folder = words.value('target-directory');
  if (folder) return { sources: words.operands, to: folder, into: true };
  const to = words.operands.at(-1);
  const sources = words.operands.slice(0, -1);
  if (to === undefined || sources.length === 0) return { sources: words.operands, to: undefined, into: false };
  if (words.has('no-target-directory')) return { sources, to, into: false };
  const text = textOfArg(to);
  const kind = out.kindOf(to);
  const isLink = linksAreNames && text !== undefined && !text.endsWith('/') && out.isLink(to);
  const many = sources.length > 1 || sources.some((arg) => arg.kind === 'unknown' && arg.many);
  return { sources, to, into: many || (kind === 'folder' && !isLink) || text?.endsWith('/') === true };
}

/** A pattern that nothing matches yet: what the line makes until then is meant. */
const isFresh = (arg: Arg): boolean => arg.kind === 'known' && arg.fresh === true && arg.text === arg.glob;

/** Any number of names in a folder. */
const inside = (folder: Arg): Arg => ({
  kind: 'unknown',
  prefix: folder.kind === 'known' ? join(folder.text.replace(/\/+$/, '') || '/', '') : folder.prefix,
  suffix: '',
  many: true,
});

/** What the line makes by then and a pattern matches may have any name of the folder that it is copied or moved into. */
function freshNames(use: Use, sources: readonly Arg[], to: Arg, way: 'write-in-place' | 'replace'): Arg[] {
  const more = sources.filter((arg) => arg.kind === 'known' && arg.fresh);
  const at = use.out.absolute(to);
  if (more.length > 0 && at !== undefined && use.out.kindOf(to) === 'folder' && holdsAnything(at))
    touch(use, inside(to), way, { note: 'names that the line itself makes' });
  return sources.filter((arg) => !isFresh(arg));
}

/** The path that a source gets in a folder. */
export function nameInside(folder: Arg, source: Arg, whole = false): Arg {
  if (isFresh(source)) return inside(folder);
  const base = folder.kind === 'known' ? folder.text.replace(/\/+$/, '') || (folder.text === '' ? '' : '/') : undefined;
  if (base === undefined) return { ...folder, suffix: '', many: false } as Arg;
  if (source.kind === 'unknown') {
    const named = source.suffix.includes('/') ? source.suffix.slice(source.suffix.lastIndexOf('/') + 1) : '';
    return { kind: 'unknown', prefix: join(base, ''), suffix: named, many: source.many };
  }
  const bare = source.text.replace(/\/+$/, '') || '/';
  const name = whole ? bare.replace(/^\/+/, '') : basename(bare);
  // `cp -r src/. dist`: the folder itself is what is merged.
  if (name === '.' || name === '') return { kind: 'known', text: base === '' ? '.' : base };
  if (name === '..') return { kind: 'known', text: join(base, name) };
  return { kind: 'known', text: join(base, name), ...(source.glob === undefined ? {} : { glob: join(base, '*') }) };
}

/** cp(1): writes through links; folders with `-r` are merged into what is there. */
function copied(use: Use): void {
  const { words, out } = use;
  const { sources, to, into } = route(use, false);
  if (to === undefined) return;
  const recursive = words.has('recursive');
  const keeps = words.has('no-clobber') || ['none', 'none-fail'].includes(textOfArg(words.value('update')) ?? '');
  const forced = words.has('force', 'remove-destination');
  const links = words.has('link', 'symbolic-link');
  const named = into && !keeps ? freshNames(use, sources, to, 'write-in-place') : sources;
  for (const source of named) {
    const target = into ? nameInside(to, source, words.has('parents')) : to;
    const kind = out.kindOf(source);
    if (kind === 'folder' && !recursive) continue;
    if (!keeps) backedUp(use, target);
    if (isItself(use, source, target)) continue;
    if (words.has('attributes-only')) {
      touch(use, target, 'create');
      touch(use, target, 'metadata', { follows: true });
      continue;
    }
    // What is not there may be what the line itself makes.
    if (kind === 'folder' || (recursive && (kind === 'unknown' || (kind === 'absent' && !out.untouched())))) {
      tree(use, source, target, into ? to : target, keeps || (links && !forced) ? 'create' : 'write-in-place');
      continue;
    }
    if (keeps || (links && !forced)) touch(use, target, 'create');
    else if (links || words.has('remove-destination')) touch(use, target, 'replace');
    else if (source.kind === 'known' && source.glob !== undefined && into) wholeFolder(use, to, target);
    else touch(use, target, 'write-in-place', { follows: true, ...asked(use) });
    if (links) alias(use, source, target);
  }
}

/** `-i` asks, `-u` looks which one is newer. */
const asked = (use: Use): { readonly certainty?: 'maybe' } =>
  use.words.has('interactive', 'u') || (use.words.has('update') && textOfArg(use.words.value('update')) !== 'all')
    ? { certainty: 'maybe' }
    : {};

/** "… are the same file": nothing is done (cp(1), mv(1), ln(1)). */
function isItself(use: Use, source: Arg, target: Arg): boolean {
  const from = source.kind === 'known' ? use.out.absolute(source) : undefined;
  const same = from !== undefined && from === use.out.absolute(target);
  if (same) use.out.remark(`${use.verb} refuses to put a file in its own place`);
  return same;
}

/** One of many sources of a glob: told as the folder they go into, held as the one file. */
function wholeFolder(use: Use, folder: Arg, target: Arg): void {
  const path = use.out.absolute(target);
  use.out.effect({
    verb: use.verb,
    path: folder,
    way: 'write-in-place',
    follows: true,
    recursive: true,
    ...(path === undefined ? {} : { parts: [path] }),
  });
}

/** A tree copied onto another: told as the destination, held as the entries that exist in both or are new. */
function tree(use: Use, source: Arg, target: Arg, told: Arg, way: 'write-in-place' | 'create'): void {
  const from = use.out.absolute(source);
  // A folder that a link leads to is copied into (cp(1): the last name is followed there).
  const onto = use.out.absolute(
    use.out.kindOf(target) === 'folder' && target.kind === 'known' ? slashed(target.text) : target,
  );
  const parts = from === undefined || onto === undefined ? undefined : merged(from, onto);
  if (way !== 'create') for (const part of parts ?? []) if (use.out.kindOf(part) === 'file') backedUp(use, part);
  const effect = { verb: use.verb, path: told, way, recursive: true, follows: true } as const;
  use.out.effect(parts === undefined ? effect : { ...effect, parts });
}

const slashed = (path: Bytes): Bytes => (path.endsWith('/') ? path : `${path}/`);

function alias(use: Use, existing: Arg, name: Arg): void {
  const is = use.out.absolute(existing);
  const at = use.out.absolute(name);
  if (is !== undefined && at !== undefined) use.out.same(is, at);
}

/** mv(1): rename(2) replaces the name itself, never what a link leads to. */
function moved(use: Use): void {
  const { words, out } = use;
  const { sources, to, into } = route(use, false);
  if (to === undefined) return;
  const keeps = words.has('no-clobber') || ['none', 'none-fail'].includes(textOfArg(words.value('update')) ?? '');
  const named = into && !keeps ? freshNames(use, sources, to, 'replace') : sources;
  for (const source of named) {
    const target = into ? nameInside(to, source) : to;
    if (keeps && out.kindOf(target) !== 'absent' && out.kindOf(target) !== 'unknown') {
      out.remark('an existing file is kept (-n)');
      continue;
    }
    if (isItself(use, source, target)) continue;
    backedUp(use, target);
    const glob = source.kind === 'known' && source.glob !== undefined;
    const path = out.absolute(target);
    if (glob && into)
      out.effect({
        verb: use.verb,
        path: to,
        way: 'replace',
        recursive: true,
        ...(path === undefined ? {} : { parts: [path] }),
      });
    else touch(use, target, 'replace', asked(use));
    out.effect({
      verb: use.verb,
      path: source,
      way: 'move',
      ...(path === undefined ? {} : { to: path }),
      ...asked(use),
    });
  }
}

/** install(1): unlinks what is there and writes anew; `-d` makes folders, and gives those that are there its modes and owners. */
function installed(use: Use): void {
  const { words } = use;
  if (words.has('directory')) {
    for (const arg of words.operands) {
      use.out.effect({ verb: use.verb, path: arg, way: 'create', recursive: true });
      touch(use, arg, 'metadata', { follows: true });
    }
    return;
  }
  const { sources, to, into } = route(use, false);
  if (to === undefined) return;
  for (const source of into ? freshNames(use, sources, to, 'replace') : sources) {
    const target = into ? nameInside(to, source) : to;
    backedUp(use, target);
    touch(use, target, 'replace');
  }
}

/** ln(1): replaces only with `-f`, `-i` or a backup. */
function linked(use: Use): void {
  const { words, out } = use;
  const routed = route(use, words.has('no-dereference'));
  const replaces = words.has('force', 'interactive', 'backup', 'suffix');
  const sources = routed.to === undefined ? words.operands.slice(0, 1) : routed.sources;
  for (const source of sources) {
    const target =
      routed.to === undefined
        ? nameInside({ kind: 'known', text: '.' }, source)
        : routed.into
          ? nameInside(routed.to, source)
          : routed.to;
    if (isItself(use, source, target)) continue;
    backedUp(use, target);
    touch(use, target, replaces ? 'replace' : 'create', asked(use));
    // A symbolic link's text counts from the link's folder; a hard link's from the working directory.
    const at = out.absolute(target);
    const text = textOfArg(source);
    if (at === undefined || text === undefined) continue;
    const folder: Bytes = at.slice(0, at.lastIndexOf('/')) || '/';
    const existing =
      words.has('symbolic') && !words.has('relative')
        ? out.absolute(text, { kind: 'known', path: folder })
        : out.absolute(text);
    if (existing !== undefined) out.same(existing, at);
  }
}

/** cp, mv, install, ln: what lies at the destination, and for mv also the source. */
export const copying: readonly Row[] = [
  {
    names: 'cp',
    manual: 'cp(1)',
    loses: 'overwrites files at the destination, through links; `-n` keeps them',
    options: `recursive,a,archive,r,R attributes-only backup? b copy-contents d force,f interactive,i H link,l L,dereference no-clobber,n P,no-dereference p preserve? no-preserve= parents reflink? remove-destination sparse= strip-trailing-slashes symbolic-link,s suffix,S= ${TARGET} update? u v,verbose x,one-file-system Z context? ${COMMON}`,
    does: [copied],
  },
  {
    names: 'mv',
    manual: 'mv(1)',
    loses: 'takes its sources away and replaces files at the destination; `-n` keeps those',
    options: `backup? b debug exchange force,f interactive,i no-clobber,n no-copy strip-trailing-slashes suffix,S= ${TARGET} update? u v,verbose Z,context ${COMMON}`,
    does: [moved],
  },
  {
    names: 'install',
    manual: 'install(1)',
    loses: 'replaces files at the destination',
    options: `backup? b c C,compare directory,d D debug g,group= m,mode= o,owner= p,preserve-timestamps s,strip strip-program= suffix,S= ${TARGET} v,verbose preserve-context Z context? ${COMMON}`,
    does: [installed],
  },
  {
    names: 'ln',
    manual: 'ln(1)',
    loses: 'with `-f`, replaces the name of the link',
    options: `backup,b d,F,directory force,f interactive,i L,logical no-dereference,n P,physical relative,r symbolic,s suffix,S= ${TARGET} v,verbose ${COMMON}`,
    does: [linked],
  },
  {
    names: 'link',
    manual: 'link(1)',
    loses: 'nothing: it fails where the name exists',
    options: COMMON,
    does: [
      (use) => {
        const [existing, name] = use.words.operands;
        if (!existing || !name) return;
        touch(use, name, 'create');
        alias(use, existing, name);
      },
    ],
  },
];
