import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookThrough, readBytesIfAny } from '../../platform/files.ts';
import { homeFolder } from '../../platform/home.ts';
import { join } from '../../platform/paths.ts';
import { initLine, inPath, loginLine, SHELLS, type Shell, shellOf } from '../own-shell.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { Patient } from './patient.ts';
import { type Started, start } from './starting.ts';

/** Whether shells that start from now on are protected. */
export const checkStartUp = async (patient: Patient): Promise<readonly Finding[]> =>
  (await newShells(patient)).flatMap(judge);

/** Every shell, really started: as a terminal does, and as ssh and tmux do. */
export function newShells(patient: Patient): Promise<readonly NewShell[]> {
  const { env, install } = patient;
  return Promise.all(
    startUpFiles(patient).map(async (file) => {
      const [plain, login] = await Promise.all([start(file.shell, false, env), start(file.shell, true, env)]);
      return { ...file, plain, login, usual: file.shell === shellOf(env), env, install };
    }),
  );
}

/** The sentence for the end of an installation: only what was seen. */
export function newShellsText(shells: readonly NewShell[]): string {
  const whole = shells.filter((one) => isWhole(one)).map(({ shell }) => shell);
  const others = shells.flatMap(judge).filter(({ level }) => level !== 'fine');
  const lines = others.map((one) => `  ${one.text}\n${'mend' in one && one.mend ? `    → ${one.mend}\n` : ''}`);
  const names = [whole.slice(0, -1).join(', '), whole.at(-1)].filter((name) => name).join(' and ');
  const on = `Protection is on in every ${names} that starts from now on, login shells (ssh, tmux) too.\n`;
  const some = shells.some(({ plain }) => plain === 'loaded');
  const rest = `${some ? 'Protection is not on everywhere:' : 'Protection is not on yet:'}\n${lines.join('')}`;
  return `${whole.length > 0 ? on : ''}${lines.length > 0 ? rest : ''}` || 'There is no bash, zsh or fish in PATH.\n';
}

const isWhole = ({ plain, login }: NewShell): boolean => plain === 'loaded' && login === 'loaded';

export interface StartUp {
  readonly shell: Shell;
  readonly file: Bytes;
  /** Whether the file has a line that loads belay. */
  readonly present: boolean;
}

/** The start-up files of the shells that are installed. */
export function startUpFiles({ env }: Patient): readonly StartUp[] {
  const home = homeFolder(env);
  if (home === undefined) return [];
  const files: Readonly<Record<Shell, Bytes>> = {
    bash: join(home, '.bashrc'),
    zsh: join(env.get('BELAY_ZDOTDIR') || zshFolder(env) || home, '.zshrc'),
    fish: join(env.get('XDG_CONFIG_HOME') || join(home, '.config'), 'fish/config.fish'),
  };
  return SHELLS.filter((shell) => inPath(env, shell) !== undefined).map((shell) => {
    const text = readBytesIfAny(files[shell])?.toString('latin1') ?? '';
    const present = text.split('\n').some((line) => /^[^#]*belay\S*['"]?\s+init\b/.test(line));
    return { shell, file: files[shell], present };
  });
}

const zshFolder = (env: ReadonlyMap<Bytes, Bytes>): Bytes | undefined => {
  const given = env.get('ZDOTDIR');
  return given?.endsWith('/shims/rc/zsh') ? undefined : given;
};

export interface NewShell extends StartUp {
  readonly plain: Started;
  readonly login: Started;
  /** It is the shell that this person uses. */
  readonly usual: boolean;
  readonly env: ReadonlyMap<Bytes, Bytes>;
  readonly install: Bytes;
}

export function judge({ shell, file, present, plain, login, usual, env, install }: NewShell): Finding[] {
  const name = toText(file);
  if (plain === 'loaded' && login === 'loaded')
    return [fine('start-up', `a new ${shell} is protected, a login ${shell} (ssh, tmux) too`)];
  if (plain === 'loaded') {
    const where = shell === 'bash' ? loginFile(env) : file;
    const why = login === 'silent' ? 'did not come to its prompt' : 'does not load belay';
    const line = shell === 'bash' ? loginLine(env, install) : initLine(shell, env, install);
    return [
      fine('start-up', `a new ${shell} is protected`),
      wrong('start-up', `a login ${shell} (ssh, a console, tmux) ${why}`, `add to ${toText(where)}: ${line}`),
    ];
  }
  if (plain === 'silent')
    return [
      note('start-up', `${shell} -ic did not come to its prompt: nobody knows whether a new ${shell} is protected`),
    ];
  if (present)
    return [
      wrong(
        'start-up',
        `${name} has the line, but a new ${shell} does not come to it`,
        `put the line further up in ${name}; \`${shell} -ic true\` shows errors`,
      ),
    ];
  const say = usual ? wrong : note;
  return [
    say(
      'start-up',
      `${name} does not load belay: a new ${shell} is not protected`,
      `add to ${name}: ${initLine(shell, env, install)}`,
    ),
  ];
}

/** What a login bash reads: the first of these that it can; none is there, then the first. */
function loginFile(env: ReadonlyMap<Bytes, Bytes>): Bytes {
  const names = ['.bash_profile', '.bash_login', '.profile'].map((name) => join(homeFolder(env) ?? '/', name));
  return names.find((path) => lookThrough(path) !== undefined) ?? names[0] ?? '';
}
