import type { Arg } from '../../shell/types.ts';
import { folderBefore, isPattern, matchedFiles } from '../matched.ts';
import { below, type Clause, type Row, textOfArg, touch, type Use } from '../row.ts';

/** More files than this are told as their folder. */
const MANY = 200;

/** A file is rewritten; of a folder (and of the working directory, where `here`) anything may be, so its project is captured. */
function rewritten(use: Use, files: readonly Arg[], here: boolean): void {
  const { out, verb, call } = use;
  const note = 'rewrites source files below, which ones only it knows';
  for (const file of files) {
    const text = textOfArg(file);
    if (text === '-') continue;
    const kind = out.kindOf(file);
    const path = out.absolute(file);
    if (kind === 'folder' && path !== undefined) out.unknown(verb, path, note);
    else if (text !== undefined && kind === 'absent' && isPattern(text)) {
      const matched = matchedFiles(text, call.cwd);
      if (matched && matched.length <= MANY)
        for (const one of matched) touch(use, one, 'write-in-place', { follows: true });
      else out.unknown(verb, out.absolute(folderBefore(text)) ?? below(call.cwd), note);
    } else touch(use, file, 'write-in-place', { follows: true });
  }
  if (files.length === 0 && here) out.unknown(verb, below(call.cwd), note);
}

interface How {
  /** Options that make it write; default: it always does. */
  readonly when?: string;
  /** Options that make it only look. */
  readonly unless?: string;
  /** Sub-commands that write; the first operand is one of them or the row does nothing. */
  readonly sub?: string;
  /** First operands that are no files. */
  readonly skip?: number;
  /** Other sub-commands build and run things: opaque. */
  readonly others?: 'opaque';
  /** Long options have one dash. */
  readonly singleDash?: boolean;
  /** Without files it takes the working directory. */
  readonly here?: boolean;
}

const LOOKS =
  /^(help|version|analyze|doctor|devices|info|list|show|status|validate|output|providers|plan|env|targets|lsp|completions|types|doc|check|lint)$/;

const rewrites =
  (how: How = {}): Clause =>
  (use) => {
    const { words } = use;
    if (how.when !== undefined && !words.has(...how.when.split(' '))) return;
    if (how.unless !== undefined && words.has(...how.unless.split(' '))) return;
    const first = textOfArg(words.operands[0]) ?? '';
    if (how.sub !== undefined && !how.sub.split(' ').includes(first)) {
      if (how.others && first !== '' && !LOOKS.test(first)) use.out.opaque(use.verb, use.call.cwd);
      return;
    }
    rewritten(use, words.operands.slice((how.sub === undefined ? 0 : 1) + (how.skip ?? 0)), how.here === true);
  };

const LOSES = 'rewrites its files; of a folder any file below';
const CONFIG =
  'config,c= config-file= stdin-filepath= stdin-filename= ignore-path= log-level= loglevel= quiet,q verbose,v help,h version,V';

const row = (names: string, manual: string, options: string, how: How = {}, loses = LOSES): Row => ({
  names,
  manual,
  loses,
  options: `${options} ${CONFIG}`,
  ...(how.singleDash ? { grammar: { singleDash: true } } : {}),
  does: [rewrites(how)],
});

/** `ruff check` writes with `--fix`, `ruff format` unless `--check` or `--diff`. */
function ruff(use: Use): void {
  const action = textOfArg(use.words.operands[0]) ?? '';
  if (use.words.has('diff')) return;
  const writes = action === 'format' ? !use.words.has('check') : use.words.has('fix', 'fix-only');
  if (writes) rewritten(use, use.words.operands.slice(/^(check|format)$/.test(action) ? 1 : 0), true);
}

/** `deno fmt` rewrites, `deno eval` has its program on the line, the rest runs what nobody follows. */
function deno(use: Use): void {
  const [action, ...rest] = use.words.operands;
  const program = rest[0];
  if (textOfArg(action) !== 'eval') rewrites({ unless: 'check', sub: 'fmt', others: 'opaque', here: true })(use);
  else if (program) use.call.run([{ kind: 'known', text: 'node' }, { kind: 'known', text: '-e' }, program]);
}

