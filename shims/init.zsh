# belay for an interactive zsh: `eval "$(belay init zsh)"`.
#
# preexec is called after a line is read and before its first redirection is opened. Its third argument is the whole
# line with aliases expanded, also where the line is kept out of the history.

# ── Session ──────────────────────────────────────────────────────────────────────────────────────────────────────

__belay_start() {
  builtin emulate -L zsh
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
  typeset -g __belay_shown='' __belay_on=1 __belay_interactive=1
  __belay_sweep
}

# Dependency environments of deleted checkouts go in the background, where there are any and the time has come.
__belay_sweep() {
  builtin emulate -L zsh
  local home=${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay} due=''
  [[ -d $home/installs ]] || return 0
  { builtin read -r due <$home/worktrees/next-sweep } 2>/dev/null
  [[ $due != <-> ]] || (( EPOCHSECONDS >= due )) || return 0
  ( builtin cd -q /; __belay_snap sweep & ) </dev/null >/dev/null 2>&1
}

# This shell is in session $1 from now on, after its turn $2. The line that says so is still one of the session before.
__belay_adopt() {
  builtin emulate -L zsh
  if [[ -n ${__belay_session-} && -n $__belay_folder && -e $__belay_folder/turns/$__belay_turn ]]; then
    ( builtin cd -q /; __belay_snap end $__belay_session $__belay_turn $EPOCHREALTIME & ) </dev/null >/dev/null 2>&1
  fi
  typeset -g BELAY_SESSION=$1 __belay_session=$1
  export BELAY_SESSION BELAY_TURN=$2
  __belay_find_folder
  command mkdir -p -m 700 -- ${__belay_folder:h} $__belay_folder 2>/dev/null
  [[ -O ${__belay_folder:h} && ! -L ${__belay_folder:h} && -w $__belay_folder && ! -L $__belay_folder ]] || __belay_folder=''
  typeset -gi __belay_turn=$2 __belay_part=0 __belay_ended=$2
  [[ ${__belay_exports-} == private ]] || typeset -g __belay_exports=''
}

# The session has become long, and was compressed: it goes on as the one that is named there.
__belay_go_on() {
  builtin emulate -L zsh
  local next=''
  builtin read -r next <$__belay_folder/next
  [[ -z $next || $next == *[^A-Za-z0-9_-]* ]] || __belay_adopt $next 0
}

