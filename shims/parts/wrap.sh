# shellcheck shell=sh
# What every wrapper in shims/bin does first, in the wrapper's own shell and without starting anything: find the real
# program, and become it at once where nothing can be lost. All else is parts/wrap.bash. The names are belay's own: a
# variable that the environment had would be changed for the program.

__belay_verb=${0##*/}
[ "${0%/absolute/sh}" != "$0" ] || __belay_called=
case $0 in
  /*/shims/*/*) __belay_root=${0%/shims/*/*} ;;
  *) __belay_root=$(CDPATH='' cd -P -- "${0%/*}/../.." && pwd) || exit 126 ;; # called by a relative path
esac

# 0: this process was the program $1 before, or so many that it descends from. BELAY_WRAPPED names each of them,
# PROCESS:PROGRAM:PROCESS:PROGRAM: a wrapper of somebody else's may come back here, as itself or from what it starts. One that
# became the program it stands for is no round of a loop.
__belay_came_back() {
  __belay_path=${BELAY_WRAPPED-} __belay_count=0 __belay_known=0
  while [ -n "$__belay_path" ]; do
    __belay_key=${__belay_path%%:*}
    __belay_path=${__belay_path#*:}
    if [ "${__belay_path%%:*}" = "$1" ]; then
      [ "$__belay_key" != "$$" ] || return 0
      __belay_count=$((__belay_count + 1)) __belay_words=
      { IFS= read -r __belay_words </proc/"$__belay_key"/cmdline; } 2>/dev/null || :
      case $__belay_words in *"$1"*) __belay_known=$((__belay_known + 1)) ;; esac
    fi
    case $__belay_path in *:*) __belay_path=${__belay_path#*:} ;; *) __belay_path= ;; esac
  done
  [ "$__belay_known" -ge 3 ] || [ "$__belay_count" -ge 100 ]
}

# The first program of that name in a folder that is not one of belay's (each has a file `.belay`), however often they
# or links to them are in PATH, and that this is not on the way from.
__belay_program=
__belay_rest=$PATH:
while [ -n "$__belay_rest" ]; do
  __belay_entry=${__belay_rest%%:*}
  __belay_rest=${__belay_rest#*:}
  case $__belay_entry in
    '~' | '~'/*) # a bash looks that up in the home folder, other shells do not
      case $(readlink "/proc/$PPID/exe" 2>/dev/null) in
        */bash) __belay_entry=${HOME-'~'}${__belay_entry#'~'} ;;
      esac
      ;;
  esac
  if [ ! -x "${__belay_entry:-.}/$__belay_verb" ] || [ -e "${__belay_entry:-.}/.belay" ]; then continue; fi
  if [ -d "${__belay_entry:-.}/$__belay_verb" ]; then continue; fi
  case $__belay_entry in
    /bin | /usr/bin | /sbin | /usr/sbin | /usr/local/bin | /opt/homebrew/bin) ;;
    *)
      if [ -n "${BELAY_WRAPPED-}" ] && __belay_came_back "${__belay_entry:-.}/$__belay_verb"; then continue; fi
      ;;
  esac
  __belay_program=${__belay_entry:-.}/$__belay_verb
  break
done
if [ -z "$__belay_program" ]; then
  echo "$__belay_verb: command not found" >&2
  exit 127
fi
case $__belay_entry in
  /bin | /usr/bin | /sbin | /usr/sbin | /usr/local/bin | /opt/homebrew/bin) ;;
  *) export BELAY_WRAPPED="${BELAY_WRAPPED:+$BELAY_WRAPPED:}$$:$__belay_program" ;;
esac

# argv[0] stays the bare name: what the program says begins with it. Only bash can say both path and name; for the
# other shells PATH has to lead to the program, which those wrapped in sh do not use.
__belay_become() {
  if [ -n "${BASH_VERSION-}" ]; then
    # shellcheck disable=SC3038
    exec -a "${__belay_called:-$__belay_verb}" "$__belay_program" "$@"
  fi
  PATH=${__belay_program%/*}:$PATH
  exec "$__belay_verb" "$@"
}

# Sets __belay_folder to where this session's markers lie; not a folder that somebody else made or led elsewhere.
__belay_find_folder() {
  __belay_folder=${XDG_RUNTIME_DIR-}
  case $__belay_folder in
    /*) if [ -O "$__belay_folder" ] && [ ! -L "$__belay_folder" ]; then __belay_folder=$__belay_folder/belay; else __belay_folder=; fi ;;
    *) __belay_folder= ;;
  esac
  if [ -z "$__belay_folder" ]; then
    for __belay_folder in /tmp/belay-*; do
      [ ! -O "$__belay_folder" ] || [ -L "$__belay_folder" ] || [ ! -d "$__belay_folder/$BELAY_SESSION" ] || break
    done
  fi
  __belay_folder=$__belay_folder/$BELAY_SESSION
  [ -O "${__belay_folder%/*}" ] && [ ! -L "${__belay_folder%/*}" ] && [ -d "$__belay_folder" ]
}

# The text that began this turn has been planned and saved whole.
__belay_turn_is_whole() {
  [ -e "$__belay_folder/whole" ] && read -r __belay_rest <"$__belay_folder/whole" && [ "$__belay_rest" = "$BELAY_TURN" ]
}

if [ -n "${BELAY_DISABLE-}${BELAY_SAVING-}" ]; then __belay_become "$@"; fi
case $__belay_verb in
  sed | find | git | tar | unzip | perl | rsync | patch | bash | fish)
    # shellcheck source=/dev/null
    . "$__belay_root/shims/parts/wrap-harmless.sh"
    if __belay_is_harmless "$@"; then __belay_become "$@"; fi
    ;;
esac
if [ -n "${BELAY_SESSION-}" ] && [ -n "${BELAY_TURN-}" ] && __belay_find_folder; then
  if __belay_turn_is_whole; then __belay_become "$@"; fi
  if [ -d "$__belay_folder/captured/$BELAY_TURN" ]; then
    # shellcheck source=/dev/null
    . "$__belay_root/shims/parts/wrap-captured.sh"
    if __belay_is_captured "$@"; then __belay_become "$@"; fi
  fi
fi
if [ -x /bin/bash ]; then
  exec /bin/bash -p "$__belay_root/shims/parts/wrap.bash" "$__belay_root" "$__belay_program" "${__belay_called:-$__belay_verb}" "$@"
fi
__belay_become "$@"