/** Formatters, linters with fixes, search-and-replace tools: what rewrites source files in place. */
export const formatters: readonly Row[] = [
  row(
    'prettier prettierd',
    'prettier.io/docs/cli',
    'write,w check list-different,l parser= plugin= tab-width= print-width= ignore-unknown,u cache single-quote',
    { when: 'write' },
  ),
  row(
    'eslint eslint_d',
    'eslint.org/docs/latest/use/command-line-interface',
    'fix fix-dry-run fix-type= ext= rule= plugin= parser= format,f= max-warnings= output-file,o= ignore-pattern= cache cache-location= rulesdir= env=',
    { when: 'fix', here: true },
  ),
  row('stylelint', 'stylelint.io/user-guide/cli', 'fix formatter,f= custom-syntax= cache', { when: 'fix' }),
  row('standard xo semistandard', 'standardjs.com', 'fix ext= env= global= plugin= parser=', {
    when: 'fix',
    here: true,
  }),
  row(
    'biome rome',
    'biomejs.dev/reference/cli',
    'write apply apply-unsafe fix unsafe config-path= max-diagnostics= reporter= only= skip= staged changed since=',
    { when: 'write apply apply-unsafe fix', sub: 'check format lint ci', here: true },
  ),
  row('dprint', 'dprint.dev/cli', 'excludes= plugins= incremental?', { sub: 'fmt', here: true }),
  row(
    'black blue',
    'black(1)',
    'check diff code= line-length,l= target-version,t= include= exclude= extend-exclude= force-exclude= skip-string-normalization,S fast safe pyi workers,W= required-version= preview stdin-filename=',
    { unless: 'check diff code' },
  ),
  {
    ...row(
      'ruff',
      'docs.astral.sh/ruff',
      'fix fix-only unsafe-fixes check diff watch,w select= ignore= extend-select= extend-ignore= fixable= unfixable= output-format= output-file,o= target-version= line-length= exclude= extend-exclude= force-exclude no-cache,n cache-dir= exit-zero,e isolated preview',
      {},
      'rewrites files with `check --fix` and `format`',
    ),
    does: [ruff],
  },
  row(
    'isort',
    'isort(1)',
    'check-only,c,check diff,d stdout,d profile= line-length,l= multi-line,m= src= skip,s= skip-glob= settings-path,sp,settings-file= add-import,a= remove-import,rm= filter-files atomic',
    { unless: 'check-only diff stdout' },
  ),
  row(
    'autopep8',
    'autopep8(1)',
    'in-place,i recursive,r diff,d aggressive,a max-line-length= select= ignore= exclude= jobs,j= pep8-passes,p= global-config=',
    { when: 'in-place' },
  ),
  row('yapf', 'yapf(1)', 'in-place,i recursive,r diff,d lines,l= style= exclude,e= parallel,p no-local-style', {
    when: 'in-place',
  }),
  row(
    'autoflake pyupgrade docformatter unify reorder-python-imports add-trailing-comma 2to3 futurize modernize',
    'each program’s `--help`',
    'in-place,i recursive,r check diff,d write,w remove-all-unused-imports remove-unused-variables imports= exclude= py3-plus py36-plus py37-plus py38-plus py39-plus py310-plus exit-zero-even-if-changed n nofix,x= fix,f= output-dir,o= nobackups jobs,j=',
    { unless: 'check diff' },
  ),
  row('gofmt gofumpt goimports golines', 'gofmt(1)', 'w l d e s r= cpuprofile= local= srcdir= m=', {
    singleDash: true,
    when: 'w',
  }),
  row(
    'rustfmt',
    'rustfmt(1)',
    'check emit= backup config-path= edition= color= print-config= files-with-diff,l config=',
    { unless: 'check' },
  ),
  row(
    'clang-format git-clang-format',
    'clang-format(1)',
    'i style= fallback-style= assume-filename= sort-includes dry-run,n Werror files= offset= length= lines= output-replacements-xml',
    { singleDash: true, when: 'i' },
  ),
  row('clang-tidy', 'clang-tidy(1)', 'fix fix-errors fix-notes checks= header-filter= p= export-fixes=', {
    singleDash: true,
    when: 'fix fix-errors fix-notes',
  }),
  row(
    'astyle uncrustify indent',
    'astyle(1), uncrustify(1), indent(1)',
    'replace no-backup mtime f= o= l= L= suffix= prefix= style= dry-run stdin= n N stdout,st kr gnu linux nut',
    { unless: 'dry-run stdout f' },
  ),
  row('shfmt', 'shfmt(1)', 'w,write l,list d,diff s,simplify mn i,indent= bn ci sr kp fn ln= filename=', {
    singleDash: true,
    when: 'w',
  }),
  row('shellharden', 'shellharden(1)', 'replace check transform suggest syntax', { when: 'replace' }),
  row(
    'terraform tofu packer nomad',
    'developer.hashicorp.com/terraform/cli',
    'check diff write= list= recursive chdir= var= var-file= auto-approve out= state= no-color input=',
    { singleDash: true, unless: 'check', sub: 'fmt', others: 'opaque', here: true },
    '`fmt` rewrites files; `apply` and `destroy` change what is elsewhere',
  ),
  {
    ...row(
      'deno',
      'docs.deno.com/runtime/reference/cli',
      'check config= ext= ignore= watch unstable',
      {},
      '`fmt` rewrites files; a program of `eval` is followed',
    ),
    does: [deno],
  },
  row('buf', 'buf.build/docs/reference/cli', 'w,write d,diff exit-code', { when: 'w', sub: 'format', here: true }),
  row('sqlfluff sqlfmt', 'docs.sqlfluff.com', 'dialect= rules= force,f check diff exclude= templater=', {
    unless: 'check diff',
    skip: 0,
  }),
  row(
    'rubocop standardrb rufo',
    'rubocop(1)',
    'autocorrect,a,auto-correct autocorrect-all,A,auto-correct-all fix,x only= except= format,f= out,o= require,r= fail-level=',
    { when: 'autocorrect autocorrect-all fix', here: true },
  ),
  row(
    'php-cs-fixer pint phpcbf rector',
    'each program’s `--help`',
    'dry-run test rules= diff allow-risky= using-cache= standard= extensions= ignore= path-mode= cache-file=',
    { unless: 'dry-run test', here: false },
  ),
  row(
    'ktlint ktfmt google-java-format scalafmt palantir-java-format',
    'each program’s `--help`',
    'format,F replace,i,in-place test check list aosp,a dry-run,n',
    { unless: 'test check dry-run list' },
  ),
  row(
    'ormolu fourmolu stylish-haskell brittany hindent',
    'each program’s `--help`',
    'inplace,i in-place mode,m= write-mode= recursive,r check-idempotence,c',
    { when: 'inplace in-place mode write-mode recursive' },
  ),
  row(
    'nixfmt nixpkgs-fmt alejandra swiftformat nimpretty taplo mdformat yamlfmt yamlfix gersemi jsonnetfmt cmake-format elm-format ocamlformat buildifier stylua',
    'each program’s `--help`',
    'check dry lint n dryrun in-place,i inplace mode= yes output,o= sub',
    { unless: 'check dry lint n dryrun' },
  ),
  row(
    'dart flutter',
    'dart.dev/tools/dart-format',
    'output,o= set-exit-if-changed line-length,l= fix',
    { sub: 'format fix', others: 'opaque', here: true },
    '`format` rewrites files',
  ),
  row(
    'mix',
    'hexdocs.pm/mix',
    'check-formatted dry-run',
    { unless: 'check-formatted dry-run', sub: 'format', others: 'opaque', here: true },
    '`format` rewrites files',
  ),
  row(
    'zig crystal',
    'each program’s `--help`',
    'check stdin exclude=',
    { unless: 'check stdin', sub: 'fmt', others: 'opaque' },
    '`fmt` rewrites files',
  ),
  row(
    'markdownlint markdownlint-cli2',
    'github.com/igorshubovych/markdownlint-cli',
    'fix,f dot,d ignore,i= ignore-path,p= output,o= rules,r=',
    { when: 'fix' },
  ),
  row('djlint', 'djlint.com', 'reformat check lint extension,e= profile= indent= ignore=', { when: 'reformat' }),
  row(
    'codespell typos misspell',
    'codespell(1)',
    'write-changes,w,write diff interactive,i= dictionary,D= ignore-words,I= ignore-words-list,L= skip,S= count',
    { when: 'write-changes', here: true },
  ),
  row('fixjson', 'github.com/rhysd/fixjson', 'write,w minify indent,i=', { when: 'write' }),
  row('tidy', 'tidy(1)', 'modify,m output,o,output-file= i,indent q xml asxml errors,e f=', { when: 'modify' }),
  row('sd', 'sd(1)', 'preview,p,s string-mode,F,fixed-strings flags,f= max-replacements,n= across,A', {
    unless: 'preview',
    skip: 2,
  }),
  row(
    'rpl replace',
    'rpl(1)',
    's,dry-run R,recursive x,suffix= i,ignore-case w,whole-words b,backup e,escape p,prompt f,force',
    { unless: 's', skip: 2 },
  ),
  row(
    'fastmod codemod comby ast-grep sad',
    'each program’s `--help`',
    'accept-all in-place,i update-all,U rewrite,r= pattern,p= lang,l= extensions,e= dir,d= glob,g= directory= matcher= commit,k stdin stdout',
    { when: 'accept-all in-place update-all commit', skip: 2, here: true },
  ),
  row(
    'xmlstarlet xml',
    'xmlstarlet(1)',
    'inplace,L omit-decl,O N= u,update= v,value= d,delete= s,subnode= t,type= n= i,insert= a,append= r,rename= P S',
    { when: 'inplace', sub: 'ed edit fo format' },
  ),
  row(
    'pre-commit lefthook lint-staged overcommit',
    'pre-commit.com',
    'all-files,a files= hook-stage= from-ref= to-ref=',
    { sub: 'run', skip: 9, here: true },
    'runs formatters that rewrite files',
  ),
];
