# belay for an interactive zsh: `eval "$(belay init zsh)"` reads this file, with aliases off and under the options of `emulate -L zsh`.
#
# preexec is called after a line is read and before its first redirection is opened. Its third argument is the whole
# line with aliases expanded, also where the line is kept out of the history.

# Functions defined so have zsh's own options whoever calls them (sticky emulation), at half the cost of `emulate -L` in each.
builtin emulate zsh -o extended_glob -o local_options -o local_traps -o no_aliases -c '
  builtin . $__belay_root/shims/parts/git-reads.sh
  builtin . $__belay_root/shims/parts/harmless.zsh
  builtin . $__belay_root/shims/parts/record.zsh
  builtin . $__belay_root/shims/parts/environment.zsh
  builtin . $__belay_root/shims/parts/request.zsh
  builtin . $__belay_root/shims/parts/session.zsh
  builtin . $__belay_root/shims/parts/line.zsh
  builtin . $__belay_root/shims/parts/history.zsh
'
builtin . $__belay_root/shims/parts/switch.zsh
builtin . $__belay_root/shims/completion.zsh

# $1 the line as the history has it (empty when hidden), $2 a short form, $3 the whole with aliases expanded. The person's own options are on
# here, which may split words and take them for patterns: what needs them is asked, all else is done under zsh's own.
__belay_preexec() {
  local last=$? underscore=$_ how=prompt
  if [[ -n $__belay_lacks ]]; then __belay_enable; fi
  if [[ -n $__belay_gone ]]; then __belay_come_back; fi
  if [[ -z $1 || ( -o hist_ignore_space && $1 == ' '* ) ]]; then
    how=hidden
  elif [[ -n ${zshaddhistory_functions[*]-}${functions[zshaddhistory]+x}${HISTORY_IGNORE-} || -o hist_no_store || -o hist_no_functions || ( -o hist_ignore_space
    && ( $1 != "$3" || $1 == (*[\;\&\|\(\{\`\$=!$'\n']*|(time|nocorrect|-)[[:blank:]]*) || -n ${aliases[${1%%[[:blank:]]*}]+x} ) ) ]]; then
    # A pattern of theirs may be none.
    { ! __belay_is_kept_out "$1" "${3:-$1}" || how=hidden } always { if (( TRY_BLOCK_ERROR )); then TRY_BLOCK_ERROR=0; fi }
  fi
  if [[ -n $__belay_on && $__belay_pid == $$ ]]; then
    # Where that fails, for a variable of belay is read-only, zsh has said so: the line is saved all the same.
    {
      if __belay_harmless "${3:-$1}" "$how" "$1"; then
        if [[ -n $__belay_later ]]; then __belay_record_later "$1" "$PWD"; fi
        if [[ -n $__belay_sets ]]; then __belay_note_exports "${3:-$1}" '' "$how"; fi
        how=''
      else
        __belay_note_exports "${3:-$1}" 1 "$how"
        typeset -g __belay_lacks=1
      fi
    } always { if (( TRY_BLOCK_ERROR )); then TRY_BLOCK_ERROR=0; fi }
    if [[ -n $how ]]; then
      local on="${(kj: :)options[(R)on]}"
      [[ ! -o globdots ]] || on+=' dotglob'
      [[ -o clobber ]] || on+=' noclobber'
      [[ -o glob ]] || on+=' noglob'
      [[ ! -o nomatch ]] || on+=' failglob'
      [[ ! -o cdablevars ]] || on+=' cdable_vars'
      __belay_save "$how" "${3:-$1}" "$last" "$underscore" "$on" "$1" zsh
    fi
  fi
  if [[ -n $__belay_disabled ]]; then __belay_disable; else return "$last"; fi
}

# Whether the line $1, with aliases expanded $2, is kept out of the history, or of its file. Under the options that the pattern is read under.
__belay_is_kept_out() {
  [[ -z ${HISTORY_IGNORE-} ]] || { ! { [[ $1 == ${~HISTORY_IGNORE} ]] } 2>/dev/null } || return 0
  if [[ -o hist_ignore_space ]] && __belay_has_blank_alias "$1"; then return 0; fi
  [[ -n ${zshaddhistory_functions[*]-}${functions[zshaddhistory]+x} || ( -o hist_no_functions && $2 == *(\(*\)|function)* )
    || ( -o hist_no_store && $2 == *(history|fc|r)* ) ]] && ! __belay_history_takes "$1"
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
