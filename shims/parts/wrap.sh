# shellcheck shell=sh
# What every wrapper in shims/bin does first, in the wrapper's own shell and without starting anything: find the real
# program, and become it at once where nothing can be lost. All else is parts/wrap.bash. The names are belay's own: a
# variable that the environment had would be changed for the program.

__belay_verb=${0##*/}
__belay_root=${0%/shims/bin/*}

# The first program of that name in a folder that is not one of belay's (each has a file `.belay`), however often they
# or links to them are in PATH. A wrapper of somebody else's may come back here: by then its folder is passed too.
__belay_program=
__belay_rest=$PATH:
while [ -n "$__belay_rest" ]; do
  __belay_entry=${__belay_rest%%:*}
  __belay_rest=${__belay_rest#*:}
  if [ ! -x "${__belay_entry:-.}/$__belay_verb" ] || [ -e "${__belay_entry:-.}/.belay" ]; then continue; fi
  if [ "$$:${__belay_entry:-.}/$__belay_verb" = "${BELAY_WRAPPED-}" ] || [ -d "${__belay_entry:-.}/$__belay_verb" ]; then continue; fi
  __belay_program=${__belay_entry:-.}/$__belay_verb
  break
done
if [ -z "$__belay_program" ]; then
  echo "$__belay_verb: command not found" >&2
  exit 127
fi
case $__belay_entry in
  /bin | /usr/bin | /sbin | /usr/sbin | /usr/local/bin | /opt/homebrew/bin) ;;
  *) export BELAY_WRAPPED="$$:$__belay_program" ;;
esac

# argv[0] stays the bare name: what the program says begins with it. Only bash can say both path and name; for the
# other shells PATH has to lead to the program, which those wrapped in sh do not use.
__belay_become() {
  if [ -n "${BASH_VERSION-}" ]; then
    # shellcheck disable=SC3038
    exec -a "$__belay_verb" "$__belay_program" "$@"
  fi
  PATH=${__belay_program%/*}:$PATH
  exec "$__belay_verb" "$@"
}

# 0: these arguments can destroy nothing.
__belay_is_harmless() {
  case $__belay_verb in
    sed)
      # Its scripts write with `w`, run with `e`.
      case ${1-} in -n | -E | -r | -nE | -En | -nr | -rn) shift ;; esac
      case ${1-} in -* | *[wWe]*) return 1 ;; esac
      for __belay_entry; do
        case $__belay_entry in -*) return 1 ;; esac
      done
      ;;
    find)
      for __belay_entry; do
        case $__belay_entry in -delete | -exec* | -ok* | -fprint* | -fls) return 1 ;; esac
      done
      ;;
    git)
      while :; do
        case ${1-} in
          --no-pager | -P | --no-optional-locks) shift ;;
          -C) shift 2 || return 1 ;;
          *) break ;;
        esac
      done
      for __belay_entry; do
        case $__belay_entry in --ou* | --ext* | -O* | -o*) return 1 ;; esac
      done
      case "${1-} ${2-}" in
        'status '* | 'log '* | 'show '* | 'diff '* | 'rev-parse '* | 'rev-list '* | 'ls-files '* | 'ls-tree '* | \
          'ls-remote '* | 'blame '* | 'shortlog '* | 'describe '* | 'cat-file '* | 'merge-base '* | 'name-rev '* | \
          'for-each-ref '* | 'show-ref '* | 'var '* | 'version '* | '--version '* | 'help '* | '--help '* | 'grep '* | \
          'diff-tree '* | 'diff-index '* | 'diff-files '* | 'cherry '* | 'check-ignore '* | 'check-attr '* | \
          'hash-object '* | 'branch ' | 'branch --list' | 'branch --show-current' | 'branch -a' | 'branch -r' | \
          'branch -v' | 'branch -vv' | 'tag ' | 'tag -l' | 'tag --list' | 'remote ' | 'remote -v' | 'remote get-url' | \
          'stash list' | 'stash show' | 'worktree list' | 'config --get' | 'config --get-all' | 'config --list' | \
          'config -l' | ' ') ;;
        *) return 1 ;;
      esac
      ;;
    tar) case ${1-} in t* | -t* | --list | --help | --version) ;; *) return 1 ;; esac ;;
    unzip) case ${1-} in -l* | -p* | -t* | -v* | -Z*) ;; *) return 1 ;; esac ;;
    perl | rsync | patch) case ${1-} in --help | --version | -v) ;; *) return 1 ;; esac ;;
    bash)
      # It reads BASH_ENV, which does all this from within.
      [ "${BASH_ENV-}" = "$__belay_root/shims/env.bash" ] || return 1
      for __belay_entry; do
        case $__belay_entry in
          -c | [!-]* | '') break ;;
          -*p* | -o | +o) return 1 ;; # --posix among them
        esac
      done
      ;;
    *) return 1 ;;
  esac
}

# The text that began this turn has been planned and saved whole.
__belay_turn_is_whole() {
  [ -n "${BELAY_SESSION-}" ] && [ -n "${BELAY_TURN-}" ] || return 1
  for __belay_entry in "${XDG_RUNTIME_DIR:-/nowhere}/belay/$BELAY_SESSION" /tmp/belay-*/"$BELAY_SESSION"; do
    if [ -O "$__belay_entry/whole" ] && read -r __belay_rest <"$__belay_entry/whole"; then
      [ "$__belay_rest" != "$BELAY_TURN" ] || return 0
    fi
  done
  return 1
}

if [ -n "${BELAY_DISABLE-}${BELAY_SAVING-}" ] || __belay_is_harmless "$@" || __belay_turn_is_whole; then __belay_become "$@"; fi
if [ -x /bin/bash ]; then
  exec /bin/bash -p "$__belay_root/shims/parts/wrap.bash" "$__belay_root" "$__belay_program" "$__belay_verb" "$@"
fi
__belay_become "$@"
