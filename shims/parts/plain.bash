# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file
# The prefilter for lines of plain commands, with harmless.bash, whose lists it reads.

# 0 only if every command of the text $1 is on the lists there with arguments that cannot change that. Plain commands, which most lines are,
# need not be taken apart. 2: it may be harmless, which takes a closer look.
# A call costs bash as much as ten commands, as does each variable that is local, and copies every word of the function: none is local, and
# what few lines need is elsewhere. IFS has a blank. Sets __belay_sets where a command may set what the shell exports, its limits, its options.
__belay_plain_text() {
  case $1 in
    *[!A-Za-z0-9\ _./:,@%+-]*) __belay_plain_commands "$1" ;;
    *) __belay_one=$1 && __belay_plain_command ;;
  esac
}

# The plain command $__belay_one. Most begin with their name.
__belay_plain_command() {
  case $__belay_own in
    *" ${__belay_one%% *} "*) __belay_word=${__belay_one%% *} && ! \builtin alias -- "$__belay_word" && ! \builtin declare -F -- "$__belay_word" && [[ ${__belay_free-} == 1 ]] && \builtin return ;;
  esac
  __belay_plain_words
}

__belay_plain_words() {
  # shellcheck disable=SC2206
  __belay_words=($__belay_one)
  case $__belay_own in
    *" ${__belay_words[0]-} "*) __belay_is_builtin ;;
    *)
      case ${__belay_words[0]-} in
        test | \[ | printf) __belay_told_builtin ;;
        *) __belay_known_command ;;
      esac
      ;;
  esac
}

# A builtin that is disabled is a program: the prompt of a shell knows that none is (__belay_free).
__belay_is_builtin() {
  ! \builtin alias -- "${__belay_words[0]}" && ! \builtin declare -F -- "${__belay_words[0]}" \
    && { [[ ${__belay_free-} == 1 ]] || ! \builtin hash -t -- "${__belay_words[0]}"; } || \builtin return 2
}

# `printf`, `test` and `[`, of which what follows may be unknown where it runs nothing.
__belay_told_builtin() {
  case ${__belay_words[0]} in
    printf) [[ ${__belay_words[1]-} == [A-Za-z%^]* && $__belay_one != *[\$^]*[\$^]* ]] ;;
    *) [[ $__belay_one != *[\$^]* && $__belay_one != *' -v '* ]] ;;
  esac
  case $? in
    0) __belay_is_builtin ;;
    *) __belay_known_command ;;
  esac
}

# The same of one that is no builtin which is harmless whatever follows.
__belay_known_command() {
  __belay_word=${__belay_words[0]-}
  case $__belay_word in
    '') \builtin return 0 ;;
    *[=~^]*) \builtin return 2 ;; # an assignment
  esac
  if [[ $__belay_usual == *" $__belay_word "* || $__belay_plain == *" $__belay_word "* ]] \
    || [[ $__belay_word == git && $__belay_git_usual == *" ${__belay_words[1]-} "* && $__belay_one != *[\$^]* && $__belay_one != *' --o'[up]* &&
      $__belay_one != *' --ext'* && $__belay_one != *' -O'* ]]; then
    ! \builtin alias -- "$__belay_word" || \builtin return 2 # its text
    ! \builtin declare -F -- "$__belay_word" || \builtin return 1
    __belay_hashed=${BASH_CMDS[$__belay_word]-}
    [[ -z $__belay_hashed || $__belay_hashed == */"$__belay_word" ]] && __belay_of_system "$__belay_word" "$__belay_hashed" || \builtin return 1
  elif \builtin alias -- "$__belay_word" || [[ $__belay_one == *[\$^]* ]]; then
    \builtin return 2 # what it is told has to be known
  else
    __belay_sets=1
    __belay_command_harmless "${__belay_words[@]}" || \builtin return 1
  fi
}

# Several, with quotes and what goes nowhere.
__belay_plain_commands() {
  ((${#1} < 4000)) || \builtin return 1
  __belay_rest="$1 "
  # (`2>&1x` and `>/dev/nullx` are files: what goes nowhere has to end as a word does.)
  case $__belay_rest in *' 2>&1 '*) __belay_rest=${__belay_rest// 2>&1 / } ;; esac
  case $__belay_rest in *\>/dev/null\ *) __belay_rest=${__belay_rest// 2>\/dev\/null / } __belay_rest=${__belay_rest//>\/dev\/null / } ;; esac
  case $__belay_rest in *[\"\'\$*?[]*) __belay_blur || \builtin return 2 ;; esac
  case $__belay_rest in
    *[!]A-Za-z0-9\ _./:,@%+=~^\;\|\&\$[-]*) \builtin return 2 ;;
    *'&&'* | *'||'*) __belay_rest=${__belay_rest//'&&'/;} __belay_rest=${__belay_rest//'||'/;} ;;
  esac
  while [[ $__belay_rest == *[\;\|\&]* ]]; do
    __belay_one=${__belay_rest%%[\;\|\&]*} __belay_rest=${__belay_rest:${#__belay_one}+1} __belay_one=${__belay_one# }
    __belay_plain_command || \builtin return
  done
  __belay_one=${__belay_rest# } && __belay_plain_command
}

# Puts a `$` for each part that is quoted, for a variable, for a wildcard: one word still, which nobody knows; a `^` for a text that is no
# option. Fails where it is not as simple as that. A bracket is a wildcard unless it is a word of its own.
__belay_blur() {
  __belay_left=$__belay_rest
  case $__belay_left in *[*?]*) __belay_left=${__belay_left//\$\?/\$x} && __belay_left=${__belay_left//[*?]/\$x} ;; esac
  __belay_rest=''
  while [[ $__belay_left == *[\"\'\$]* ]]; do
    __belay_one=${__belay_left%%[\"\'\$]*} __belay_left=${__belay_left:${#__belay_one}}
    __belay_rest+=$__belay_one
    case $__belay_left in
      \$[A-Za-z0-9_]*) __belay_left=${__belay_left:2} && __belay_rest+=\$ && \builtin continue ;;
      \'*\'*) __belay_one=${__belay_left#\'} && __belay_one=${__belay_one%%\'*} ;;
      \"*\"*) __belay_one=${__belay_left#\"} && __belay_one=${__belay_one%%\"*} && [[ $__belay_one != *[\\\`]* && $__belay_one != *\$[\(\{[]* ]] || \builtin return 1 ;;
      *) \builtin return 1 ;;
    esac
    __belay_left=${__belay_left:${#__belay_one}+2}
    if [[ $__belay_one == [A-Za-z0-9%]* && $__belay_one != *\$* ]]; then __belay_rest+=^; else __belay_rest+=\$; fi
  done
  [[ $__belay_rest$__belay_left != *\[[!\ ]* ]] && __belay_rest+=$__belay_left
}
