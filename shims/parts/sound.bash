# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# What a person may do to a bash that belay lives in: builtins disabled or covered by a function, variables made readonly, `set -k`. Where
# belay can, it works all the same, in subshells that have them as they were; where it cannot, it says so.

# 7: `builtin` is bash's own.
__belay_is_sound() {
  \builtin return 7
  # shellcheck disable=SC2317 # reached where that is somebody's function
  [[ -n $__belay_none ]]
}

# Sets __belay_free to 1 where nothing is amiss and files have no limit of their size, to nothing where they have one; to `mend` where belay
# has to work in subshells, to `fixed` where it cannot. Only a line that may set something leads here: by no other does any of this change.
__belay_look_free() {
  __belay_free='' __belay_state='' __belay_fixed=''
  # Not by a file: under a limit of its size a shell that writes too much is killed.
  __belay_state=$(\builtin trap - DEBUG ERR RETURN && \builtin echo && \builtin enable -n && \builtin readonly -p && \builtin echo -n limit= && \builtin ulimit -f)$'\n'
  [[ $- != *k* ]] || __belay_state=''
  case $__belay_state in
    *$'\n'enable\ -n\ *) __belay_free=mend ;;
    *$'\n'limit=unlimited$'\n'*) __belay_free=1 ;;
    *$'\n'limit=*) ;;
    *) __belay_free=mend ;;
  esac
  case $__belay_state in *\ __belay_* | *\ BELAY_* | *\ PS0=* | *\ IFS=*) __belay_look_fixed ;; esac
} 2>/dev/null

# What is readonly, and belay has to set it.
__belay_look_fixed() {
  \builtin local __belay_one
  for __belay_one in "${!__belay_@}" BELAY_SESSION BELAY_TURN PS0 IFS; do
    [[ $__belay_state == *declare\ -*([a-zA-Z])r*([a-zA-Z])\ "$__belay_one"[=$'\n']* ]] || \builtin continue
    case $__belay_one:$IFS:${PS0-} in
      IFS:$' \t\n':* | PS0:*"$__belay_ps0"*) ;;
      *) __belay_free=fixed __belay_fixed+="readonly=$__belay_one " ;;
    esac
  done
}

# Once for the same. What nothing can be done about is not tried: PS0 would be printed as it stands.
__belay_tell_fixed() {
  [[ $__belay_fixed != "$__belay_told_fixed" ]] || \builtin return 0
  \builtin printf 'belay: nothing is saved in this shell: %s keeps belay from its work; see belay doctor\n' "${__belay_fixed% }" >&2
  [[ " $__belay_fixed" == *' readonly=PS0 '* ]] || PS0=${PS0//"$__belay_ps0"/}
  __belay_told_fixed=$__belay_fixed
}

# For a subshell: bash's own builtins again. In POSIX mode those that POSIX calls special are found before functions.
__belay_mend() {
  \enable builtin unset
  case ${POSIXLY_CORRECT+x} in
    x) \unset -f builtin enable ;;
    *) POSIXLY_CORRECT=y && \unset -f builtin enable && \unset -v POSIXLY_CORRECT ;;
  esac
  \enable : . [ alias bind builtin cd command continue declare echo enable eval exec exit export fc hash history kill local mapfile printf \
    read readonly return set shift shopt test trap type ulimit umask unalias unset || \builtin return 1
  __belay_is_sound || [[ $? == 7 ]]
} 2>/dev/null

# `$?` $1. All that needs a builtin is done in a subshell; what is exported is not kept.
__belay_prompt_beside() {
  __belay_free=mend
  (
    __belay_mend || [[ ${__belay_none:?belay: nothing is saved in this shell, whose builtins are not bash\'s own; see belay doctor} ]]
    __belay_untrace
    __belay_end_until "$__belay_turn" '&'
    __belay_record_end "$1"
    [[ -z $__belay_folder || ! -s $__belay_folder/notice ]] || __belay_notice
    \builtin exit 0
  )
  case $? in 0) __belay_fixed='' ;; *) __belay_fixed='builtins ' ;; esac
  __belay_ended=$__belay_turn __belay_number=${HISTCMD:-0} __belay_typed='' __belay_part=0 __belay_said=0 __belay_prompts=x${PROMPT_COMMAND[*]-}
  case ${PS0-} in *"$__belay_ps0"*) ;; *) PS0=$__belay_ps0${PS0-} ;; esac
}
