import type { Arg } from '../../shell/types.ts';
import { knownArg } from '../languages/deed.ts';
import { folderBefore, isPattern, matchedFiles } from '../matched.ts';
import { parseWords } from '../options.ts';
import { below, type Clause, type Row, textOfArg, touch, type Use } from '../row.ts';
import { row } from './brief.ts';

/** Operands go with everything in them; a pattern that the shell left is matched by the tool itself. */
const removed: Clause = (use) => {
  if (use.words.has('dry-run')) return;
  for (const arg of use.words.operands) {
    const text = textOfArg(arg);
    if (text?.startsWith('!')) continue;
    if (text !== undefined && isPattern(text) && use.out.kindOf(arg) === 'absent') {
      const matched = matchedFiles(text, use.call.cwd);
      for (const path of matched ?? []) use.out.effect({ verb: use.verb, path, way: 'delete', recursive: true });
      if (matched) continue;
      const path = use.out.absolute(folderBefore(text));
      use.out.unknown(use.verb, path ?? below(use.call.cwd), 'deletes what a pattern of its own matches');
    } else use.out.effect({ verb: use.verb, path: arg, way: 'delete', recursive: true });
  }
};

const asProgram =
  (...program: readonly string[]): Clause =>
  (use) =>
    use.call.run([...program.map(knownArg), ...use.call.argv.slice(1)]);

/** `cross-env A=b CMD…`, `env-cmd -f FILE CMD…`, `dotenv -- CMD…`. */
const withEnvironment: Clause = (use) => {
  const rest = use.words.operands.filter(
    (arg, at, all) =>
      !/^[A-Za-z_]\w*=/.test(textOfArg(arg) ?? '') ||
      all.slice(0, at).some((one) => !/^[A-Za-z_]\w*=/.test(textOfArg(one) ?? '')),
  );
  if (rest.length === 0) return;
  if (use.verb === 'cross-env-shell')
    use.call.script(rest.map((arg) => textOfArg(arg) ?? '"$@"').join(' '), { shell: 'sh' });
  else use.call.run(rest);
};

/** concurrently: each operand is a command line; `npm:NAME` a script. */
const together: Clause = (use) => {
  for (const arg of use.words.operands) {
    const text = textOfArg(arg);
    if (text === undefined) use.out.unknown(use.verb, use.call.cwd, 'runs a command line that is not known');
    else if (/^(npm|yarn|pnpm|bun):/.test(text)) script(use, text.replace(/^\w+:/, ''));
    else use.call.script(text, { shell: 'sh' });
  }
};

/** npm-run-all: scripts by name; a pattern runs several. */
const scripts: Clause = (use) => {
  for (const arg of use.words.operands) {
    const text = textOfArg(arg);
    if (text !== undefined && !isPattern(text)) script(use, text);
    else use.out.opaque(use.verb, use.call.cwd);
  }
};

const script = (use: Use, name: string): void => use.call.run(['npm', 'run', ...name.split(' ')].map(knownArg));

/** cpx, copyfiles, ncp: anything in the destination may be overwritten. */
const copies: Clause = (use) => {
  const to = use.words.operands.at(-1);
  if (to === undefined || use.words.operands.length < 2) return;
  const path = use.out.absolute(to);
  if (path !== undefined && use.out.kindOf(to) === 'folder')
    use.out.unknown(use.verb, path, 'copies over what is there');
  else touch(use, to, 'write-in-place', { follows: true });
};

/** Compilers and bundlers that write into a folder of their own. */
const builds: Clause = (use) => use.out.opaque(use.verb, use.call.cwd);

/** replace-in-file, json, npe: rewrite the files they are given. */
const jsonInPlace: Clause = (use) => {
  if (!use.words.has('I')) return;
  const words = parseWords(use.call.argv.slice(1), 'I f= e= q a j');
  for (const file of words.values('f')) touch(use, file as Arg, 'replace', { follows: true });
};

/** Small tools that scripts of package.json are made of. */
export const nodeTools: readonly Row[] = [
  row(
    'rimraf del del-cli premove',
    'npmjs.com/package/rimraf',
    'deletes its operands with everything in them',
    'g,glob no-glob,G v,verbose V no-verbose i,interactive no-interactive impl= tmp= max-retries= retry-delay= backoff= preserve-root no-preserve-root f,force dry-run,d dot dotfiles',
    removed,
  ),
  row('shx', 'npmjs.com/package/shx', 'what the command it runs loses', '', (use) =>
    use.call.run(use.call.argv.slice(1).filter((arg) => !/^--(silent|noglob|negate)$/.test(textOfArg(arg) ?? ''))),
  ),
  {
    ...row(
      'cross-env cross-env-shell env-cmd dotenvx',
      'npmjs.com/package/cross-env',
      'what the command it runs loses',
      'f,file= e,environments= r,rc-file= fallback no-override use-shell silent',
      withEnvironment,
    ),
    grammar: { stopsAtOperand: true },
  },
  row(
    'concurrently conc',
    'npmjs.com/package/concurrently',
    'what the command lines it runs lose',
    'n,names= c,prefix-colors= k,kill-others kill-others-on-fail s,success= p,prefix= r,raw m,max-processes= g,group hide= P,passthrough-arguments',
    together,
  ),
  row(
    'npm-run-all run-s run-p',
    'npmjs.com/package/npm-run-all',
    'what the scripts it runs lose',
    's,sequential,serial p,parallel c,continue-on-error l,print-label n,print-name r,race silent aggregate-output max-parallel=',
    scripts,
  ),
  row(
    'cpx cpx2 cpy cpy-cli copyfiles ncp cpr',
    'npmjs.com/package/copyfiles',
    'overwrites files at the destination',
    'u,up= f,flat a,all e,exclude= E,error s,soft F,follow V,verbose C,clean w,watch c,command= parents cwd= no-overwrite',
    copies,
  ),
  row('mkdirp make-dir-cli', 'npmjs.com/package/mkdirp', 'nothing: it makes folders', 'm,mode= p,print'),
  row('json', 'npmjs.com/package/json', 'with `-I`, rewrites the file of `-f`', 'I f= e= q a j', jsonInPlace),
  row(
    'nodemon',
    'npmjs.com/package/nodemon',
    'what the program it runs loses',
    'w,watch= e,ext= i,ignore= x,exec= q d,delay= L',
    (use) => {
      const text = textOfArg(use.words.value('x'));
      if (text !== undefined)
        use.call.script(`${text} ${use.words.operands.map((arg) => textOfArg(arg) ?? '').join(' ')}`, { shell: 'sh' });
      else asProgram('node')(use);
    },
  ),
  row(
    'tsc swc babel esbuild webpack rollup vite next nuxt parcel turbo nx lerna gulp grunt jest vitest mocha playwright cypress tap ava',
    'each manual',
    'what its configuration says: opaque',
    'noEmit noemit',
    (use) => (use.words.has('noEmit') ? undefined : builds(use)),
  ),
];
