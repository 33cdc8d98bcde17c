# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154,SC2128,SC2178,SC2179 # variables cross from file to file, and into the environment; mapfile fills the first element
# A line was entered at the prompt of a bash that has PS0.

# What a prompt runs is a word that no alias is looked for, as one for `case` would be; in a shell that has none, a `:`.
# shellcheck disable=SC2016 # expanded at the prompt
__belay_hooked='"${__belay_prompt_of[$$]:-:}" "$?"'
# A text pasted whole runs command by command without a prompt in between: it is one turn. Where PROMPT_COMMAND is another
# than when our part of it ran last, that part is lost: each line is a turn then, and it is put back (bash runs an array of
# them from 5.1 on). What only assigns stands as the pattern of a substitution in nothing, which prints nothing.
# The subshell's status is what this shell learns from it: 40, and 1 that the prompt's part is lost, 2 that the line sets nothing. Any other,
# but for ^C, is that of a belay that something keeps from its work. Never what it prints: a DEBUG trap or `set -x` of somebody else may print
# there, the trap before the function: that, too, is a pattern in nothing. (Of what stands in braces bash parses every `$(…)` again for each pair.)
# shellcheck disable=SC2016
__belay_ps0='${__belay_here[$$]:+${__belay_before@P}}'
# shellcheck disable=SC2016
__belay_before='${__belay_none/$(__belay_enter "$@")/}${__belay_x:0:0*(__belay_said=$?>>2==10?$?&3:$?==130?0:4,BELAY_TURN=__belay_turn+=__belay_part++==0||__belay_said&1)}${__belay_again[__belay_said]@P}'
__belay_again=('' '' '' '' $'belay: something in this shell keeps belay from its work: this line runs unprotected; see belay doctor\n')
# shellcheck disable=SC2016
((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)) || __belay_again[1]='${__belay_none/${PROMPT_COMMAND[99]:=$__belay_hooked}/}'
__belay_again[3]=${__belay_again[1]}

