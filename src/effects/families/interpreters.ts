import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg, report } from '../languages/deed.ts';
import { type Invocation, invocation, type Manner } from '../languages/invocation.ts';
import { javascriptDeeds } from '../languages/javascript.ts';
import { perlDeeds } from '../languages/perl.ts';
import { phpDeeds } from '../languages/php.ts';
import { pythonDeeds } from '../languages/python.ts';
import { rubyDeeds } from '../languages/ruby.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';
import { awkRow } from './awk.ts';
import { editedInPlace, sedRow } from './sed.ts';

const SCRIPT_LIMIT = 32_768;

const texts = (args: readonly Arg[]): Bytes[] => args.map((arg) => textOfArg(arg) ?? '');

/** Programs whose text is at hand are followed. `first`: what options do by themselves; true: nothing else runs. */
function interpreted(
  use: Use,
  manner: Manner,
  first: (said: Invocation) => boolean = () => false,
  args: readonly Arg[] = use.call.argv.slice(1),
): void {
  const { out, verb } = use;
  const said = invocation(args, manner);
  if ([...manner.idle, 'help', 'version'].some((name) => said.flags.has(name))) return;
  if (first(said)) return;
  if (said.code.length > 0) {
    givenText(use, manner, said);
    return;
  }
  const script = said.rest[0];
  if (script === undefined && said.flags.has('v')) return; // `ruby -v` says its version and ends
  if (script === undefined || textOfArg(script) === '-') fedProgram(use, manner, said);
  else if (out.kindOf(script) === 'absent' && !PIPE.test(textOfArg(script) ?? ''))
    out.remark(`${verb}: no such script here`);
  else scriptFile(use, manner, script, said.rest.slice(1));
}

/** `python3 <(…)`: a script that is a pipe. */
const PIPE = /^\/(?:dev|proc\/self)\/fd\//;

/** `-e CODE`; of text that is not known whole, what stands in front is told and the rest is opaque. */
function givenText({ call, out, verb }: Use, manner: Manner, said: Invocation): void {
  const source = said.code.map((arg) => (arg.kind === 'known' ? arg.text : arg.prefix)).join('\n');
  const deeds = manner.deeds(source, texts(said.rest));
  if (said.code.every((arg) => arg.kind === 'known')) report(deeds, call, out, { verb });
  else report([...deeds.filter((deed) => deed.kind === 'file'), { kind: 'opaque' }], call, out, { verb });
}

/** `python3 - <<EOF`, `echo … | node`. */
function fedProgram({ call, out, verb }: Use, manner: Manner, said: Invocation): void {
  const { stdin } = call;
  const text = stdin.kind === 'text' ? stdin.text : stdin.kind === 'file' ? out.textOf(stdin.path) : undefined;
  if (text === undefined) out.opaque(verb, call.cwd);
  else report(manner.deeds(text, texts(said.rest.slice(1)), textOfArg(said.rest[0])), call, out, { verb });
}

