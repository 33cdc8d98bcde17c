import type { Bytes } from '../platform/bytes.ts';
import type { Line, ShellName } from '../shell/types.ts';

/** A line as nobody's shell in particular would run it in `cwd`: exported variables are known, aliases and options are not. */
export function lineToExplain(
  text: Bytes,
  shell: ShellName,
  cwd: Bytes | undefined,
  environment: ReadonlyMap<Bytes, Bytes>,
): Line {
  const variables = new Map(environment);
  if (cwd !== undefined) variables.set('PWD', cwd);
  return { text, shell, cwd, variables, aliases: new Map(), functions: new Map(), options: new Set() };
}

export const asShell = (name: Bytes): ShellName | undefined =>
  (({ bash: 'bash', sh: 'sh', dash: 'sh', zsh: 'zsh', fish: 'fish' }) as const)[name as 'bash'];
