# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# belay for an interactive bash: `eval "$(belay init bash)"`.
#
# PS0 is expanded after a line is read and before its first redirection is opened; a DEBUG trap comes too late for
# `{ …; } > file`. Its one subshell reads the line from the history and asks the prefilter; only a line that may
# destroy something starts a process.

# ── Session ──────────────────────────────────────────────────────────────────────────────────────────────────────
# Arrays are never exported: a child shell that inherits PS0 finds no entry of its own here, and stays silent.

__belay_start() {
  if [[ -n ${BELAY_ADOPT-} && -n ${BELAY_SESSION-} ]]; then
    [[ $BELAY_ADOPT != environment ]] || __belay_take_environment
    \builtin unset -v BELAY_ADOPT # `belay run` has begun the session
  else
    __belay_new_session
  fi
  __belay_adopt "$BELAY_SESSION" "${BELAY_RESUME_TURN:-0}"
  \builtin unset -v BELAY_RESUME_TURN
  __belay_number=${HISTCMD:-0} __belay_typed='' __belay_shown='' __belay_told='' __belay_bound='' __belay_x=x
  __belay_seen='' __belay_none='' __belay_again=('' 1) __belay_said=0 __belay_prompts="x${PROMPT_COMMAND[*]-}"
  __belay_here=()
  __belay_here[$$]=1
  __belay_sweep
}

# Dependency environments of deleted checkouts go in the background, where there are any and the time has come.
__belay_sweep() {
  \builtin local home="${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}" due='' now
  [[ -d $home/installs ]] || \builtin return 0
  \builtin printf -v now '%(%s)T' -1
  { \builtin read -r due <"$home/worktrees/next-sweep"; } 2>/dev/null
  [[ ! $due =~ ^[0-9]+$ ]] || ((now >= due)) || \builtin return 0
  (\builtin cd / && __belay_snap sweep &) </dev/null >/dev/null 2>&1
}

# Somebody has unset it or set another: this shell knows it all the same.
__belay_name_session() {
  [[ ${BELAY_SESSION-} == "$__belay_session" ]] || \builtin export BELAY_SESSION="$__belay_session" BELAY_TURN
}

# This shell is in session $1 from now on, after its turn $2. The line that says so is still one of the session before.
__belay_adopt() {
  [[ -z ${__belay_session-} ]] || BELAY_SESSION=$__belay_session __belay_end_until "$__belay_turn" '&'
  BELAY_SESSION=$1 __belay_session=$1
  \builtin export BELAY_SESSION BELAY_TURN="$2"
  __belay_find_folder
  \command mkdir -p -m 700 -- "${__belay_folder%/*}" "$__belay_folder" 2>/dev/null
  __belay_own_folder || __belay_folder=''
  __belay_turn=$2 __belay_part=0 __belay_ended=$2
  [[ ${__belay_exports-} == private ]] || __belay_exports=''
}

# The session has become long, and was compressed: it goes on as the one that is named there.
__belay_go_on() {
  \builtin local next=''
  IFS='' \builtin read -r next <"$__belay_folder/next"
  [[ -z $next || $next == *[!A-Za-z0-9_-]* ]] || __belay_adopt "$next" 0
}

# ── A line was entered ───────────────────────────────────────────────────────────────────────────────────────────

