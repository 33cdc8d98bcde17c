#!/bin/sh
# Every checker over every file it is for. All of them run; the first failure does not hide the next.
# A checker that is not installed is skipped and named (scripts/test-needs.sh installs them as root).
set -u
cd "$(dirname "$0")/.." || exit 1
failed=

check() {
  name=$1
  shift
  if ! command -v "$1" >/dev/null 2>&1; then
    echo "lint: $1 is not installed: $name skipped"
    return
  fi
  "$@" || failed="$failed $name"
}

# Shell files by language: the extension says it, else the first line.
sh_files=
bash_files=
zsh_files=
fish_files=
for file in install.sh .ci/run bin/* scripts/*.sh bench/*.bash bench/*.zsh hooks/* shims/* shims/parts/* shims/rc/* shims/bin/* test/shells/*; do
  [ -f "$file" ] || continue
  case $file in
    *.bash) bash_files="$bash_files $file" ;;
    *.zsh) zsh_files="$zsh_files $file" ;;
    *.fish) fish_files="$fish_files $file" ;;
    *.sh) sh_files="$sh_files $file" ;;
    *)
      IFS= read -r first <"$file" || first=
      case $first in
        '#!'*bash*) bash_files="$bash_files $file" ;;
        '#!'*zsh*) zsh_files="$zsh_files $file" ;;
        '#!'*sh) sh_files="$sh_files $file" ;;
      esac
      ;;
  esac
done

# No file name in this repository has blanks.
# shellcheck disable=SC2086,SC2016
{
  check shellcheck shellcheck -x -P SCRIPTDIR -s sh $sh_files
  [ -z "$bash_files" ] || check shellcheck shellcheck -x -P SCRIPTDIR -s bash $bash_files
  [ -z "$bash_files" ] || check 'bash -n' bash -c 'for f; do bash -n "$f" || exit 1; done' bash $bash_files
  check shfmt shfmt -d $sh_files $bash_files
  [ -z "$zsh_files" ] || check 'zsh -n' zsh -fc 'for f; do zsh -n $f || exit 1; done' zsh $zsh_files
  [ -z "$fish_files" ] || check 'fish -n' fish --no-config -n $fish_files
}

check 'C' cc -fsyntax-only -O1 -Wall -Wextra -Werror -pedantic shims/native/*.c
PATH=$PWD/node_modules/.bin:$PATH
# shellcheck disable=SC2016 # the shell that is started expands it
check 'marks of a merge' sh -c '! git grep -nE "^(<<<<<<<|>>>>>>>) "'
check biome biome check --error-on-warnings
check tsc tsc -p .
check 'tsc of the page' tsc -p src/cli/ui/page
check knip knip --no-progress --no-config-hints

[ -z "$failed" ] || echo "lint: failed:$failed"
[ -z "$failed" ]
