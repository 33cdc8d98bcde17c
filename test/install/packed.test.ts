import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { builtSnap } from '../built.ts';
import { LOADER } from '../loader.ts';
import { exists, has, root, succeeds, text } from './place.ts';

/**
 * One package, packed once, on its way through a person's home: the release before it, an upgrade, a home that a newer belay has written,
 * uninstalling. There is no release yet, so the one before is this package under a lower version.
 */
const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'belay-packed-')));
const home = join(top, 'home');
for (const name of ['home', 'run', 'prefix', 'project/src', 'out'])
  fs.mkdirSync(join(top, name), { recursive: true, mode: 0o700 });
const env = {
  PATH: `${join(top, 'prefix/bin')}:${process.env.PATH ?? ''}`,
  HOME: home,
  XDG_RUNTIME_DIR: join(top, 'run'),
  // An empty cache, and a registry that nobody answers for: what is not in the tarball cannot be had.
  npm_config_cache: join(top, 'cache'),
  npm_config_prefix: join(top, 'prefix'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  TERM: 'dumb',
  LANG: 'C.UTF-8',
};
const project = join(top, 'project');
const run = (words: readonly string[], options: { readonly cwd?: string; readonly env?: object } = {}) =>
  spawnSync(words[0] ?? '', words.slice(1), {
    cwd: project,
    encoding: 'utf8',
    timeout: 120_000,
    ...options,
    env: { ...env, ...options.env },
  });
const packed = suite('the package');
packed.after(() => fs.rmSync(top, { recursive: true, force: true }));

builtSnap();
interface Packed {
  readonly filename: string;
  readonly version: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}
const pack = (cwd: string, ...words: string[]): Packed => {
  const said = succeeds(
    run(['npm', 'pack', '--json', '--pack-destination', top, ...words], { cwd, env: { npm_config_offline: 'false' } }),
  );
  return (JSON.parse(said.slice(said.indexOf('['))) as Packed[])[0] as Packed;
};
const now = pack(root);
const tarball = join(top, now.filename);

packed('is under 3 MB, and has what belay needs and nothing else', () => {
  assert.ok(now.size < 3_000_000, `${now.size} bytes`);
  const names = now.files.map(({ path }) => path);
  for (const name of [
    'bin/belay',
    'dist/belay.cjs',
    'dist/config.schema.json',
    'dist/man/man1/belay.1',
    'dist/THIRD-PARTY.txt',
    'shims/completion.zsh',
    'install.sh',
  ])
    assert.ok(names.includes(name), name);
  const strange = names.filter(
    (name) => !/^(?:bin|dist|hooks|shims)\/|^[\w.]+$/.test(name) || /belay-snap$|\.code$/.test(name.slice(4)),
  );
  assert.deepEqual(
    strange.filter((name) => name !== 'bin/belay-snap'),
    [],
  );
  const licences = text(join(root, 'dist/THIRD-PARTY.txt'));
  // In a program, in the page, in what it asks for later, in the MCP server: each with its notice.
  for (const name of [
    'yaml',
    'unbash',
    'execa',
    'preact',
    'highlight.js',
    'lowlight',
    '@modelcontextprotocol/sdk',
    'zod',
  ])
    assert.match(licences, new RegExp(`^${name} [\\d.]+ \\([\\w-]+\\)\\n\\n[^─]*(?:Copyright|Permission)`, 'm'), name);
  for (const name of ['uvu', 'fast-check', 'typescript'])
    assert.doesNotMatch(licences, new RegExp(`^${name} \\d`, 'm'));
  fs.mkdirSync(join(top, 'before'));
  succeeds(run(['tar', 'xzf', tarball, '-C', join(top, 'before')]));
  const file = join(top, 'before/package/package.json');
  const about = JSON.parse(text(file)) as Record<string, unknown>;
  for (const kind of ['dependencies', 'optionalDependencies'])
    assert.equal(about[kind], undefined, 'everything is bundled');
  fs.writeFileSync(file, JSON.stringify({ ...about, version: '0.0.9', scripts: {} }));
});

packed('installs offline from the tarball; the release before it saves and records', () => {
  const before = pack(join(top, 'before/package'));
  assert.equal(before.version, '0.0.9');
  succeeds(run(['npm', 'install', '-g', join(top, before.filename)]));
  fs.writeFileSync(join(project, 'package.json'), '{}');
  fs.writeFileSync(join(project, 'src/a'), 'precious\n');
  succeeds(run(['belay', 'run', '--', 'sh', '-c', 'rm -r src']));
  assert.ok(!exists(join(project, 'src')));
  assert.match(succeeds(run(['belay', 'list'])), /rm -r src/);
});

packed('an upgrade keeps checkpoints and sessions', () => {
  const session = (): string =>
    (JSON.parse(succeeds(run(['belay', 'sessions', 'list', '--json']))) as { sessions: { id: string }[] }).sessions[0]
      ?.id ?? '';
  const was = session();
  succeeds(run(['npm', 'install', '-g', tarball]));
  const about = JSON.parse(text(join(top, 'prefix/lib/node_modules/belay-sh/package.json'))) as { version: string };
  assert.equal(about.version, now.version);
  assert.match(was, /^\d{8}_/);
  assert.equal(session(), was);
  succeeds(run(['belay', 'undo', '--yes']));
  assert.equal(text(join(project, 'src/a')), 'precious\n');
  assert.match(succeeds(run(['belay', 'checkpoints', 'verify'])), /./);
});

packed('a home that a newer belay has written is refused, and lines run all the same', () => {
  const saved = join(home, '.local/share/belay');
  assert.equal(text(join(saved, 'format')), '1\n');
  fs.writeFileSync(join(saved, 'format'), '2\n');
  const tree = () =>
    succeeds(
      run([
        'find',
        saved,
        '-mindepth',
        '1',
        '-not',
        '-name',
        'belay.log*',
        '-not',
        '-name',
        'logs',
        '-printf',
        '%p %s %T@\n',
      ]),
    );
  const before = tree();
  for (const words of [['list'], ['undo'], ['sessions', 'list'], ['checkpoints', 'prune', '--yes'], ['checkpoint']]) {
    const said = run(['belay', ...words]);
    assert.equal(said.status, 3, words.join(' '));
    assert.match(
      said.stderr,
      /newer belay \(format 2, this one knows 1\)[\s\S]*Nothing was changed\. Install the newer belay again/,
    );
  }
  const logged = () =>
    exists(join(saved, 'logs/belay.log')) ? text(join(saved, 'logs/belay.log')).trim().split('\n').length : 0;
  const lines = logged();
  succeeds(run(['belay', 'run', '--', 'sh', '-c', 'rm -r src']));
  assert.ok(!exists(join(project, 'src')));
  assert.equal(logged(), lines + 1, text(join(saved, 'logs/belay.log')));
  assert.equal(tree(), before, 'nothing else is touched');
  fs.writeFileSync(join(saved, 'format'), '1\n');
});

packed('`belay setup` and `belay uninstall` leave the start-up files and agents as they were', () => {
  fs.writeFileSync(join(home, '.bashrc'), 'alias a=b\n');
  succeeds(run(['belay', 'setup']));
  assert.match(
    text(join(home, '.bashrc')),
    /^alias a=b\n# >>> belay >>>\neval "\$\(\S*\/prefix\/bin\/belay init bash\)"\n# <<< belay <<<\n$/,
  );
  succeeds(run(['belay', 'agent', 'install', 'claude']));
  assert.ok(exists(join(home, '.claude/settings.json')));
  const said = succeeds(run(['belay', 'uninstall', '--purge', '--yes']));
  assert.match(said, /npm uninstall -g belay-sh/);
  assert.equal(text(join(home, '.bashrc')), 'alias a=b\n');
  for (const name of ['.bash_profile', '.zshrc', '.config/fish/config.fish', '.claude', '.local/share/belay'])
    assert.ok(!exists(join(home, name)), name);
  succeeds(run(['npm', 'uninstall', '-g', 'belay-sh']));
  assert.deepEqual(fs.readdirSync(join(top, 'prefix/bin')), []);
});

packed('who may not write the folder of an installation starts it without making code that nobody could keep', () => {
  const open = fs.mkdtempSync(join(tmpdir(), 'belay-others-'));
  try {
    fs.mkdirSync(join(open, 'dist'));
    fs.mkdirSync(join(open, 'home'), { mode: 0o777 });
    fs.chmodSync(join(open, 'home'), 0o777);
    for (const name of ['belay.cjs', 'belay.bundle.cjs'])
      fs.copyFileSync(join(root, 'dist', name), join(open, 'dist', name));
    const hook = join(open, 'hook.cjs');
    fs.writeFileSync(
      hook,
      `const { Script } = require('node:vm'), make = Script.prototype.createCachedData;
Script.prototype.createCachedData = function () { console.error('made code'); return make.call(this); };`,
    );
    const start = (mode: number) => {
      fs.chmodSync(open, 0o755);
      fs.chmodSync(join(open, 'dist'), mode);
      return spawnSync(process.execPath, ['--require', hook, join(open, 'dist/belay.cjs'), 'list'], {
        cwd: join(open, 'home'),
        encoding: 'utf8',
        env: { PATH: env.PATH, HOME: join(open, 'home'), XDG_RUNTIME_DIR: join(open, 'home') },
        ...(process.getuid?.() === 0 && mode === 0o555 ? { uid: 65_534, gid: 65_534 } : {}),
      });
    };
    const others = start(0o555);
    assert.equal(others.status, 0, others.stderr);
    assert.doesNotMatch(others.stderr, /made code/);
    assert.match(start(0o755).stderr, /made code/);
  } finally {
    fs.chmodSync(join(open, 'dist'), 0o755);
    fs.rmSync(open, { recursive: true, force: true });
  }
});

if (has('gzip'))
  packed('an archive is the same bytes twice, has its checksum, and installs without npm', () => {
    // The compiled program is a hundred megabytes: it is packed like every other file, and left out here.
    const copy = join(top, 'checkout');
    for (const name of [
      'bin',
      'dist',
      'hooks',
      'shims',
      'scripts',
      'install.sh',
      'package.json',
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
    ])
      fs.cpSync(join(root, name), join(copy, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !path.endsWith('/dist/belay-snap'),
      });
    const archive = (out: string): string => {
      succeeds(
        run([process.execPath, '--import', LOADER, join(copy, 'scripts/archive.ts'), join(top, out), '--as-built']),
      );
      succeeds(run(['sha256sum', '-c', 'SHA256SUMS'], { cwd: join(top, out) }));
      return text(join(top, out, 'SHA256SUMS'));
    };
    const first = archive('out/1');
    fs.utimesSync(join(copy, 'bin/belay'), 1, 1);
    assert.equal(archive('out/2'), first);
    const name = first.trim().split('  ')[1] ?? '';
    assert.match(name, /^belay-[\d.]+-[a-z]+-[a-z\d]+\.tar\.gz$/);
    succeeds(run(['tar', 'xzf', join(top, 'out/1', name), '-C', join(top, 'out')]));
    const folder = join(top, 'out', name.replace('.tar.gz', ''));
    const said = succeeds(run(['sh', '-c', 'umask 077; exec sh "$0" --no-demo --no-rc', join(folder, 'install.sh')]));
    assert.match(said, /belay is installed in .*\.local\/lib\/belay/);
    assert.ok(exists(join(folder, 'dist/THIRD-PARTY.txt')));
    // Warm from the first start on, for everybody.
    const dist = join(home, '.local/lib/belay/dist');
    const codes = fs.readdirSync(dist).filter((file) => file.endsWith('.code'));
    const parts = codes.map((file) => file.split('.').slice(0, 2).join('.')).sort();
    assert.deepEqual(parts, ['belay-snap.bundle', 'belay-snap.rest', 'belay.bundle']);
    for (const file of codes) assert.equal(fs.statSync(join(dist, file)).mode & 0o777, 0o644, file);
    succeeds(run([join(home, '.local/bin/belay'), 'list']));
    assert.match(succeeds(run([join(home, '.local/bin/belay'), 'uninstall'])), /belay is taken out of/);
  });

packed.run();
