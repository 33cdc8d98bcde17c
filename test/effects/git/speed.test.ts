/** How many git processes planning starts: each is a few milliseconds in front of the command. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { planLine } from '../../../src/effects/plan.ts';
import { fromText } from '../../../src/platform/bytes.ts';
import { openBox } from './box.ts';

const box = openBox();
const calls = path.join(box.root, '..', 'calls');
const shim = path.join(box.root, '..', 'shim');
const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
fs.mkdirSync(shim);
fs.writeFileSync(path.join(shim, 'git'), `#!/bin/sh\necho "$*" >> '${calls}'\nexec '${real}' "$@"\n`, { mode: 0o755 });

function processes(text: string): number {
  fs.writeFileSync(calls, '');
  const before = process.env['PATH'];
  process.env['PATH'] = `${shim}:${before}`;
  try {
    planLine({
      text,
      shell: 'bash',
      cwd: fromText(path.join(box.root, 'proj')),
      variables: new Map(Object.entries(box.env).map(([key, value]) => [key, fromText(value)])),
      aliases: new Map(),
      functions: new Map(),
      options: new Set(),
    });
  } finally {
    process.env['PATH'] = before;
  }
  return fs.readFileSync(calls, 'utf8').split('\n').length - 1;
}

const AT_MOST: Readonly<Record<string, number>> = {
  'git status': 0,
  'git log --oneline -5': 0,
  'git diff': 0,
  'git add -A': 0,
  'git commit -m x': 0,
  'git commit -am x && git push': 0,
  'git push -f': 0,
  'git fetch': 0,
  'git checkout -b topic': 0,
  'git checkout -- .': 0,
  'git checkout a.txt': 0,
  'git restore .': 0,
  'git restore --staged .': 0,
  'git branch -D side': 0,
  'git tag -d v1': 0,
  'git stash drop': 0,
  'git mv c.txt z': 0,
  'git rm c.txt': 0,
  'git gc': 0,
  'git undo': 1,
  'git reset --hard': 1,
  'git reset --hard HEAD~1': 2,
  'git clean -fdx': 1,
  'git checkout side': 1,
  'git checkout withenv': 2,
  'git checkout -f side': 2,
  'git stash': 1,
  'git stash -u': 2,
  'git stash pop': 2,
  'git rm -rf src': 1,
  'git merge edits': 2,
  'git rebase edits': 2,
  'git cherry-pick edits': 2,
  'git revert HEAD': 2,
  'git pull': 2,
  'git worktree remove --force ../wt': 2,
  'git submodule update --force': 2,
};

for (const [line, most] of Object.entries(AT_MOST))
  test(`${line}: ${most} git processes at most`, () => {
    const started = processes(line);
    assert.ok(started <= most, `${started} started:\n${fs.readFileSync(calls, 'utf8')}`);
  });

test.run();
