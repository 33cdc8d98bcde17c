# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# The prompt of an interactive bash is back.

# `$?` $1. After a line that sets nothing, in a shell that is sound, with nothing to be told or kept, there is only its end to write. Nothing that
# only a line can change is looked at then; hooks of others set PATH and the like, PS0, what the history hides.
__belay_prompted() {
  # shellcheck disable=SC2053 # it is compared faster as a pattern, and once more by what finds it another
  if [[ $__belay_said$__belay_free$((__belay_turn - __belay_ended)):${EPOCHREALTIME:+x}${HISTCONTROL-}:${HISTIGNORE-}:${HISTSIZE-1} == "211:x$__belay_hidden" &&
    ${PS0-} == *"$__belay_ps0"* && (-z $__belay_exports ||
    ${PATH-}:${VIRTUAL_ENV-}:${CONDA_PREFIX-}:${DIRENV_DIFF-}:${__MISE_DIFF-} == $__belay_exports) &&
    -f $__belay_journal && -e $__belay_root/shims && ! -e $__belay_folder/turns/$__belay_turn &&
    ! -s $__belay_folder/notice && ! -s $__belay_folder/next ]]; then
    \builtin printf '{"e":"done","t":%.13s,"turn":"%s","exit":%s}\n' "${EPOCHREALTIME/[.,]/}" "$__belay_turn" "$1" 2>/dev/null >>"$__belay_journal" || \builtin :
    __belay_ended=$__belay_turn __belay_number=${HISTCMD:-0} __belay_typed='' __belay_part=0 __belay_said=0 __belay_prompts=x${PROMPT_COMMAND[*]-}
    \builtin return "$1"
  else
    __belay_prompted_odd "$1"
  fi
}

__belay_prompted_odd() {
  __belay_is_sound 2>/dev/null || case $? in 7) __belay_prompt_whole "$1" ;; *) __belay_prompt_beside "$1" ;; esac || \builtin :
  [[ $__belay_free == mend ]] || \builtin return "$1"
}

# As a PROMPT_COMMAND of an older belay has it.
__belay_prompt() { __belay_prompted "${1-$?}"; }

__belay_prompt_whole() {
  [[ -e $__belay_root/shims && (-z $__belay_kept || -f $__belay_journal) ]] || ! __belay_is_gone || { __belay_rest || \builtin : && \builtin return 0; }
  __belay_look_free || \builtin :
  case $__belay_free in
    mend) # as a builtin is disabled, or the keyword option set
      __belay_prompt_beside "$1"
      \builtin return
      ;;
    fixed)
      __belay_tell_fixed
      \builtin return
      ;;
  esac
  [[ ${BELAY_SESSION-} == "$__belay_session" ]] || __belay_name_session
  __belay_end_turn "$1"
  __belay_number=${HISTCMD:-0} __belay_typed='' __belay_part=0 __belay_said=0 __belay_prompts="x${PROMPT_COMMAND[*]-}"
  [[ ${PS0-} == *"$__belay_ps0"* && :$BASHOPTS: == *:promptvars:* && $SHELLOPTS:${HISTCONTROL-}:${HISTIGNORE-}:${HISTSIZE-1}:${TERM-dumb} == "$__belay_seen" ]] || __belay_hook || \builtin :
}

# The line is over, with status $1: its turn ends, where one has begun, and what is to be told is told.
__belay_end_turn() {
  if ((__belay_turn != __belay_ended)); then
    __belay_look_exports || \builtin :
    __belay_end_until "$__belay_turn" '&' || \builtin :
    __belay_record_end "$1" || \builtin :
    __belay_keep_environment || \builtin :
  fi
  [[ -z $__belay_folder || ! -s $__belay_folder/notice ]] || __belay_notice || \builtin :
  [[ -z $__belay_folder || ! -s $__belay_folder/next ]] || __belay_go_on || \builtin :
}

# Ends the turns up to number $1 that have not ended. The end manifest is taken by a process that is no job of this shell and holds
# nothing of its terminal; without `&` as $2 it is waited for.
__belay_end_until() {
  \builtin local __belay_now="${EPOCHREALTIME-}"
  while ((__belay_ended < $1)); do
    ((__belay_ended++)) || :
    [[ -n $__belay_folder && -e $__belay_folder/turns/$__belay_ended ]] || \builtin continue
    [[ -n $__belay_now ]] || __belay_now=$(\command date +%s.%N)
    (
      \builtin cd / || :
      if [[ -n $2 ]]; then
        __belay_snap end "$BELAY_SESSION" "$__belay_ended" "${__belay_now/,/.}" ${__belay_keeps:+"$__belay_keeps"} &
      else
        __belay_snap end "$BELAY_SESSION" "$__belay_ended" "${__belay_now/,/.}"
      fi
    ) </dev/null >/dev/null 2>&1
    [[ -z $2 ]] || __belay_keeps=''
  done
}

# The same text again and again is one piece of news, but for what was saved or was not: that is one of each line.
__belay_notice() {
  \builtin local __belay_text=''
  IFS='' \builtin read -r -d '' __belay_text <"$__belay_folder/notice" 2>/dev/null
  \builtin : >|"$__belay_folder/notice"
  [[ $__belay_text == "$__belay_shown" && $__belay_text != @('belay saved '*|*@(was not saved|is not saved|ran unprotected)*) ]] || \builtin printf '%s' "$__belay_text" >&2
  __belay_shown=$__belay_text
} 2>&2
