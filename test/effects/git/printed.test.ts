import { test } from 'uvu';
import { differential } from './differential.ts';

const READY = 'git -C vendor/lib checkout -q -f; git -C vendor/lib clean -qfdx; rm -rf nested; rm -f "*.txt" "a b"';

const CONFLICT = `${READY}; git stash -q -u; git merge -q conflict`;

differential('paths that git lists are known', [
  { line: 'git ls-files -o -i --exclude-standard | xargs rm', setup: READY },
  { line: 'git ls-files -oi --exclude-standard -z | xargs -0 rm -f', setup: READY },
  { line: 'git ls-files --others --exclude-standard -z | xargs -0 rm -f', setup: READY },
  { line: 'git ls-files -o --exclude-standard --directory | xargs rm -rf', setup: READY },
  { line: "git ls-files --ignored --others --exclude='*.o' | xargs rm", setup: READY },
  { line: 'git ls-files -o --exclude-standard -- src sub | xargs rm -f', setup: READY },
  { line: 'git -C src ls-files -o --exclude-standard | xargs rm -f', setup: READY },
  { line: 'git ls-files -m | xargs truncate -s 0', setup: READY },
  { line: 'git ls-files -z -m | xargs -0 rm -f', setup: READY },
  { line: 'git ls-files -d | xargs git checkout --', setup: READY },
  { line: "git ls-files '*.c' | xargs sed -i s/main/x/", setup: READY },
  { line: 'git ls-files | grep txt | xargs rm -f', setup: READY },
  { line: 'git ls-files -z -- src | xargs -0 truncate -s0', setup: READY },
  { line: 'git ls-files -m -o --exclude-standard | sort | uniq | xargs rm -f', setup: READY },
  { line: 'git ls-files ../sub -m -o | xargs rm -f', cwd: 'proj/src', setup: READY },
  { line: 'git ls-files -o | head -2 | xargs rm -f', setup: READY },
  { line: 'git ls-files -c -i --exclude="*.txt" | xargs rm -f', setup: READY },
  { line: 'git diff --name-only | xargs rm -f', setup: READY },
  { line: 'git diff --name-only -z --diff-filter=M | xargs -0 rm', setup: READY },
  { line: 'git diff --name-only --diff-filter=d HEAD | xargs rm -f', setup: READY },
  { line: 'git diff --name-only --cached | xargs rm -f', setup: READY },
  { line: 'git diff --staged --name-only --diff-filter=A | xargs rm', setup: READY },
  { line: 'git diff --name-only HEAD~1 -- src | xargs rm -f', setup: READY },
  { line: 'git diff --name-only HEAD~1 HEAD | xargs rm -f', setup: READY },
  { line: 'git diff --name-only main..conflict | xargs rm -f', setup: READY },
  { line: 'git diff --name-status | awk \'$1 == "M" {print $2}\' | xargs rm', setup: READY },
  { line: 'git diff --name-only --relative | xargs rm -f', cwd: 'proj/src', setup: READY },
  { line: "git status -s | awk '{print $2}' | xargs rm -rf", setup: READY },
  { line: "git status --porcelain | grep '^??' | cut -c4- | xargs rm -rf", setup: READY },
  { line: "git status --porcelain | sed -n 's/^?? //p' | xargs rm -rf", setup: READY },
  { line: "git status -s -uall | grep '^??' | awk '{print $2}' | xargs rm", setup: READY },
  { line: "git status --porcelain --ignored | awk '/^!!/ {print $2}' | xargs rm -rf", setup: READY },
  { line: "git status -s | grep '^ M' | cut -c4- | xargs rm -f", cwd: 'proj/src', setup: READY },
  { line: 'git status -s src | cut -c4- | xargs rm -f', setup: READY },
  { line: "git status --porcelain | awk '/^UU/ {print $2}' | xargs rm", setup: CONFLICT },
  { line: 'git diff --name-only --diff-filter=U | xargs rm', setup: CONFLICT },
  { line: "git grep -l one -- '*.txt' | xargs rm -f", setup: READY, destructive: true },
  { line: 'git grep -lz main | xargs -0 sed -i s/main/x/', setup: READY },
  { line: 'git grep -L one -- "*.txt" | xargs rm -f', setup: READY },
  { line: 'git ls-tree -r --name-only HEAD | xargs rm -f', setup: READY },
  { line: 'git ls-tree -r --name-only HEAD src | xargs rm -f', setup: READY, capture: true },
  { line: 'git show --name-only --format= HEAD | xargs rm -f', setup: READY },
  { line: 'git diff-tree --no-commit-id --name-only -r HEAD | xargs rm -f', setup: READY },
  { line: 'git lsi | xargs rm', setup: `${READY}; git config alias.lsi "ls-files -o -i --exclude-standard"` },
  // inside a substitution a capture is taken, too
  { line: 'rm -f $(git ls-files -m)', setup: READY, capture: true },
  { line: 'rm -rf $(git ls-files -o --directory)', setup: READY, capture: true },
  { line: 'for f in $(git diff --name-only); do rm -f "$f"; done', setup: READY, capture: true },
  { line: 'git ls-files -o -i --exclude-standard | while read -r f; do rm -f "$f"; done', setup: READY, capture: true },
]);

test.run();
