# Read by a zsh whose ZDOTDIR is this folder (`belay run`, `belay init zsh --print-env`). The user's own start-up files are
# read as ever; then an interactive shell loads belay at its first prompt, and another has its text planned.

if [[ -n ${BELAY_ZDOTDIR-} ]]; then
  ZDOTDIR=$BELAY_ZDOTDIR
else
  unset ZDOTDIR
fi
[[ ! -r ${ZDOTDIR-$HOME}/.zshenv ]] || . ${ZDOTDIR-$HOME}/.zshenv

if [[ -o interactive ]]; then
  unset BELAY_ZDOTDIR
  typeset -ga precmd_functions
  functions[__belay_load]="
    precmd_functions=(\${precmd_functions:#__belay_load})
    unfunction __belay_load
    eval \"\$(${(q)${(%):-%x}:h:h:h:h}/bin/belay init zsh)\""
  precmd_functions+=(__belay_load)
else
  . ${${(%):-%x}:h:h:h}/env.zsh
fi
