# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# The wrapper's second half, for a program that may destroy something: belay-snap saves what its arguments name, then
# this process becomes it. "$@": belay's folder, the real program, the name it was called by, its arguments.

shopt -s extglob # an older bash reads the rest only with it

__belay_root=$1 __belay_program=$2 __belay_verb=$3
shift 3
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/request.bash"
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/text.bash"
# shellcheck source=/dev/null
((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) || . "$__belay_root/shims/parts/before-4.4.bash"

__belay_how=wrapper
if [[ -z ${BELAY_SESSION-} || -z ${BELAY_TURN-} ]]; then
  __belay_new_session
  BELAY_TURN=1 __belay_how=cli
fi
__belay_find_folder

# What a shell is fed: nothing sees a pipe's content before it comes.
__belay_feed() {
  local word
  for word; do
    case $word in
      -c | [!-+]*) return 0 ;;
      -s | -*s*) break ;;
    esac
  done
  if [[ -f /proc/self/fd/0 && $__belay_verb != fish ]]; then
    __belay_text=$(</proc/self/fd/0)
  elif [[ ! -t 0 ]]; then
    # shellcheck disable=SC2016
    __belay_text='eval "$__belay_unseen"'
  fi
}

printf -v __belay_text ' %q' "$@"
__belay_text=$__belay_verb$__belay_text
(($# > 0)) || __belay_text=$__belay_verb
[[ ${__belay_verb##*/} != @(sh|bash|fish) ]] || __belay_feed "$@"
(__belay_hand_over "$__belay_how" "$__belay_text" 0 '' "$__belay_verb")
case $? in
  3) exit 1 ;;
esac
if [[ $__belay_how == cli ]]; then
  [[ ! -e $__belay_folder/turns/$BELAY_TURN ]] || __belay_end_with_shell
  if __belay_is_whole; then
    # What it starts needs no wrapper.
    PATH=:$PATH:
    PATH=${PATH//:"$__belay_root/shims/bin":/:}
    PATH=${PATH#:} PATH=${PATH%:}
  else
    export BELAY_SESSION BELAY_TURN
  fi
fi
exec -a "$__belay_verb" -- "$__belay_program" "$@"
