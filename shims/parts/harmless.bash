# shellcheck shell=bash
# The prefilter: tells inside the shell, without a process, whether a line can destroy nothing. What it does not
# understand is not harmless: belay-snap then reads the line properly. Its functions share the variables of
# __belay_harmless, which they see because bash scopes dynamically.

# 0 only if every command of the text $1 is on the list below with arguments that cannot change that.
# `declare -F` prints to stdout: the caller redirects it, once, which is cheaper than here.
__belay_harmless() {
  \builtin local IFS=' ' __belay_unsure='' __belay_rest __belay_one __belay_word __belay_hashed __belay_left
  \builtin local -a __belay_words
  __belay_plain_text "$1" 2>/dev/null
  case $? in
    0) ;;
    2) __belay_text_harmless "$1" ;;
    *) \builtin return 1 ;;
  esac
}

# The same of any text.
__belay_text_harmless() {
  \builtin local __belay_left="$1"$'\n' __belay_chunk __belay_read='' __belay_some='' __belay_bare=1 __belay_assign='' # the word being read
  \builtin local __belay_input='' __belay_assigned='' __belay_unsure='' __belay_put='' __belay_rounds=0                # the command being read
  \builtin local -a __belay_command
  __belay_command=()
  while [[ -n $__belay_left ]]; do
    __belay_chunk=${__belay_left%%[!]A-Za-z0-9_./:,@%+=^~*?\[\!\{\}-]*}
    if [[ -n $__belay_chunk ]]; then
      case $__belay_chunk in
        [*?\[\{]* | *\{*) __belay_unsure=1 ;; # may become an option
        [A-Za-z_]*=*) [[ -n $__belay_some ]] || __belay_is_assignment && __belay_assign=1 ;;
      esac
      __belay_read+=$__belay_chunk __belay_some=1 __belay_left=${__belay_left:${#__belay_chunk}}
      \builtin continue
    fi
    case $__belay_left in
      [$' \t']*)
        [[ -z $__belay_some ]] || __belay_word_ends || \builtin return 1
        __belay_left=${__belay_left#[$' \t']}
        ;;
      \'*\'*) __belay_left=${__belay_left:1} && __belay_read+=${__belay_left%%\'*} __belay_left=${__belay_left#*\'} __belay_some=1 __belay_bare='' ;;
      \"*) __belay_double_quoted || \builtin return 1 ;;
      \$*) __belay_expansion || \builtin return 1 ;;
      \\[!$'\n']*) __belay_read+=${__belay_left:1:1} __belay_left=${__belay_left:2} __belay_some=1 __belay_bare='' ;;
      '#'*)
        if [[ -n $__belay_some ]]; then
          __belay_read+='#' __belay_left=${__belay_left:1}
        elif [[ $- != *i* || :$BASHOPTS: == *:interactive_comments:* ]]; then
          __belay_left=${__belay_left#"${__belay_left%%$'\n'*}"}
        else
          \builtin return 1
        fi
        ;;
      '>'* | '&>'* | '<'*) __belay_redirection || \builtin return 1 ;;
      [$';|&\n']*)
        # An alias puts its text in front of what is left, which then has to be read first.
        __belay_word_ends || \builtin return 1
        [[ $__belay_left != [$';|&\n']* ]] || { __belay_command_ends && __belay_left=${__belay_left:1}; } || \builtin return 1
        ;;
      [\'\\\`\(\)]* | [[:cntrl:]]*) \builtin return 1 ;;
      *) __belay_read+=${__belay_left:0:1} __belay_left=${__belay_left:1} __belay_some=1 ;;
    esac
  done
}

