# shellcheck shell=bash
# The prefilter: tells inside the shell, without a process, whether a line can destroy nothing. What it does not
# understand is not harmless: belay-snap then reads the line properly. Its functions share the variables of
# __belay_harmless, which they see because bash scopes dynamically.

# 0 only if every command of the text $1 is on the list below with arguments that cannot change that.
# `declare -F` prints to stdout: the caller redirects it, once, which is cheaper than here.
__belay_harmless() {
  \builtin local IFS=' ' __belay_unsure='' __belay_rest __belay_part __belay_word __belay_hashed
  \builtin local -a __belay_words
  __belay_plain_text "$1" 2>/dev/null
  case $? in
    0) ;;
    2) __belay_text_harmless "$1" ;;
    *) \builtin return 1 ;;
  esac
}

# The same of plain commands, which most lines are: they need not be taken apart. 2: it may be harmless, which takes a closer look.
# A call costs bash as much as ten commands, as does each variable that is local: it is all in one piece. IFS has a blank.
__belay_plain_text() {
  ((${#1} < 4000)) || \builtin return 1
  __belay_rest="$1 "
  # (`2>&1x` and `>/dev/nullx` are files: what goes nowhere has to end as a word does.)
  [[ $1 != *\>* ]] || { __belay_rest=${__belay_rest// 2>&1 / } && __belay_rest=${__belay_rest// 2>\/dev\/null / } && __belay_rest=${__belay_rest//>\/dev\/null / }; }
  [[ $1 != *[\"\'\$*?[]* ]] || __belay_blur || \builtin return 2
  while [[ -n $__belay_rest ]]; do
    [[ $__belay_rest != *[!]A-Za-z0-9\ _./:,@%+=~^\;\|\&\$[-]* ]] || \builtin return 2
    __belay_part=${__belay_rest%%[\;\|\&]*} __belay_rest=${__belay_rest:${#__belay_part}+1}
    # shellcheck disable=SC2206
    __belay_words=($__belay_part)
    __belay_word=${__belay_words[0]-}
    if [[ -z $__belay_word ]]; then
      \builtin continue
    elif [[ $__belay_word == *[=~^]* ]] || \builtin alias -- "$__belay_word"; then
      \builtin return 2 # an assignment; the text of an alias
    elif [[ $__belay_own == *" $__belay_word "* || $__belay_word == printf && ${__belay_words[1]-} == [A-Za-z%^]* && $__belay_part != *[\$^]*[\$^]* ]] \
      || [[ $__belay_word == @(test|\[) && $__belay_part != *[\$^]* && $__belay_part != *' -v '* ]]; then
      ! \builtin declare -F -- "$__belay_word" && ! \builtin hash -t -- "$__belay_word" || \builtin return 2
    elif [[ $__belay_usual == *" $__belay_word "* || $__belay_plain == *" $__belay_word "* ]] \
      || [[ $__belay_word == git && $__belay_git_usual == *" ${__belay_words[1]-} "* && $__belay_part != *@([\$^]|' '@(--o[up]|--ext|-O))* ]]; then
      ! \builtin declare -F -- "$__belay_word" || \builtin return 1
      __belay_hashed=${BASH_CMDS[$__belay_word]-}
      [[ -z $__belay_hashed || $__belay_hashed == */"$__belay_word" ]] && __belay_of_system "$__belay_word" "$__belay_hashed" || \builtin return 1
    elif [[ $__belay_part == *[\$^]* ]]; then
      \builtin return 2 # what it is told has to be known
    else
      __belay_command_harmless "${__belay_words[@]}" || \builtin return 1
    fi
  done
}

# Puts a `$` for each part that is quoted, for a variable, for a wildcard: one word still, which nobody knows; a `^` for a text that is no
# option. Fails where it is not as simple as that. A bracket is a wildcard unless it is a word of its own.
__belay_blur() {
  \builtin local rest="${__belay_rest//\$\?/\$x}"
  rest=${rest//[*?]/\$x} __belay_rest=''
  while [[ $rest == *[\"\'\$]* ]]; do
    __belay_part=${rest%%[\"\'\$]*} rest=${rest:${#__belay_part}}
    __belay_rest+=$__belay_part
    case $rest in
      \$[A-Za-z0-9_]*) rest=${rest:2} && __belay_rest+=\$ && \builtin continue ;;
      \'*\'*) __belay_part=${rest#\'} && __belay_part=${__belay_part%%\'*} ;;
      \"*\"*) __belay_part=${rest#\"} && __belay_part=${__belay_part%%\"*} && [[ $__belay_part != *[\\\`]* && $__belay_part != *\$[\(\{[]* ]] || \builtin return 1 ;;
      *) \builtin return 1 ;;
    esac
    rest=${rest:${#__belay_part}+2}
    if [[ $__belay_part == [A-Za-z0-9%]* && $__belay_part != *\$* ]]; then __belay_rest+=^; else __belay_rest+=\$; fi
  done
  [[ $__belay_rest$rest != *\[[!\ ]* ]] && __belay_rest+=$rest
}

# The same of any text.
__belay_text_harmless() {
  \builtin local rest="$1"$'\n' chunk word='' some='' bare=1 assign=''   # the word being read
  \builtin local input='' assigned='' __belay_unsure='' seen='' rounds=0 # the command being read
  \builtin local -a words
  words=()
  while [[ -n $rest ]]; do
    chunk=${rest%%[!]A-Za-z0-9_./:,@%+=^~*?\[\!\{\}-]*}
    if [[ -n $chunk ]]; then
      case $chunk in
        [*?\[\{]* | *\{*) __belay_unsure=1 ;; # may become an option
        [A-Za-z_]*=*) [[ -n $some ]] || __belay_is_assignment && assign=1 ;;
      esac
      word+=$chunk some=1 rest=${rest:${#chunk}}
      \builtin continue
    fi
    case $rest in
      [$' \t']*)
        [[ -z $some ]] || __belay_word_ends || \builtin return 1
        rest=${rest#[$' \t']}
        ;;
      \'*\'*) rest=${rest:1} && word+=${rest%%\'*} rest=${rest#*\'} some=1 bare='' ;;
      \"*) __belay_double_quoted || \builtin return 1 ;;
      \$*) __belay_expansion || \builtin return 1 ;;
      \\[!$'\n']*) word+=${rest:1:1} rest=${rest:2} some=1 bare='' ;;
      '#'*)
        if [[ -n $some ]]; then
          word+='#' rest=${rest:1}
        elif [[ $- != *i* || :$BASHOPTS: == *:interactive_comments:* ]]; then
          rest=${rest#"${rest%%$'\n'*}"}
        else
          \builtin return 1
        fi
        ;;
      '>'* | '&>'* | '<'*) __belay_redirection || \builtin return 1 ;;
      [$';|&\n']*)
        # An alias puts its text in front of what is left, which then has to be read first.
        __belay_word_ends || \builtin return 1
        [[ $rest != [$';|&\n']* ]] || { __belay_command_ends && rest=${rest:1}; } || \builtin return 1
        ;;
      [\'\\\`\(\)]* | [[:cntrl:]]*) \builtin return 1 ;;
      *) word+=${rest:0:1} rest=${rest:1} some=1 ;;
    esac
  done
}

__belay_is_assignment() {
  \builtin local name="${chunk%%=*}"
  name=${name%+}
  ((${#words[@]} == 0)) && [[ $name != *[!A-Za-z0-9_]* ]]
}

__belay_double_quoted() {
  rest=${rest:1} some=1 bare=''
  while :; do
    chunk=${rest%%[\"\\\$\`]*}
    word+=$chunk rest=${rest:${#chunk}}
    case $rest in
      \"*) rest=${rest:1} && \builtin return 0 ;;
      \\[\"\\\$\`]*) word+=${rest:1:1} rest=${rest:2} ;;
      \\[!$'\n']*) word+=\\ rest=${rest:1} ;;
      \$*) __belay_expansion || \builtin return 1 ;;
      *) \builtin return 1 ;;
    esac
  done
}

# `$name`, `${name}`, `$1`, `$?`: they run nothing. Every other form may.
__belay_expansion() {
  case $rest in
    \$[A-Za-z_]*) rest=${rest:1} && rest=${rest#"${rest%%[!A-Za-z0-9_]*}"} ;;
    \$[0-9?!\$#@*-]*) rest=${rest:2} ;;
    \$\{[A-Za-z_]*\}*)
      chunk=${rest:2} && chunk=${chunk%%\}*}
      [[ $chunk != *[!A-Za-z0-9_]* ]] || \builtin return 1
      rest=${rest#*\}}
      ;;
    *) \builtin return 1 ;;
  esac
  word+=\$ some=1 bare='' __belay_unsure=1
}

# Input from a file or a string; output to /dev/null or another descriptor.
__belay_redirection() {
  if [[ -n $bare && -n $word && -z ${word//[0-9]/} && $rest != '&'* ]]; then
    word='' some='' # the descriptor's number
  else
    __belay_word_ends || \builtin return 1
  fi
  case $rest in
    '<<<'*) rest=${rest:3} input=1 && \builtin return 0 ;;
    '<'[!\<\(\&\>]*) rest=${rest:1} input=1 && \builtin return 0 ;;
    '>&'[0-9-]*) rest=${rest:3} ;;
    '&>'* | '>'*)
      rest=${rest#&} && rest=${rest:1} && rest=${rest#>} && rest=${rest#[$' \t']}
      [[ $rest == /dev/null* ]] || \builtin return 1
      rest=${rest#/dev/null}
      ;;
    *) \builtin return 1 ;; # an alias came in between, `<(`, `<<`, `<&`, `<>`
  esac
  [[ $rest == [$' \t\n;|&<>']* ]]
}

__belay_word_ends() {
  [[ -n $some ]] || \builtin return 0
  # `read`, `test -v` and others expand what stands in a subscript, quoted as it may be.
  # shellcheck disable=SC2016 # the characters themselves
  [[ $word != *\[*'$('* && $word != *\[*\`* ]] || \builtin return 1
  if [[ -n $input ]]; then
    input=''
  elif [[ -n $assign ]]; then
    [[ $word != @(PATH|PROMPT_COMMAND|PS[0-4]|LESSOPEN|LESSCLOSE|*PAGER|GIT_*)@(=|+=)* ]] || \builtin return 1
    assigned=1
  elif ((${#words[@]} == 0)) && [[ -n $bare && -n ${BASH_ALIASES[$word]+x} && " $seen " != *" $word "* ]] \
    && [[ :$BASHOPTS: == *:expand_aliases:* ]]; then
    # A blank at its end makes the next word an alias too.
    [[ ${BASH_ALIASES[$word]} != *[$' \t'] ]] && ((++rounds < 20)) || \builtin return 1
    seen+=" $word" rest=${BASH_ALIASES[$word]}$rest
    ((${#rest} < 4000)) || \builtin return 1
  else
    words+=("$word")
  fi
  word='' some='' bare=1 assign=''
}

__belay_command_ends() {
  [[ -z $input ]] || \builtin return 1
  if ((${#words[@]} > 0)); then
    [[ -z $assigned ]] && __belay_command_harmless "${words[@]}" || \builtin return 1
  fi
  words=() assigned='' __belay_unsure='' seen=''
}

# 0: no folder that comes before the system's in PATH has a program $1, which would be another one. $2: where bash remembers it.
__belay_of_system() {
  # Where bash remembers it, that is what it runs.
  [[ $2 != @(/usr/local|/usr|)/?(s)bin/* || :$BASHOPTS: == *:checkhash:* ]] || \builtin return 0
  \builtin local IFS=: rest="${PATH-}:" entry
  [[ $rest != *[*?[\\]* ]] || \builtin return 1
  for entry in $rest; do
    case $entry in
      /usr/bin | /bin | /usr/local/bin | /usr/sbin | /sbin | /usr/local/sbin) \builtin return 0 ;;
    esac
    [[ -x ${entry:-.}/$1 && ! -d ${entry:-.}/$1 && $entry != "${__belay_root-}/shims/bin" ]] && \builtin return 1
  done
  \builtin return 0
}

__belay_command_harmless() {
  \builtin local name="$1"
  # belay's own commands are never turns; what `run` and `retry` run has a turn of its own.
  [[ $name != belay || -n $__belay_unsure ]] || \builtin return 0
  ! \builtin declare -F -- "$name" && [[ ${BASH_CMDS[$name]-/$name} == */"$name" && $name != *' '* ]] || \builtin return 1
  [[ $__belay_own != *" $name "* ]] || \builtin return 0
  [[ $__belay_builtins == *" $name "* ]] || __belay_of_system "$name" "${BASH_CMDS[$name]-}" || \builtin return 1
  [[ $__belay_plain == *" $name "* ]] || __belay_arguments_harmless "$@"
}

# Harmless with whatever arguments: what is not looked for in PATH; what is, and is typed most (a short text is searched in a third of the
# time; of git the subcommands); the rest of that. And what is not looked for in PATH either.
__belay_own=' cd echo pwd true exit type : bg dirs disown false fg help kill logout popd pushd return set shopt suspend times umask '
__belay_usual=' cat grep head ls tail wc '
__belay_git_usual=' status log diff show blame '
__belay_plain=' apropos arch b2sum base32 base64 basename cal cat cksum clear cmp column comm cut df diff dir dirname du egrep expand expr factor '
__belay_plain+='fgrep fmt fold free getconf getent grep groups head hexdump id join jq killall last ls lsblk lscpu lsof md5sum nl nproc numfmt od '
__belay_plain+='paste pgrep pidof pkill pr printenv ps readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat strings '
__belay_plain+='sum tac tail tr tty uname unexpand uptime vdir vmstat w wc whatis whereis which who whoami '
__belay_builtins=' [ alias command declare export history jobs local printf read readonly test typeset ulimit unalias unset wait '

__belay_arguments_harmless() {
  \builtin local IFS=' ' # arguments are joined by it
  \builtin local name="$1" first="${2-}" args=" ${*:2} "
  case $name in
    # These expand what stands in the subscript of a name once more.
    declare | export | local | read | readonly | typeset | unset)
      __belay_only_names "$@"
      \builtin return
      ;;
    printf)
      [[ $first != -v ]] || __belay_only_names "$1" "${3-}"
      \builtin return
      ;;
    '[' | test)
      [[ $args != *' -v '*\$* ]]
      \builtin return
      ;;
    wait)
      [[ $args != *' -'*p* ]]
      \builtin return
      ;;
    ulimit) # from then on the record's end has to take care
      __belay_sure=''
      \builtin return
      ;;
    jobs) # `-x` runs what follows
      [[ $args != *' -'*x* && $args != *\$* ]]
      \builtin return
      ;;
  esac
  # The rest depends on the arguments, which then have to be known.
  [[ -z $__belay_unsure ]] || \builtin return 1
  case $name in
    alias | unalias) (($# == 1)) ;; # what it changes may be used in the same text
    command) [[ $first == -[vV] ]] ;;
    date | env | hostname) [[ $args == '  ' || $first == [+]* ]] && (($# <= 2)) ;;
    file) [[ $args != *' -'*C* && $args != *' --c'* ]] ;;
    find) [[ $args != *' -'@(delete|exec|ok|fprint|fls)* ]] ;;
    git) __belay_git_reads "${@:2}" ;;
    history) [[ -z ${first//[0-9]/} ]] && (($# <= 2)) ;;
    less | more | man | sort | tree) [[ $args != *' -'*[oOPRH]* && $args != *' --'[clop]* && $args != *' +'* ]] ;;
    uniq) (($# <= 2)) ;;
    *) \builtin return 1 ;;
  esac
}

# Names that are known, none of a variable whose text bash runs or expands later, no value that is an expression.
__belay_only_names() {
  \builtin local entry
  for entry in "${@:2}"; do
    case $entry in
      PATH* | PROMPT_COMMAND* | PS[0-4]* | LESSOPEN* | LESSCLOSE* | *PAGER* | GIT_*) \builtin return 1 ;;
      -*i*) [[ $1 == read || $entry == -*[!A-Za-z]* ]] || \builtin return 1 ;;
    esac
    [[ $1 == read && $entry == *\ * || ${entry%%=*} != *\$* ]] || \builtin return 1
  done
}
