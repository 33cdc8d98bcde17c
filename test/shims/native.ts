import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtSnap } from '../built.ts';
import { root } from './recorder.ts';

/** Folders with wrappers in `shims/bin`: the checkout's scripts, and where a C compiler is there, the program as install.sh lays it out. */
export function wrapperRoots(): readonly { readonly kind: string; readonly root: string }[] {
  builtSnap();
  const scripts = { kind: 'scripts', root };
  if (!existsSync(join(root, 'dist/wrapper'))) return [scripts];
  const native = mkdtempSync(join(tmpdir(), 'belay-native-'));
  process.on('exit', () => rmSync(native, { recursive: true, force: true }));
  for (const name of ['bin', 'hooks', 'shims'])
    cpSync(join(root, name), join(native, name), { recursive: true, verbatimSymlinks: true });
  // A hundred megabytes and more, that nobody writes into.
  mkdirSync(join(native, 'dist'));
  for (const { name } of readdirSync(join(root, 'dist'), { withFileTypes: true }).filter((entry) => entry.isFile()))
    linked(join(root, 'dist', name), join(native, 'dist', name));
  const done = spawnSync('sh', [join(native, 'shims/parts/native.sh'), native], { encoding: 'utf8' });
  if (done.status !== 0 || !existsSync(join(native, 'shims/script/rm')))
    throw new Error(`shims/parts/native.sh: ${done.status} ${done.stderr}`);
  return [scripts, { kind: 'program', root: native }];
}

function linked(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}