# Runs in PS0's subshell, so it may change whatever it likes, and no variable need be local. "$@" is the shell's, as `$?` and `$_` still are.
# What every harmless line needs is here in one piece, for a call costs bash as much as ten commands, each word of a function is copied when it
# is called, and one `case` of many things costs what one of each would; it does not return: what was copied would be given back word by word.
__belay_enter() {
  __belay_status=$? __belay_last=$_ __belay_said=0
  {
    case $-:$__belay_free,$__belay_part,$((HISTCMD - __belay_number)):${POSIXLY_CORRECT+x}${IFS-$' \t\n'}:${BELAY_SESSION-}:$__belay_folder in
      *[ekuvxET]*:1,0,1:*) __belay_enter_odd ;;
      *:1,0,1:$' \t\n':"$__belay_session":/*)
        __belay_part=1 BELAY_TURN=$((++__belay_turn))
        # (A file that is truncated is written to its disk when it is closed.)
        { \builtin fc -ln -0 && \builtin printf '\0'; } 1<>"$__belay_folder/line" && \builtin mapfile -n 1 -d '' __belay_line <"$__belay_folder/line"
        ;;
      *) __belay_enter_odd ;;
    esac
    case $__belay_line in
      $'\t'[\ *]*$'\n') __belay_line=${__belay_line:2:-1} ;; # the mark is that of an entry that was edited
      *) __belay_read_line ;;
    esac
    # belay's own lines are never turns, and what is kept out of the history is kept out of the record.
    case $__belay_how:$__belay_line\  in
      prompt:\  | prompt:belay\ * | hidden:*) ;;
      *) __belay_record "$__belay_line" cli || __belay_leave_record ;;
    esac
    case $__belay_line in
      *[!A-Za-z0-9\ _./:,@%+-]*) __belay_plain_commands "$__belay_line" ;;
      *) __belay_one=$__belay_line && __belay_plain_command ;;
    esac
    case $?$__belay_sets$__belay_later in
      0) \builtin exit "$((42 + __belay_said))" ;;
      0*) __belay_enter_harmless ;;
      2*) __belay_sets=1 && __belay_text_harmless "$__belay_line" && __belay_enter_harmless ;;
    esac
  } 2>/dev/null
  case $__belay_line in '') ;; *) __belay_save "$@" ;; esac
  \builtin exit "$((40 + __belay_said))"
}

# Anything is other than it is before most lines: options, what builtins need, the number of the last entry, IFS, the session.
__belay_enter_odd() {
  case $-$__belay_free in *[ekuvxET]* | *[!1]) __belay_untrace ;; esac
  case $__belay_part in 0) __belay_part=1 BELAY_TURN=$((++__belay_turn)) ;; *) __belay_enter_next ;; esac
  case ${BELAY_SESSION-} in "$__belay_session") ;; *) __belay_name_session ;; esac
  case ${IFS-$' \t\n'} in $' \t\n') ;; *) __belay_ifs=$IFS IFS=$' \t\n' ;; esac
}

# It may hold a secret, and belay-snap knows which part: nothing of it stays where it was read from.
__belay_leave_record() {
  __belay_later=1
  [[ -z $__belay_folder ]] || : >|"$__belay_folder/line"
}

__belay_enter_harmless() {
  [[ -z $__belay_later ]] || __belay_is_gone || __belay_record_later "$__belay_line" cli "$PWD"
  if [[ -z $__belay_sets ]]; then
    ((__belay_said += 2))
  elif [[ $__belay_line == *=* || $__belay_line == *read* || $__belay_line == *export* || $__belay_line == *declare* || $__belay_line == *typeset* || $__belay_line == *set\ * ]]; then
    __belay_note_exports "$__belay_line" '' "$__belay_how"
  fi
  __belay_line=''
}

# With functrace traps are here as well, and print into what is written. Under `ulimit -f` a write that is refused can be told of, a killed
# subshell cannot.
__belay_untrace() {
  [[ $__belay_free != mend ]] || __belay_mend
  \builtin set +ekuvxET
  \builtin trap - DEBUG ERR RETURN
  \builtin trap '' XFSZ
}

# The next line of a text pasted whole.
__belay_enter_next() {
  ((++__belay_part))
  if [[ "x${PROMPT_COMMAND[*]-}" != "$__belay_prompts" ]]; then
    __belay_said=1
    __belay_end_until "$__belay_turn" '' >/dev/null
    ((++__belay_turn))
  fi
  BELAY_TURN=$__belay_turn
}

# Hands the line over; "$@" is the shell's.
__belay_save() {
  case ${__belay_ifs+x} in x) IFS=$__belay_ifs ;; esac
  (__belay_note_exports "$__belay_line" 1 "$__belay_how")
  __belay_hand_over "$__belay_how" "$__belay_line" "$__belay_status" "$__belay_last" "$0" "$@"
  case $? in
    0) ;;
    3) \builtin kill -INT $$ ;;
    *) __belay_failed "$?" ;;
  esac
} >/dev/null

# Sets __belay_line. The history's last entry is stale when its number did not move: the line repeats the one before,
# or HISTCONTROL, HISTIGNORE, HISTSIZE or `set +o history` hid it. Then what Enter saw is taken; where there is none of
# that either, a line that nobody can know, so that the project is captured.
__belay_read_line() {
  \builtin local __belay_count="$((HISTCMD - __belay_number))" __belay_entry __belay_expanded
  __belay_last_entries "$((__belay_count > 1 ? __belay_count : 1))"
  ((__belay_count == 0)) || \builtin return 0
  __belay_entry=$__belay_line
  if [[ -n $__belay_typed ]]; then
    __belay_line=${__belay_typed%$'\n'}
    if [[ $- == *H* && $__belay_line == *[\!^]* ]]; then
      __belay_expanded=$(\builtin history -p "$__belay_line" 2>/dev/null) && __belay_line=$__belay_expanded
    fi
    [[ $__belay_line == "$__belay_entry" ]] || __belay_how=hidden
  elif __belay_hides; then
    __belay_is_unseen
  fi
}

# A text that stands for one nobody can know.
__belay_is_unseen() {
  # shellcheck disable=SC2016
  __belay_line='eval "$__belay_unseen"' __belay_how=hidden
}

# The last $1 entries of the history as one text. A file costs a tenth of what a second subshell would. A control
# character as time format marks where each entry begins, whatever a DEBUG trap prints in between.
__belay_last_entries() {
  \builtin local __belay_text='' __belay_entry
  if [[ -n $__belay_folder ]] && { HISTTIMEFORMAT=$'\1' \builtin history "$1" && \builtin printf '\0'; } 1<>"$__belay_folder/line"; then
    IFS='' \builtin read -r -d '' __belay_text <"$__belay_folder/line"
  else
    __belay_text=$(HISTTIMEFORMAT=$'\1' \builtin history "$1")$'\n'
  fi 2>/dev/null
  # A readonly HISTTIMEFORMAT: nobody can tell where the time ends and the line begins.
  [[ $__belay_text == *$'\1'* ]] || { __belay_is_unseen && \builtin return 0; }
  __belay_text=${__belay_text#*$'\1'} __belay_text=${__belay_text%$'\n'} __belay_line=''
  if (($1 > 1)); then
    while [[ $__belay_text == *$'\1'* ]]; do
      __belay_entry=${__belay_text%%$'\1'*} __belay_text=${__belay_text#*$'\1'}
      __belay_line+=${__belay_entry%$'\n'*}$'\n'
    done
  fi
  __belay_line+=$__belay_text
}

# The line runs unprotected: said once in the log, and once at the next prompt.
__belay_failed() {
  ! __belay_is_gone || \builtin return 0
  \builtin local __belay_text="belay: belay-snap failed (status $1): this line ran unprotected; see belay doctor"
  \builtin local __belay_reply __belay_logs
  __belay_find_home
  __belay_logs=$__belay_reply/logs
  __belay_date
  {
    [[ -d $__belay_logs ]] || \command mkdir -p -m 700 -- "$__belay_logs"
    \builtin printf '%s %s\n' "$__belay_reply" "$__belay_text" >>"$__belay_logs/belay.log"
    [[ -z $__belay_folder ]] || \builtin printf '%s\n' "$BELAY_TURN" >|"$__belay_folder/unprotected"
    [[ -n $__belay_folder ]] && \builtin printf '%s\n' "$__belay_text" >|"$__belay_folder/notice"
  } 2>/dev/null || \builtin printf '%s\n' "$__belay_text" >&2
}

# The time as the log has it, in __belay_reply.
__belay_date() { \builtin printf -v __belay_reply '%(%Y-%m-%dT%H:%M:%S%z)T' -1; }
