# The prompt is back, and what else stands around a line. Of what every line pays, `[[ … ]]`, `(( … ))` and assignments alone cost no system
# call, and least where no other command stands beside them; a call costs as much as thirty of them.

# Builtins that belay uses, and that the person has switched off, are on while its hooks run. __belay_lacks: there may be such. __belay_gone:
# belay was uninstalled while this shell runs.
typeset -g __belay_lacks=1 __belay_disabled='' __belay_gone=''
__belay_enable() {
  __belay_disabled="${(k)dis_builtins[(I)(:|cd|disable|eval|export|kill|print|printf|read|return|setopt|strftime|trap|typeset|umask|unset|zmodload)]}"
  [[ -z $__belay_disabled ]] || enable ${=__belay_disabled}
}
__belay_disable() {
  disable ${=__belay_disabled}
  __belay_disabled=''
}

# The same where somebody has unset what belay exports or set another, which this shell knows all the same, made it read-only, or taken the
# hook that ends a turn.
__belay_look_around() {
  (( __belay_part == 0 || ${precmd_functions[(I)__belay_precmd]} )) || __belay_hook_again
  (( __belay_turn += __belay_part++ == 0 )) || :
  [[ ${(t)BELAY_SESSION} == *readonly* ]] || export BELAY_SESSION=$__belay_session
  [[ ${(t)BELAY_TURN} == *readonly* ]] || export BELAY_TURN=$__belay_turn
}

# Somebody has dropped the precmd hook: the turn before ends here, before belay looks at what this line is to change.
__belay_hook_again() {
  precmd_functions+=(__belay_precmd)
  if [[ -n $__belay_folder && -e $__belay_folder/turns/$__belay_turn ]]; then
    ( builtin cd -q /; __belay_snap end $BELAY_SESSION $__belay_turn $EPOCHREALTIME ) </dev/null >/dev/null 2>&1
  fi
  __belay_part=0 __belay_ended=$__belay_turn
}

__belay_precmd() {
  local last=$?
  if [[ -n $__belay_lacks ]]; then __belay_enable; fi
  __belay_part=0
  if [[ -n $__belay_on && $__belay_pid == $$ && -n $__belay_folder ]]; then
    if [[ ${BELAY_SESSION-} != $__belay_session && ${(t)BELAY_SESSION} != *readonly* ]]; then export BELAY_SESSION=$__belay_session; fi
    if (( __belay_turn != __belay_ended )); then
      __belay_ended=$__belay_turn
      if [[ -n $__belay_records ]] && { [[ -f $__belay_journal ]] || __belay_find_journal && [[ -f $__belay_journal ]] }; then
        builtin trap '' XFSZ
        (( __belay_now = EPOCHREALTIME * 1000 ))
        builtin print -r -- "{\"e\":\"done\",\"t\":$__belay_now,\"turn\":\"$__belay_turn\",\"exit\":$last}" 2>/dev/null >>$__belay_journal
      fi
      if [[ -e $__belay_folder/turns/$__belay_turn ]]; then
        __belay_look_exports ends
        ( builtin cd -q /; __belay_snap end $BELAY_SESSION $__belay_turn $EPOCHREALTIME ${__belay_keeps:+environment} & ) </dev/null >/dev/null 2>&1
      elif [[ $__belay_exports != (|private) ]]; then
        __belay_look_exports ''
        __belay_keep_environment
      fi
    fi
    if [[ -s $__belay_folder/notice || -s $__belay_folder/next || ! -e $__belay_root/shims ]]; then __belay_heed; fi
  fi
  __belay_lacks=$__belay_disabled
  if [[ -n $__belay_disabled ]]; then __belay_disable; else return $last; fi
}

# Somebody has left word in the session's folder, or belay itself is gone.
__belay_heed() {
  [[ ! -s $__belay_folder/notice ]] || __belay_notice
  [[ ! -s $__belay_folder/next ]] || __belay_go_on
  ! __belay_is_gone || __belay_on='' __belay_gone=1
}

# The same text again and again is one piece of news, but for what was saved or was not.
__belay_notice() {
  local text="$(<$__belay_folder/notice)"
  builtin : >|$__belay_folder/notice
  [[ $text == $__belay_shown && $text != ('belay saved '*|*('was not saved'|'ran unprotected'|'is not saved')*) ]] || builtin print -r -- $text >&2
  __belay_shown=$text
}