# A text pasted whole runs command by command without a prompt in between: it is one turn. Where PROMPT_COMMAND is another
# than when our part of it ran last, that part is lost: each line is a turn then, and it is put back (bash runs an array of
# them from 5.1 on). What only assigns stands as the pattern of a substitution in nothing, which prints nothing.
# shellcheck disable=SC2016 # expanded by PS0
__belay_hooked='case ${__belay_here[$$]+x} in x) __belay_prompt ;; esac' # `case` leaves `$?` alone
# The subshell's status is what this shell learns from it: 40, and 1 that the prompt's part is lost, 2 that the line leaves no limit of
# files' sizes in force. Never what it prints: a DEBUG trap or `set -x` of somebody else may print there, too, the trap before the first
# command, so the redirection is a group's. (Of what stands in braces bash parses every `$(…)` again for each pair.)
# shellcheck disable=SC2016
__belay_ps0='${__belay_here[$$]:+${__belay_before@P}}'
# shellcheck disable=SC2016
__belay_before='${__belay_x:0:0*(__belay_said=$({ __belay_enter "$@"; } >/dev/null)($?>>2==10)*($?&3),BELAY_TURN=__belay_turn+=__belay_part++==0||__belay_said&1)}'
# shellcheck disable=SC2016
((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)) || __belay_before+='${__belay_again[__belay_said&1]:+${__belay_none/${PROMPT_COMMAND[99]:=$__belay_hooked}/}}'

# Runs in PS0's subshell, so it may change whatever it likes, and no variable need be local. "$@" is the shell's, as `$?` and `$_` still are.
# What every harmless line needs is here in one piece, for a call costs bash as much as ten commands.
__belay_enter() {
  __belay_status=$? __belay_last=$_
  \builtin set +euxvET
  # With functrace those are here as well, and print into what is written.
  \builtin trap - DEBUG ERR RETURN
  \builtin trap '' XFSZ # under `ulimit -f` a write that is refused can be told of, a killed subshell cannot
  __belay_line='' __belay_how=prompt __belay_later='' __belay_limit='' __belay_said=0
  if ((__belay_part++ == 0)); then ((BELAY_TURN = ++__belay_turn)); else __belay_enter_next; fi
  [[ ${BELAY_SESSION-} == "$__belay_session" ]] || __belay_name_session
  {
    # As in __belay_last_entries, without the call.
    if ((HISTCMD == __belay_number + 1)) && [[ -n $__belay_folder ]] && { HISTTIMEFORMAT=$'\1' \builtin history 1 && \builtin printf '\0' && \builtin ulimit -f; } 1<>"$__belay_folder/line"; then
      { IFS='' \builtin read -r -d '' __belay_line && \builtin read -r __belay_limit; } <"$__belay_folder/line"
      [[ $__belay_line == *$'\1'* ]] || __belay_is_unseen
      __belay_line=${__belay_line#*$'\1'} && __belay_line=${__belay_line%$'\n'}
    else
      __belay_read_line
    fi
    # belay's own lines are never turns, and what is kept out of the history is kept out of the record.
    [[ $__belay_how != prompt || -z $__belay_line || $__belay_line == belay?(\ *) ]] || __belay_record "$__belay_line" cli || __belay_later=1
    if [[ -z $__belay_line ]] || { [[ ${IFS-} == $' \t\n' ]] && __belay_plain_text "$__belay_line"; } || __belay_harmless "$__belay_line"; then
      [[ -z $__belay_later ]] || __belay_record_later "$__belay_line" cli "$PWD"
      if [[ $__belay_line == *=* || $__belay_line == *read* || $__belay_line == *export* || $__belay_line == *declare* || $__belay_line == *typeset* || $__belay_line == *readonly* || $__belay_line == *set\ * ]]; then
        __belay_note_exports "$__belay_line" '' "$__belay_how"
      fi
      __belay_line=''
    fi
  } 2>/dev/null >&2
  if [[ -n $__belay_line ]]; then
    __belay_save "$@"
  elif [[ $__belay_limit == unlimited ]]; then
    ((__belay_said += 2))
  fi
  \builtin return "$((40 + __belay_said))"
}

# The next line of a text pasted whole.
__belay_enter_next() {
  if [[ "x${PROMPT_COMMAND[*]-}" != "$__belay_prompts" ]]; then
    __belay_said=1
    __belay_end_until "$__belay_turn" '' >/dev/null
    ((++__belay_turn))
  fi
  BELAY_TURN=$__belay_turn
}

# Hands the line over; "$@" is the shell's.
__belay_save() {
  (__belay_note_exports "$__belay_line" 1 "$__belay_how")
  __belay_hand_over "$__belay_how" "$__belay_line" "$__belay_status" "$__belay_last" "$0" "$@"
  case $? in
    0) ;;
    3) \builtin kill -INT $$ ;;
    *) __belay_failed "$?" ;;
  esac
}

