# Completion of belay for zsh: `eval "$(belay completion zsh)"`, after compinit. belay itself knows what fits; where it
# knows nothing, file names do.

_belay() {
  local -a values shown
  local line
  while IFS= read -r line; do
    values+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  -- }")
  done < <(belay completion --words "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#values )); then
    compadd -V belay -l -d shown -a values
  else
    _files
  fi
}

(( ! $+functions[compdef] )) || compdef _belay belay