__belay_new_session() {
  builtin emulate -L zsh
  builtin zmodload zsh/datetime
  # Shells that start in the same second differ in microseconds and process.
  local mix=$(( (${${EPOCHREALTIME#*.}[1,6]} ^ ($$ << 4) ^ RANDOM) & 0xffffff )) day
  builtin strftime -s day %Y%m%d_%H%M%S $EPOCHSECONDS
  builtin printf -v BELAY_SESSION '%s_%06x' $day $mix
}

# Where markers of this session lie; nothing is made.
__belay_find_folder() {
  builtin emulate -L zsh
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
  builtin emulate -L zsh
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

# ── Is it harmless? ──────────────────────────────────────────────────────────────────────────────────────────────
# What is not understood is not harmless: belay-snap then reads the line properly.

# 0 only if every command of the text $1, aliases expanded, is on the list with arguments that cannot change that.
__belay_harmless() {
  builtin emulate -L zsh
  builtin setopt extendedglob
  local -a words command
  local word state='' assigned=''
  [[ ${#1} -lt 4000 && $1 != *[$'`(){}\0']* && $1 != *'$'[^A-Za-z_0-9?]* && $1 != *'<<'* ]] || return 1
  # A backslash stands for itself between simple quotes, which are simple where no others are about.
  [[ $1 != *\\* || ( $1 != *[\"#]* && ${1//\'[^\']#\'/} != *\\* ) ]] || return 1
  words=("${(@Z+C+)1}")
  for word in $words ';'; do
    case $word in
      (';' | '&&' | '||' | '|' | '|&' | '&')
        [[ -z $state ]] || return 1
        (( $#command == 0 )) || { [[ -z $assigned ]] && __belay_command_harmless "${command[@]}"; } || return 1
        command=() assigned=''
        ;;
      ('<' | [0-9]'<') state=input ;;
      ('>' | '>>' | [0-9]'>' | [0-9]'>>' | '&>') state=output ;;
      ([0-9]#'>&') state=descriptor ;;
      ([0-9]#'>&-') ;;
      ([0-9]#'<'* | [0-9]#'>'* | '&'*) return 1 ;;
      (*)
        case $state in
          (input) state='' ;;
          (descriptor) [[ $word == ([0-9]|-) ]] || return 1; state='' ;;
          (output) [[ $word == /dev/null ]] || return 1; state='' ;;
          (*)
            if (( $#command == 0 )) && [[ $word == [A-Za-z_][A-Za-z0-9_]#(+|)=* ]]; then [[ $word != (PATH|path|LESSOPEN|LESSCLOSE|*PAGER|GIT_)* ]] || return 1; assigned=1; else command+=("$word"); fi
            ;;
        esac
        ;;
    esac
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

# Harmless with whatever arguments: one text, for zsh reads each pattern of a `case` anew.
__belay_plain=' : [[ apropos b2sum base64 basename bg cal cat cd cksum clear cmp column comm cut df diff dir dirname dirs '
__belay_plain+='disown du echo egrep exit expand expr false fg fgrep fmt fold free getent grep groups head help hexdump id '
__belay_plain+='jobs join jq kill killall last logout ls lsblk lscpu lsof md5sum nl nproc numfmt od paste pgrep pidof pkill '
__belay_plain+='popd pr printenv ps pushd pwd readlink realpath return rev seq set setopt sha1sum sha256sum sha512sum sleep '
__belay_plain+='stat strings sum suspend tac tail times tr true tty type ulimit umask uname unsetopt uptime vdir w wait wc '
__belay_plain+='whatis whence whereis which where who whoami '

__belay_command_harmless() {
  local IFS=' ' # arguments are joined by it
  local name=$1 first=${2-} args=" ${*[2,-1]} "
  [[ $name != belay || $args == *[\$\*\?\[]* ]] || return 0
  [[ -z ${functions[$name]+x} && ${commands[$name]-/$name} == */$name ]] || return 1
  [[ -n ${builtins[$name]+x} ]] || __belay_of_system $name || return 1
  [[ $name == *' '* || $__belay_plain != *" $name "* ]] || return 0
  case $name in
    # These expand what stands in the subscript of a name once more.
    (declare | export | local | read | typeset | unset) __belay_only_names "$@"; return ;;
    (print | printf) [[ $args != *' -'[A-Za-z]#P* ]] || return 1; [[ $first != -*v* ]] || __belay_only_names "$1" "${3-}"; return ;;
    ('[' | test) [[ $args != *' -v '*\$* ]]; return ;;
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

# Names that are known, none of a variable whose text is run later, no value that is an expression. Quotes are still on.
__belay_only_names() {
  local entry
  for entry in "${@[2,-1]}"; do
    [[ ${entry%%=*} != *\$* && $entry != (PATH|path|LESSOPEN|LESSCLOSE|*PAGER|GIT_)* && $entry != -[A-Za-z]#[iEF]* ]] || return 1
  done
}

# ── A line was entered ───────────────────────────────────────────────────────────────────────────────────────────

# Somebody has unset it or set another: this shell knows it all the same.
__belay_name_session() {
  [[ ${BELAY_SESSION-} == $__belay_session ]] || export BELAY_SESSION=$__belay_session
}

# $1 the line as the history has it (empty when hidden), $2 a short form, $3 the whole with aliases expanded. The person's own options are on
# here, which may split words and take them for patterns: what needs them is asked, all else is done under zsh's own.
__belay_preexec() {
  local last=$? underscore=$_ how=prompt on='' __belay_later=''
  [[ -n $__belay_on && $__belay_pid == $$ ]] || return "$last"
  # The history still has the line before when this one is kept out of it.
  [[ -n $1 && ( ! -o hist_ignore_space || $1 != ' '* ) ]] || how=hidden
  if __belay_is_to_save "$how" "$1" "${3:-$1}"; then
    on="${(kj: :)options[(R)on]}"
    [[ ! -o globdots ]] || on+=' dotglob'
    [[ -o clobber ]] || on+=' noclobber'
    [[ -o glob ]] || on+=' noglob'
    [[ ! -o nomatch ]] || on+=' failglob'
    [[ ! -o cdablevars ]] || on+=' cdable_vars'
    __belay_save "$how" "${3:-$1}" "$last" "$underscore" "$on" "$1" zsh
  fi
  return "$last"
}

# Counts and records the line $2, found as $1, with aliases expanded $3. 0: it may destroy something.
__belay_is_to_save() {
  builtin emulate -L zsh
  __belay_name_session
  (( __belay_part == 0 || ${precmd_functions[(I)__belay_precmd]} )) || __belay_hook_again
  # A text pasted whole runs command by command without a prompt in between: it is one turn.
  export BELAY_TURN=$(( __belay_turn += __belay_part++ == 0 ))
  # belay's own lines are never turns, and what is kept out of the history is kept out of the record.
  [[ $1 == hidden || $2 == belay || $2 == 'belay '* ]] || __belay_record "$2" || __belay_later=1
  [[ -n $3 ]] || return 1
  if __belay_harmless "$3"; then
    [[ -z $__belay_later ]] || __belay_record_later "$2" "$PWD"
    __belay_note_exports "$3" '' "$1"
    return 1
  fi
  __belay_note_exports "$3" 1 "$1"
  return 0
}

# Has the line saved; one that is not to run is interrupted.
__belay_save() {
  builtin emulate -L zsh
  __belay_hold "$@"
  local said=$?
  case $said in
    (0) ;;
    (3) builtin kill -INT $$ ;;
    ($(( 127 + ${signals[(i)TSTP]} ))) builtin kill -CONT 0 && builtin kill -INT $$ ;; # ^Z has stopped the saving: no line without it
    (*) __belay_failed $said ;;
  esac
}

# Without job control: else ^Z would suspend what is left of preexec, and zsh would run the line.
__belay_hold() {
  builtin emulate -L zsh -o no_monitor
  builtin trap '' XFSZ # under `ulimit -f` a write that is refused can be told of, a killed process cannot
  ( __belay_hand_over "$@" )
}

# Somebody has dropped the precmd hook: the turn before ends here, before belay looks at what this line is to change.
__belay_hook_again() {
  builtin emulate -L zsh
  precmd_functions+=(__belay_precmd)
  if [[ -n $__belay_folder && -e $__belay_folder/turns/$__belay_turn ]]; then
    ( builtin cd -q /; __belay_snap end $BELAY_SESSION $__belay_turn $EPOCHREALTIME ) </dev/null >/dev/null 2>&1
  fi
  __belay_part=0 __belay_ended=$__belay_turn
}

# NUL-terminated `key=value` fields on belay-snap's standard input.
__belay_hand_over() {
  builtin emulate -L zsh -o no_monitor
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
  builtin emulate -L zsh -o extended_glob
  [[ $#1 -le 4000 && $1 == ((rm|rmdir|unlink|cp|ln|sed|truncate|shred|echo|printf|cat|:)\ |\>)* && $1 != (*[\;\&\|$'\n']*|*\ -[^\ ]#[rR]*) ]]
}

__belay_snap() {
  local program=${BELAY_SNAP:-$__belay_root/dist/belay-snap}
  [[ -x $program ]] || program=$__belay_root/bin/belay-snap
  [[ -x $program ]] || return 127
  export BELAY_THEIR_BASH_ENV="${BASH_ENV-}" BELAY_THEIR_ENV="${ENV-}" # what shells in the line would read first
  builtin unset BASH_ENV ENV NODE_OPTIONS NODE_V8_COVERAGE BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_CONNECT_TO BUN_INSPECT_NOTIFY
  BELAY_SAVING=1 $program "$@" # nothing that it starts is saved in turn
}

__belay_request() {
  local __belay_how=$1 __belay_text=$2 __belay_name __belay_more __belay_key
  local -A __belay_seen
  local -i __belay_round
  builtin printf '%s\0' shell=zsh "session=$BELAY_SESSION" "turn=$BELAY_TURN" "line=$__belay_text" "pid=$$" "begins=$__belay_part" "interactive=$__belay_interactive" \
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

# belay was uninstalled while this shell runs, which its user knows: its folder says so, or this shell's markers went with it.
__belay_is_gone() {
  local home=${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}
  [[ ! -e $__belay_root/shims && ( -e $home/uninstalled || -n $__belay_folder && ! -e $__belay_folder ) ]]
}

# The line runs unprotected: said once in the log, and once at the next prompt.
__belay_failed() {
  builtin emulate -L zsh
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

# ── The prompt is back ───────────────────────────────────────────────────────────────────────────────────────────

__belay_precmd() {
  local last=$?
  builtin emulate -L zsh
  __belay_part=0
  if [[ -n $__belay_on && $__belay_pid == $$ && -n $__belay_folder ]]; then
    __belay_name_session
    if (( __belay_turn != __belay_ended )); then
      __belay_ended=$__belay_turn
      __belay_record_end $last
      __belay_look_exports
      if [[ -e $__belay_folder/turns/$__belay_turn ]]; then
        ( builtin cd -q /; __belay_snap end $BELAY_SESSION $__belay_turn $EPOCHREALTIME ${__belay_keeps:+environment} & ) </dev/null >/dev/null 2>&1
      else
        __belay_keep_environment
      fi
    fi
    [[ ! -s $__belay_folder/notice ]] || __belay_notice
    [[ ! -s $__belay_folder/next ]] || __belay_go_on
    ! __belay_is_gone || __belay_on=''
  fi
  return $last
}

# The same text again and again is one piece of news, but for what was saved or was not.
__belay_notice() {
  builtin emulate -L zsh
  local text="$(<$__belay_folder/notice)"
  builtin : >|$__belay_folder/notice
  [[ $text == $__belay_shown && $text != ('belay saved '*|*'was not saved'*) ]] || builtin print -r -- $text >&2
  __belay_shown=$text
}

# ── belay on, belay off ──────────────────────────────────────────────────────────────────────────────────────────

# What runs from this line on is in no record: `belay undo` says so before it takes an older one back.
__belay_note_off() {
  [[ -z $__belay_folder || ! -d $__belay_folder ]] || print -r -- "${BELAY_TURN-}" 2>/dev/null >|$__belay_folder/off || :
}

belay() {
  # Not `$*`: IFS may be anything.
  case $#:${1-}:${2-} in
    (1:on:)
      [[ -n $__belay_on ]] || __belay_note_off
      __belay_on=1
      builtin unset BELAY_DISABLE
      [[ ! -t 2 ]] || builtin print -r -- 'belay saves again in this shell.' >&2
      ;;
    (1:off:)
      __belay_note_off
      __belay_on=''
      export BELAY_DISABLE=1 __belay_exports=private
      [[ ! -t 2 ]] || builtin print -r -- 'belay saves nothing in this shell, until: belay on' >&2
      ;;
    (1:new: | 1:reset: | 1:clear:)
      [[ $1 != clear ]] || command clear
      __belay_new_session
      __belay_adopt "$BELAY_SESSION" 0
      ;;
    (1:resume: | *:resume:[^-]*)
      local __belay_does
      __belay_does=$(BELAY_LOADED="zsh:$$:" "$__belay_root/bin/belay" resume --for zsh "${@:2}") && builtin eval "$__belay_does"
      ;;
    (*)
      local amiss=''
      [[ ${1-} != doctor ]] || __belay_look_amiss
      if [[ -x $__belay_root/bin/belay ]]; then
        BELAY_LOADED="zsh:$$:$amiss" "$__belay_root/bin/belay" "$@" # tells `belay doctor` which shell asks, and what is amiss in it
      else
        command belay "$@"
      fi
      ;;
  esac
}

# Hooks that somebody took, and programs whose remembered place is past the wrappers.
__belay_look_amiss() {
  builtin emulate -L zsh
  local name shims=$__belay_root/shims/bin
  [[ -n $__belay_on ]] || amiss+='off '
  (( ${preexec_functions[(I)__belay_preexec]} )) || amiss+='preexec_functions '
  (( ${precmd_functions[(I)__belay_precmd]} )) || amiss+='precmd_functions '
  [[ :$PATH: == *:$shims:* ]] || return 0
  for name in $shims/*(N:t); do
    [[ ${commands[$name]-$shims/$name} == $shims/$name ]] || amiss+="hash=$name "
  done
}

# ── Start ────────────────────────────────────────────────────────────────────────────────────────────────────────

if [[ -o interactive ]]; then
  () {
    builtin emulate -L zsh
    # One that outlived an uninstall is neither on nor `off`: it begins anew.
    [[ -n ${__belay_pid-} && $__belay_pid == $$ && -n ${__belay_on-}${BELAY_DISABLE-} ]] || __belay_start
    # First in preexec: other hooks may start programs. Last in precmd: they see the line's own status.
    typeset -ga preexec_functions precmd_functions
    preexec_functions=(__belay_preexec ${preexec_functions:#__belay_preexec})
    precmd_functions=(${precmd_functions:#__belay_precmd} __belay_precmd)
  }
fi