# Sets __belay_line. The history's last entry is stale when its number did not move: the line repeats the one before,
# or HISTCONTROL, HISTIGNORE, HISTSIZE or `set +o history` hid it. Then what Enter saw is taken; where there is none of
# that either, a line that nobody can know, so that the project is captured.
__belay_read_line() {
  \builtin local count="$((HISTCMD - __belay_number))" entry expanded
  __belay_last_entries "$((count > 1 ? count : 1))"
  ((count == 0)) || \builtin return 0
  entry=$__belay_line
  if [[ -n $__belay_typed ]]; then
    __belay_line=${__belay_typed%$'\n'}
    if [[ $- == *H* && $__belay_line == *[\!^]* ]]; then
      expanded=$(\builtin history -p "$__belay_line" 2>/dev/null) && __belay_line=$expanded
    fi
    [[ $__belay_line == "$entry" ]] || __belay_how=hidden
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
  \builtin local text='' part
  if [[ -n $__belay_folder ]] && { HISTTIMEFORMAT=$'\1' \builtin history "$1" && \builtin printf '\0' && \builtin ulimit -f; } 1<>"$__belay_folder/line"; then
    { IFS='' \builtin read -r -d '' text && \builtin read -r __belay_limit; } <"$__belay_folder/line"
  else
    text=$(HISTTIMEFORMAT=$'\1' \builtin history "$1")$'\n'
  fi 2>/dev/null
  # A readonly HISTTIMEFORMAT: nobody can tell where the time ends and the line begins.
  [[ $text == *$'\1'* ]] || { __belay_is_unseen && \builtin return 0; }
  text=${text#*$'\1'} text=${text%$'\n'} __belay_line=''
  if (($1 > 1)); then
    while [[ $text == *$'\1'* ]]; do
      part=${text%%$'\1'*} text=${text#*$'\1'}
      __belay_line+=${part%$'\n'*}$'\n'
    done
  fi
  __belay_line+=$text
}

# belay was uninstalled while this shell runs, which its user knows: its folder says so, or this shell's markers went with it.
__belay_is_gone() {
  \builtin local home="${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}"
  [[ ! -e $__belay_root/shims && (-e $home/uninstalled || -n $__belay_folder && ! -e $__belay_folder) ]]
}

# The line runs unprotected: said once in the log, and once at the next prompt.
__belay_failed() {
  ! __belay_is_gone || \builtin return 0
  \builtin local text="belay: belay-snap failed (status $1): this line ran unprotected; see belay doctor"
  \builtin local REPLY logs
  __belay_find_home
  logs=$REPLY/logs
  {
    [[ -d $logs ]] || \command mkdir -p -m 700 -- "$logs"
    \builtin printf '%(%Y-%m-%dT%H:%M:%S%z)T %s\n' -1 "$text" >>"$logs/belay.log"
    [[ -z $__belay_folder ]] || \builtin printf '%s\n' "$BELAY_TURN" >|"$__belay_folder/unprotected"
    [[ -n $__belay_folder ]] && \builtin printf '%s\n' "$text" >|"$__belay_folder/notice"
  } 2>/dev/null || \builtin printf '%s\n' "$text" >&2
}

# ── The prompt is back ───────────────────────────────────────────────────────────────────────────────────────────

__belay_prompt() {
  __belay_status=$?
  if [[ -n ${__belay_here[$$]-} ]]; then
    [[ ${BELAY_SESSION-} == "$__belay_session" ]] || __belay_name_session
    # shellcheck disable=SC2053 # it is compared faster as a pattern, and once more by what finds it another
    if ((__belay_turn == __belay_ended + 1 && __belay_said & 2)) && [[ -n $__belay_folder && ! -e $__belay_folder/turns/$__belay_turn && ! -s $__belay_folder/exports ]] \
      && [[ -z ${__belay_exports-} || ${PATH-}:${VIRTUAL_ENV-}:${CONDA_PREFIX-}:${DIRENV_DIFF-}:${__MISE_DIFF-} == $__belay_exports ]] \
      && [[ ${__belay_journal_key-} == "${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION" && -f $__belay_journal && -n ${EPOCHREALTIME-} ]]; then
      __belay_ended=$__belay_turn
      __belay_write_end "$__belay_status" "$EPOCHREALTIME" || \builtin :
    elif ((__belay_turn != __belay_ended)); then
      __belay_look_exports || \builtin :
      __belay_end_until "$__belay_turn" '&' || \builtin :
      __belay_record_end "$__belay_status" || \builtin :
      __belay_keep_environment || \builtin :
    fi
    [[ -z $__belay_folder || ! -s $__belay_folder/notice ]] || __belay_notice || \builtin :
    [[ -z $__belay_folder || ! -s $__belay_folder/next ]] || __belay_go_on || \builtin :
    __belay_number=${HISTCMD:-0} __belay_typed='' __belay_part=0 __belay_said=0 __belay_prompts="x${PROMPT_COMMAND[*]-}"
    [[ ${PS0-} == *"$__belay_ps0"* && :$BASHOPTS: == *:promptvars:* && $SHELLOPTS:${HISTCONTROL-}:${HISTIGNORE-}:${HISTSIZE-1}:${TERM-dumb} == "$__belay_seen" ]] || __belay_hook || \builtin :
    [[ -e $__belay_root/shims ]] || ! __belay_is_gone || __belay_here[$$]=''
  fi
  \builtin return "$__belay_status"
}

# Ends the turns up to number $1 that have not ended. The end manifest is taken by a process that is no job of this shell and holds
# nothing of its terminal; without `&` as $2 it is waited for.
__belay_end_until() {
  \builtin local now="${EPOCHREALTIME-}"
  while ((__belay_ended < $1)); do
    ((__belay_ended++)) || :
    [[ -n $__belay_folder && -e $__belay_folder/turns/$__belay_ended ]] || \builtin continue
    [[ -n $now ]] || now=$(\command date +%s.%N)
    (
      \builtin cd / || :
      if [[ -n $2 ]]; then
        __belay_snap end "$BELAY_SESSION" "$__belay_ended" "${now/,/.}" ${__belay_keeps:+"$__belay_keeps"} &
      else
        __belay_snap end "$BELAY_SESSION" "$__belay_ended" "${now/,/.}"
      fi
    ) </dev/null >/dev/null 2>&1
    [[ -z $2 ]] || __belay_keeps=''
  done
}

# The same text again and again is one piece of news, but for what was saved or was not.
__belay_notice() {
  \builtin local text=''
  IFS='' \builtin read -r -d '' text <"$__belay_folder/notice"
  : >|"$__belay_folder/notice"
  [[ $text == "$__belay_shown" && $text != @('belay saved '*|*'was not saved'*) ]] || \builtin printf '%s' "$text" >&2
  __belay_shown=$text
} 2>&2

# ── Lines that hide from the history ─────────────────────────────────────────────────────────────────────────────

__belay_hides() {
  [[ ${HISTCONTROL-} == *ignore[sb]* || -n ${HISTIGNORE-} || ${HISTSIZE-1} == 0 ]] \
    || [[ :$SHELLOPTS: != *:history:* || :$BASHOPTS: != *:promptvars:* ]]
}

# Enter keeps what was typed, and then accepts it; `$_` is its
# argument, and so stays what it was. Without `promptvars` PS0 is not expanded: Enter is all there is.
__belay_key() {
  \builtin local status="$?"
  __belay_typed+=$READLINE_LINE$'\n'
  if [[ -n ${__belay_here[$$]-} && :$BASHOPTS: != *:promptvars:* ]]; then
    # The history does not have the line yet.
    (
      \builtin set +e
      __belay_number=$HISTCMD
      __belay_as "$status" "$1"
      __belay_enter >/dev/null
    ) || \builtin :
    BELAY_TURN=$((__belay_turn += __belay_part++ == 0)) __belay_said=0
  fi
  \builtin return "$status"
}

# Leaves $1 as `$?`, its last argument as `$_`.
__belay_as() { \builtin return "$1"; }

# A key that somebody has for something of their own stays theirs: under an editor that accepts lines itself (ble.sh) Enter
# would be dead.
__belay_bind() {
  \builtin local map key bound macros ours='"\C-x\C-_b\C-x\C-_a"' line=accept-line
  [[ $1 != on ]] || line=$ours
  for map in emacs vi-insert vi-command; do
    \builtin bind -m "$map" '"\C-x\C-_a": accept-line'
    # shellcheck disable=SC2016 # expanded when the key is hit
    \builtin bind -m "$map" -x '"\C-x\C-_b": __belay_key "$_"'
    bound=$(\builtin bind -m "$map" -q accept-line) macros=$(\builtin bind -m "$map" -s)
    for key in '\C-m' '\C-j'; do
      [[ $bound != *"\"$key\""* && $macros != *"\"$key\": $ours"* ]] || \builtin bind -m "$map" "\"$key\": $line"
    done
  done
  __belay_bound=$1
} 2>/dev/null

# ── Hooks ────────────────────────────────────────────────────────────────────────────────────────────────────────
# Others may set PS0 after us: it is looked at again at every prompt where something of this is another than last time.

__belay_hook() {
  if [[ :$BASHOPTS: != *:promptvars:* ]]; then
    PS0=${PS0//"$__belay_ps0"/} # it would be printed as it stands
  elif [[ ${PS0-} != *"$__belay_ps0"* ]]; then
    PS0=$__belay_ps0${PS0-}
  fi
  if [[ :$SHELLOPTS: != *:emacs:* && :$SHELLOPTS: != *:vi:* || ${TERM-dumb} == dumb ]]; then
    # No line editing, or a terminal that cannot redraw the line: without PS0 nothing shows it.
    if [[ :$BASHOPTS: == *:promptvars:* || -n $__belay_told ]]; then
      [[ :$BASHOPTS: != *:promptvars:* ]] || __belay_told=''
    else
      \builtin printf 'belay: lines typed here are not saved without promptvars: shopt -s promptvars\n' >&2
      __belay_told=1
    fi
  elif __belay_hides; then
    [[ $__belay_bound == on ]] || __belay_bind on
  else
    [[ $__belay_bound != on ]] || __belay_bind off
  fi
  __belay_seen=$SHELLOPTS:${HISTCONTROL-}:${HISTIGNORE-}:${HISTSIZE-1}:${TERM-dumb}
}

# Last in the list, so that other hooks find `$?` and PIPESTATUS as the line left them.
__belay_hook_prompt() {
  [[ ${PROMPT_COMMAND[*]-} != *__belay_prompt* ]] || \builtin return 0
  if [[ -n ${PROMPT_COMMAND[*]+x} && ${PROMPT_COMMAND@a} == *a* ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND+=("$__belay_hooked")
  else
    # shellcheck disable=SC2178,SC2179 # where it is an array, bash before 5.1 runs its first element
    PROMPT_COMMAND+=${PROMPT_COMMAND:+$'\n'}$__belay_hooked
  fi
}

# Somebody set PROMPT_COMMAND anew, and no line has ended since: they end here, as one turn, before belay looks at them.
__belay_hook_again() {
  [[ ${PROMPT_COMMAND[*]-} != *__belay_prompt* && -n ${__belay_here[$$]-} ]] || \builtin return 0
  __belay_end_until "$__belay_turn" ''
  __belay_hook_prompt
}

# ── belay on, belay off ──────────────────────────────────────────────────────────────────────────────────────────

# What runs from this line on is in no record: `belay undo` says so before it takes an older one back.
__belay_note_off() {
  [[ -z $__belay_folder || ! -d $__belay_folder ]] || \builtin printf '%s\n' "${BELAY_TURN-}" 2>/dev/null >|"$__belay_folder/off" || \builtin :
}

belay() {
  # Not `$*`: IFS may be anything.
  case $#:${1-}:${2-} in
    1:on:)
      [[ -n ${__belay_here[$$]-} ]] || __belay_note_off
      __belay_here[$$]=1
      \builtin unset -v BELAY_DISABLE
      [[ ! -t 2 ]] || \builtin echo 'belay saves again in this shell.' >&2
      ;;
    1:off:)
      __belay_note_off
      __belay_here[$$]=''
      \builtin export __belay_exports=private
      \builtin export BELAY_DISABLE=1
      [[ ! -t 2 ]] || \builtin echo 'belay saves nothing in this shell, until: belay on' >&2
      ;;
    1:new: | 1:reset: | 1:clear:)
      [[ $1 != clear ]] || \command clear
      __belay_new_session
      __belay_adopt "$BELAY_SESSION" 0
      ;;
    1:resume: | *:resume:[!-]*)
      \builtin local __belay_does
      __belay_does=$(BELAY_LOADED="bash:$$:" "$__belay_root/bin/belay" resume --for bash "${@:2}") && \builtin eval "$__belay_does"
      ;;
    *)
      # BELAY_LOADED tells `belay doctor` which shell asks, and what is amiss in it.
      \builtin local __belay_amiss=''
      __belay_name_session
      [[ ${1-} != doctor ]] || __belay_look_amiss
      __belay_hook_again
      if [[ -x $__belay_root/bin/belay ]]; then
        BELAY_LOADED="bash:$$:$__belay_amiss" "$__belay_root/bin/belay" "$@"
      else
        \command belay "$@"
      fi
      ;;
  esac
}

