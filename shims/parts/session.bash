# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# The session of an interactive bash: how it begins, goes on in another, and where its markers lie.
#
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
  __belay_seen='' __belay_hidden='' __belay_none='' __belay_said=0 __belay_prompts="x${PROMPT_COMMAND[*]-}"
  # Of one line; what enters one is a subshell.
  __belay_line='' __belay_how=prompt __belay_later='' __belay_sets='' __belay_unsure='' __belay_free='' __belay_fixed='' __belay_told_fixed=''
  __belay_here=() __belay_prompt_of=()
  __belay_here[$$]=1 __belay_prompt_of[$$]=__belay_prompted
  __belay_sweep
}

# Dependency environments of deleted checkouts go in the background, where there are any and the time has come.
__belay_sweep() {
  \builtin local __belay_home="${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}" __belay_due='' __belay_now
  [[ -d $__belay_home/installs ]] || \builtin return 0
  \builtin printf -v __belay_now '%(%s)T' -1
  { \builtin read -r __belay_due <"$__belay_home/worktrees/next-sweep"; } 2>/dev/null
  [[ ! $__belay_due =~ ^[0-9]+$ ]] || ((__belay_now >= __belay_due)) || \builtin return 0
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
  __belay_turn=$2 __belay_part=0 __belay_ended=$2 __belay_journal='' __belay_kept=''
  __belay_find_journal || \builtin :
  [[ ${__belay_exports-} == private ]] || __belay_exports=''
}

# The session has become long, and was compressed: it goes on as the one that is named there.
__belay_go_on() {
  \builtin local __belay_next=''
  IFS='' \builtin read -r __belay_next <"$__belay_folder/next"
  [[ -z $__belay_next || $__belay_next == *[!A-Za-z0-9_-]* ]] || __belay_adopt "$__belay_next" 0
}
