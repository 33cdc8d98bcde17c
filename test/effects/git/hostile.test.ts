/** Repositories that somebody else made: planning a line in them runs nothing of theirs, never throws, and comes to an end. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { planLine } from '../../../src/effects/plan.ts';
import type { Plan } from '../../../src/effects/types.ts';
import { fromText } from '../../../src/platform/bytes.ts';
import { openBox } from './box.ts';

const box = openBox();
const proj = path.join(box.root, 'proj');
const git = path.join(proj, '.git');

/** One line of every family that asks git, or reads what git keeps. */
const LINES = [
  'git status',
  'git add -A && git reset --hard',
  'git reset --hard HEAD~1',
  'git reset --merge',
  'git checkout -- .',
  'git checkout side',
  'git checkout withenv',
  'git checkout -f dirs',
  'git checkout -m conflict',
  'git checkout "$X"',
  'git switch -C side main',
  'git restore -s v1 .',
  'git clean -fdx',
  'git clean -fdx -e "*.o" src "$X"',
  'git stash -u',
  'git stash pop',
  'git stash drop',
  'git rm -rf src vendor',
  'git mv c.txt z',
  'git merge edits',
  'git merge --abort',
  'git rebase conflict',
  'git rebase --abort',
  'git cherry-pick edits~2..edits',
  'git revert HEAD',
  'git pull',
  'git fetch -p',
  'git push -f',
  'git am edits.mbox',
  'git apply c.patch',
  'git commit --amend',
  'git branch -D side',
  'git tag -d v1',
  'git update-ref -d refs/heads/loop',
  'git reflog expire --expire=now --all',
  'git gc --prune=now',
  'git worktree remove --force ../wt',
  'git worktree prune',
  'git submodule update --force --recursive',
  'git submodule deinit -f --all',
  'git submodule foreach git status',
  'git sparse-checkout set src',
  'git read-tree -u --reset side',
  'git checkout-index -fa',
  'git bisect reset',
  'git format-patch -3',
  'git diff --output=x',
  'git filter-branch -f --tree-filter true',
  'git config user.name x',
  'git evil',
  'git twice',
  'git one',
];

const planned = (text: string): Plan =>
  planLine({
    text,
    shell: 'bash',
    cwd: fromText(proj),
    variables: new Map(Object.entries({ ...box.env, PWD: proj }).map(([key, value]) => [key, fromText(value)])),
    aliases: new Map(),
    functions: new Map(),
    options: new Set(),
  });

/** A loop would take until the runner's own limit. */
function planAll(lines: readonly string[] = LINES): void {
  for (const line of lines) {
    const plan = planned(line);
    // `Exhausted` is the walk's own limit on scripts that run scripts
    const notes = plan.effects.map((effect) => effect.note ?? '');
    const failed = notes.filter((note) => note.startsWith('not understood') && !note.includes('Exhausted'));
    assert.equal(failed, [], `${line}: a rule threw`);
  }
}

test('nothing that a repository configures is run: fsmonitor, filters, text conversion, hooks, helpers, transports', () => {
  const flag = path.join(box.root, 'ran');
  const evil = `sh -c 'echo "$0 $*" >> ${flag}'`;
  box.reset();
  const config = [
    ['core.fsmonitor', evil],
    ['core.hooksPath', 'evilhooks'],
    ['core.pager', evil],
    ['core.editor', evil],
    ['core.sshCommand', evil],
    ['core.gitProxy', evil],
    ['core.askPass', evil],
    ['core.alternateRefsCommand', evil],
    ['core.attributesFile', path.join(box.root, 'attributes')],
    ['filter.evil.clean', evil],
    ['filter.evil.smudge', evil],
    ['filter.evil.process', evil],
    ['filter.evil.required', 'true'],
    ['diff.evil.textconv', evil],
    ['diff.evil.command', evil],
    ['diff.external', evil],
    ['merge.evil.driver', evil],
    ['log.showSignature', 'true'],
    ['gpg.program', evil],
    ['credential.helper', `!${evil}`],
    ['interactive.diffFilter', evil],
    ['uploadpack.packObjectsHook', evil],
    ['submodule.vendor/lib.update', `!${evil}`],
    ['remote.origin.uploadpack', evil],
    ['remote.origin.receivepack', evil],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', `ext::${evil}`],
    ['extensions.partialClone', 'origin'],
    ['core.repositoryFormatVersion', '1'],
    ['alias.evil', `!${evil}`],
    ['alias.twice', '!git twice; git twice'],
    ['alias.one', 'two'],
    ['alias.two', 'one'],
    ['trace2.eventTarget', flag],
  ];
  for (const [name, value] of config)
    spawnSync('git', ['config', name ?? '', value ?? ''], { cwd: proj, env: box.env });
  fs.writeFileSync(path.join(proj, '.gitattributes'), '* filter=evil diff=evil merge=evil\n');
  fs.writeFileSync(path.join(box.root, 'attributes'), '* filter=evil\n');
  fs.mkdirSync(path.join(proj, 'evilhooks'));
  for (const folder of [path.join(proj, 'evilhooks'), path.join(git, 'hooks')])
    for (const hook of [
      'post-index-change',
      'reference-transaction',
      'pre-auto-gc',
      'post-checkout',
      'fsmonitor-watchman',
      'pre-commit',
    ]) {
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, hook), `#!/bin/sh\necho hook ${hook} >> ${flag}\n`, { mode: 0o755 });
    }
  // an object that only the promisor has
  const oid = execFileSync('git', ['rev-parse', 'edits:c.txt'], { cwd: proj, env: box.env }).toString().trim();
  fs.rmSync(path.join(git, 'objects', oid.slice(0, 2), oid.slice(2)), { force: true });
  fs.rmSync(flag, { force: true });
  planAll();
  assert.is(fs.existsSync(flag) ? fs.readFileSync(flag, 'utf8') : '', '');
});

