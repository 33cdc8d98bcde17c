# Is a line harmless? What is not understood is not: belay-snap then reads the line properly. Read under `emulate zsh -o extendedglob`.

# What words mean. p: a command that is harmless with whatever arguments; o: unless an option of it has a `v` or `P`; m: it depends on them;
# v: the same, and it may set variables; g: git. s: between commands; i, w, d: a file to read, one to write, a descriptor follows; x: one is closed.
__belay_set_kinds() {
  local word
  typeset -gA __belay_kinds
  __belay_kinds=('[' o test o print o printf o git g ';' s '&&' s '||' s '|' s '|&' s '&' s '<' i '>' w '>>' w '&>' w '>&' d '>&-' x)
  for word in {0..9}; do __belay_kinds+=("$word<" i "$word>" w "$word>>" w "$word>&" d "$word>&-" x); done
  for word in alias unalias command date env hostname history less more man sort tree uniq; do __belay_kinds[$word]=m; done
  for word in declare export local read typeset unset set; do __belay_kinds[$word]=v; done
  for word in : '[[' apropos b2sum base64 basename bg cal cat cd cksum clear cmp column comm cut df diff dir dirname dirs disown du echo \
    egrep exit expand expr false fg fgrep fmt fold free getent grep groups head help hexdump id jobs join jq kill killall last logout ls \
    lsblk lscpu lsof md5sum nl nproc numfmt od paste pgrep pidof pkill popd pr printenv ps pushd pwd readlink realpath return rev seq \
    setopt sha1sum sha256sum sha512sum sleep stat strings sum suspend tac tail times tr true tty type ulimit umask uname unsetopt uptime \
    vdir w wait wc whatis whence whereis which where who whoami; do
    __belay_kinds[$word]=p
  done
}
__belay_set_kinds
typeset -g __belay_sets=''

