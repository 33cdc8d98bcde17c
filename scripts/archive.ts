/**
 * `npm run archive`: everything that an installation needs, in one file for machines of this kind, and its checksum. The same bytes,
 * whoever packs the same build: names in order, one time, no owner.
 *
 *   tsx scripts/archive.ts [FOLDER] [--as-built]
 *
 * FOLDER: where it goes (default: archives/). `--as-built`: dist/ as it is, even where the sources are newer. `SOURCE_DATE_EPOCH` is the
 * time of its files.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const out = resolve(words.find((word) => !word.startsWith('--')) ?? join(root, 'archives'));

function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: Buffer } = {},
): Buffer {
  const done = spawnSync(program, args, { ...options, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'inherit'] });
  if (done.status !== 0) throw new Error(`${program} ${args[0]}: ${done.error?.message ?? done.status}`);
  return done.stdout;
}

if (!words.includes('--as-built'))
  run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--if-stale'], { cwd: root });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const name = `belay-${version}-${process.platform}-${process.arch}`;
const stage = mkdtempSync(join(tmpdir(), 'belay-archive-'));
try {
  for (const part of [
    'bin',
    'dist',
    'hooks',
    'shims',
    'install.sh',
    'package.json',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
  ])
    cpSync(join(root, part), join(stage, name, part), {
      recursive: true,
      verbatimSymlinks: true,
      // V8's code is this node's own: the first start makes it anew.
      filter: (path) => !/\/dist\/(?:\.|.*\.code$)/.test(path),
    });
  const time = process.env['SOURCE_DATE_EPOCH'] ?? '315532800';
  const order = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const packed = run('gzip', ['-n', '-6'], {
    input: run('tar', ['--format=ustar', ...order, '-cf', '-', '-C', stage, name]),
  });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.tar.gz`), packed);
  const sums = readdirSync(out)
    .filter((file) => file.endsWith('.tar.gz'))
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  const compiled = existsSync(join(root, 'dist/belay-snap')) ? '' : ' (without the compiled belay-snap)';
  console.log(
    `${join(out, `${name}.tar.gz`)}: ${(packed.length / 1e6).toFixed(1)} MB${compiled}; ${join(out, 'SHA256SUMS')}`,
  );
} finally {
  rmSync(stage, { recursive: true, force: true });
}
