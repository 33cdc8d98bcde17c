# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# belay for an interactive bash that has no PS0 (before 4.4; macOS' own is 3.2), read by init.bash in place of what needs it.
#
# A DEBUG trap is what there is. Its first call of a line finds the whole line in the history. It comes too late for the
# redirection of a whole group (`{ …; } > f`, `for …; done > f`), which is open by then: doctor and docs/coverage.md say so.

# shellcheck source=/dev/null
. "$__belay_root/shims/parts/before-4.4.bash"

# ── What is said otherwise here ──────────────────────────────────────────────────────────────────────────────────

__belay_clock() { __belay_reply=$(\command date +%s)000; }

__belay_date() { __belay_reply=$(\command date +%Y-%m-%dT%H:%M:%S%z); }

__belay_sweep() { \builtin :; } # shells that have a clock of their own see to it

# The journal is written here where a line is all plain words; every other is left to belay-snap. Those words are small letters, which
# spares the `${x,,}` that such a bash has not: the table of record.bash is asked as it is. (Outside of C `a-z` holds capitals, `A-Z`
# small letters; a bash that finds no such locale says so when LC_ALL is put back: for callers whose stderr is closed.)
__belay_may_be_secret() {
  \builtin local LC_ALL=C
  [[ $1 == *[!a-z\ ./-]* || $PWD == *[!A-Za-z0-9/._-]* ]] || __belay_is_like_secret " $1 "
}

__belay_json_both() { \builtin return 1; }

# Only one command of plain words is looked at here.
__belay_harmless() {
  \builtin local IFS=' ' words
  [[ $1 != *[!A-Za-z0-9\ _./:,@%+-]* ]] || \builtin return 1
  # shellcheck disable=SC2206
  words=($1)
  [[ -n ${words[0]-} && ${words[0]} != *[!a-z]* && $(\builtin type -t -- "${words[0]}") != alias ]] \
    && __belay_command_harmless "${words[@]}"
}

__belay_end_until() {
  while ((__belay_ended < $1)); do
    ((__belay_ended++)) || :
    [[ -n $__belay_folder && -e $__belay_folder/turns/$__belay_ended ]] || \builtin continue
    if [[ -n $2 ]]; then
      (\builtin cd / && __belay_snap end "$BELAY_SESSION" "$__belay_ended" now ${__belay_keeps:+"$__belay_keeps"} &) </dev/null >/dev/null 2>&1
      __belay_keeps=''
    else
      (\builtin cd / && __belay_snap end "$BELAY_SESSION" "$__belay_ended" now) </dev/null >/dev/null 2>&1
    fi
  done
}

__belay_look_amiss() {
  [[ -n ${__belay_here[$$]-} ]] || __belay_amiss+='off '
}

# ── A line was entered ───────────────────────────────────────────────────────────────────────────────────────────

