import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from './recorder.ts';

/** The prefilters may hand over too much, which costs milliseconds; they must never hand over too little. */
const test = suite('the prefilter');

const HARMLESS = ['ls', 'ls -la *.c', 'cd ..', 'git status', 'git log --oneline -n 5 | head -3', 'echo "a > b; rm x"'];

const HARMLESS_BASH = [
  ...HARMLESS,
  'git -C sub diff -- x | cat',
  "grep -rn 'rm -rf' src 2>/dev/null | sort",
  'x=1; y="a b" ; echo $x ${y} "$x" $? $#',
  'ls >/dev/null 2>&1 &',
  'cat < file <<< "> x" | wc -l',
  'echo a \\> b # > c',
  'command -v rm; type rm; [ -e rm ]; history 5',
  'find . -name "*.log" -type f',
  'belay undo --all',
];

const DESTRUCTIVE = [
  'rm x',
  'ls; rm x',
  'ls && rm x',
  'ls | rm x',
  'ls & rm x',
  'echo $(rm x)',
  'echo "$(rm x)"',
  'echo `rm x`',
  'echo > x',
  'echo >x',
  'echo a>x',
  'echo >> x',
  'echo 2> x',
  'echo &> x',
  'echo >| x',
  'echo <> x',
  'cat <(rm x)',
  'cat >(rm x)',
  'echo > /dev/nullx',
  'echo > /dev/null/../x',
  'echo >&x',
  'ls | tee x',
  'sort -o x y',
  'sort --output=x y',
  'sort $o',
  'sort *',
  'sort {-o,x} y',
  'git diff --output=x',
  'git branch -D x',
  'git stash drop',
  'git -c alias.x="!rm x" x',
  'find . -delete',
  'find . -exec rm {} +',
  'find . -fprint x',
  'uniq a b',
  'env rm x',
  'command rm x',
  '\\rm x',
  "'rm' x",
  'r""m x',
  '$rm x',
  'eval x',
  'exec rm x',
  'source x',
  '. x',
  './ls',
  '/bin/ls',
  'PATH=/x ls',
  'if true; then rm x; fi',
  '! rm x',
  'time rm x',
  '{ rm x; }',
  '(rm x)',
  'f() { rm x; }',
  'for i in 1; do rm x; done',
  'alias ls=rm; ls x',
  'ls\nrm x',
  'ls \\\n; rm x',
  'cat <<E\n$(rm x)\nE',
  'tree -o x',
  'history -w x',
  'hash -p /bin/rm ls; ls x',
  'belay run rm x; rm y',
  'echo ${x:=$(rm y)}',
  'echo ${x[$(rm y)]}',
  "echo $'\\x60'",
  'ls |& rm x',
  'ls;rm x',
  'x=1 rm y',
  'mycommand',
  'trap "rm x" EXIT',
];

/** `H` or `D` for each line, as the shell's own prefilter says. */
function judge(shell: 'bash' | 'zsh' | 'fish', lines: readonly string[], before = ''): string[] {
  const scripts = {
    bash: `. '${root}/shims/parts/harmless.bash'; shopt -s expand_aliases; ${before}
      for line; do if __belay_harmless "$line" >/dev/null; then echo H; else echo D; fi; done`,
    zsh: `eval "$('${root}/bin/belay' init zsh)"; ${before}
      for line; do if __belay_harmless "$line"; then echo H; else echo D; fi; done`,
    fish: `'${root}/bin/belay' init fish | source; ${before}
      for line in $argv; if __belay_harmless $line; echo H; else; echo D; end; end`,
  };
  const args = {
    bash: ['-c', scripts.bash, 'bash'],
    zsh: ['-fc', scripts.zsh, 'zsh'],
    fish: ['-N', '-c', scripts.fish],
  };
  const done = spawnSync(shell, [...args[shell], ...lines], { encoding: 'utf8', timeout: 60_000 });
  const verdicts = done.stdout.trim().split('\n');
  assert.is(verdicts.length, lines.length, `${shell}: ${done.stderr.slice(0, 500)}`);
  return verdicts;
}

const shells = (['bash', 'zsh', 'fish'] as const).filter(
  (shell) => spawnSync(shell, ['--version'], { timeout: 20_000 }).status === 0,
);

for (const shell of shells) {
  test(`${shell}: everyday lines pass`, () => {
    const lines = shell === 'bash' ? HARMLESS_BASH : HARMLESS;
    assert.equal(
      lines.filter((_, i) => judge(shell, lines)[i] !== 'H'),
      [],
    );
  });

  test(`${shell}: nothing that may destroy passes`, () => {
    const verdicts = judge(shell, DESTRUCTIVE);
    assert.equal(
      DESTRUCTIVE.filter((_, i) => verdicts[i] === 'H'),
      [],
    );
  });
}

test('bash: aliases are read, functions are not trusted', () => {
  const before = `alias ll='ls -l' bad='ls; rm x' loop=loop2 loop2=loop sudo='sudo ' la='ll -a'; ls2() { rm x; }; cat() { rm x; }`;
  const verdicts = judge('bash', ['ll', 'la | wc', 'bad', 'loop', 'ls2', 'cat x', 'command -v cat', '\\ll'], before);
  assert.is(verdicts.join(''), 'HHDDDDHD');
});

test('bash: no prefix, suffix or pairing of harmless lines hides a destructive one', () => {
  const lines = DESTRUCTIVE.flatMap((bad) =>
    HARMLESS_BASH.filter((line) => !/[&#]/.test(line)).flatMap((good) => [`${good}; ${bad}`, `${good} && ${bad}`]),
  );
  const verdicts = judge('bash', lines);
  assert.equal(
    lines.filter((_, i) => verdicts[i] === 'H'),
    [],
  );
});

const cases = join(root, '../shared/cases/commands.jsonl');
if (existsSync(cases))
  test('no destructive line of the case table passes', () => {
    const table = readFileSync(cases, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { shell: string; cmd: string; destructive: boolean });
    for (const shell of shells) {
      const lines = table.filter((one) => one.destructive && one.shell === shell).map((one) => one.cmd);
      const verdicts = judge(shell, lines);
      assert.equal(
        lines.filter((_, i) => verdicts[i] === 'H'),
        [],
      );
    }
  });

test.run();
