# shellcheck shell=bash
# The prefilter: tells inside the shell, without a process, whether a line can destroy nothing. What it does not
# understand is not harmless: belay-snap then reads the line properly. Its functions share the variables of
# __belay_harmless, which they see because bash scopes dynamically.

# 0 only if every command of the text $1 is on the list below with arguments that cannot change that.
# `declare -F` prints to stdout: the caller redirects it, once, which is cheaper than here. bash copies a function's body at
# each call, and takes each pattern of a `case` and each constant apart anew: what most lines need is in small functions and in variables.
__belay_harmless() {
  \builtin local text="$1 " unsure='' part alias=''
  \builtin local -a parts words
  ((${#1} < 4000)) || \builtin return 1
  # Most lines are commands of plain words; they need not be taken apart. (`2>&1x` and `>/dev/nullx` are files: what goes nowhere has
  # to end as a word does.)
  [[ $text != *\>* ]] || { text=${text// 2>&1 / } && text=${text// 2>\/dev\/null / } && text=${text//>\/dev\/null / }; }
  if [[ $text != *[!A-Za-z0-9\ _./:,@%+\;\|\&-]* ]]; then
    \builtin local IFS=';|&'
    # shellcheck disable=SC2206
    parts=($text)
    IFS=' '
    for part in "${parts[@]}"; do
      # shellcheck disable=SC2206
      words=($part)
      [[ -n ${words[0]-} ]] || \builtin continue
      [[ -z ${BASH_ALIASES[${words[0]}]+x} ]] || { alias=1 && \builtin break; }
      __belay_command_harmless "${words[@]}" || \builtin return 1
    done
    [[ -n $alias ]] || \builtin return 0
  fi
  __belay_text_harmless "$1"
}

# The same of any text.
__belay_text_harmless() {
  \builtin local rest="$1"$'\n' chunk word='' some='' bare=1 assign='' # the word being read
  \builtin local input='' assigned='' unsure='' seen='' rounds=0       # the command being read
  \builtin local -a words
  words=()
  while [[ -n $rest ]]; do
    chunk=${rest%%[!]A-Za-z0-9_./:,@%+=^~*?\[\!\{\}-]*}
    if [[ -n $chunk ]]; then
      case $chunk in
        [*?\[\{]* | *\{*) unsure=1 ;; # may become an option
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
  word+=\$ some=1 bare='' unsure=1
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
  words=() assigned='' unsure='' seen=''
}

# 0: no folder that comes before the system's in PATH has a program $1, which would be another one.
__belay_of_system() {
  # Where bash remembers it, that is what it runs.
  [[ ${BASH_CMDS[$1]-} != @(/usr/local|/usr|)/?(s)bin/* || :$BASHOPTS: == *:checkhash:* ]] || \builtin return 0
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
  [[ $name != belay || -n $unsure ]] || \builtin return 0
  ! \builtin declare -F -- "$name" && [[ ${BASH_CMDS[$name]-/$name} == */"$name" && $name != *' '* ]] || \builtin return 1
  [[ $__belay_builtins == *" $name "* ]] || __belay_of_system "$name" || \builtin return 1
  [[ $__belay_plain == *" $name "* ]] || __belay_arguments_harmless "$@"
}

# Not looked for in PATH; and harmless with whatever arguments.
__belay_builtins=' : [ alias bg cd command declare dirs disown echo exit export false fg help history jobs kill local logout popd printf pushd pwd '
__belay_builtins+='read readonly return set shopt suspend test times true type typeset ulimit umask unalias unset wait '
__belay_plain=' : apropos arch b2sum base32 base64 basename bg cal cat cd cksum clear cmp column comm cut df diff dir dirname dirs disown du echo '
__belay_plain+='egrep exit expand expr factor false fg fgrep fmt fold free getconf getent grep groups head help hexdump id join jq kill killall last '
__belay_plain+='logout ls lsblk lscpu lsof md5sum nl nproc numfmt od paste pgrep pidof pkill popd pr printenv ps pushd pwd readlink realpath '
__belay_plain+='return rev seq set sha1sum sha224sum sha256sum sha384sum sha512sum shopt sleep stat strings sum suspend tac tail times tr true tty '
__belay_plain+='type ulimit umask uname unexpand uptime vdir vmstat w wc whatis whereis which who whoami '

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
    jobs) # `-x` runs what follows
      [[ $args != *' -'*x* && $args != *\$* ]]
      \builtin return
      ;;
  esac
  # The rest depends on the arguments, which then have to be known.
  [[ -z $unsure ]] || \builtin return 1
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
