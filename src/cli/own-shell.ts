import { type Bytes, toText } from '../platform/bytes.ts';
import { lookThrough, realPath } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { processesAbove, programOf as programOfProcess } from '../platform/processes.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

export const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** The program that started this one; undefined without /proc: the shell's own marker has to do. */
export const parentName = (): string | undefined => programOfProcess(process.ppid);

/** The shell that a person would have to tell something: the one that called, else the login shell, else bash. */
export function shellOf(env: ReadonlyMap<Bytes, Bytes>, parent?: string): Shell {
  const loaded = env.get('BELAY_LOADED')?.split(':')[0];
  const usual = env.get('SHELL');
  const names = [loaded, parent, usual?.slice(usual.lastIndexOf('/') + 1)];
  return names.flatMap((name) => SHELLS.filter((shell) => shell === name))[0] ?? 'bash';
}

/**
 * Whether the shell of somebody who types asks, itself or in a `$(…)`: each of its lines is a turn. `BELAY_LOADED`, which its `belay`
 * function sets with its process, is inherited by every child.
 */
export function isTypedAt(env: ReadonlyMap<Bytes, Bytes>, ancestors = processesAbove()): boolean {
  const pid = Number((env.get('BELAY_LOADED') ?? '').split(':')[1]);
  return pid > 0 && (ancestors.length === 0 || ancestors.slice(0, 2).includes(pid));
}

/** The line that loads belay into a shell, as it works there: by the whole path where PATH does not lead to this belay. */
export function initLine(shell: Shell, env: ReadonlyMap<Bytes, Bytes>, install: Bytes): string {
  const program = programOf(shell, env, install);
  return shell === 'fish' ? `${program} init fish | source` : `eval "$(${program} init ${shell})"`;
}

/** The same for a start-up file that other shells read too (`.profile`), and shells that nobody types at. */
export const loginLine = (env: ReadonlyMap<Bytes, Bytes>, install: Bytes): string =>
  `case \${BASH_VERSION:+$-} in *i*) ${initLine('bash', env, install)} ;; esac`;

/** How `belay` is called there. */
export function programOf(shell: Shell, env: ReadonlyMap<Bytes, Bytes>, install: Bytes): string {
  const own = join(install, 'bin/belay');
  const found = inPath(env, 'belay');
  if (found !== undefined && realPath(join(found, 'belay')) === realPath(own)) return 'belay';
  // Installed, it is known by the link of `PREFIX/bin`, which stays when the folder behind it is laid anew.
  const link = install.endsWith('/lib/belay') ? join(install.slice(0, -'/lib/belay'.length), 'bin/belay') : own;
  const path = toText(lookThrough(link) === undefined ? own : link);
  if (/^[A-Za-z0-9_/.+-]+$/.test(path)) return path;
  return shell === 'fish' ? `'${path.replace(/[\\']/g, '\\$&')}'` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The folder of PATH that has the program. */
export function inPath(env: ReadonlyMap<Bytes, Bytes>, program: Bytes): Bytes | undefined {
  for (const folder of (env.get('PATH') ?? '').split(':')) {
    if (!folder.startsWith('/')) continue;
    const look = lookSafely(join(folder, program));
    if (look?.type === 'file' && (look.mode & 0o111) !== 0) return folder;
  }
  return undefined;
}

function lookSafely(path: Bytes): ReturnType<typeof lookThrough> {
  try {
    return lookThrough(path);
  } catch {
    return undefined; // a folder of PATH that we may not enter has no program for us either
  }
}
