import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname } from '../../platform/paths.ts';
import type { Arg, Call } from '../../shell/types.ts';
import { parseWords } from '../options.ts';
import { textOfArg, verbOf } from '../row.ts';
import type { Out, Rule } from '../types.ts';
import { quoted } from './quoted.ts';

const OPTIONS =
  'null,0 arg-file,a= arg-sep= arg-file-sep= bar basefile,bf= block= cat cleanup colsep,C= compress d,delimiter= dry-run,dryrun E= eta fifo filter= fg files group halt= header= I= J,profile= j,jobs,P,max-procs= joblog= k,keep-order L= l? link load= linebuffer,lb memfree= max-args,n= max-replace-args,N= nice= no-run-if-empty,r no-notice citation pipe pipepart plain plus progress q,quote quiet record-env recend= recstart= resume resume-failed results= retries= return= rpl= S,sshlogin= sshloginfile,slf= s,max-chars= semaphore,sem shebang shuf tag tagstring= termseq= timeout= tmpdir= tmux tollef trc= trim= ungroup,u env= verbose,t v version V wd,workdir= will-cite X x xargs,m help h';
const RUNS = 256;

/** parallel(1): the words are a command line for the shell, once for each argument. */
export const parallelRule: Rule = (call, out) => {
  const words = parseWords(call.argv.slice(1), OPTIONS, { stopsAtOperand: true });
  if (words.has('help', 'h', 'version', 'V', 'citation', 'dry-run', 'record-env')) return;
  if (words.has('S', 'sshloginfile') && textOfArg(words.value('S')) !== ':') {
    out.remark('runs on other machines');
    return;
  }
  if (ofMoreutils(call, out)) return;
  const results = words.value('joblog', 'results');
  if (results) out.effect({ verb: verbOf(call), path: results, way: 'write-in-place', follows: true, recursive: true });
  const command: Arg[] = [];
  const inputs: (readonly Arg[] | undefined)[] = [];
  let list: Arg[] | undefined;
  let fromFiles = false;
  for (const arg of words.operands) {
    const text = textOfArg(arg);
    if (text !== undefined && /^:::\+?$/.test(text)) {
      list = [];
      fromFiles = false;
      inputs.push(list);
    } else if (text !== undefined && /^::::\+?$/.test(text)) {
      list = undefined;
      fromFiles = true;
    } else if (fromFiles) inputs.push(lines(out.textOf(arg)));
    else (list ?? command).push(arg);
  }
  const file = words.value('arg-file');
  if (file) inputs.push(lines(out.textOf(file)));
  if (inputs.length === 0) {
    const { stdin } = call;
    const text = stdin.kind === 'text' ? stdin.text : stdin.kind === 'file' ? out.textOf(stdin.path) : undefined;
    inputs.push(
      words.has('null')
        ? text
            ?.split('\0')
            .filter((item) => item !== '')
            .map(known)
        : lines(text),
    );
  }
  const unsure = inputs.some((items) => items === undefined || items.some((item) => item.kind === 'unknown'));
  const rounds = unsure ? undefined : product(inputs as readonly (readonly Arg[])[]);
  const run = (values: readonly Arg[]): void => {
    const text = commandFor(command, values);
    if (text !== undefined) call.script(text, { shell: 'sh' });
    else call.run([...command.filter((arg) => textOfArg(arg) !== '{}'), ...values]);
  };
  if (rounds === undefined || rounds.length > RUNS)
    out.scope(verbOf(call), ['?'], () => run([{ kind: 'unknown', prefix: '', suffix: '', many: true }]));
  else for (const values of rounds) run(values);
};

/** The program of that name in moreutils: `parallel CMD -- ARG…`, and `parallel -- TEXT…` (parallel(1) there). */
function ofMoreutils(call: Call, out: Out): boolean {
  const texts = call.argv.map(textOfArg);
  const dashes = texts.indexOf('--');
  if (dashes < 0 || texts.some((text) => /^::::?\+?$/.test(text ?? ''))) return false;
  const words = parseWords(call.argv.slice(1, dashes), 'j= l= i n=', { stopsAtOperand: true });
  const args = call.argv.slice(dashes + 1);
  for (const arg of args.slice(0, RUNS)) {
    if (words.operands.length === 0) call.script(arg.kind === 'known' ? arg.text : quoted(arg), { shell: 'sh' });
    else if (!words.has('i')) call.run([...words.operands, arg]);
    else {
      const text = textOfArg(arg);
      call.run(
        words.operands.map((word) =>
          word.kind === 'known' && text !== undefined ? known(word.text.replaceAll('{}', () => text)) : word,
        ),
      );
    }
  }
  if (args.length > RUNS && words.operands.length === 0)
    out.unknown(verbOf(call), call.cwd, 'too many commands to follow');
  else if (args.length > RUNS) call.run([...words.operands, { kind: 'unknown', prefix: '', suffix: '', many: false }]);
  return true;
}

const known = (text: Bytes): Arg => ({ kind: 'known', text });

const lines = (text: Bytes | undefined): readonly Arg[] | undefined =>
  text
    ?.split('\n')
    .filter((line) => line !== '')
    .map(known);

function product(inputs: readonly (readonly Arg[])[]): Arg[][] | undefined {
  let out: Arg[][] = [[]];
  for (const items of inputs) {
    if (out.length * items.length > RUNS) return undefined;
    out = out.flatMap((row) => items.map((item) => [...row, item]));
  }
  return out;
}

const MARK = /\{(\d*)(\.|\/|\/\/|\/\.|#|%)?\}/g;

/** The command line of one round; undefined where a value is not known. */
function commandFor(command: readonly Arg[], values: readonly Arg[]): Bytes | undefined {
  const texts = values.map(textOfArg);
  if (texts.some((text) => text === undefined) || command.some((arg) => arg.kind === 'unknown')) return undefined;
  const all = texts as Bytes[];
  // Without a command the arguments are the commands.
  if (command.length === 0) return all.join(' ');
  const words = command.map((arg) => textOfArg(arg) ?? '').join(' ');
  if (!MARK.test(words)) return `${words} ${all.map((text) => quoted(known(text))).join(' ')}`;
  MARK.lastIndex = 0;
  return words.replace(MARK, (_whole, place: string, form: string | undefined) => {
    const chosen = place === '' ? all : [all[Number(place) - 1] ?? ''];
    return chosen.map((text) => quoted(known(shaped(text, form)))).join(' ');
  });
}

function shaped(text: Bytes, form: string | undefined): Bytes {
  const bare = text.replace(/\.[^./]*$/, '');
  if (form === '.') return bare;
  if (form === '/') return basename(text);
  if (form === '//') return dirname(text);
  if (form === '/.') return basename(bare);
  if (form === '#' || form === '%') return '1';
  return text;
}
