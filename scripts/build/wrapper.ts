import { spawnSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where the program's sources lie. */
export const NATIVE = 'shims/native';

/**
 * The PATH wrappers as a program (shims/native), for Linux, where a C compiler is there: linked statically, it starts in a third of the
 * time a shell does. Elsewhere shells run the scripts, which do the same.
 */
export function compileWrapper(root: string, dist: string): void {
  rmSync(join(dist, 'wrapper'), { force: true });
  if (process.platform !== 'linux') return;
  const aside = join(dist, `.wrapper-${process.pid}`);
  const sources = readdirSync(join(root, NATIVE)).filter((name) => name.endsWith('.c'));
  const files = sources.map((name) => join(root, NATIVE, name));
  const compiled = [['-static', '-no-pie'], []].some(
    (linked) => spawnSync('cc', ['-O2', '-s', ...linked, '-o', aside, ...files], { stdio: 'ignore' }).status === 0,
  );
  if (compiled) renameSync(aside, join(dist, 'wrapper'));
}

/** What to say where there is none, on Linux, and what helps. */
export const whyNoWrapper = `build: ${NATIVE} is not compiled (is a C compiler there?): the wrappers in PATH are shell scripts, which take a millisecond more. To try again: rm -r dist, then this.`;
