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
'
builtin . $__belay_root/shims/parts/switch.zsh
builtin . $__belay_root/shims/completion.zsh

# $1 the line as the history has it (empty when hidden), $2 a short form, $3 the whole with aliases expanded. The person's own options are on
# here, which may split words and take them for patterns: what needs them is asked, all else is done under zsh's own.
__belay_preexec() {
  local last=$? underscore=$_ how=prompt
  # The history still has the line before when this one is kept out of it.
  if [[ -z $1 || ( -o hist_ignore_space && $1 == ' '* ) ]]; then how=hidden; fi
  if [[ -n $__belay_on && $__belay_pid == $$ ]]; then
    # Where that fails, for a variable of belay is read-only, zsh has said so: the line is saved all the same.
    { __belay_is_to_save "$how" "$1" "${3:-$1}" || how='' } always { if (( TRY_BLOCK_ERROR )); then TRY_BLOCK_ERROR=0; fi }
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
  return "$last"
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
