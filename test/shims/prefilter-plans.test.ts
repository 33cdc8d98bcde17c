import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ShellName } from '../../src/shell/types.ts';
import { tree } from '../effects/world.ts';
import { judge, judgeWrapped, shells } from './prefilters.ts';
import { root } from './recorder.ts';

/** What a shell's prefilter lets pass, belay never sees: it may pass nothing that the plan calls destructive. */
const test = suite('the prefilters beside the plan');

const names =
  'a b c d e f g h i k l m n o p q r s t u v w x y z a.txt b.txt c.txt f.txt x.txt src/a src/b build/a dist/a sub/f notes.txt';
const place = tree(Object.fromEntries(names.split(' ').map((name) => [name, `content of ${name}\n`])));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'init.defaultBranch=main', ...args], {
    cwd: place.root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** A repository where every command below has something to lose. */
function repository(): void {
  git('init', '-q');
  git('add', 'a', 'b', 'src');
  git('commit', '-qm', 'one');
  for (const name of ['x', 'y']) {
    git('checkout', '-qb', name);
    git('commit', '-q', '--allow-empty', '-m', `only on ${name}`);
    git('tag', `t${name}`);
    git('commit', '-q', '--allow-empty', '-m', `more on ${name}`);
    git('update-ref', `refs/remotes/origin/${name}`, name);
    git('checkout', '-q', 'main');
  }
  git('remote', 'add', 'origin', '/nowhere');
  git('worktree', 'add', '-q', join(place.root, 'other'), 'y');
  execFileSync('sh', ['-c', 'echo changed > a; echo changed > b'], { cwd: place.root });
  git('stash', 'push', '-q', 'b');
}
repository();

const GIT: readonly string[] = `
branch -D x|branch -r -d origin/x|branch -v -D x|branch -a -D x|branch -vv -d x|branch -av -D x|branch --all --delete x|branch --list -D x
branch --delete --force x|branch -f x main|branch --force x main|branch -M x y|branch -m x z|branch -C x y|branch -rd origin/x|branch x y|branch -vD x
-C . branch -r -D origin/x|--no-pager branch -v -D x|-P branch -D x|--no-optional-locks branch -D x|-C . -C . branch -D x|-c a.b=c branch -D x
tag -d tx|tag -l -d tx|tag --list --delete tx|tag -f tx main|tag -n -d tx|tag -a -f -m x tx|tag --force tx y
remote -v remove origin|remote -v rm origin|remote --verbose remove origin|remote remove origin|remote -v prune origin|remote rename origin o2
remote set-url origin x|remote -v set-url origin x|remote -v update --prune|remote show -n remove
stash|stash drop|stash clear|stash pop|stash push|stash -u|stash list --output=a|stash show --output=a|stash -k|stash save
worktree remove other|worktree remove --force other|worktree prune|worktree move other z9|worktree list --porcelain
config --get x.y --unset a.b|config a.b c|config -e|config --unset user.name|config --get --unset user.name|config -l --unset-all user.name|config --file a x.y z
log --output=a|log --output a|log -p --outpu=a|show --output=a|diff --output=a|diff HEAD --outp=b|diff --no-index --output=a b c|whatchanged --output=a
diff-tree --output=a HEAD|diff-index --output=a HEAD|diff-files --output=a|grep -O x|grep -nOvi x|grep --open-files-in-pager=rm x|grep --op=rm x
ls-remote --upload-pack=./cmd origin|checkout -- a|checkout -f|checkout x|switch -f x|restore a|reset --hard|clean -fdx|rm -f a|mv -f a b|apply x
rebase x|merge x|pull|fetch --prune|push --force|gc --prune=now|reflog expire --all|update-ref -d refs/heads/x|symbolic-ref HEAD refs/heads/x
read-tree -u --reset HEAD|checkout-index -fa|filter-branch|bisect reset|am --abort|cherry-pick x|revert HEAD|replace -d x|notes remove|submodule deinit -f .
checkout -f x|checkout x -- a|checkout HEAD a|checkout .|restore .|restore -SW a|restore -s x a|reset --hard HEAD~0|clean -f|clean -fd|clean -xf build|clean -ffdx
rm -rf src|rm -f a b|mv -f c d|stash drop -q|stash drop stash@{0}|branch -D -r origin/x|branch -rv -D origin/x|branch --remotes --delete origin/y|branch -D x y
diff --output=b HEAD|log --output=b -1|show --output b HEAD|-C . diff --output=b|--no-pager log --output=c|-P show --output=a|log -p --output=notes.txt
config --file b user.name x|checkout -- a b|checkout -f main|apply --reverse x|switch --discard-changes x|switch -C x main|checkout -B x main
archive -o a HEAD|bundle create a HEAD|format-patch -o . HEAD~1|help -a|version|status|status -s|log -3|show HEAD|diff|blame a|rev-parse HEAD|branch|branch -a
tag|tag -l t*|remote|remote -v|remote get-url origin|remote show -n origin|stash list|worktree list|config --get user.name|config -l|ls-files -o|grep -n content
`
  .trim()
  .split(/[|\n]/)
  .map((args) => `git ${args}`);

const words = (line: string): string[] => line.split(' ');

const destructive = (text: string, shell: ShellName): boolean => place.plan(text, { shell }).destructive;

/** What passed although the plan calls it destructive. */
const wrong = (lines: readonly string[], verdicts: readonly string[], shell: ShellName): string[] =>
  lines.filter((line, i) => verdicts[i] === 'H' && destructive(line, shell));

test('the argument lists of git: many are destructive, and many are not', () => {
  const lost = GIT.filter((line) => destructive(line, 'bash'));
  assert.ok(lost.length >= 60, `${lost.length} of ${GIT.length}`);
});

for (const shell of shells)
  test(`${shell}: no destructive argument list of git passes, and what people type every day does`, () => {
    assert.equal(wrong(GIT, judge(shell, GIT), shell), []);
    const daily = ['status', 'log -3', 'diff', 'branch', 'branch -a', 'tag', 'remote -v', 'stash list'];
    assert.is(
      judge(
        shell,
        daily.map((args) => `git ${args}`),
      ).join(''),
      'H'.repeat(daily.length),
    );
  });

for (const shell of ['/bin/sh', 'bash'])
  test(`the wrapper of git, run by ${shell}: no destructive argument list passes, and everyday ones do`, () => {
    assert.equal(wrong(GIT, judgeWrapped(shell, GIT.map(words)), 'bash'), []);
    const daily = ['status', 'branch -vv', 'tag -l v*', 'config --get user.name', 'rev-parse HEAD', 'remote -v', ''];
    assert.is(
      judgeWrapped(
        shell,
        daily.map((args) => words(`git ${args}`.trim())),
      ).join(''),
      'H'.repeat(daily.length),
    );
  });

test('git alone decides whether an argument is a program to run: ls-remote is never passed', () => {
  for (const shell of shells) assert.equal(judge(shell, ['git ls-remote --upload-pack=./cmd .']), ['D']);
  assert.equal(judgeWrapped('/bin/sh', [['git', 'ls-remote', '--upload-pack=./cmd', '.']]), ['D']);
});

/** Every string in the tests of what lines do: thousands of lines of every kind, and much that is none. */
function corpus(): string[] {
  const found = new Set<string>();
  for (const folder of ['test/effects', 'test/effects/git', 'test/shell', 'test/shims', 'test/saving'])
    for (const name of existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(root, folder, name), 'utf8');
      for (const [, single, double, back] of text.matchAll(
        /'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\$]|\\.)+)`/g,
      )) {
        const line = (single ?? double ?? back ?? '').replace(
          /\\(.)/gs,
          (_, one: string) => ({ n: '\n', t: '\t' })[one] ?? one,
        );
        if (line.length < 2000 && !/[\0\u0100-\uffff]/.test(line)) found.add(line);
      }
    }
  return [...found];
}
const LINES = corpus();

