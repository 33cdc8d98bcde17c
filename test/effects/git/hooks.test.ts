import { test } from 'uvu';
import { differential } from './differential.ts';

/** Shell text that makes a hook of the repository, run by `sh` unless it brings its own first line. */
const hook = (name: string, body: string, first = '#!/bin/sh', folder = '.git/hooks'): string =>
  `mkdir -p ${folder}; printf '%s\\n' '${first}' '${body}' > ${folder}/${name}; chmod +x ${folder}/${name}`;

const WORK = 'echo mine > unsaved.log; echo work >> a.txt';

differential('hooks', [
  {
    line: 'git commit -qam -n',
    setup: `${WORK}; ${hook('pre-commit', 'rm unsaved.log')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git commit -qm x',
    setup: `${WORK}; git add src; ${hook('pre-commit', 'echo gone > unsaved.log')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git commit -qam x',
    setup: `${WORK}; ${hook('post-commit', 'rm -f unsaved.log')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git commit -qm x',
    setup: `${WORK}; git add src; ${hook('pre-commit', 'git checkout -q -- a.txt')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git commit -qm x',
    setup: `${WORK}; git add src; ${hook('pre-commit', 'open("unsaved.log", "w")', '#!/usr/bin/env python3')}`,
    adds: true,
    capture: true,
    destructive: true,
  },
  {
    line: 'git commit -nqm x',
    setup: `${WORK}; git add src; ${hook('pre-commit', 'rm unsaved.log')}`,
    adds: true,
    destructive: false,
  },
  {
    line: 'git commit -qm x',
    setup: `${WORK}; git add src; ${hook('pre-commit', 'rm unsaved.log')}; chmod -x .git/hooks/pre-commit`,
    adds: true,
    destructive: false,
  },
  {
    line: 'git checkout -q side',
    setup: `${WORK}; git commit -qam w; ${hook('post-checkout', 'rm unsaved.log')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git merge -q --no-edit side',
    setup: `git stash -qu; ${WORK}; git commit -qam w; ${hook('post-merge', 'rm unsaved.log')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git push -q ./other.git HEAD:refs/heads/x',
    setup: `${WORK}; git init -q --bare other.git; ${hook('post-receive', 'rm -f ../unsaved.log', '#!/bin/sh', 'other.git/hooks')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git tag v99',
    setup: `${WORK}; ${hook('reference-transaction', 'rm -f unsaved.log')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'cd src && git commit -qam x',
    setup: `${WORK}; ${hook('pre-commit', 'rm unsaved.log')}`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git commit -qam x',
    setup: `${WORK}; git config core.hooksPath .husky; ${hook('pre-commit', '. ./.husky/more', '#!/bin/sh', '.husky')}; echo "rm unsaved.log" > .husky/more`,
    adds: true,
    destructive: true,
  },
  {
    line: 'git -c core.hooksPath=h commit -qam x',
    setup: `${WORK}; ${hook('pre-commit', 'rm unsaved.log', '#!/bin/sh', 'h')}`,
    adds: true,
    destructive: true,
  },
  // A hook that runs git, which runs the hook: for a second, which nobody knows before.
  {
    line: 'git checkout -q -b loop',
    setup: `${WORK}; ${hook('post-checkout', 'rm -f unsaved.log; [ $(date +%s) -gt END ] || git checkout -q . 2>&-')}
sed -i "s/END/$(date +%s)/" .git/hooks/post-checkout`,
    adds: true,
    destructive: true,
  },
]);

differential('editors', [
  { line: "GIT_EDITOR='rm a.txt;:' git commit -q --amend", adds: true, destructive: true },
  { line: "GIT_EXTERNAL_DIFF='rm a.txt;:' git diff", adds: true, destructive: true },
  { line: "EDITOR='vim -f' git commit -qam x", adds: true, destructive: false },
  {
    line: "GIT_SEQUENCE_EDITOR='sed -i s/pick/drop/' git rebase -qi HEAD~1",
    setup: 'git stash -qu',
    destructive: 'either',
  },
]);

test.run();
