# The session that this shell is in, its turns and where their markers lie.

__belay_start() {
  builtin zmodload zsh/datetime
  if [[ -n ${BELAY_ADOPT-} && -n ${BELAY_SESSION-} ]]; then
    [[ $BELAY_ADOPT != environment ]] || __belay_take_environment
    builtin unset BELAY_ADOPT # `belay run` has begun the session
  else
    __belay_new_session
  fi
  __belay_adopt $BELAY_SESSION ${BELAY_RESUME_TURN:-0}
  builtin unset BELAY_RESUME_TURN
  typeset -gi __belay_pid=$$
  typeset -g __belay_shown='' __belay_later='' __belay_on=1 __belay_interactive=1
  __belay_sweep
}

# Dependency environments of deleted checkouts go in the background, where there are any and the time has come.
__belay_sweep() {
  local home=${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay} due=''
  [[ -d $home/installs ]] || return 0
  { builtin read -r due <$home/worktrees/next-sweep } 2>/dev/null
  [[ $due != <-> ]] || (( EPOCHSECONDS >= due )) || return 0
  ( builtin cd -q /; __belay_snap sweep & ) </dev/null >/dev/null 2>&1
}

# This shell is in session $1 from now on, after its turn $2. The line that says so is still one of the session before.
__belay_adopt() {
  if [[ -n ${__belay_session-} && -n $__belay_folder && -e $__belay_folder/turns/$__belay_turn ]]; then
    ( builtin cd -q /; __belay_snap end $__belay_session $__belay_turn $EPOCHREALTIME & ) </dev/null >/dev/null 2>&1
  fi
  typeset -g BELAY_SESSION=$1 __belay_session=$1
  export BELAY_SESSION BELAY_TURN=$2
  __belay_find_folder
  command mkdir -p -m 700 -- ${__belay_folder:h} $__belay_folder 2>/dev/null
  [[ -O ${__belay_folder:h} && ! -L ${__belay_folder:h} && -w $__belay_folder && ! -L $__belay_folder ]] || __belay_folder=''
  typeset -gi __belay_turn=$2 __belay_part=0 __belay_ended=$2
  typeset -g __belay_journal='' __belay_journal_key=''
  [[ ${__belay_exports-} == private ]] || typeset -g __belay_exports=''
}

# The session has become long, and was compressed: it goes on as the one that is named there.
__belay_go_on() {
  local next=''
  builtin read -r next <$__belay_folder/next
  [[ -z $next || $next == *[^A-Za-z0-9_-]* ]] || __belay_adopt $next 0
}

__belay_new_session() {
  builtin zmodload zsh/datetime
  # Shells that start in the same second differ in microseconds and process.
  local mix=$(( (${${EPOCHREALTIME#*.}[1,6]} ^ ($$ << 4) ^ RANDOM) & 0xffffff )) day
  builtin strftime -s day %Y%m%d_%H%M%S $EPOCHSECONDS
  builtin printf -v BELAY_SESSION '%s_%06x' $day $mix
}

# Where markers of this session lie; nothing is made.
__belay_find_folder() {
  typeset -g __belay_folder=/tmp/belay-$UID
  if [[ ${XDG_RUNTIME_DIR-} == /* && -d $XDG_RUNTIME_DIR && -O $XDG_RUNTIME_DIR && ! -L $XDG_RUNTIME_DIR ]]; then
    __belay_folder=$XDG_RUNTIME_DIR/belay
  fi
  __belay_folder+=/$BELAY_SESSION
}

# Everything that the turn can destroy is known and saved.
__belay_is_whole() {
  local turn=''
  { builtin read -r turn <$__belay_folder/whole } 2>/dev/null && [[ $turn == $BELAY_TURN ]]
}

# All that is to run is known and saved: its programs need no belay, and see the environment as it was before.
__belay_leave() {
  local name
  path=(${path:#$__belay_root/shims/bin})
  for name in BASH_ENV ZDOTDIR npm_config_script_shell ENV; do
    [[ ${(P)name-} != $__belay_root/* ]] || builtin unset $name
  done
  [[ -z ${BELAY_BASH_ENV-} ]] || export BASH_ENV=$BELAY_BASH_ENV
  [[ -z ${BELAY_ZDOTDIR-} ]] || export ZDOTDIR=$BELAY_ZDOTDIR
  [[ -z ${BELAY_ENV-} ]] || export ENV=$BELAY_ENV
  case ${MAKEFILES-} in
    ($__belay_root/shims/guard.mk) builtin unset MAKEFILES ;;
    ("$__belay_root/shims/guard.mk "*) MAKEFILES=${MAKEFILES#* } ;;
  esac
  builtin unset BELAY_BASH_ENV BELAY_ZDOTDIR BELAY_ENV
}

# belay was uninstalled while this shell runs, which its user knows: its folder says so, or this shell's markers went with it.
__belay_is_gone() {
  local home=${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}
  [[ ! -e $__belay_root/shims && ( -e $home/uninstalled || -n $__belay_folder && ! -e $__belay_folder ) ]]
}