for (const shell of shells)
  test(`${shell}: no line of the tests that the plan calls destructive passes`, () => {
    assert.ok(LINES.length > 2000, String(LINES.length));
    assert.equal(wrong(LINES, judge(shell, LINES), shell), []);
  });

test('the wrappers: no argument list of the tests that the plan calls destructive passes', () => {
  const plain = LINES.filter((line) =>
    /^(sed|find|git|tar|unzip|perl|rsync|patch) [^$`;|&<>(){}*?[\]~\\\n#!"']+$/.test(line),
  ).concat(LINES.filter((line) => /^(sed|find|tar|unzip|perl|rsync|patch) [^$`;|&<>\\\n"]+$/.test(line)));
  const calls = plain.map((line) =>
    spawnSync('sh', ['-fc', `printf '%s\\0' ${line}`], { encoding: 'latin1' })
      .stdout.split('\0')
      .slice(0, -1),
  );
  assert.ok(plain.length > 100, String(plain.length));
  assert.equal(wrong(plain, judgeWrapped('/bin/sh', calls), 'bash'), []);
});

const cases = join(dirname(root), 'shared/cases/commands.jsonl');
if (existsSync(cases))
  test('no destructive line of the case table passes, in whichever shell', () => {
    const table = readFileSync(cases, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { shell: string; cmd: string; destructive: boolean });
    for (const shell of shells) {
      // A line of one shell may mean nothing in another: there only what the plan says of it counts.
      const lines = table.map((one) => one.cmd);
      const verdicts = judge(shell, lines);
      const passed = table.filter(
        (one, i) =>
          verdicts[i] === 'H' &&
          (one.shell === shell ? one.destructive : destructive(Buffer.from(one.cmd).toString('latin1'), shell)),
      );
      assert.equal(
        passed.map((one) => one.cmd),
        [],
      );
    }
  });
else console.log('skipped: the case table is not beside this checkout');

test.run();
