# shellcheck shell=bash
# Completion of belay for bash: the line that loads belay brings it along, `belay completion bash` prints it alone. belay itself
# knows what fits; where it knows nothing, file names do.

# No process substitution: in a bash that was started with --posix it is a syntax error.
__belay_complete() {
  \builtin local line='' word=''
  \builtin local -a values lines
  values=() lines=() COMPREPLY=()
  while IFS= \builtin read -r line; do
    [[ -n $line ]] || \builtin continue
    \builtin printf -v word %q "${line%%$'\t'*}"
    values+=("$word")
    line=${line/$'\t'/  -- }
    lines+=("${line:0:${COLUMNS:-80}-1}")
  done <<<"$(belay completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  # Bash shows no reasons of its own: they stand in the list only while there is a choice, and nothing of it is inserted.
  if ((${#values[@]} > 1)) && [[ ${COMP_TYPE-} == 63 || ${COMP_TYPE-} == 33 || ${COMP_TYPE-} == 64 ]]; then
    COMPREPLY=("${lines[@]}")
  else
    COMPREPLY=("${values[@]}")
  fi
}

# Whoever has a completion of belay of their own keeps it; bash before 4.4 cannot leave the order alone.
\builtin complete -p belay >/dev/null 2>&1 \
  || \builtin complete -o nosort -o bashdefault -o default -F __belay_complete belay 2>/dev/null \
  || \builtin complete -o bashdefault -o default -F __belay_complete belay 2>/dev/null \
  || \builtin :
