#!/bin/bash
# bare-capture.bash STORE TREE ROUNDS CHANGES: milliseconds of `git add -A` and `git write-tree` on a kept index, after CHANGES files of
# the tree got other bytes each time.
set -eu
export GIT_DIR=$1 GIT_WORK_TREE=$2 GIT_INDEX_FILE=$1/kept
cd "$2"
for ((i = 0; i < $3; i++)); do
  for ((k = 0; k < $4; k++)); do
    printf '%s\n' "$k$RANDOM$EPOCHREALTIME" >"d$((k / 100))/f$((k % 100)).txt"
  done
  begin=${EPOCHREALTIME/[.,]/}
  git -c core.fsmonitor=false add -A
  git write-tree >/dev/null
  end=${EPOCHREALTIME/[.,]/}
  printf '%d.%03d\n' $(((end - begin) / 1000)) $(((end - begin) % 1000))
done