# Hooks that somebody took, and programs whose remembered place is past the wrappers.
__belay_look_amiss() {
  \builtin local name shims="$__belay_root/shims/bin"
  [[ -n ${__belay_here[$$]-} ]] || __belay_amiss+='off '
  [[ ${PS0-} == *"$__belay_ps0"* || :$BASHOPTS: != *:promptvars:* ]] || __belay_amiss+='PS0 '
  [[ -z $__belay_told || :$BASHOPTS: == *:promptvars:* ]] || __belay_amiss+='promptvars '
  [[ ${PROMPT_COMMAND[*]-} == *__belay_prompt* ]] || __belay_amiss+='PROMPT_COMMAND '
  [[ :$PATH: == *":$shims:"* ]] || \builtin return 0
  for name in "${!BASH_CMDS[@]}"; do
    [[ ! -e $shims/$name || ${BASH_CMDS[$name]} == "$shims/$name" ]] || __belay_amiss+="hash=$name "
  done
}

# ── Start ────────────────────────────────────────────────────────────────────────────────────────────────────────
# No `return` at this level: it would leave the start-up file that evaluates this.

if [[ $- == *i* ]]; then
  # Without PS0 (BELAY_NO_PS0: where something else needs it) a DEBUG trap is what there is.
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)) || [[ -n ${BELAY_NO_PS0-} ]]; then
    # shellcheck source=/dev/null
    \builtin . "$__belay_root/shims/init-debug.bash"
  fi
  # One that outlived an uninstall is neither on nor `off`: it begins anew.
  [[ -n ${__belay_here[$$]+x} && -n ${__belay_here[$$]}${BELAY_DISABLE-} ]] || __belay_start
  __belay_hook_prompt
  __belay_hook
fi
\builtin eval "$__belay_old"
\builtin unset -v __belay_old
