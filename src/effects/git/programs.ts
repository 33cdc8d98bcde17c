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