/** A script on disk is opaque; what its text names for sure is held besides, as possible only. */
function scriptFile({ call, out, verb }: Use, manner: Manner, script: Arg, args: readonly Arg[]): void {
  out.opaque(verb, call.cwd);
  const text = out.textOf(script);
  if (text === undefined || text.length > SCRIPT_LIMIT) return;
  const deeds = manner.deeds(text.replace(/^#!.*/, ''), texts(args), textOfArg(script));
  if (deeds.some((deed) => deed.kind === 'chdir')) return;
  const certain = deeds.filter(
    (deed) => deed.kind === 'file' && (typeof deed.path === 'string' || deed.path.kind === 'known'),
  );
  report(certain, call, out, { verb, certainty: 'maybe' });
}

const PYTHON: Manner = {
  deeds: (source, args, script = '-c') => pythonDeeds(source, [script, ...args]),
  values: 'WXm',
  attached: '',
  code: 'c',
  longValues: ['check-hash-based-pycs'],
  idle: 'hV?',
  goesOn: false,
};

/** Modules that read or print only (docs.python.org, "Modules command-line interface"). */
const PYTHON_TOOLS =
  /^(http\.server|timeit|this|pydoc|platform|calendar|tokenize|ast|dis|site|sysconfig|tabnanny|inspect|locale|mimetypes|webbrowser|asyncio|ensurepip)$/;

function python(use: Use): void {
  const { call, out, verb } = use;
  interpreted(use, PYTHON, (said) => {
    const module = said.values.get('m')?.[0];
    if (module === undefined) return false;
    const name = textOfArg(module);
    const [action, archive, into] = said.rest;
    const operands = said.rest.filter((arg) => !textOfArg(arg)?.startsWith('-'));
    if (name === undefined) out.opaque(verb, call.cwd);
    else if (name === 'json.tool') {
      if (operands[1]) touch(use, operands[1], 'write-in-place', { follows: true });
    } else if (name === 'venv') {
      if (texts(said.rest).includes('--clear')) {
        for (const path of operands) out.effect({ verb, path, way: 'delete', recursive: true });
      }
    } else if (name === 'zipfile' || name === 'tarfile') {
      if (/^(-c|--create)$/.test(textOfArg(action) ?? '') && archive) {
        touch(use, archive, 'write-in-place', { follows: true });
      } else if (/^(-e|--extract)$/.test(textOfArg(action) ?? '') && archive) {
        const [program, folder] = name === 'zipfile' ? [['unzip', '-o'], '-d'] : [['tar', '-x', '-f'], '-C'];
        call.run([...program.map(knownArg), archive, ...(into ? [knownArg(folder), into] : [])]);
      }
    } else if (!PYTHON_TOOLS.test(name)) {
      // The module need not be a program on the PATH too.
      out.memory.set(`brought ${name}`, true);
      call.run([knownArg(name), ...said.rest]);
    }
    return true;
  });
}

/** perlrun(1): `-i[EXT]` edits the operands in place. */
const PERL: Manner = {
  deeds: (source, args) => perlDeeds(source, args),
  values: 'IMm',
  attached: 'iFl0xCdDV',
  code: 'eE',
  idle: 'hvVc',
  goesOn: true,
};

/** ruby(1). */
const RUBY: Manner = {
  deeds: (source, args) => rubyDeeds(source, args),
  values: 'rICE',
  attached: 'iFl0xKWTt',
  code: 'e',
  longValues: ['encoding', 'external-encoding', 'internal-encoding'],
  idle: 'hc',
  goesOn: true,
};

const editing =
  (manner: Manner): ((use: Use) => void) =>
  (use) => {
    interpreted(use, manner, (said) => {
      const files = said.code.length > 0 ? said.rest : said.rest.slice(1);
      if (said.inPlace !== undefined) {
        for (const file of files) editedInPlace(use, file, textOfArg(said.inPlace));
      }
      return false;
    });
  };

const NODE: Manner = {
  deeds: (source, args, script) =>
    javascriptDeeds(source, ['node', ...(script === undefined ? [] : [script]), ...args]),
  values: 'rC',
  attached: '',
  code: 'ep',
  longCode: ['eval', 'print'],
  longValues: ['require', 'import', 'loader', 'conditions', 'env-file', 'title', 'input-type'],
  idle: 'hvc',
  goesOn: true,
};

function node(use: Use): void {
  const { call, out, verb } = use;
  // `-pe CODE`: the two letters give the text together.
  const args = call.argv.slice(1).map((arg) => (textOfArg(arg) === '-pe' ? knownArg('-p') : arg));
  const loads = (said: Invocation): boolean => {
    if (['r', 'require', 'import', 'loader', 'test'].some((name) => said.flags.has(name))) out.opaque(verb, call.cwd);
    return said.flags.has('check');
  };
  interpreted(use, NODE, loads, args);
}

const PHP: Manner = {
  deeds: (source) => phpDeeds(source),
  values: 'dcftSz',
  attached: '',
  code: 'rRBE',
  longValues: ['define'],
  idle: 'hivml',
  goesOn: true,
};

/** Interpreters: programs given as text are followed as far as literals go, scripts on disk are opaque. */
export const interpreters: readonly Row[] = [
  sedRow,
  awkRow,
  {
    names: 'perl',
    manual: 'perlrun(1), perlfunc(1)',
    loses: 'with `-i`, replaces its operands; what a program of `-e` unlinks, renames, opens for writing or runs',
    options: '',
    idle: '',
    does: [editing(PERL)],
  },
  {
    names: 'ruby',
    manual: 'ruby(1)',
    loses: 'with `-i`, replaces its operands; what a program of `-e` deletes, renames, writes or runs',
    options: '',
    idle: '',
    does: [editing(RUBY)],
  },
  {
    names: 'python python2 python3 pypy pypy3',
    manual: 'python(1)',
    loses: 'what a program of `-c` or standard input removes, renames, opens for writing or runs',
    options: '',
    idle: '',
    does: [python],
  },
  {
    names: 'node nodejs tsx ts-node',
    manual: 'node(1)',
    loses: 'what a program of `-e` or `-p` removes, renames, writes or runs',
    options: '',
    idle: '',
    does: [node],
  },
  {
    names: 'php',
    manual: 'php(1)',
    loses: 'what a program of `-r` unlinks, renames, writes or runs',
    options: '',
    idle: '',
    does: [(use) => interpreted(use, PHP)],
  },
];