# Sets __belay_entry and __belay_at to the history's last entry and its number.
__belay_last_entry() {
  \builtin local __belay_text
  __belay_text=$(HISTTIMEFORMAT='' \builtin history 1 2>/dev/null)
  __belay_text=${__belay_text#"${__belay_text%%[0-9]*}"}
  __belay_at=${__belay_text%%[!0-9]*}
  __belay_entry=${__belay_text#"$__belay_at"}
  __belay_entry=${__belay_entry:2} # a blank, or the mark of an entry that was edited, and a blank
}

# Before every command of the line, of a subshell too: `$?` $1, `$_` $2. Its status is what the trap of somebody else finds;
# without one it is 0: under extdebug anything else would skip the command.
__belay_debug() {
  __belay_last=$2
  case ${__belay_armed:+${__belay_here[$$]-}}${COMP_LINE+x}${READLINE_POINT+x} in
    1) __belay_look "$@" ;;
  esac
  [[ -n $__belay_theirs ]] || \builtin return 0
  \builtin return "$1"
}

__belay_look() {
  \builtin local __belay_entry __belay_at __belay_typed='' __belay_how=prompt IFS=$' \t\n'
  if [[ $__belay_armed == hidden ]]; then
    [[ "${PROMPT_COMMAND[*]-}" != *"$BASH_COMMAND"* ]] || \builtin return 0
    # Every command by itself: the line as a whole is nowhere.
    __belay_x=$(__belay_enter_command "$BASH_COMMAND" hidden "$1" "$2" >/dev/null) || \builtin :
    \builtin return 0
  fi
  __belay_last_entry
  if [[ $__belay_at == "$__belay_number" ]]; then
    # No new entry: a command of PROMPT_COMMAND, the same line once more, or one that is hidden.
    [[ "${PROMPT_COMMAND[*]-}" != *"$BASH_COMMAND"* ]] || \builtin return 0
    if [[ ${HISTCONTROL-} == *ignore[sb]* || -n ${HISTIGNORE-} || ${HISTSIZE-1} == 0 || :$SHELLOPTS: != *:history:* ]]; then
      __belay_armed=hidden __belay_entry=$BASH_COMMAND __belay_how=hidden
    fi
  elif [[ "${PROMPT_COMMAND[*]-}" == *"$BASH_COMMAND"* && $__belay_entry != *"$BASH_COMMAND"* ]]; then
    \builtin return 0 # the line is over: it was nothing but subshells
  fi
  [[ $__belay_armed == hidden ]] || __belay_armed=''
  BELAY_TURN=$((++__belay_turn)) __belay_part=1
  __belay_x=$(__belay_enter_command "$__belay_entry" "$__belay_how" "$1" "$2" >/dev/null) || \builtin :
  \builtin return 0
}

# In a subshell of its own, which may change whatever it likes: the line $1, how it was found $2, `$?` $3, `$_` $4.
__belay_enter_command() {
  \builtin set +euxvT
  \builtin shopt -s extglob
  \builtin trap - DEBUG
  \builtin local __belay_later=''
  __belay_name_session
  [[ -n $1 ]] || \builtin return 0
  [[ $2 != prompt || $1 == belay?(\ *) ]] || __belay_record "$1" cli 2>/dev/null || __belay_later=1
  if __belay_harmless "$1"; then
    [[ -z $__belay_later ]] || __belay_is_gone || __belay_record_later "$1" cli "$PWD"
    __belay_note_exports "$1" '' "$2"
    \builtin return 0
  fi
  (__belay_note_exports "$1" 1 "$2")
  __belay_hand_over "$2" "$1" "$3" "$4" "$0"
  case $? in
    0) ;;
    3) \builtin kill -INT $$ ;;
    *) __belay_failed "$?" ;;
  esac
}

# ── The prompt is back ───────────────────────────────────────────────────────────────────────────────────────────

# `$?` $1; the DEBUG trap as it is $2, which only the prompt's own level can tell.
__belay_prompt() {
  if [[ -n ${__belay_here[$$]-} ]] && __belay_is_gone; then
    __belay_rest
  elif [[ -n ${__belay_here[$$]-} ]]; then
    \builtin local __belay_entry __belay_at
    __belay_name_session
    __belay_last_entry
    # Nothing but subshells (`(rm x)`): the turn was counted in there.
    [[ $__belay_was != 1 || $__belay_at == "$__belay_number" ]] || BELAY_TURN=$((++__belay_turn))
    __belay_end_turn "$1"
    __belay_number=$__belay_at __belay_part=0
  elif [[ -n ${__belay_here-} ]]; then
    __belay_come_back || \builtin :
  fi
  \builtin return "$1"
}

# The trap of somebody else ($1, as `trap -p` says it) runs after ours and finds `$?` and `$_` as the line left them. With
# functrace a subshell has the trap too; where somebody has traps of their own that would run in functions as well, it is not set.
__belay_debugs() {
  [[ $1 != *__belay_debug* ]] || \builtin return 0
  __belay_theirs=''
  if [[ $1 == *'trap -- '* ]]; then
    \builtin set +T                       # theirs is not meant for functions
    \builtin eval "set -- ${1#*trap -- }" # what it printed itself comes before that
    __belay_theirs=${1-}
  fi
  # shellcheck disable=SC2016 # expanded when it fires
  __belay_trap='__belay_debug "$?" "$_"'
  if [[ -n $__belay_theirs ]]; then
    __belay_trap+=$'\n'$__belay_theirs
  else
    # Once a line is seen: in an old bash a trap changes PIPESTATUS.
    # shellcheck disable=SC2016
    __belay_trap+='; [[ -n $__belay_armed ]] || \builtin trap - DEBUG; \builtin : "$__belay_last"'
  fi
}

# At the prompt's own level: a function neither sees nor sets the DEBUG trap.
__belay_hook_prompt() {
  [[ ${PROMPT_COMMAND-} == *__belay_prompt* ]] && \builtin return 0
  # shellcheck disable=SC2016
  PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'__belay_status=$? __belay_was=$__belay_armed __belay_armed=
__belay_debugs "$(\builtin trap -p DEBUG)"; __belay_prompt "$__belay_status"; __belay_armed=1; \builtin trap -- "$__belay_trap" DEBUG'
}

__belay_hook() {
  [[ -n "$(\builtin trap -p DEBUG)$(\builtin trap -p RETURN)" ]] || \builtin set -T
}

__belay_status=0 __belay_armed='' __belay_was='' __belay_trap='' __belay_theirs='' __belay_last=''