test('aliases that run themselves come to an end', () => {
  box.reset(
    'git config alias.self "!git self"; git config alias.a b; git config alias.b a; git config alias.twice "!git twice; git twice & git twice"',
  );
  planAll(['git self', 'git a', 'git twice', 'git loop', 'git -c alias.x=x x', 'git -c alias.y="!git y | git y" y']);
});

test('configuration that includes itself comes to an end', () => {
  box.reset();
  const includes = Array.from({ length: 60 }, (_, at) => `[include]\n\tpath = more${at % 12}\n`).join('');
  for (let at = 0; at < 12; at++)
    fs.writeFileSync(path.join(git, `more${at}`), `${includes}\tpath = config\n[alias]\n\tx${at} = reset --hard\n`);
  fs.appendFileSync(path.join(git, 'config'), includes);
  planAll(['git checkout .', 'git x3', 'git clean -fd', 'git nosuch']);
});

test('refs that name each other, and folders of refs that lead into themselves, come to an end', () => {
  box.reset();
  fs.writeFileSync(path.join(git, 'refs/heads/loop'), 'ref: refs/heads/pool\n');
  fs.writeFileSync(path.join(git, 'refs/heads/pool'), 'ref: refs/heads/loop\n');
  for (const name of ['x', 'y', 'z']) fs.symlinkSync('..', path.join(git, `refs/remotes/origin/${name}`));
  planAll([
    'git reset --hard loop',
    'git branch -D loop',
    'git checkout nosuch',
    'git push -f',
    'git remote remove origin',
  ]);
  fs.writeFileSync(path.join(git, 'HEAD'), 'ref: refs/heads/loop\n');
  planAll();
});

test('an index that is cut off, garbage, or promises four billion entries is survived', () => {
  box.reset();
  const index = path.join(git, 'index');
  const whole = fs.readFileSync(index);
  const version4 = Buffer.from(whole);
  version4.writeUInt32BE(4, 4);
  const many = Buffer.from(whole);
  many.writeUInt32BE(0xffffffff, 8);
  const few = Buffer.from(whole);
  few.writeUInt32BE(1, 8);
  const flipped = Buffer.from(whole);
  for (let at = 12; at < flipped.length; at += 7) flipped[at] = 0xff;
  const lines = [
    'git reset --hard',
    'git checkout .',
    'git checkout side',
    'git clean -fd',
    'git rm -rf src',
    'git stash',
    'git merge edits',
  ];
  for (const data of [
    whole.subarray(0, 100),
    whole.subarray(0, whole.length - 30),
    Buffer.from('DIRC'),
    Buffer.alloc(4096),
    version4,
    many,
    few,
    flipped,
  ]) {
    fs.writeFileSync(index, data);
    planAll(lines);
  }
  fs.writeFileSync(index, Buffer.alloc(4096, 7));
  const plan = planned('git reset --hard');
  assert.ok(plan.captures.length > 0 && plan.destructive, 'what cannot be read is captured');
});