__belay_is_assignment() {
  \builtin local __belay_verb="${__belay_chunk%%=*}"
  __belay_verb=${__belay_verb%+}
  ((${#__belay_command[@]} == 0)) && [[ $__belay_verb != *[!A-Za-z0-9_]* ]]
}

__belay_double_quoted() {
  __belay_left=${__belay_left:1} __belay_some=1 __belay_bare=''
  while :; do
    __belay_chunk=${__belay_left%%[\"\\\$\`]*}
    __belay_read+=$__belay_chunk __belay_left=${__belay_left:${#__belay_chunk}}
    case $__belay_left in
      \"*) __belay_left=${__belay_left:1} && \builtin return 0 ;;
      \\[\"\\\$\`]*) __belay_read+=${__belay_left:1:1} __belay_left=${__belay_left:2} ;;
      \\[!$'\n']*) __belay_read+=\\ __belay_left=${__belay_left:1} ;;
      \$*) __belay_expansion || \builtin return 1 ;;
      *) \builtin return 1 ;;
    esac
  done
}

# `$name`, `${name}`, `$1`, `$?`: they run nothing. Every other form may.
__belay_expansion() {
  case $__belay_left in
    \$[A-Za-z_]*) __belay_left=${__belay_left:1} && __belay_left=${__belay_left#"${__belay_left%%[!A-Za-z0-9_]*}"} ;;
    \$[0-9?!\$#@*-]*) __belay_left=${__belay_left:2} ;;
    \$\{[A-Za-z_]*\}*)
      __belay_chunk=${__belay_left:2} && __belay_chunk=${__belay_chunk%%\}*}
      [[ $__belay_chunk != *[!A-Za-z0-9_]* ]] || \builtin return 1
      __belay_left=${__belay_left#*\}}
      ;;
    *) \builtin return 1 ;;
  esac
  __belay_read+=\$ __belay_some=1 __belay_bare='' __belay_unsure=1
}

# Input from a file or a string; output to /dev/null or another descriptor.
__belay_redirection() {
  if [[ -n $__belay_bare && -n $__belay_read && -z ${__belay_read//[0-9]/} && $__belay_left != '&'* ]]; then
    __belay_read='' __belay_some='' # the descriptor's number
  else
    __belay_word_ends || \builtin return 1
  fi
  case $__belay_left in
    '<<<'*) __belay_left=${__belay_left:3} __belay_input=1 && \builtin return 0 ;;
    '<'[!\<\(\&\>]*) __belay_left=${__belay_left:1} __belay_input=1 && \builtin return 0 ;;
    '>&'[0-9-]*) __belay_left=${__belay_left:3} ;;
    '&>'* | '>'*)
      __belay_left=${__belay_left#&} && __belay_left=${__belay_left:1} && __belay_left=${__belay_left#>} && __belay_left=${__belay_left#[$' \t']}
      [[ $__belay_left == /dev/null* ]] || \builtin return 1
      __belay_left=${__belay_left#/dev/null}
      ;;
    *) \builtin return 1 ;; # an alias came in between, `<(`, `<<`, `<&`, `<>`
  esac
  [[ $__belay_left == [$' \t\n;|&<>']* ]]
}

__belay_word_ends() {
  [[ -n $__belay_some ]] || \builtin return 0
  # `read`, `test -v` and others expand what stands in a subscript, quoted as it may be.
  # shellcheck disable=SC2016 # the characters themselves
  [[ $__belay_read != *\[*'$('* && $__belay_read != *\[*\`* ]] || \builtin return 1
  if [[ -n $__belay_input ]]; then
    __belay_input=''
  elif [[ -n $__belay_assign ]]; then
    [[ $__belay_read != @(PATH|PROMPT_COMMAND|PS[0-4]|LESSOPEN|LESSCLOSE|*PAGER|GIT_*)@(=|+=)* ]] || \builtin return 1
    __belay_assigned=1
  elif ((${#__belay_command[@]} == 0)) && [[ -n $__belay_bare && -n ${BASH_ALIASES[$__belay_read]+x} && " $__belay_put " != *" $__belay_read "* ]] \
    && [[ :$BASHOPTS: == *:expand_aliases:* ]]; then
    # A blank at its end makes the next word an alias too.
    [[ ${BASH_ALIASES[$__belay_read]} != *[$' \t'] ]] && ((++__belay_rounds < 20)) || \builtin return 1
    __belay_put+=" $__belay_read" __belay_left=${BASH_ALIASES[$__belay_read]}$__belay_left
    ((${#__belay_left} < 4000)) || \builtin return 1
  else
    __belay_command+=("$__belay_read")
  fi
  __belay_read='' __belay_some='' __belay_bare=1 __belay_assign=''
}

__belay_command_ends() {
  [[ -z $__belay_input ]] || \builtin return 1
  if ((${#__belay_command[@]} > 0)); then
    [[ -z $__belay_assigned ]] && __belay_command_harmless "${__belay_command[@]}" || \builtin return 1
  fi
  __belay_command=() __belay_assigned='' __belay_unsure='' __belay_put=''
}

# 0: no folder that comes before the system's in PATH has a program $1, which would be another one. $2: where bash remembers it.
__belay_of_system() {
  # Where bash remembers it, that is what it runs.
  [[ $2 != @(/usr/local|/usr|)/?(s)bin/* || :$BASHOPTS: == *:checkhash:* ]] || \builtin return 0
  \builtin local IFS=: __belay_left="${PATH-}:" __belay_entry
  [[ $__belay_left != *[*?[\\]* ]] || \builtin return 1
  for __belay_entry in $__belay_left; do
    case $__belay_entry in
      /usr/bin | /bin | /usr/local/bin | /usr/sbin | /sbin | /usr/local/sbin) \builtin return 0 ;;
    esac
    [[ -x ${__belay_entry:-.}/$1 && ! -d ${__belay_entry:-.}/$1 && $__belay_entry != "${__belay_root-}/shims/bin" ]] && \builtin return 1
  done
  \builtin return 0
}

__belay_command_harmless() {
  \builtin local __belay_verb="$1"
  # belay's own commands are never turns; what `run` and `retry` run has a turn of its own.
  [[ $__belay_verb != belay || -n $__belay_unsure ]] || \builtin return 0
  ! \builtin declare -F -- "$__belay_verb" && [[ ${BASH_CMDS[$__belay_verb]-/$__belay_verb} == */"$__belay_verb" && $__belay_verb != *' '* ]] || \builtin return 1
  [[ $__belay_own != *" $__belay_verb "* ]] || \builtin return 0
  [[ $__belay_builtins == *" $__belay_verb "* ]] || __belay_of_system "$__belay_verb" "${BASH_CMDS[$__belay_verb]-}" || \builtin return 1
  [[ $__belay_plain == *" $__belay_verb "* ]] || __belay_arguments_harmless "$@"
}

# Harmless with whatever arguments: what is not looked for in PATH; what is, and is typed most (a short text is searched in a third of the
# time; of git the subcommands); the rest of that. And what is not looked for in PATH either.
__belay_own=' cd echo pwd true exit type : bg dirs disown false fg help kill logout popd pushd return suspend times umask '
__belay_usual=' cat grep head ls tail wc '
__belay_git_usual=' status log diff show blame '
__belay_plain=' apropos arch b2sum base32 base64 basename cal cat cksum clear cmp column comm cut df diff dir dirname du egrep expand expr factor '
__belay_plain+='fgrep fmt fold free getconf getent grep groups head hexdump id join jq killall last ls lsblk lscpu lsof md5sum nl nproc numfmt od '
__belay_plain+='paste pgrep pidof pkill pr printenv ps readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat strings '
__belay_plain+='sum tac tail tr tty uname unexpand uptime vdir vmstat w wc whatis whereis which who whoami '
__belay_builtins=' [ alias command declare export history jobs local printf read readonly set shopt test typeset ulimit unalias unset wait '

__belay_arguments_harmless() {
  \builtin local IFS=' ' # arguments are joined by it
  \builtin local __belay_verb="$1" __belay_first="${2-}" __belay_args=" ${*:2} "
  case $__belay_verb in
    # These expand what stands in the subscript of a name once more.
    declare | export | local | read | readonly | typeset | unset)
      __belay_only_names "$@"
      \builtin return
      ;;
    printf)
      [[ $__belay_first != -v ]] || __belay_only_names "$1" "${3-}"
      \builtin return
      ;;
    '[' | test)
      [[ $__belay_args != *' -v '*\$* ]]
      \builtin return
      ;;
    wait)
      [[ $__belay_args != *' -'*p* ]]
      \builtin return
      ;;
    set | shopt | ulimit) \builtin return ;;
    jobs) # `-x` runs what follows
      [[ $__belay_args != *' -'*x* && $__belay_args != *\$* ]]
      \builtin return
      ;;
  esac
  # The rest depends on the arguments, which then have to be known.
  [[ -z $__belay_unsure ]] || \builtin return 1
  case $__belay_verb in
    alias | unalias) (($# == 1)) ;; # what it changes may be used in the same text
    command) [[ $__belay_first == -[vV] ]] ;;
    date | env | hostname) [[ $__belay_args == '  ' || $__belay_first == [+]* ]] && (($# <= 2)) ;;
    file) [[ $__belay_args != *' -'*C* && $__belay_args != *' --c'* ]] ;;
    find) [[ $__belay_args != *' -'@(delete|exec|ok|fprint|fls)* ]] ;;
    git) __belay_git_reads "${@:2}" ;;
    history) [[ -z ${__belay_first//[0-9]/} ]] && (($# <= 2)) ;;
    less | more | man | sort | tree) [[ $__belay_args != *' -'*[oOPRH]* && $__belay_args != *' --'[clop]* && $__belay_args != *' +'* ]] ;;
    uniq) (($# <= 2)) ;;
    *) \builtin return 1 ;;
  esac
}

# Names that are known, none of a variable whose text bash runs or expands later, no value that is an expression.
__belay_only_names() {
  \builtin local __belay_entry
  for __belay_entry in "${@:2}"; do
    case $__belay_entry in
      PATH* | PROMPT_COMMAND* | PS[0-4]* | LESSOPEN* | LESSCLOSE* | *PAGER* | GIT_*) \builtin return 1 ;;
      -*i*) [[ $1 == read || $__belay_entry == -*[!A-Za-z]* ]] || \builtin return 1 ;;
    esac
    [[ $1 == read && $__belay_entry == *\ * || ${__belay_entry%%=*} != *\$* ]] || \builtin return 1
  done
}
