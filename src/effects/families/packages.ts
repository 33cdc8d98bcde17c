import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Place } from '../../shell/types.ts';
import { below, type Clause, output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { afterDashes } from '../wrappers/run.ts';
import { row } from './brief.ts';
import { pip } from './pip.ts';

/** The nearest folder from the working directory up that holds one of the names. */
function rootWith(use: Use, names: readonly Bytes[]): Place {
  const { cwd } = use.call;
  if (cwd.kind === 'unknown') return cwd;
  for (let at = cwd.path; ; at = dirname(at)) {
    if (names.some((name) => use.out.kindOf(join(at, name)) !== 'absent')) return { kind: 'known', path: at };
    if (at === '/' || !at.startsWith('/')) return cwd;
  }
}

const firstWord = (use: Use): Bytes => textOfArg(use.words.operands[0]) ?? '';

/** A build folder goes with all that is in it. */
const cleaned = (use: Use, from: Place, ...folders: readonly Bytes[]): void => {
  for (const path of folders)
    use.out.effect({ verb: use.verb, path, way: 'delete', recursive: true, from, note: 'what was built is removed' });
};

/** Files that the tool makes again from others: held, but no loss by itself. */
const rewritten = (use: Use, from: Place, ...files: readonly Bytes[]): void => {
  for (const path of files) {
    if (use.out.kindOf(path, from) === 'file')
      use.out.effect({ verb: use.verb, path, way: 'replace', from, follows: true, destructive: false });
  }
};

/** cargo(1). */
function cargo(use: Use): void {
  const { words, out, verb, call } = use;
  const root = rootWith(use, ['Cargo.lock', 'Cargo.toml']);
  const toolchain = firstWord(use).startsWith('+') ? 1 : 0;
  const action = textOfArg(words.operands[toolchain]) ?? '';
  if (action === 'clean') {
    const target = textOfArg(words.value('target-dir')) ?? call.env('CARGO_TARGET_DIR') ?? 'target';
    cleaned(use, root, words.has('doc') ? `${target}/doc` : words.has('release') ? `${target}/release` : target);
  } else if (action === 'fmt' || action === 'fix' || (action === 'clippy' && words.has('fix'))) {
    if (!words.has('check')) out.unknown(verb, below(root), 'rewrites source files of the workspace');
  } else if (/^(add|remove|rm|update|generate-lockfile|upgrade|set-version)$/.test(action))
    rewritten(use, root, 'Cargo.toml', 'Cargo.lock');
  else if (action === 'vendor') cleaned(use, call.cwd, textOfArg(words.operands[toolchain + 1]) ?? 'vendor');
  else if (
    !/^(search|tree|metadata|locate-project|pkgid|verify-project|login|logout|owner|help|version|fetch|info|audit|deny|outdated)$/.test(
      action,
    )
  ) {
    out.opaque(verb, call.cwd);
  }
}

/** go(1): `clean` removes what other commands left in the package's folder. */
function go(use: Use): void {
  const { words, out, verb, call } = use;
  const action = firstWord(use);
  const module = rootWith(use, ['go.mod']);
  if (words.has('n')) return;
  if (action === 'clean') {
    if (call.cwd.kind === 'unknown' || words.operands.length > 1 || words.has('r')) {
      out.unknown(verb, below(call.cwd), 'removes objects and programs of packages');
      return;
    }
    const program = call.cwd.path.replace(/^.*\//, '');
    for (const name of out.namesIn(call.cwd.path)) {
      if (
        name === program ||
        /\.(o|a|so|[568ao]|test|exe)$/.test(name) ||
        /^(_obj|_test|test\.out|_testmain\.go|build\.out|DIR)$/.test(name)
      )
        cleaned(use, call.cwd, name);
    }
  } else if (action === 'build') {
    const to = words.value('o');
    if (to) touch(use, to, 'replace', { follows: true });
    else if (call.cwd.kind === 'known') touch(use, call.cwd.path.replace(/^.*\//, ''), 'replace');
  } else if (action === 'fmt' || action === 'fix')
    out.unknown(verb, below(call.cwd), 'rewrites source files of packages');
  else if (/^(get|mod|work)$/.test(action)) {
    rewritten(use, module, 'go.mod', 'go.sum', 'go.work', 'go.work.sum');
    if (textOfArg(words.operands[1]) === 'vendor') cleaned(use, module, 'vendor');
  } else if (/^(run|test|generate|tool|install)$/.test(action)) out.opaque(verb, call.cwd);
}

/** Tools whose `clean` empties one folder beside their project file. */
const cleaner =
  (words: RegExp, marks: readonly Bytes[], folders: readonly Bytes[], harmless = /^(help|version)$/): Clause =>
  (use) => {
    const actions = use.words.operands.map((arg) => textOfArg(arg) ?? '');
    const root = rootWith(use, marks);
    if (actions.some((action) => words.test(action))) cleaned(use, root, ...folders);
    const others = actions.filter((action) => !words.test(action) && !harmless.test(action));
    if (others.length > 0) use.out.opaque(use.verb, use.call.cwd);
  };

/** composer(1), bundle(1): the vendor folder follows the lock file. */
function composer(use: Use): void {
  const { words, call } = use;
  const action = firstWord(use);
  if (words.has('dry-run')) return;
  if (/^(install|i|update|u|upgrade|require|r|remove|rm|reinstall|dump-autoload|dumpautoload)$/.test(action)) {
    rewritten(use, call.cwd, 'composer.json', 'composer.lock');
    use.out.effect({
      verb: use.verb,
      path: 'vendor',
      way: 'replace',
      recursive: true,
      destructive: /^(remove|rm)$/.test(action),
      note: 'packages that the lock file does not name are removed',
    });
    if (!words.has('no-scripts')) use.out.opaque(use.verb, call.cwd);
  } else if (/^(run|run-script|exec|create-project)$/.test(action)) use.out.opaque(use.verb, call.cwd);
}

/** `cmake -E`: cmake(1), "Command-Line Tool". */
function cmake(use: Use): void {
  const { call, words, out, verb } = use;
  const at = call.argv.findIndex((arg) => textOfArg(arg) === '-E');
  const action = textOfArg(call.argv[at + 1]);
  const rest = call.argv.slice(at + 2);
  const as = (...argv: readonly Bytes[]): void =>
    call.run([...argv.map((text) => ({ kind: 'known' as const, text })), ...rest]);
  if (at < 0) {
    const build = words.value('build');
    if (build || words.has('install') || words.has('P')) {
      out.opaque(verb, call.cwd);
      return;
    }
    if (words.has('fresh'))
      out.effect({ verb, path: words.value('B') ?? '.', way: 'delete', recursive: true, certainty: 'maybe' });
    out.opaque(verb, call.cwd);
    return;
  }
  if (action === 'rm') as('rm');
  else if (action === 'remove') as('rm', '-f');
  else if (action === 'remove_directory') as('rm', '-rf');
  else if (action === 'rename') as('mv', '-T');
  else if (action === 'copy' || action === 'copy_if_different') as('cp');
  else if (action === 'copy_directory') as('cp', '-rT');
  else if (action === 'create_symlink') as('ln', '-sf');
  else if (action === 'tar') as('tar');
  else if (action === 'touch') as('touch');
  else if (action === 'env' || action === 'time' || action === 'chdir')
    as(...(action === 'chdir' ? ['env', '-C'] : [action]));
}

const system: Clause = (use) =>
  use.out.remark('the system’s packages: the package manager brings them back, not belay');

/** `flatpak run`, `snap run`, `opam exec -- CMD`: programs of theirs. */
const theirs: Clause = (use) => {
  const sub = textOfArg(use.words.operands[0]) ?? '';
  if (use.verb === 'opam' && sub === 'exec') afterDashes(use);
  else if (/^(?:flatpak|snap)$/.test(use.verb) && sub === 'run') use.out.opaque(use.verb, use.call.cwd);
};

/** Package managers and build tools: what they delete of a project. */
export const packages: readonly Row[] = [
  row(
    'cargo',
    'cargo(1)',
    '`clean` deletes target; `fmt` and `fix` rewrite sources',
    'target-dir= manifest-path= p,package= r,release doc profile= check fix features= F= j,jobs= q v offline locked frozen workspace,all C= Z= color= dev build dry-run,n bin= example= git= path= branch=',
    cargo,
  ),
  {
    ...row(
      'go',
      'go(1)',
      '`clean` deletes what was built, `build` replaces the program, `fmt` rewrites sources',
      'o= n x i r cache testcache modcache fuzzcache v race tags= ldflags= gcflags= mod= C= p= run= count= timeout= u t',
      go,
    ),
    grammar: { singleDash: true },
  },
  row(
    'pip pip3',
    'pip(1)',
    '`uninstall` deletes a package of the active environment',
    'y,yes r,requirement= U,upgrade target,t= prefix= root= user e,editable= force-reinstall no-deps c,constraint= i,index-url= extra-index-url= f,find-links= d,dest= w,wheel-dir= q v pre python=',
    pip,
  ),
  row(
    'composer',
    'composer(1)',
    'follows the lock file in vendor',
    'dry-run no-scripts no-dev d,working-dir= n o q v W',
    composer,
  ),
  row(
    'mvn mvnw mvnd',
    'mvn(1)',
    '`clean` deletes target',
    'f,file= pl,projects= P,activate-profiles= D? q X o T= am B U e s= N',
    cleaner(/^(clean|clean:clean)$/, ['pom.xml'], ['target'], /^(help:.*|dependency:(tree|list))$/),
  ),
  row(
    'gradle gradlew',
    'docs.gradle.org',
    '`clean` deletes build',
    'p,project-dir= P? D? q i d x,exclude-task= b= c= no-daemon daemon offline stop status m,dry-run',
    cleaner(
      /(^|:)clean$/,
      ['build.gradle', 'build.gradle.kts', 'settings.gradle'],
      ['build'],
      /^(tasks|projects|dependencies|properties)$/,
    ),
  ),
  row(
    'sbt',
    'scala-sbt.org',
    '`clean` deletes target',
    'D? J? v',
    cleaner(/(^|\/)clean(Files)?$/, ['build.sbt'], ['target', 'project/target']),
  ),
  row(
    'dotnet',
    'learn.microsoft.com/dotnet/core/tools',
    '`clean` deletes what was built',
    'c,configuration= f,framework= o,output= v,verbosity= r,runtime= nologo',
    cleaner(/^clean$/, ['global.json'], ['bin', 'obj'], /^(list|--info|search)$/),
  ),
  row(
    'swift',
    'swift.org/documentation',
    '`package clean` deletes .build',
    'package-path= c,configuration= v',
    cleaner(/^(clean|reset)$/, ['Package.swift'], ['.build'], /^(package|describe|dump-package)$/),
  ),
  row(
    'stack cabal',
    'each manual',
    '`clean` deletes what was built',
    'v j= full',
    cleaner(
      /^(clean|purge)$/,
      ['stack.yaml', 'cabal.project'],
      ['.stack-work', 'dist-newstyle', 'dist'],
      /^(list|info|path|ls)$/,
    ),
  ),
  row(
    'rebar3 lein',
    'each manual',
    '`clean` deletes what was built',
    'a,all',
    cleaner(/^clean$/, ['rebar.config', 'project.clj'], ['_build', 'target'], /^(deps|tree)$/),
  ),
  row(
    'meson scons',
    'each manual',
    'with `-c`, `--wipe`, `--clean`, deletes what was built',
    'c,clean wipe C= j= Q u',
    (use) =>
      use.words.has('c', 'wipe')
        ? use.out.unknown(use.verb, below(use.call.cwd), 'deletes what it built')
        : use.out.opaque(use.verb, use.call.cwd),
  ),
  row(
    'cmake',
    'cmake(1)',
    '`-E rm` and the like are followed',
    'build= install= B= S= G= D? P= E fresh preset= target,t= j? v',
    cmake,
  ),
  row(
    'apt apt-get aptitude dpkg dnf yum zypper pacman apk brew port snap flatpak rpm emerge xbps-install pkg nix-env gem cpan luarocks opam',
    'each manual',
    'what belongs to installed packages, which is not saved',
    'y q s,simulate,just-print,dry-run o= t= f m purge R S U',
    system,
    theirs,
    output('output'),
  ),
];
