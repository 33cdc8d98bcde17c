import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt, lookThrough, namesVisible, readBytesIfAny } from '../../platform/files.ts';
import { homeFolder, runtimeFolder } from '../../platform/home.ts';
import { join } from '../../platform/paths.ts';
import { sessionFolder } from '../../turns/markers.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { Patient } from './patient.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** Whether the shell that asks is protected, and whether the next one will be. */
export function checkShell(patient: Patient): readonly Finding[] {
  const lines = rcLines(patient);
  return [
    ...checkLines(lines),
    ...checkLogin(patient, lines),
    checkLoaded(patient, lines),
    ...checkWrappers(patient),
    ...checkBashEnv(patient),
  ];
}

interface Rc {
  readonly shell: Shell;
  readonly file: Bytes;
  readonly present: boolean;
}

/** The start-up files of the shells that are installed. */
function rcLines({ env }: Patient): readonly Rc[] {
  const home = homeFolder(env);
  if (home === undefined) return [];
  const files: Readonly<Record<Shell, Bytes>> = {
    bash: join(home, '.bashrc'),
    zsh: join(env.get('ZDOTDIR') ?? home, '.zshrc'),
    fish: join(env.get('XDG_CONFIG_HOME') ?? join(home, '.config'), 'fish/config.fish'),
  };
  return SHELLS.filter((shell) => inPath(env, shell) !== undefined).map((shell) => {
    const text = readBytesIfAny(files[shell])?.toString('latin1') ?? '';
    const present = text.split('\n').some((line) => /^[^#]*belay\S*['"]?\s+init\b/.test(line));
    return { shell, file: files[shell], present };
  });
}

const initLine = (shell: Shell): string =>
  shell === 'fish' ? 'belay init fish | source' : `eval "$(belay init ${shell})"`;

function checkLines(lines: readonly Rc[]): readonly Finding[] {
  return lines.map(({ shell, file, present }) =>
    present
      ? fine('start-up', `${toText(file)} loads belay`)
      : note(
          'start-up',
          `${toText(file)} does not load belay: a new ${shell} is not protected`,
          `add: ${initLine(shell)}`,
        ),
  );
}

/** A login bash (ssh, a console, tmux) reads only the first of these that is there; it has to read .bashrc itself. */
function checkLogin({ env }: Patient, lines: readonly Rc[]): readonly Finding[] {
  const home = homeFolder(env);
  const loads = lines.some(({ shell, present }) => shell === 'bash' && present);
  if (home === undefined || !loads) return [];
  const file = ['.bash_profile', '.bash_login', '.profile'].map((name) => join(home, name)).find(isThere);
  const text = file === undefined ? '' : (readBytesIfAny(file)?.toString('latin1') ?? '');
  if (/^[^#]*(bashrc|belay\S*\s+init\b)/m.test(text)) return [];
  const name = file === undefined ? '~/.bash_profile is not there' : `${toText(file)} does not read .bashrc`;
  return [
    note('start-up', `${name}: a login bash (ssh, tmux) is not protected`, `add: [ -r ~/.bashrc ] && . ~/.bashrc`),
  ];
}

const isThere = (path: Bytes): boolean => lookAt(path) !== undefined;

/**
 * `BELAY_LOADED` comes from the shell's own `belay` function, with its process; that and `BELAY_SESSION` are inherited by every
 * child, so the process must be the one that asks (or the one above it: `$(belay doctor)`).
 */
function checkLoaded({ env, parent, ancestors, atTerminal }: Patient, lines: readonly Rc[]): Finding {
  const [name, pid] = (env.get('BELAY_LOADED') ?? '').split(':');
  if (pid !== undefined && (ancestors.length === 0 || ancestors.slice(0, 2).includes(Number(pid))))
    return fine('this shell', `${name}: protected`);
  const session = env.get('BELAY_SESSION');
  const runtime = runtimeFolder(env, false);
  const known = session !== undefined && runtime !== undefined && lookAt(sessionFolder(runtime, session)) !== undefined;
  const shell = SHELLS.find((name) => name === parent);
  if (shell === undefined || !atTerminal)
    return known
      ? fine('this shell', `part of the protected session ${session}`)
      : note('this shell', 'no interactive shell asks: a shell that has read its start-up file is protected');
  if (known) return fine('this shell', `session ${session}`);
  const line = lines.find((rc) => rc.shell === shell);
  const why = line?.present
    ? `${shell} started before ${toText(line.file)} had the line`
    : `${shell} has not loaded belay`;
  return wrong('this shell', `${why}: what is typed here is not saved`, initLine(shell));
}

function inPath(env: ReadonlyMap<Bytes, Bytes>, program: Bytes): Bytes | undefined {
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

/** Where the PATH wrappers are in use (`belay run`, `--print-env`), they have to come first, or scripts go past them. */
function checkWrappers({ env, install }: Patient): readonly Finding[] {
  const shims = join(install, 'shims/bin');
  const inUse = (env.get('PATH') ?? '').split(':').includes(shims);
  if (!inUse) return [];
  const hidden = new Map<Bytes, Bytes[]>();
  for (const verb of namesVisible(shims)) {
    const found = inPath(env, verb);
    if (found !== undefined && found !== shims) hidden.set(found, [...(hidden.get(found) ?? []), verb]);
  }
  if (hidden.size === 0) return [fine('wrappers', `${toText(shims)} comes first in PATH`)];
  return [...hidden].map(([folder, verbs]) =>
    wrong(
      'wrappers',
      `${toText(folder)} comes before ${toText(shims)} in PATH: ${toText(verbs.slice(0, 5).join(', '))} of scripts are not seen`,
      `put the line that loads belay last in the start-up file, or: PATH='${toText(shims)}':$PATH`,
    ),
  );
}

function checkBashEnv({ env, install }: Patient): readonly Finding[] {
  const taken = env.get('BASH_ENV');
  const inUse = (env.get('PATH') ?? '').split(':').includes(join(install, 'shims/bin'));
  if (taken === undefined || taken === '') return [];
  if (taken.startsWith(join(install, 'shims/'))) return [fine('BASH_ENV', toText(taken))];
  const text = `BASH_ENV is taken by ${toText(taken)}: \`bash -c\` and scripts do not load belay`;
  const mend = `eval "$(belay init --print-env | sed 's/^/export /')", which reads that file too`;
  return [inUse ? wrong('BASH_ENV', text, mend) : note('BASH_ENV', text, mend)];
}