test('fifos and devices where git keeps files are not waited for', () => {
  for (const name of [
    'index',
    'config',
    'HEAD',
    'packed-refs',
    'BISECT_START',
    'logs/refs/stash',
    'refs/heads/side',
    'commondir',
    'config.worktree',
  ]) {
    box.reset();
    const at = path.join(git, name);
    fs.rmSync(at, { force: true });
    execFileSync('mkfifo', [at]);
    planAll(['git reset --hard', 'git stash drop', 'git bisect reset', 'git branch -D side', 'git nosuch']);
    fs.rmSync(at);
    fs.symlinkSync('/dev/zero', at);
    planAll(['git reset --hard side', 'git checkout side', 'git nosuch']);
  }
  box.reset();
  execFileSync('mkfifo', [path.join(proj, 'p')]);
  planAll(['git apply p', 'git am p', 'git checkout --pathspec-from-file=p', 'git apply < p']);
});

test('broken, missing and foreign parts of a repository are survived', () => {
  const breakages = [
    'rm -rf .git/objects/*',
    'rm -rf .git/refs',
    'rm .git/HEAD',
    'echo junk > .git/HEAD',
    'echo "gitdir: .git" > vendor/lib/.git',
    'echo .. > .git/commondir',
    'echo /nonexistent > .git/commondir',
    'git config core.bare true',
    'git config core.worktree /nonexistent',
    'git config core.worktree ../../..',
    'git config extensions.refstorage reftable',
    'git config extensions.objectformat sha256',
    'git config core.repositoryformatversion 99',
    'printf "[core\\nbroken" >> .git/config',
    'printf "\\377\\000\\001" >> .git/config',
    'mkdir .git/config.d; rm .git/config; ln -s config.d .git/config',
    'chmod 0 .git/index .git/config',
    'git update-index --split-index',
    'git config core.splitIndex true; git update-index --split-index; rm .git/sharedindex.*',
    'git config index.version 4; git update-index --index-version 4',
    'git read-tree --empty; rm -rf .git/logs',
    'rm -rf src; ln -s / src',
  ];
  for (const breakage of breakages) {
    box.reset(breakage);
    planAll([
      'git reset --hard',
      'git checkout -f side',
      'git checkout side',
      'git clean -fd sub',
      'git stash',
      'git merge edits',
      'git rm -rf src',
      'git stash pop',
      'git gc',
      'git submodule update --force',
    ]);
  }
});

test('what touches more than five thousand paths is captured, and ignored files are named still', () => {
  box.reset();
  const many = Array.from({ length: 6000 }, (_, at) => `many/${at}.txt`);
  fs.mkdirSync(path.join(proj, 'many'));
  for (const name of many) fs.writeFileSync(path.join(proj, name), 'x\n');
  const run = (...args: string[]): void => {
    execFileSync('git', args, { cwd: proj, env: box.env, stdio: 'ignore' });
  };
  fs.writeFileSync(path.join(proj, 'tracked.env'), 'theirs\n');
  run('checkout', '-qf', '-b', 'big');
  run('add', 'many', 'tracked.env');
  run('commit', '-qm', 'big');
  run('rm', '-q', '--cached', 'tracked.env');
  run('commit', '-qm', 'not tracked');
  fs.appendFileSync(path.join(proj, '.gitignore'), '*.env\n');
  fs.writeFileSync(path.join(proj, 'tracked.env'), 'mine\n');
  for (const name of many) fs.writeFileSync(path.join(proj, name), 'changed\n');
  const plan = planned('git reset --hard HEAD~1');
  assert.ok(plan.destructive);
  assert.equal(
    plan.captures.map((capture) => [capture.folder, capture.why]),
    [[proj, 'unknown']],
  );
  assert.ok(plan.targets.length < 100, `${plan.targets.length} targets`);
  assert.ok(plan.targets.some((target) => target.path === path.join(proj, 'tracked.env')));
});

test('an index of a hundred thousand entries is planned without being held path by path', () => {
  box.reset();
  const oid = execFileSync('git', ['hash-object', '-w', 'c.txt'], { cwd: proj, env: box.env }).toString().trim();
  const input = Array.from({ length: 100_000 }, (_, at) => `100644 ${oid}\thuge/${at % 100}/${at}\n`).join('');
  execFileSync('git', ['update-index', '--index-info'], { cwd: proj, env: box.env, input });
  planAll(['git reset --hard', 'git checkout .', 'git stash', 'git rm -rf huge', 'git checkout side']);
  assert.ok(planned('git checkout .').targets.length < 5000);
});

test.run();
