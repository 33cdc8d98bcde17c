import type { Bytes } from '../../platform/bytes.ts';
import { canonical, fromEnvironment, settingOf } from './config.ts';
import type { Setting } from './config-file.ts';
import type { Scene } from './scene.ts';

/**
 * Settings whose value git hands to a shell (git-config(1)). Given on the command line they may run: they are walked. Those in
 * configuration files are the user's standing choice, and never looked at.
 */
const SHELL_SETTINGS =
  /^(core\.(pager|editor|fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..*|diff\.external|diff\..*\.(command|textconv)|(diff|merge)tool\..*\.cmd|merge\..*\.driver|filter\..*\.(clean|smudge|process)|interactive\.difffilter|gpg\.(.*\.)?program|credential\.(.*\.)?helper|remote\..*\.(uploadpack|receivepack)|uploadpack\.packobjectshook|sendemail\..*cmd|web\.browser|browser\..*\.cmd|man\..*\.cmd|trailer\..*\.(cmd|command)|submodule\..*\.update|init\.templatedir)$/;

/** What the line has set itself (`git config core.sshCommand …; git fetch`) is as if given to each git after it. */
const SET = 'git:settings';

/** A setting that the line makes. */
export function rememberSetting(scene: Scene, name: Bytes, value: Bytes): void {
  const set = (scene.out.memory.get(SET) ?? new Map<Bytes, Bytes>()) as Map<Bytes, Bytes>;
  scene.out.memory.set(SET, set.set(canonical(name), value));
}

/** `git -c core.pager='rm x' log`, the same by `GIT_CONFIG_COUNT`, by the line's own `git config` and by `git clone -c`. */
export function runSettings(scene: Scene): void {
  for (const { name, value } of [...scene.globals.where.command, ...fromEnvironment(scene.call.env), ...ofClone(scene)])
    if (value !== true) runSetting(scene, name, value);
  for (const [name, value] of (scene.out.memory.get(SET) ?? []) as Map<Bytes, Bytes>)
    if (!AWAITING.test(value)) runSetting(scene, name, value);
}

function runSetting(scene: Scene, name: Bytes, value: Bytes): void {
  if (!SHELL_SETTINGS.test(name)) return;
  const helper = name.startsWith('credential.') || name.startsWith('submodule.');
  if ((helper && !value.startsWith('!')) || /^(true|false|\d*)$/.test(value)) return;
  if (name !== 'core.sshcommand' || !PLAIN_SSH.test(value)) runShell(scene, value.replace(/^!/, ''));
}

const ofClone = ({ name, args }: Scene): Setting[] =>
  name !== 'clone'
    ? []
    : args.flatMap((arg, at) => {
        const next = args[at + 1];
        return arg.kind === 'known' && /^(?:-c|--config)$/.test(arg.text) && next?.kind === 'known'
          ? [settingOf(next.text)]
          : [];
      });

/** ssh with options, and no other command with it. */
export const PLAIN_SSH =
  /^(?:\S*\/)?(?:ssh|plink|tortoiseplink)(?:\.exe)?(?![^ ])(?![\s\S]*(?:[;&|<>`\n]|\$\(|[Cc]ommand))/;

/** A text that git hands to `sh`, from the top of the work tree where there is one. */
export function runShell(
  scene: Scene,
  text: Bytes,
  options: { readonly cwd?: Bytes; readonly sure?: boolean } = {},
): void {
  const cwd = options.cwd ?? topOf(scene);
  scene.call.script(text, {
    shell: 'sh',
    cwd: cwd === undefined ? { kind: 'unknown' } : { kind: 'known', path: cwd },
    certainty: options.sure ? scene.call.certainty : 'maybe',
  });
}

const topOf = (scene: Scene): Bytes | undefined =>
  scene.globals.cwd === undefined ? undefined : (scene.repository()?.workTree ?? scene.globals.cwd);

/** Subcommands that may open an editor on a text that git has just written. */
const EDITING: ReadonlySet<Bytes> = new Set(
  'add am branch cherry-pick commit merge notes pull rebase revert tag'.split(' '),
);

/** git-var(1): where git looks for the editor. */
const EDITORS = ['GIT_SEQUENCE_EDITOR', 'GIT_EDITOR', 'VISUAL', 'EDITOR'];

/** Programs that wait for a person: nobody knows what is typed there, and it is no part of the line. */
const AWAITING =
  /^(?:\S*\/)?(?:true|cat|:|n?vim?|gvim|view|ex|nano|pico|micro|hx|helix|kak|emacs(?:client)?|joe|jed|ne|mcedit|code(?:-insiders)?|codium|cursor|windsurf|zed|subl|atom|mate|bbedit|idea|kate|gedit|xed|pluma|mousepad|leafpad|nvr|notepad\S*)(?:\s+[-+\w=.]+)*\s*$/;

/** Subcommands that show what they say through a pager where that is a terminal. */
const PAGED: ReadonlySet<Bytes> = new Set(
  'annotate blame branch config diff grep help log reflog shortlog show stash tag whatchanged'.split(' '),
);

/** git-var(1), GIT_PAGER: what is empty or `cat` pages nothing. */
const pager = ({ call }: Scene): Bytes | undefined => call.env('GIT_PAGER') ?? call.env('PAGER');

/** `GIT_EDITOR='sh fix.sh' git commit`, `GIT_SEQUENCE_EDITOR='sed -i …' git rebase -i`. */
export function runEditors(scene: Scene): void {
  const differ = /^(?:diff|log|show)$/.test(scene.name) ? scene.call.env('GIT_EXTERNAL_DIFF') : undefined;
  // The name of a program is a person's standing choice of what shows it.
  for (const program of [differ, PAGED.has(scene.name) ? pager(scene) : undefined])
    if (program !== undefined && !/^[\w./-]*(?:\s+-[\w=-]+)*\s*$/.test(program)) runShell(scene, program);
  if (!EDITING.has(scene.name)) return;
  for (const name of EDITORS) {
    const editor = scene.call.env(name)?.trim();
    if (editor === undefined || editor === '' || AWAITING.test(editor)) continue;
    // Its operand is git's own draft: nothing of the person's is lost with it, so it is not named.
    runShell(scene, editor);
  }
}
