# shellcheck shell=bash
# Completion of belay for bash: `eval "$(belay completion bash)"`. belay itself knows what fits; where it knows nothing,
# file names do.

__belay_complete() {
  local line word='' values=() lines=()
  COMPREPLY=()
  while IFS= read -r line; do
    printf -v word %q "${line%%$'\t'*}"
    values+=("$word")
    lines+=("${line/$'\t'/  -- }")
  done < <(belay completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Bash shows no reasons of its own: they stand in the list only while there is a choice, and nothing of it is inserted.
  if ((${#values[@]} > 1)) && [[ ${COMP_TYPE-} == @(63|33|64) ]]; then
    COMPREPLY=("${lines[@]}")
  else
    COMPREPLY=("${values[@]}")
  fi
}

complete -o nosort -o bashdefault -o default -F __belay_complete belay
