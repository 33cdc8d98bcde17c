import { type Row, textOfArg, type Use } from '../row.ts';
import { formatter, rewrites, rewritten } from './rewriting.ts';

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
  formatter(
    'prettier prettierd',
    'prettier.io/docs/cli',
    'write,w check,c list-different,l parser= plugin= tab-width= print-width= ignore-unknown,u cache single-quote',
    { when: 'write' },
  ),
  formatter(
    'eslint eslint_d',
    'eslint.org/docs/latest/use/command-line-interface',
    'fix fix-dry-run fix-type= ext= rule= plugin= parser= format,f= max-warnings= output-file,o= ignore-pattern= cache cache-location= rulesdir= env=',
    { when: 'fix', here: true },
  ),
  formatter('stylelint', 'stylelint.io/user-guide/cli', 'fix formatter,f= custom-syntax= cache', { when: 'fix' }),
  formatter('standard xo semistandard', 'standardjs.com', 'fix ext= env= global= plugin= parser=', {
    when: 'fix',
    here: true,
  }),
  formatter(
    'biome rome',
    'biomejs.dev/reference/cli',
    'write apply apply-unsafe fix unsafe config-path= max-diagnostics= reporter= only= skip= staged changed since=',
    { when: 'write apply apply-unsafe fix', sub: 'check format lint ci', here: true },
  ),
  formatter('dprint', 'dprint.dev/cli', 'excludes= plugins= incremental?', { sub: 'fmt', here: true }),
  formatter(
    'black blue',
    'black(1)',
    'check diff code= line-length,l= target-version,t= include= exclude= extend-exclude= force-exclude= skip-string-normalization,S fast safe pyi workers,W= required-version= preview stdin-filename=',
    { unless: 'check diff code' },
  ),
  {
    ...formatter(
      'ruff',
      'docs.astral.sh/ruff',
      'fix fix-only unsafe-fixes check diff watch,w select= ignore= extend-select= extend-ignore= fixable= unfixable= output-format= output-file,o= target-version= line-length= exclude= extend-exclude= force-exclude no-cache,n cache-dir= exit-zero,e isolated preview',
      {},
      'rewrites files with `check --fix` and `format`',
    ),
    does: [ruff],
  },
  formatter(
    'isort',
    'isort(1)',
    'check-only,c,check diff,d stdout,d profile= line-length,l= multi-line,m= src= skip,s= skip-glob= settings-path,sp,settings-file= add-import,a= remove-import,rm= filter-files atomic',
    { unless: 'check-only diff stdout' },
  ),
  formatter(
    'autopep8',
    'autopep8(1)',
    'in-place,i recursive,r diff,d aggressive,a max-line-length= select= ignore= exclude= jobs,j= pep8-passes,p= global-config=',
    { when: 'in-place' },
  ),
  formatter('yapf', 'yapf(1)', 'in-place,i recursive,r diff,d lines,l= style= exclude,e= parallel,p no-local-style', {
    when: 'in-place',
  }),
  formatter('gofmt gofumpt goimports golines', 'gofmt(1)', 'w l d e s r= cpuprofile= local= srcdir= m=', {
    singleDash: true,
    when: 'w',
  }),
  formatter(
    'rustfmt',
    'rustfmt(1)',
    'check emit= backup config-path= edition= color= print-config= files-with-diff,l config=',
    { unless: 'check' },
  ),
  formatter(
    'clang-format git-clang-format',
    'clang-format(1)',
    'i style= fallback-style= assume-filename= sort-includes dry-run,n Werror files= offset= length= lines= output-replacements-xml',
    { singleDash: true, when: 'i' },
  ),
  formatter('clang-tidy', 'clang-tidy(1)', 'fix fix-errors fix-notes checks= header-filter= p= export-fixes=', {
    singleDash: true,
    when: 'fix fix-errors fix-notes',
  }),
  formatter('shfmt', 'shfmt(1)', 'w,write l,list d,diff s,simplify mn i,indent= bn ci sr kp fn ln= filename=', {
    singleDash: true,
    when: 'w',
  }),
  formatter('shellharden', 'shellharden(1)', 'replace check transform suggest syntax', { when: 'replace' }),
  formatter(
    'terraform tofu packer nomad',
    'developer.hashicorp.com/terraform/cli',
    'check diff write= list= recursive chdir= var= var-file= auto-approve out= state= no-color input=',
    { singleDash: true, unless: 'check', sub: 'fmt', others: 'opaque', here: true },
    '`fmt` rewrites files; `apply` and `destroy` change what is elsewhere',
  ),
  {
    ...formatter(
      'deno',
      'docs.deno.com/runtime/reference/cli',
      'check config= ext= ignore= watch unstable',
      {},
      '`fmt` rewrites files; a program of `eval` is followed',
    ),
    does: [deno],
  },
  formatter('buf', 'buf.build/docs/reference/cli', 'w,write d,diff exit-code', {
    when: 'w',
    sub: 'format',
    here: true,
  }),
  formatter(
    'dart flutter',
    'dart.dev/tools/dart-format',
    'output,o= set-exit-if-changed line-length,l= fix',
    { sub: 'format fix', others: 'opaque', here: true },
    '`format` rewrites files',
  ),
  formatter(
    'mix',
    'hexdocs.pm/mix',
    'check-formatted dry-run',
    { unless: 'check-formatted dry-run', sub: 'format', others: 'opaque', here: true },
    '`format` rewrites files',
  ),
  formatter(
    'zig crystal',
    'each program’s `--help`',
    'check stdin exclude=',
    { unless: 'check stdin', sub: 'fmt', others: 'opaque' },
    '`fmt` rewrites files',
  ),
  formatter(
    'markdownlint markdownlint-cli2',
    'github.com/igorshubovych/markdownlint-cli',
    'fix,f dot,d ignore,i= ignore-path,p= output,o= rules,r=',
    { when: 'fix' },
  ),
  formatter('djlint', 'djlint.com', 'reformat check lint extension,e= profile= indent= ignore=', { when: 'reformat' }),
  formatter(
    'codespell typos misspell',
    'codespell(1)',
    'write-changes,w,write diff interactive,i= dictionary,D= ignore-words,I= ignore-words-list,L= skip,S= count',
    { when: 'write-changes', here: true },
  ),
  formatter('fixjson', 'github.com/rhysd/fixjson', 'write,w minify indent,i=', { when: 'write' }),
  formatter('tidy', 'tidy(1)', 'modify,m output,o,output-file= i,indent q xml asxml errors,e f=', { when: 'modify' }),
  formatter('sd', 'sd(1)', 'preview,p,s string-mode,F,fixed-strings flags,f= max-replacements,n= across,A', {
    unless: 'preview',
    skip: 2,
  }),
  formatter(
    'rpl replace',
    'rpl(1)',
    's,dry-run R,recursive x,suffix= i,ignore-case w,whole-words b,backup e,escape p,prompt f,force',
    { unless: 's', skip: 2 },
  ),
  formatter(
    'fastmod codemod comby ast-grep sad',
    'each program’s `--help`',
    'accept-all in-place,i update-all,U rewrite,r= pattern,p= lang,l= extensions,e= dir,d= glob,g= directory= matcher= commit,k stdin stdout',
    { when: 'accept-all in-place update-all commit', skip: 2, here: true },
  ),
  formatter(
    'xmlstarlet xml',
    'xmlstarlet(1)',
    'inplace,L omit-decl,O N= u,update= v,value= d,delete= s,subnode= t,type= n= i,insert= a,append= r,rename= P S',
    { when: 'inplace', sub: 'ed edit fo format' },
  ),
  formatter(
    'autoflake docformatter unify 2to3 futurize modernize',
    'each program’s `--help`',
    'in-place,i write,w recursive,r check,c diff,d remove-all-unused-imports remove-unused-variables imports= exclude= n nofix,x= fix,f= output-dir,o= nobackups jobs,j=',
    { when: 'in-place write', unless: 'check diff' },
  ),
  formatter(
    'pyupgrade reorder-python-imports add-trailing-comma',
    'each program’s `--help`',
    'py3-plus py36-plus py37-plus py38-plus py39-plus py310-plus exit-zero-even-if-changed diff-only application-directories=',
    { unless: 'diff-only' },
  ),
  formatter(
    'astyle indent',
    'astyle(1), indent(1)',
    'style= options= suffix= n N dry-run stdin= stdout,st kr gnu linux nut o,output-file=',
    { unless: 'dry-run stdout o' },
  ),
  formatter('uncrustify', 'uncrustify(1)', 'replace no-backup mtime f= o= l= F= check prefix= suffix= frag', {
    when: 'replace no-backup',
    unless: 'check f o',
  }),
  formatter('sqlfluff', 'docs.sqlfluff.com', 'dialect= rules= force,f exclude= templater= processes=', {
    sub: 'fix format',
  }),
  formatter('sqlfmt', 'docs.sqlfmt.com', 'check diff line-length,l= dialect,d=', { unless: 'check diff' }),
  formatter(
    'rubocop standardrb',
    'docs.rubocop.org',
    'autocorrect,a,auto-correct autocorrect-all,A,auto-correct-all fix,x only= except= format,f= out,o= require,r= fail-level=',
    { when: 'autocorrect autocorrect-all fix', here: true },
  ),
  formatter('rufo', 'github.com/ruby-formatter/rufo', 'check,c filename= simple-exit,x loglevel=', { unless: 'check' }),
  formatter(
    'php-cs-fixer',
    'cs.symfony.com',
    'dry-run rules= diff allow-risky= using-cache= path-mode= cache-file= stop-on-violation',
    { sub: 'fix', unless: 'dry-run', here: true },
  ),
  formatter('rector', 'getrector.com', 'dry-run,n clear-cache memory-limit= only=', {
    sub: 'process p',
    unless: 'dry-run',
    here: true,
  }),
  formatter('pint phpcbf', 'each program’s `--help`', 'test repair dirty preset= standard= extensions= ignore=', {
    unless: 'test',
    here: true,
  }),
  formatter(
    'ktlint google-java-format palantir-java-format',
    'each program’s `--help`',
    'format,F replace,i aosp,a dry-run,n relative reporter= skip-sorting-imports',
    { when: 'format replace' },
  ),
  formatter(
    'ktfmt scalafmt',
    'each program’s `--help`',
    'test check list dry-run stdout google-style dropbox-style kotlinlang-style',
    { unless: 'test check list dry-run stdout' },
  ),
  formatter(
    'ormolu fourmolu stylish-haskell brittany',
    'each program’s `--help`',
    'inplace,i mode,m= write-mode= recursive,r check-idempotence,c',
    { when: 'inplace mode write-mode' },
  ),
  formatter(
    'hindent nixfmt nixpkgs-fmt alejandra swiftformat nimpretty mdformat yamlfmt yamlfix elm-format buildifier stylua',
    'each program’s `--help`',
    'check,c dry lint,l validate dryrun yes mode= output= indent-size= line-length=',
    { unless: 'check dry lint validate dryrun' },
  ),
  formatter('taplo', 'taplo.tamasfe.dev', 'check diff option,o=', { sub: 'fmt format', unless: 'check', here: true }),
  formatter(
    'gersemi jsonnetfmt cmake-format ocamlformat',
    'each program’s `--help`',
    'in-place,i,inplace check,c test o,output-file= n= indent=',
    { when: 'in-place', unless: 'check test' },
  ),
  formatter(
    'pre-commit lefthook overcommit',
    'pre-commit.com',
    'all-files,a files= hook-stage= from-ref= to-ref=',
    { sub: 'run', skip: 9, here: true },
    'runs formatters that rewrite files',
  ),
  formatter(
    'lint-staged',
    'github.com/lint-staged/lint-staged',
    'allow-empty concurrent,p= cwd= diff= diff-filter= max-arg-length= no-stash relative shell,x',
    { skip: 9, here: true },
    'runs formatters that rewrite staged files',
  ),
];