# 0 only if every command of the text $1, aliases expanded, is on the list with arguments that cannot change that. Sets __belay_sets where one
# of them may set a variable. (What stands in a loop is dear, and least where it is `if`, `case`, `[[ … ]]` and assignments alone.)
#
# A line at a prompt, typed as $3 and found as $2, is counted and recorded before that. It is all one function, for a call costs as much as
# thirty such commands; no text at all is harmless then. __belay_later: the record is left to belay-snap.
__belay_harmless() {
  local text=$1 word kind=''
  if [[ -n ${2-} ]]; then
    __belay_later=''
    # A text pasted whole runs command by command without a prompt in between: it is one turn.
    if [[ ${BELAY_SESSION-} != $__belay_session || $__belay_part != 0 || ${(t)BELAY_TURN} != scalar-export ]]; then
      __belay_look_around
    else
      BELAY_TURN=$(( __belay_turn += __belay_part++ == 0 ))
    fi
    # belay's own lines are never turns, and what is kept out of the history is kept out of the record.
    if [[ $2 != hidden && $3 != belay && $3 != belay[[:blank:]]* && -n $__belay_records ]]; then
      __belay_look='' __belay_line=$3 __belay_text=" ${(L)3} "
      # Quotes of all kinds and what JSON spells otherwise, in a class that needs no quotes itself: their neighbours are in it, too.
      if [[ $3 == *[Z-^!-*[:cntrl:]]* ]]; then
        __belay_text=${__belay_text//[\"\'\\]/} __belay_line=${${3//\\/\\\\}//\"/\\\"}
        if [[ $3 == *[[:cntrl:]]* ]]; then __belay_look=1; fi
      fi
      # A part of what __belay_is_like_secret asks for, of each one found by a letter that few words have. (zsh tries the alternatives of a
      # `case` three times as fast as those within a pattern, and keeps what it has read where no character is quoted.)
      case $__belay_text in
        (*k(e[ny]|i[ean]|to|-|_)*|*w([tgu]|in)*|*q[lu]*|*z*|*v(au|erc)*|*xox*|*yj*|*:*@*|*-u*) __belay_look=1 ;;
        (*p(as|ut-|in[^a-z0-9]|w[^a-z0-9]|at[^a-z0-9])*|*_pw*|*c(r[ey]|ur|f[^a-z0-9]|ft|li)*|*u(th|ser[am]|do)*) __belay_look=1 ;;
        (*m(ari|ong|ito|_)*|*o(pens|as|gin)*|*s(u[^a-z0-9]|end|ia|nm)*|*l(da|ft|pat)*|*(b(ee|cp)|eerd)*) __belay_look=1 ;;
        (*r(ar[^a-z0-9]|ead)*|*age[^a-z0-9]*|*net[^a-z0-9]*|*gh[pousr]_*) __belay_look=1 ;;
      esac
      if [[ -n $__belay_look || ${#3} -ge 600 || $PWD != $__belay_cwd || ! -f $__belay_journal \
        || $__belay_journal_key != "${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION" \
        || -n ${BELAY_PROFILE-}${XDG_CONFIG_HOME-} || -e ${HOME-}/.config/belay || -L ${HOME-}/.config/belay ]]; then
        __belay_record_closely "$3" || __belay_later=1
      else
        builtin trap '' XFSZ # under `ulimit -f` a write that is one too much is the end of the shell that makes it
        (( __belay_now = EPOCHREALTIME * 1000 ))
        builtin print -r -- "{\"e\":\"command\",\"t\":$__belay_now,\"turn\":\"$__belay_turn\",\"line\":\"$__belay_line\",\"cwd\":\"$__belay_cwd_json\"}" \
          2>/dev/null >>$__belay_journal || __belay_later=1
      fi
    fi
    [[ -n $1 ]] || return 0
  fi
  __belay_sets=''
  # One plain command, which most lines are; at the end of a line that is complete no quote is open.
  if [[ $1 == *[1l] ]]; then text=${${${1%' 2>&1'}%' 2> /dev/null'}%' > /dev/null'}; fi
  if [[ $text != *[\`\(\)\{\}\;\<\>\&\|\#[:cntrl:]]* && $text != *\$[^A-Za-z_0-9?]* && ${#text} -lt 4000
    && ( $text != *\\* || $text != *\"* && ${text//\'[^\']#\'/} != *\\* ) ]]; then
    word=${text%%[[:blank:]]*}
    kind=${__belay_kinds[$word]-}
    if [[ $kind == g && $text == git[[:blank:]](status|log|show|diff|rev-parse|ls-files|ls-tree|blame|shortlog|describe)(|[[:blank:]]*)
      && $text != *[^A-Za-z0-9_./:,@%+[:blank:]-]* && $text != *[[:blank:]](-O|--o[up]|--ext)* ]]; then kind=p; fi
    if [[ ( $kind == p || $kind == o && $text != *[[:blank:]]-*[vP]* ) && -z ${functions[$word]+x} ]]; then
      if [[ -n ${builtins[$word]+x} ]]; then
        kind=shell
      elif [[ ${commands[$word]-/$word} == */$word ]]; then
        kind=system
      fi
    fi
  fi
  if [[ $kind == (shell|system) ]]; then
    [[ $kind == shell ]] || __belay_of_system $word
    return
  fi
  local -a words command
  local state='' wants='' ask=''
  if [[ $text == *[$'`(){}\0$<\\#']* ]]; then
    [[ $text != *[$'`(){}\0']* && $text != *'$'[^A-Za-z_0-9?]* && $text != *'<<'* ]] || return 1
    # A backslash stands for itself between simple quotes, which are simple where no others are about.
    [[ $text != *\\* || ( $text != *[\"#]* && ${text//\'[^\']#\'/} != *\\* ) ]] || return 1
  fi
  (( ${#text} < 4000 )) || return 1
  words=("${(@z)text}")
  # What begins with `#` is a comment or, at most prompts, a word as any other: it has to be harmless as both.
  [[ $text != *\#* ]] || words+=(';' "${(@Z+C+)text}")
  for word in "${words[@]}" ';'; do
    # An argument of a plain command begins with no digit and no operator.
    if [[ $state != [po] || -n $wants || $word != []A-Za-z_./!-%-]* || ( $state == o && $word == -*[vP]* ) ]]; then
      kind=${__belay_kinds[$word]-}
      # `printf -v NAME`, `[ -v NAME ]`.
      if [[ $state == first ]]; then
        state=o
        if [[ $word == -v ]]; then state=m __belay_sets=1; fi
      fi
      case $wants$state:$kind in
        (:[pomvg])
          state=$kind
          if [[ $kind != p ]]; then command=("$word"); fi
          if [[ $kind == o ]]; then state=first; fi
          if [[ $kind == v ]]; then state=m __belay_sets=1; fi
          if [[ -n ${functions[$word]+x} ]]; then
            ask=no
          elif [[ -z ${builtins[$word]+x} ]]; then
            ask=system
            if [[ ${commands[$word]-/$word} != */$word ]]; then ask=no; fi
          fi
          ;;
        ([poagh]:s|:s) state='' ;;
        (m:s) ask=whole state='' ;;
        ([poaghm]:w|:w) wants=W ;;
        (W*:) wants=''; if [[ $word != /dev/null ]]; then ask=no; fi ;;
        ([poaghm]:d|:d) wants=D ;;
        (D*:) wants=''; if [[ $word != ([0-9]|-) ]]; then ask=no; fi ;;
        ([poaghm]:i|:i) wants=I ;;
        (I*:[siwdx]) ask=no ;;
        (I*) wants='' ;;
        ([poaghm]:x|:x) ;;
        ([pomgh]:*)
          if [[ $word == ([0-9]#[\<\>]*|[\&\|\;]*) || ( $state == o && $word == -*[vP]* ) ]]; then ask=no; fi
          if [[ $state != [po] ]]; then command+=("$word"); fi
          if [[ $state == g ]]; then
            state=m
            if [[ $word == (status|log|show|diff|rev-parse|ls-files|ls-tree|blame|shortlog|describe) ]]; then state=h; fi
          elif [[ $state == h && ( $word != [A-Za-z0-9_./:,@%+-]## || $word == (-O*|--o[up]*|--ext*) ) ]]; then
            state=m
          fi
          ;;
        (:)
          state=a __belay_sets=1
          if [[ $word == belay ]]; then
            state=m command=(belay)
          elif [[ $word != [A-Za-z_][A-Za-z0-9_]#(+|)=* || $word == (PATH|path|LESSOPEN|LESSCLOSE|*PAGER|GIT_)* ]]; then
            ask=no
          fi
          ;;
        (a:) if [[ $word != [A-Za-z_][A-Za-z0-9_]#(+|)=* || $word == (PATH|path|LESSOPEN|LESSCLOSE|*PAGER|GIT_)* ]]; then ask=no; fi ;;
        (*) ask=no ;;
      esac
      if [[ -n $ask ]]; then
        case $ask in
          (system) __belay_of_system $word || return 1 ;;
          (whole) __belay_command_harmless "${command[@]}" || return 1 ;;
          (no) return 1 ;;
        esac
        ask=''
      fi
    fi
  done
}

# 0: no folder that comes before the system's in PATH has a program $1, which would be another one.
__belay_of_system() {
  local entry
  for entry in "${path[@]}"; do
    [[ $entry != (/usr/local|/usr|)/(s|)bin(/|) ]] || return 0
    [[ $entry == $__belay_root/shims/bin || ! -x ${entry:-.}/$1 || -d ${entry:-.}/$1 ]] || return 1
  done
}

__belay_command_harmless() {
  local IFS=' ' # arguments are joined by it
  local name=$1 first=${2-} args=" ${*[2,-1]} "
  [[ $name != belay || $args == *[\$\*\?\[]* ]] || return 0
  [[ -z ${functions[$name]+x} && ${commands[$name]-/$name} == */$name ]] || return 1
  [[ -n ${builtins[$name]+x} ]] || __belay_of_system $name || return 1
  [[ ${__belay_kinds[$name]-} != p ]] || return 0
  case $name in
    # These expand what stands in the subscript of a name once more.
    (declare | export | local | read | typeset | unset) __belay_only_names "$@"; return ;;
    (print | printf) [[ $args != *' -'[A-Za-z]#P* && ${3-} == [A-Za-z_][A-Za-z0-9_]# ]] && __belay_only_names "$1" "${3-}"; return ;;
    (set) [[ $args != *' '[-+]*A* && $args != *[\$\`]* ]]; return ;; # `set -A path …`
    ('[' | test) [[ ${3-} == [A-Za-z_][A-Za-z0-9_]# && " ${*[4,-1]}" != *' -'*[vP]* ]]; return ;;
  esac
  # The rest depends on the arguments, which then have to be known; quotes are still on.
  [[ $args != *[\$\*\?\[\'\"~=^]* ]] || return 1
  case $name in
    (alias | unalias) (( $# == 1 )) ;;
    (command) [[ $first == -[vV] ]] ;;
    (date | env | hostname) (( $# == 1 )) || [[ $# == 2 && $first == +* ]] ;;
    (history) [[ $first != -*[^0-9]* ]] ;;
    (less | more | man | sort | tree) [[ $args != *' -'*[oOPRH]* && $args != *' --'[clop]* && $args != *' +'* ]] ;;
    (uniq) (( $# <= 2 )) ;;
    (git) __belay_git_reads "${@[2,-1]}" ;;
    (*) return 1 ;;
  esac
}

# Names that are known, none of a variable whose text is run later, no value that is an expression.
__belay_only_names() {
  local entry
  for entry in "${(@Q)@[2,-1]}"; do
    [[ ${entry%%=*} != *\$* && $entry != (PATH|path|LESSOPEN|LESSCLOSE|*PAGER|GIT_)* && $entry != -[A-Za-z]#[iEF]* ]] || return 1
  done
}
