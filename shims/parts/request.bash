# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# shellcheck disable=SC2030,SC2031 # the pipe’s ends are subshells on purpose
# How bash hands a line to belay-snap: NUL-terminated `key=value` fields on its standard input. Lines and names are
# bytes; arguments and the environment would lose those that are not UTF-8.

# Hands over the text $2 of source $1 (`prompt`, `hidden`, `within` a turn that has begun, its `wrapper`, or a name), with the caller's `$?` $3, `$_` $4 and
# its `$0 $1 …`. Its status is belay-snap's: 0 lets the line run, 3 does not. For a subshell: it does not come back as
# it went.
__belay_hand_over() {
  \builtin local __belay_options="${SHELLOPTS//:/ } ${BASHOPTS//:/ }"
  \builtin shopt -s lastpipe # a process less
  \builtin trap '' TSTP      # ^Z would stop the saving, and the shell would wait for it
  # One plain command is saved before the runtime's compiler pays; a tree is not, and what `mv` names may be one.
  if [[ ${#2} -le 4000 && $2 == @(@(rm|rmdir|unlink|cp|ln|sed|truncate|shred|echo|printf|cat|:)\ |\>)* && $2 != @(*[\;\&\|$'\n']*|*\ -*([!\ ])[rR]*) ]]; then
    \builtin export BUN_JSC_useJIT=0
  fi
  {
    __belay_request "$@" | {
      # belay-snap must not be steered by what lies in the folder, nor hold it.
      __belay_pwd=${PWD-} __belay_oldpwd=${OLDPWD-}
      \builtin cd -P . && \builtin cd / && PWD=$__belay_pwd OLDPWD=$__belay_oldpwd
      __belay_snap hold 2>&9
    }
  } 9>&2 2>/dev/null
}

# belay-snap, without what is meant for the user's own programs that run on the same runtimes.
__belay_snap() {
  \builtin local __belay_program="${BELAY_SNAP:-$__belay_root/dist/belay-snap}"
  # The launcher knows what to do where /proc is there and nothing is mounted on it: the compiled one's runtime ends in a panic.
  [[ -x $__belay_program && (-e /proc/self || ! -d /proc) ]] || __belay_program=$__belay_root/bin/belay-snap
  [[ -x $__belay_program ]] || \command sleep 0.05 # install.sh may be putting a newer one in its place
  [[ -x $__belay_program ]] || \builtin return 127
  \builtin export BELAY_THEIR_BASH_ENV="${BASH_ENV-}" BELAY_THEIR_ENV="${ENV-}" # what shells in the line would read first
  \builtin unset -v BASH_ENV ENV NODE_OPTIONS NODE_V8_COVERAGE BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_CONNECT_TO BUN_INSPECT_NOTIFY
  \builtin export BELAY_SAVING=1 # nothing that it starts is saved in turn
  "$__belay_program" "$@"
  \builtin local __belay_came="$?"
  # Not for this machine, so it has read nothing: the launcher falls back to node.
  [[ $__belay_came == @(126|127|132) && $__belay_program == */dist/belay-snap ]] || \builtin return "$__belay_came"
  "$__belay_root/bin/belay-snap" "$@"
}

# The fields: what only this shell knows of the names in the text. One name too many costs nothing.
__belay_request() {
  \builtin local __belay_how="$1" __belay_text="$2" __belay_status="$3" __belay_last="$4"
  \builtin shift 4
  \builtin printf '%s\0' shell=bash "session=$BELAY_SESSION" "turn=$BELAY_TURN" "line=$__belay_text" "pid=$$" \
    "options=$__belay_options" \
    "var=?=$__belay_status" "var=_=$__belay_last" "var=\$=$$" "var=-=$-" "var=!=${!-}" ${IFS+"var=IFS=$IFS"}
  case $__belay_how in
    prompt) \builtin printf '%s\0' interactive=1 "begins=$__belay_part" "record=${__belay_later-}" ;;
    hidden) \builtin printf '%s\0' interactive=1 "begins=$__belay_part" hidden=1 ;;
    within) ;;
    wrapper) \builtin printf '%s\0' wrapper=1 ;;
    *) \builtin printf '%s\0' "source=$__belay_how" begins=1 record=1 ;;
  esac
  (($# == 0)) || \builtin printf 'positional=%s\0' "$@"
  case $__belay_text in
    *pushd* | *popd* | *dirs* | *'~'[0-9+-]* | *DIRSTACK*)
      \builtin local IFS=$'\n'
      \builtin printf '%s\0' "stack=${DIRSTACK[*]}"
      ;;
  esac
  \builtin local IFS=$' \t\n'
  __belay_names
  \builtin cd -P . && \builtin printf '%s\0' "cwd=$PWD"
}

