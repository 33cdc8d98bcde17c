# What belay-snap is told of a line that may destroy something, and how it is started.

# Has the line saved; one that is not to run is interrupted.
__belay_save() {
  local theirs=''
  # A function of that name would get every call of belay's.
  if [[ -n ${functions[builtin]+x} ]]; then disable -f builtin && theirs=1; fi
  {
    __belay_hold "$@"
    local said=$?
    case $said in
      (0) ;;
      (3) builtin kill -INT $$ ;;
      ($(( 127 + ${signals[(i)TSTP]} ))) builtin kill -CONT 0 && builtin kill -INT $$ ;; # ^Z has stopped the saving: no line without it
      (*) __belay_failed $said ;;
    esac
  } always {
    [[ -z $theirs ]] || enable -f builtin
  }
}

# Without job control: else ^Z would suspend what is left of preexec, and zsh would run the line.
__belay_hold() {
  builtin setopt local_options no_monitor
  builtin trap '' XFSZ # under `ulimit -f` a write that is refused can be told of, a killed process cannot
  ( enable builtin cd printf setopt unset; __belay_hand_over "$@" ) # the person may have switched them off
}

# NUL-terminated `key=value` fields on belay-snap's standard input.
__belay_hand_over() {
  builtin setopt local_options no_monitor
  ! __belay_is_brief "$2" || export BUN_JSC_useJIT=0
  {
    __belay_request "$@" | {
      local before=$PWD old=$OLDPWD
      # belay-snap must not be steered by what lies in the folder, nor hold it.
      builtin cd -q -P . && builtin cd -q / && PWD=$before OLDPWD=$old
      __belay_snap hold 2>&9
    }
  } 9>&2 2>/dev/null >/dev/null
}

# One plain command is saved before the runtime's compiler pays; a tree is not, and what `mv` names may be one.
__belay_is_brief() {
  [[ $#1 -le 4000 && $1 == ((rm|rmdir|unlink|cp|ln|sed|truncate|shred|echo|printf|cat|:)\ |\>)* && $1 != (*[\;\&\|$'\n']*|*\ -[^\ ]#[rR]*) ]]
}

__belay_snap() {
  local program=${BELAY_SNAP:-$__belay_root/dist/belay-snap}
  # The launcher knows what to do where /proc is there and nothing is mounted on it: the compiled one's runtime ends in a panic.
  [[ -x $program && ( -e /proc/self || ! -d /proc ) ]] || program=$__belay_root/bin/belay-snap
  [[ -x $program ]] || command sleep 0.05 # install.sh may be putting a newer one in its place
  [[ -x $program ]] || return 127
  export BELAY_THEIR_BASH_ENV="${BASH_ENV-}" BELAY_THEIR_ENV="${ENV-}" # what shells in the line would read first
  builtin unset BASH_ENV ENV NODE_OPTIONS NODE_V8_COVERAGE BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_CONNECT_TO BUN_INSPECT_NOTIFY
  BELAY_SAVING=1 $program "$@" # nothing that it starts is saved in turn
}

__belay_request() {
  local __belay_how=$1 __belay_text=$2 __belay_name __belay_more __belay_key
  local -A __belay_seen
  local -i __belay_round
  builtin printf '%s\0' shell=zsh "session=$BELAY_SESSION" "turn=${__belay_turn:-$BELAY_TURN}" "line=$__belay_text" "pid=$$" "begins=$__belay_part" "interactive=$__belay_interactive" \
    "var=?=$3" "var=_=$4" 'var=$='$$ "options=$5" "typed=${6:-$2}" "record=${__belay_later-}"
  [[ $__belay_how != hidden ]] || builtin printf '%s\0' hidden=1
  builtin printf 'positional=%s\0' "${@[7,-1]}"
  builtin printf '%s\0' arguments=unknown # a function sees its own
  [[ $__belay_text != *(pushd|popd|dirs|\~[0-9+-])* ]] || builtin printf '%s\0' "stack=${(F)${(@)dirstack[1,0]}:-$PWD}"$'\n'"${(F)dirstack}"
  __belay_more="$__belay_text IFS CDPATH HISTFILE HOME PWD OLDPWD command_not_found_handler"
  for (( __belay_round = 0; __belay_round < 8; __belay_round++ )); do
    [[ -n $__belay_more ]] || break
    __belay_text=$__belay_more __belay_more=''
    for __belay_name in ${=__belay_text//[^A-Za-z0-9_.:+@-]/ }; do
      [[ -z ${__belay_seen[$__belay_name]-} ]] || continue
      __belay_seen[$__belay_name]=1
      if [[ -n ${aliases[$__belay_name]+x} ]]; then
        builtin printf '%s\0' "alias=$__belay_name=${aliases[$__belay_name]}"
        __belay_more+=" ${aliases[$__belay_name]}"
      fi
      if [[ -n ${functions[$__belay_name]+x} ]]; then
        builtin printf '%s\0' "func=$__belay_name=$__belay_name () {
${functions[$__belay_name]}
}"
        __belay_more+=" ${functions[$__belay_name]}"
      fi
      # `hash ls=/bin/rm`
      [[ ${commands[$__belay_name]-/$__belay_name} == */$__belay_name ]] \
        || builtin printf '%s\0' "hash=$__belay_name=${commands[$__belay_name]}"
      # `hash -d pp=/folder`
      [[ -z ${nameddirs[$__belay_name]+x} ]] || builtin printf '%s\0' "hash=~$__belay_name=${nameddirs[$__belay_name]}"
      __belay_variable
    done
  done
  builtin cd -q -P . && builtin printf '%s\0' "cwd=$PWD"
}

__belay_variable() {
  __belay_name=${__belay_name%%[^A-Za-z0-9_]*}
  case $__belay_name in
    ('' | [0-9]* | __belay_* | _ | RANDOM | SECONDS | EPOCH* | LINENO | aliases | functions | options | commands | history | parameters) return ;;
  esac
  case ${(Pt)__belay_name} in
    (*array*)
      for (( __belay_key = 1; __belay_key <= ${#${(P)__belay_name}}; __belay_key++ )); do
        builtin printf '%s\0' "arr=${__belay_name}[$__belay_key]=${${(P)__belay_name}[$__belay_key]}"
      done
      ;;
    (*association*)
      local -A table
      table=("${(@kvP)__belay_name}")
      for __belay_key in "${(@k)table}"; do builtin printf '%s\0' "arr=${__belay_name}[$__belay_key]=${table[$__belay_key]}"; done
      ;;
    (*scalar* | *integer* | *float*) builtin printf '%s\0' "var=$__belay_name=${${(P)__belay_name}//$'\0'/}" ;;
  esac
}

# The line runs unprotected: said once in the log, and once at the next prompt.
__belay_failed() {
  ! __belay_is_gone || return 0
  builtin trap '' XFSZ
  local text="belay: belay-snap failed (status $1): this line ran unprotected; see belay doctor" day
  local logs=${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}/logs
  builtin strftime -s day %Y-%m-%dT%H:%M:%S%z $EPOCHSECONDS
  {
    [[ -d $logs ]] || command mkdir -p -m 700 -- $logs
    builtin print -r -- "$day $text" >>$logs/belay.log
    [[ -z $__belay_folder ]] || builtin print -r -- $BELAY_TURN >|$__belay_folder/unprotected
    [[ -n $__belay_folder ]] && builtin print -r -- $text >|$__belay_folder/notice
  } 2>/dev/null || builtin print -r -- $text >&2
}
