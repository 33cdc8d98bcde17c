import type { Bytes } from '../../platform/bytes.ts';
import { PLAIN_SSH, runShell } from './programs.ts';
import type { Scene } from './scene.ts';

/** Options that name the program at the other end, abbreviated as git allows. It runs here where the other end is a folder. */
const OTHER_END = /^--(?:upl[a-z-]*|rec[a-z-]*|ex[ec]*)(?:=([\s\S]*))?$/;

const TALKS = new Set(['archive', 'clone', 'fetch', 'fetch-pack', 'ls-remote', 'pull', 'push', 'send-pack']);

/** `git ls-remote --upload-pack='rm x;git-upload-pack' .`: git hands it to a shell. */
export function runOtherEnd(scene: Scene): void {
  if (TALKS.has(scene.name) || scene.name === 'remote' || scene.name === 'submodule') runSsh(scene);
  if (!TALKS.has(scene.name)) return;
  for (const [at, arg] of scene.args.entries()) {
    const text: Bytes | undefined = arg.kind === 'known' ? arg.text : undefined;
    const found = text === undefined ? null : OTHER_END.exec(text);
    const short = scene.name === 'clone' && text === '-u';
    if (!found && !short) continue;
    const next = scene.args[at + 1];
    const program = found?.[1] ?? (next?.kind === 'known' ? next.text : undefined);
    if (program === undefined)
      scene.out.unknown(scene.verb, scene.call.cwd, 'the program at the other end is not known');
    else if (!/^[\w./-]*git-[a-z-]+-(?:pack|archive)$/.test(program)) runShell(scene, program);
  }
}

/** What git talks to another machine through, as the environment names it (git(1)): a command for the shell, a program. */
function runSsh(scene: Scene): void {
  for (const name of ['GIT_SSH_COMMAND', 'GIT_SSH']) {
    const text = scene.call.env(name);
    if (text && !PLAIN_SSH.test(text)) runShell(scene, text);
  }
}
