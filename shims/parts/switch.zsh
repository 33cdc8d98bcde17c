# `belay` as a function: what has to happen in this shell itself; all else is the program. The person's own options are on in it.

# What runs from this line on is in no record: `belay undo` says so before it takes an older one back.
__belay_note_off() {
  [[ -z $__belay_folder || ! -d $__belay_folder ]] || print -r -- "${BELAY_TURN-}" 2>/dev/null >|$__belay_folder/off || :
}

belay() {
  # Not `$*`: IFS may be anything.
  case $#:${1-}:${2-} in
    (1:on:)
      if [[ ! -x $__belay_root/bin/belay ]]; then
        builtin print -r -- 'belay: it is not installed any more: nothing is saved in this shell' >&2
        return 1
      fi
      [[ -n $__belay_on ]] || __belay_note_off
      __belay_on=1 __belay_lacks=1
      builtin unset BELAY_DISABLE
      [[ ! -t 2 ]] || builtin print -r -- 'belay saves again in this shell.' >&2
      ;;
    (1:off:)
      __belay_note_off
      __belay_on=''
      export BELAY_DISABLE=1 __belay_exports=private
      [[ ! -t 2 ]] || builtin print -r -- 'belay saves nothing in this shell, until: belay on' >&2
      ;;
    (1:new: | 1:reset: | 1:clear:)
      [[ $1 != clear ]] || command clear
      __belay_new_session
      __belay_adopt "$BELAY_SESSION" 0
      ;;
    (1:resume: | *:resume:[^-]*)
      local __belay_does
      __belay_does=$(BELAY_LOADED="zsh:$$:" "$__belay_root/bin/belay" resume --for zsh "${@:2}") && builtin eval "$__belay_does"
      ;;
    (*)
      local amiss=''
      [[ ${1-} != doctor ]] || __belay_look_amiss
      if [[ -x $__belay_root/bin/belay ]]; then
        BELAY_LOADED="zsh:$$:$amiss" "$__belay_root/bin/belay" "$@" # tells `belay doctor` which shell asks, and what is amiss in it
      else
        command belay "$@"
      fi
      ;;
  esac
}

# Where belay is installed again, with what is there now, in a session of its own: what ran meanwhile is older than nothing in it. Not
# called by what is under sticky emulation: what is defined meanwhile would be, too, and see none of the person's options.
__belay_come_back() {
  [[ -x $__belay_root/bin/belay && ! -e ${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}/uninstalled ]] || return 0
  __belay_gone=''
  builtin eval "$("$__belay_root/bin/belay" init zsh)"
  [[ -z $__belay_on ]] \
    || builtin print -r -- 'belay is installed again and saves in this shell from now on; what ran here without it is in no record.' >&2
}
