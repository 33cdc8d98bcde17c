import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { root } from './recorder.ts';

export type Prompt = 'bash' | 'zsh' | 'fish';

/** Those of the three that are installed. */
export const shells = (['bash', 'zsh', 'fish'] as const).filter(
  (shell) => spawnSync(shell, ['--version'], { timeout: 20_000 }).status === 0,
);

/** `H` (harmless: not handed over) or `D` for each line, as the shell's own prefilter says. */
export function judge(shell: Prompt, lines: readonly string[], before = ''): string[] {
  const scripts = {
    bash: `. '${root}/shims/parts/git-reads.sh'; . '${root}/shims/parts/plain.bash'; . '${root}/shims/parts/harmless.bash'; shopt -s expand_aliases; ${before}
      for line; do if __belay_harmless "$line" >/dev/null; then echo H; else echo D; fi; done`,
    zsh: `eval "$('${root}/bin/belay' init zsh)"; ${before}
      for line; do if __belay_harmless "$line"; then echo H; else echo D; fi; done`,
    fish: `'${root}/bin/belay' init fish | source; ${before}
      for line in $argv; if __belay_harmless $line; echo H; else; echo D; end; end`,
  };
  const args = {
    bash: ['-c', scripts.bash, 'bash'],
    zsh: ['-fc', scripts.zsh, 'zsh'],
    fish: ['-N', '-c', scripts.fish, '--'],
  };
  // A hundred kilobytes of arguments at a time: more than the smallest limit of a system holds.
  const verdicts: string[] = [];
  for (let from = 0; from < lines.length; from += 500) {
    const some = lines.slice(from, from + 500);
    const done = spawnSync(shell, [...args[shell], ...some], { encoding: 'latin1', timeout: 120_000 });
    const said = done.stdout.trim().split('\n');
    assert.is(said.length, some.length, `${shell}: ${done.stderr.slice(0, 500)}`);
    verdicts.push(...said);
  }
  return verdicts;
}

/** The same of the wrappers in PATH, for argument lists of theirs; run by `shell`, as parts/wrap.sh is. */
export function judgeWrapped(shell: string, calls: readonly (readonly string[])[]): string[] {
  const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  const script = calls.map(([verb = '', ...args]) => `check ${[verb, ...args].map(quoted).join(' ')}`);
  const done = spawnSync(shell, [], {
    input: `__belay_root='${root}'; . '${root}/shims/parts/wrap-harmless.sh'
check() { __belay_verb=$1; shift; if __belay_is_harmless "$@"; then echo H; else echo D; fi; }
${script.join('\n')}
`,
    encoding: 'latin1',
    timeout: 120_000,
  });
  const said = done.stdout.trim().split('\n');
  assert.is(said.length, calls.length, `${shell}: ${done.stderr.slice(0, 500)}`);
  return said;
}
