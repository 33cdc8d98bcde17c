import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { operand, output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { runs, runsText, same, stops } from './run.ts';

const known = (text: Bytes): Arg => ({ kind: 'known', text });

/** flock(1): a lock file, then a command or `-c TEXT`. */
function locked(use: Use): void {
  const [lock, ...rest] = use.words.operands;
  if (lock === undefined) return;
  if (!/^\d+$/.test(textOfArg(lock) ?? ''))
    use.out.effect({ verb: use.verb, path: lock, way: 'create', follows: true });
  const first = textOfArg(rest[0]);
  const text = use.words.value('command') ?? (first === '-c' || first === '--command' ? rest[1] : undefined);
  if (text) runsText(use, [text]);
  else if (rest.length > 0) use.call.run(rest);
}

/** script(1): the typescript is overwritten; `-c TEXT` runs. */
function recorded(use: Use): void {
  const { words } = use;
  const file = words.operands[0] ?? known('typescript');
  if (!words.has('log-out', 'log-io') || words.operands.length > 0)
    touch(use, file, words.has('append') ? 'append' : 'write-in-place', { follows: true });
  output('log-out log-io log-in log-timing timing')(use);
  const text = words.value('command');
  if (text) runsText(use, [text]);
}

/** watch(1) joins its words into `sh -c`, again and again; `-x` runs them as they are. */
function watched(use: Use): void {
  if (use.words.has('exec')) use.call.run(use.words.operands);
  else runsText(use, use.words.operands);
}

/** run-parts(8): every program in the folder whose name has only letters, digits, `_` and `-`, in order. */
function scriptsOf(use: Use): void {
  const { words, out, call } = use;
  const folder = words.operands[0] && out.absolute(words.operands[0]);
  if (folder === undefined) {
    out.unknown(use.verb, call.cwd, 'the folder of scripts cannot be known');
    return;
  }
  const names = words.has('regex') ? out.namesIn(folder) : out.namesIn(folder).filter((name) => /^[\w-]+$/.test(name));
  for (const name of names.slice(0, SCRIPTS)) call.run([known(`${folder}/${name}`), ...words.values('a')]);
  // Those that the line itself puts there are in no listing.
  if (!out.untouched() || names.length > SCRIPTS) out.unknown(use.verb, call.cwd, 'scripts that are not there yet');
}
const SCRIPTS = 50;

/** `hyperfine 'a' 'b'`, `mispipe a b`, `pee a b`: each operand is `sh -c` text. */
function eachText(use: Use): void {
  for (const arg of use.words.operands) runsText(use, [arg]);
}

/** Programs that hand text to a shell, or run a command when something happens. */
export const texts: readonly Row[] = [
  {
    names: 'watch',
    manual: 'watch(1)',
    loses: `${same}, again and again`,
    options:
      'b,beep c,color d,differences? e,errexit g,chgexit n,interval= p,precise q,equexit= r,no-rerun t,no-title w,no-wrap exec,x help,h version,v',
    grammar: stops,
    does: [watched],
  },
  {
    names: 'flock',
    manual: 'flock(1)',
    loses: same,
    options:
      's,shared x,e,exclusive u,unlock n,nonblock,nb w,wait,timeout= o,close E,conflict-exit-code= command,c= F,no-fork verbose help,h version,V',
    grammar: stops,
    does: [locked],
  },
  {
    names: 'script',
    manual: 'script(1)',
    loses: 'the typescript file, and what the command of `-c` loses',
    options:
      'append,a command,c= e,return E,echo= f,flush force log-io,B= log-in,I= log-out,O= m,logging-format= o,output-limit= q,quiet timing,t? log-timing,T= help,h version,V',
    does: [recorded],
  },
  {
    names: 'entr',
    manual: 'entr(1)',
    loses: `${same}, at every change of the files`,
    options: 'a c d n p r s x z',
    grammar: stops,
    does: [(use) => (use.words.has('s') ? runsText(use, use.words.operands.slice(0, 1)) : runs()(use))],
  },
  {
    names: 'ifne',
    manual: 'ifne(1)',
    loses: same,
    options: 'n',
    grammar: stops,
    does: [runs()],
  },
  {
    names: 'lckdo',
    manual: 'lckdo(1)',
    loses: same,
    options: 'w e E q W= s',
    grammar: stops,
    does: [operand(0, 'create', { follows: true }), runs(1)],
  },
  {
    names: 'run-parts',
    manual: 'run-parts(8)',
    loses: 'what the scripts of its folder lose',
    options:
      'test list v,verbose report d,debug reverse exit-on-error stdin new-session u,umask= a,arg= regex= lsbsysinit V,version help,h',
    idle: 'test list V help',
    does: [scriptsOf],
  },
  {
    names: 'hyperfine mispipe pee',
    manual: 'hyperfine(1), mispipe(1), pee(1)',
    loses: 'what the texts it runs lose',
    options:
      'w,warmup= r,runs= m,min-runs= M,max-runs= setup,s= prepare,p= cleanup,c= conclude,C= P,parameter-scan= L,parameter-list= S,shell= N i,ignore-failure style= export-json= export-csv= export-markdown= n,command-name= u,time-unit= z,debug-mode ignore-sigpipe no-ignore-sigpipe',
    does: [
      eachText,
      (use) => {
        for (const arg of use.words.values('setup', 'prepare', 'cleanup', 'conclude')) runsText(use, [arg]);
        output('export-json export-csv export-markdown')(use);
      },
    ],
  },
  {
    names: 'sg',
    manual: 'sg(1)',
    loses: same,
    options: 'help',
    does: [
      (use) =>
        runsText(
          use,
          (use.words.value('c')
            ? [use.words.value('c')]
            : use.words.operands.slice(1).filter((arg) => textOfArg(arg) !== '-c')
          ).flatMap((arg) => (arg ? [arg] : [])),
        ),
    ],
  },
];
