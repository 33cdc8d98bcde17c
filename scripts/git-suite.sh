#!/bin/sh
# git's own test scripts with belay's wrapper as `git`, compared with the same scripts and the same git without it.
#
#   scripts/git-suite.sh TREE BIN [SCRIPT…]
#
# TREE: a source tree of git that was built (its t/ is run from there); BIN: the folder of the git that was installed from it.
# SCRIPT: names in t/; without any, the scripts of what the wrapper looks at. Prints the scripts whose lines differ, then the
# figures; fails where any differ. Without a tree it says so, and that is no failure.
set -eu

tree=${1-} bin=${2-}
if [ ! -x "$tree/t/helper/test-tool" ] || [ ! -x "$bin/git" ]; then
  echo "git's test suite was not run: no built source tree of git in '$tree', or no git in '$bin'"
  exit 0
fi
shift 2
[ $# -gt 0 ] || set -- t0000-basic t0001-init t0002-gitfile t1300-config t1400-update-ref t1410-reflog t1500-rev-parse \
  t2018-checkout-branch t2020-checkout-detach t2022-checkout-paths t2023-checkout-m \
  t2060-switch t2070-restore t2080-parallel-checkout-basics t2400-worktree-add t2401-worktree-prune t2402-worktree-list \
  t2403-worktree-move t3200-branch t3210-pack-refs t3301-notes t3600-rm t3903-stash t3905-stash-include-untracked \
  t4103-apply-binary t5304-prune t5403-post-checkout-hook t6500-gc t7001-mv t7006-pager t7101-reset-empty-subdirs \
  t7102-reset t7103-reset-bare t7104-reset-hard t7106-reset-unborn-branch t7110-reset-merge t7111-reset-table t7201-co \
  t7300-clean t7301-clean-interactive t7400-submodule-basic t7508-status t7600-merge

belay=$(cd "$(dirname "$0")/.." && pwd)
[ -e "$belay/dist/belay-snap.cjs" ] || {
  echo 'nothing is built: npm run build' >&2
  exit 1
}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 130' INT TERM HUP
# A belay with no wrapper but git's.
mkdir -p "$top/belay/shims/bin" "$top/run" "$top/home"
chmod 700 "$top/run"
for name in bin dist hooks shims/parts; do [ ! -e "$belay/$name" ] || cp -R "$belay/$name" "$top/belay/$name"; done
cp "$belay/shims/bin/git" "$belay/shims/bin/.belay" "$top/belay/shims/bin/"
sh "$belay/shims/parts/native.sh" "$top/belay"

# Runs script $1 with the git of folder $2; its verdicts go to $3.
run() {
  (
    cd "$tree/t"
    # Each script is a turn, as a script that somebody runs is.
    env -u BASH_ENV -u BELAY_SESSION -u BELAY_TURN PATH="$bin:$PATH" GIT_TEST_INSTALLED="$2" BELAY_HOME="$top/home" \
      XDG_RUNTIME_DIR="$top/run" BELAY_SESSION="20250101_000000_$(printf %06x $$)" BELAY_TURN="$turn" \
      timeout 900 sh "./$1.sh" --root="$top/trash" </dev/null >"$top/out" 2>&1 || :
  )
  LC_ALL=C grep -E '^(ok|not ok|#|1\.\.)' "$top/out" | grep -vE '^# (passed|failed)' >"$3" || :
  rm -rf "$top/trash"
}

turn=0 scripts=0 tests=0 differ=0
for name; do
  [ -e "$tree/t/$name.sh" ] || continue
  turn=$((turn + 1)) scripts=$((scripts + 1))
  run "$name" "$bin" "$top/bare"
  run "$name" "$top/belay/shims/bin" "$top/wrapped"
  tests=$((tests + $(grep -cE '^(ok|not ok)' "$top/bare" || :)))
  if diff "$top/bare" "$top/wrapped" >"$top/diff"; then
    echo "same   $name"
  else
    differ=$((differ + 1))
    echo "DIFFER $name"
    sed 's/^/       /' "$top/diff"
  fi
done
echo "$scripts scripts, $tests tests, $differ scripts differ; held in them: $(find "$top/home" -name manifest.jsonl 2>/dev/null | wc -l) commands"
[ "$differ" -eq 0 ]
