import type { Bytes } from '../../platform/bytes.ts';
import type { Scene } from './scene.ts';

/**
 * Settings whose value git hands to a shell (git-config(1)). Given on the command line they may run: they are walked. Those in
 * configuration files are the user's standing choice, and never looked at.
 */
const SHELL_SETTINGS =
  /^(core\.(pager|editor|fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..*|diff\.external|diff\..*\.(command|textconv)|(diff|merge)tool\..*\.cmd|merge\..*\.driver|filter\..*\.(clean|smudge|process)|interactive\.difffilter|gpg\.(.*\.)?program|credential\.(.*\.)?helper|remote\..*\.(uploadpack|receivepack)|uploadpack\.packobjectshook|sendemail\..*cmd|web\.browser|browser\..*\.cmd|man\..*\.cmd|trailer\..*\.(cmd|command)|submodule\..*\.update|init\.templatedir)$/;

/** `git -c core.pager='rm x' log`. */
export function runSettings(scene: Scene): void {
  for (const { name, value } of scene.globals.where.command) {
    if (value === true || !SHELL_SETTINGS.test(name)) continue;
    const helper = name.startsWith('credential.') || name.startsWith('submodule.');
    if (helper && !value.startsWith('!')) continue;
    if (/^(true|false|\d*)$/.test(value)) continue;
    runShell(scene, value.replace(/^!/, ''));
  }
}

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

/** `GIT_EDITOR='sh fix.sh' git commit`, `GIT_SEQUENCE_EDITOR='sed -i …' git rebase -i`. */
export function runEditors(scene: Scene): void {
  const differ = /^(?:diff|log|show)$/.test(scene.name) ? scene.call.env('GIT_EXTERNAL_DIFF') : undefined;
  // The name of a program is a person's standing choice of what shows differences.
  if (differ !== undefined && !/^[\w./-]*(?:\s+-[\w=-]+)*\s*$/.test(differ)) runShell(scene, differ);
  if (!EDITING.has(scene.name)) return;
  for (const name of EDITORS) {
    const editor = scene.call.env(name)?.trim();
    if (editor === undefined || editor === '' || AWAITING.test(editor)) continue;
    // Its operand is git's own draft: nothing of the person's is lost with it, so it is not named.
    runShell(scene, editor);
  }
}
