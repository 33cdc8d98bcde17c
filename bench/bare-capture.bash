#!/bin/bash
# bare-capture.bash STORE TREE: for each line on its input the milliseconds of `git add -A` and `git write-tree` on a kept index.
set -eu
export GIT_DIR=$1 GIT_WORK_TREE=$2 GIT_INDEX_FILE=$1/kept
cd "$2"
while read -r; do
  begin=${EPOCHREALTIME/[.,]/}
  git -c core.fsmonitor=false add -A
  git write-tree >/dev/null
  end=${EPOCHREALTIME/[.,]/}
  printf '%d.%03d\n' $(((end - begin) / 1000)) $(((end - begin) % 1000))
done