# Variables, aliases and functions named in the text, and in the bodies of those aliases and functions.
__belay_names() {
  \builtin local __belay_name __belay_more __belay_words __belay_rounds
  \builtin local -A __belay_seen
  __belay_seen=()
  __belay_more="$__belay_text CDPATH GLOBIGNORE HISTFILE HOME PWD OLDPWD command_not_found_handle"
  \builtin set -f
  for ((__belay_rounds = 0; __belay_rounds < 8; __belay_rounds++)); do
    __belay_words=${__belay_more//[!A-Za-z0-9_.:+@-]/ }
    __belay_text=$__belay_more __belay_more=''
    for __belay_name in "${!BASH_ALIASES[@]}"; do
      [[ $__belay_text == *"$__belay_name"* && -z ${__belay_seen["a $__belay_name"]-} ]] || \builtin continue
      __belay_seen["a $__belay_name"]=1
      \builtin printf '%s\0' "alias=$__belay_name=${BASH_ALIASES[$__belay_name]}"
      __belay_more+=" ${BASH_ALIASES[$__belay_name]}"
    done
    for __belay_name in $__belay_words; do
      [[ -z ${__belay_seen[$__belay_name]-} ]] || \builtin continue
      __belay_seen[$__belay_name]=1
      if \builtin declare -F -- "$__belay_name" >/dev/null; then
        __belay_words=$(\builtin declare -f -- "$__belay_name")
        \builtin printf '%s\0' "func=$__belay_name=$__belay_words"
        __belay_more+=" $__belay_words"
      fi
      # `hash -p /bin/rm ls`
      [[ ${BASH_CMDS[$__belay_name]-/$__belay_name} == */"$__belay_name" ]] \
        || \builtin printf '%s\0' "hash=$__belay_name=${BASH_CMDS[$__belay_name]}"
      __belay_variable
    done
    [[ -n $__belay_more ]] || \builtin break
  done
}

# The variable or array named $__belay_name. Some change whenever they are read: those stay unknown.
__belay_variable() {
  __belay_name=${__belay_name%%[!A-Za-z0-9_]*}
  case $__belay_name in
    '' | [0-9]* | __belay_* | _ | IFS | RANDOM | SRANDOM | SECONDS | EPOCH* | LINENO | BASHPID | BASH_* | FUNCNAME | HISTCMD) \builtin return ;;
  esac
  if \builtin test -R "$__belay_name"; then
    \builtin local __belay_target
    __belay_target=$(\builtin declare -p -- "$__belay_name") # declare -n r="x"
    __belay_target=${__belay_target#*=\"} && __belay_target=${__belay_target%\"}
    \builtin printf '%s\0' "ref=$__belay_name=$__belay_target"
    __belay_more+=" $__belay_target"
    \builtin return
  fi
  \builtin local -n __belay_value="$__belay_name"
  [[ ${__belay_value@a} != *[ilu]* ]] || \builtin printf '%s\0' "attr=$__belay_name=${__belay_value@a}"
  ((${#__belay_value[@]} > 0)) || \builtin return
  [[ -z ${__belay_value+x} ]] || \builtin printf '%s\0' "var=$__belay_name=$__belay_value"
  [[ ${__belay_value@a}${__belay_value[*]@a} == *[aA]* ]] || \builtin return
  \builtin local __belay_key
  for __belay_key in "${!__belay_value[@]}"; do
    \builtin printf '%s\0' "arr=${__belay_name}[$__belay_key]=${__belay_value[$__belay_key]}"
  done
}

# ── Sessions, and the folder of their markers ────────────────────────────────────────────────────────────────────

__belay_new_session() {
  \builtin local __belay_now="${EPOCHREALTIME-}" __belay_mix # not before bash 5.0, SRANDOM not before 5.1; `10#`: digits may begin with a nought
  __belay_mix=$(((10#${SRANDOM:-$RANDOM$$} ^ 10#0${__belay_now//[!0-9]/}) & 0xffffff))
  \builtin printf -v BELAY_SESSION '%(%Y%m%d_%H%M%S)T_%06x' -1 "$__belay_mix"
}

# Where markers of this session lie; nothing is made.
__belay_find_folder() {
  __belay_folder=/tmp/belay-$UID
  if [[ ${XDG_RUNTIME_DIR-} == /* && -d $XDG_RUNTIME_DIR && -O $XDG_RUNTIME_DIR && ! -L $XDG_RUNTIME_DIR ]]; then
    __belay_folder=$XDG_RUNTIME_DIR/belay
  fi
  __belay_folder+=/$BELAY_SESSION
}

# Everything that the turn can destroy is known and saved.
__belay_is_whole() {
  \builtin local __belay_whole=''
  { \builtin read -r __belay_whole <"$__belay_folder/whole"; } 2>/dev/null && [[ $__belay_whole == "$BELAY_TURN" ]]
}

# Nobody else can put anything there.
__belay_own_folder() {
  [[ -O ${__belay_folder%/*} && ! -L ${__belay_folder%/*} && -O $__belay_folder && ! -L $__belay_folder && -w $__belay_folder ]]
}
