import type { Bytes } from '../../platform/bytes.ts';
import type { Place } from '../../shell/types.ts';
import { readMakefile, recipesFor } from '../languages/makefile.ts';
import { type Row, textOfArg, type Use } from '../row.ts';

/** The text of the makefile that make would take (make(1)): `-f`, else GNUmakefile, makefile, Makefile. */
function makefileText(use: Use, place: Place): Bytes | undefined {
  const given = use.words.values('f');
  if (given.length > 0) {
    const texts = given.map((file) => use.out.textOf(file, place));
    return texts.includes(undefined) ? undefined : texts.join('\n');
  }
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    if (use.out.kindOf(name, place) === 'file') return use.out.textOf(name, place);
  }
  return undefined;
}

/** A plain call of a compiler only replaces what it makes: opaque is enough for that. */
const BUILDS =
  /^\s*(cc|gcc|g\+\+|c\+\+|clang(\+\+)?|ld|ar|ranlib|as|rustc|cargo|go|javac|tsc|echo|printf|mkdir|cd|test|\[)\b[^;&|<>`$]*$/;

/** Opaque, since patterns, functions and time stamps decide; recipes that can be read are followed as possible besides. */
function make(use: Use): void {
  const { words, out, verb, call } = use;
  const folder = words.value('C');
  const path = folder === undefined ? undefined : out.absolute(folder);
  const place: Place =
    folder === undefined ? call.cwd : path === undefined ? { kind: 'unknown' } : { kind: 'known', path };
  const text = makefileText(use, place);
  // Also where there is no makefile now: an earlier command of the line may write it, and built-in rules need none.
  out.opaque(verb, place);
  if (text === undefined || text.length > 64 * 1024) return;
  const variables = new Map<Bytes, Bytes>();
  const goals: Bytes[] = [];
  for (const arg of words.operands) {
    const hit = /^([\w.-]+):?:?=([\s\S]*)$/.exec(textOfArg(arg) ?? '');
    if (hit) variables.set(hit[1] ?? '', hit[2] ?? '');
    else goals.push(textOfArg(arg) ?? '');
  }
  const world = new Map(variables);
  for (const name of ['HOME', 'PREFIX', 'DESTDIR', 'USER', 'TMPDIR', 'BUILD_DIR']) {
    const value = call.env(name);
    if (value !== undefined && !world.has(name)) world.set(name, value);
  }
  if (place.kind === 'known' && !world.has('CURDIR')) world.set('CURDIR', place.path);
  const lines = recipesFor(readMakefile(text, world), goals, verb)
    .filter((line) => !BUILDS.test(line))
    .slice(0, 200);
  for (const line of lines) call.script(line, { shell: 'sh', cwd: place, certainty: 'maybe' });
}

export const makes: readonly Row[] = [
  {
    names: 'make gmake',
    manual: 'make(1)',
    loses: 'what its recipes lose: those that can be read are followed, all else is opaque',
    options:
      'always-make,B C,directory= debug? d environment-overrides,e eval= E= f,file,makefile= help,h ignore-errors,i include-dir,I= jobs,j? k,keep-going l,load-average? L,check-symlink-times ' +
      'n,just-print,dry-run,recon o,old-file,assume-old= O,output-sync? p,print-data-base q,question r,no-builtin-rules R,no-builtin-variables s,silent,quiet S,no-keep-going ' +
      'touch,t trace v,version w,print-directory no-print-directory W,what-if,new-file= warn-undefined-variables b m',
    idle: 'help n q p v',
    does: [make],
  },
];
