# Completion of belay for zsh: the line that loads belay brings it along, `belay completion zsh` prints it alone. belay itself
# knows what fits; where it knows nothing, file names do.

_belay() {
  local -a values shown
  local line
  while IFS= read -r line; do
    values+=("${line%%$'\t'*}")
    line=${line/$'\t'/  -- }
    shown+=("${line[1,COLUMNS-1]}")
  done < <(belay completion --words "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#values )); then
    compadd -V belay -l -d shown -a values
  else
    _files
  fi
}

# Whoever has a completion of belay of their own keeps it. Where compinit comes later in the start-up file, the first prompt sees to it.
__belay_offer_words() {
  builtin emulate -L zsh
  typeset -ga precmd_functions=(${precmd_functions:#__belay_offer_words})
  unfunction __belay_offer_words
  (( ! $+functions[compdef] )) || [[ -n ${_comps[belay]-} ]] || compdef _belay belay
}
if (( $+functions[compdef] )); then
  __belay_offer_words
else
  typeset -ga precmd_functions
  precmd_functions+=(__belay_offer_words)
fi
