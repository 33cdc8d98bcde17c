import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { parseWords } from '../options.ts';
import { textOfArg, verbOf } from '../row.ts';
import type { Rule } from '../types.ts';

const OPTIONS =
  'H,hidden I,no-ignore u,unrestricted s,case-sensitive i,ignore-case g,glob F,fixed-strings a,absolute-path l,list-details L,follow p,full-path 0,print0 d,max-depth= min-depth= exact-depth= t,type= e,extension= S,size= changed-within= changed-before= o,owner= E,exclude= c,color= j,threads= max-results= 1 q,quiet base-directory= C= path-separator= search-path= one-file-system x exec X exec-batch help h V version';

/** fd(1): `-x CMD` runs once a match, `-X CMD` once for all; without `{}` the match is the last argument. */
export const fdRule: Rule = (call, out) => {
  const at = call.argv.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(textOfArg(arg) ?? ''));
  if (at < 0) return;
  const words = parseWords(call.argv.slice(1, at), OPTIONS);
  const command: Arg[] = [];
  for (const arg of call.argv.slice(at + 1)) {
    if (textOfArg(arg) === ';') break;
    command.push(arg);
  }
  if (command.length === 0) return;
  const roots = [...words.operands.slice(1), ...words.values('search-path', 'base-directory', 'C')];
  for (const root of roots.length > 0 ? roots : [{ kind: 'known', text: '.' } as const]) {
    const real = out.absolute(root);
    const match: Arg = { kind: 'unknown', prefix: real === undefined ? '' : `${real}/`, suffix: '', many: true };
    const marked = command.some((arg) => /\{(\.|\/|\/\/|\/\.)?\}/.test(textOfArg(arg) ?? ''));
    const argv = marked ? command.map((arg) => filled(arg, match)) : [...command, match];
    out.scope(verbOf(call), [real ?? '?'], () => call.run(argv, { certainty: 'maybe' }));
  }
};

function filled(arg: Arg, match: Arg & { kind: 'unknown' }): Arg {
  const text: Bytes | undefined = textOfArg(arg);
  const mark = text === undefined ? null : /\{(\.|\/|\/\/|\/\.)?\}/.exec(text);
  if (text === undefined || !mark) return arg;
  return {
    kind: 'unknown',
    prefix: text.slice(0, mark.index) + match.prefix,
    suffix: text.slice(mark.index + mark[0].length),
    many: text === mark[0],
  };
}
