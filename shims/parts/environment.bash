# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file
# What a shell exports goes with its session, for whoever goes on in it (`belay resume`, `belay run -c`). belay-snap keeps it in the
# background, masked by its tables, after a line that may have changed it; every other line costs a comparison.

# An assignment that begins a word.
__belay_assigns='[[:blank:];&|({][A-Za-z_][A-Za-z0-9_]*\+?='

# Whether the line $1 may change what this shell exports; $2: it is not harmless, so it may call what does.
__belay_may_export() {
  # (`*@(a|b)*` takes bash the square of the line's length.)
  case $1 in
    *export* | *declare* | *typeset* | *readonly* | *unset* | *source* | *eval* | *set\ *) \builtin return 0 ;;
    *=*) [[ ! " $1" =~ $__belay_assigns ]] || \builtin return 0 ;;
  esac
  [[ -n $2 ]] || \builtin return 1
  \builtin local __belay_word IFS=$' \t\n;&|('
  for __belay_word in $1; do
    [[ $__belay_word != . ]] && ! \builtin declare -F -- "$__belay_word" && ! \builtin alias -- "$__belay_word" || \builtin return 0
  done >/dev/null 2>&1
  \builtin return 1
}

# What is typed there is not shown.
__belay_unseen_read=$'(^|[^A-Za-z0-9_./-])(read[[:blank:]](("[^"]*"|\'[^\']*\'|[^;&|"\'])*[[:blank:]])?-[A-Za-z0-9]*s|stty[[:blank:]][^;&|]*-echo)'

# Whether the line $1 asks for what nobody is to see, itself or in a function or an alias it names ($2: it may name one).
__belay_asks_unseen() {
  \builtin local __belay_word __belay_found="$1" IFS=$' \t\n;&|('
  for __belay_word in ${2:+$1}; do
    ! { \builtin declare -F -- "$__belay_word" || \builtin alias -- "$__belay_word"; } >/dev/null || __belay_found+=" $(\builtin alias -- "$__belay_word") $(\builtin declare -f -- "$__belay_word")"
  done
  [[ $__belay_found == *-* && $__belay_found == *s* && $__belay_found =~ $__belay_unseen_read ]]
}

# Leaves word for the prompt where the line $1, found as $3, may export something, or may have got to know what must not be kept when it is
# exported later. For a subshell: it switches globs off.
__belay_note_exports() {
  \builtin set -f
  if [[ -z $__belay_folder ]]; then
    \builtin :
  elif __belay_asks_unseen "$1" "$2"; then
    \builtin printf 'hidden\n' >>"$__belay_folder/exports"
  elif __belay_may_export "$1" "$2"; then
    \builtin printf '%s\n' "$3" >>"$__belay_folder/exports"
  fi
} 2>/dev/null

# Sets __belay_keeps to `environment` where what is exported is to be kept: a line said so, or what tools set beside a line is other than it
# was. The first time it waits for a process that ends a turn anyway: a harmless line starts none. What a line set that was hidden from the
# history, or read unseen, nobody can tell apart later: from then on nothing is taken, here and in the shells that this one starts.
__belay_look_exports() {
  \builtin local __belay_found='' __belay_now="${PATH-}:${VIRTUAL_ENV-}:${CONDA_PREFIX-}:${DIRENV_DIFF-}:${__MISE_DIFF-}"
  __belay_keeps=''
  if [[ -n $__belay_folder && -s $__belay_folder/exports ]]; then
    IFS='' \builtin read -r -d '' __belay_found <"$__belay_folder/exports" || \builtin : # it ends without a NUL
    \builtin : >|"$__belay_folder/exports"
    [[ $__belay_found != *hidden* ]] || \builtin export __belay_exports=private
  elif [[ $__belay_now == "$__belay_exports" || -z $__belay_exports && ! -e $__belay_folder/turns/$__belay_turn ]]; then
    \builtin return 0
  fi
  [[ $__belay_exports == private ]] || __belay_exports=$__belay_now __belay_keeps=environment
} 2>/dev/null

# By a process that nobody waits for, where none that ends the turn has been told to. It keeps no descriptor open.
__belay_keep_environment() {
  [[ -z $__belay_keeps ]] || (
    \builtin exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&- 10<&- 11<&- 12<&- 13<&- 14<&- 15<&- 16<&-
    \builtin cd / && __belay_snap environment "$BELAY_SESSION" "$BELAY_TURN" &
  ) </dev/null >/dev/null 2>&1
}

# This shell goes on in a session: after its own start-up files it has that one's variables.
__belay_take_environment() {
  \builtin local __belay_does
  __belay_does=$("$__belay_root/bin/belay" resume --environment --for bash -- "$BELAY_SESSION") && \builtin eval "$__belay_does"
}
