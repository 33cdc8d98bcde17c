# The same for zsh.
zmodload zsh/datetime
exec 9>>"$BENCH_STAMPS"
cd "$BENCH_CWD" || exit 1
PS1=''
unsetopt prompt_sp
bench_note() {
  printf '%s ' "$EPOCHREALTIME" >&9
  [[ -z $BENCH_PAUSE ]] || sleep "$BENCH_PAUSE"
  [[ -z $BENCH_BETWEEN ]] || eval "$BENCH_BETWEEN"
  printf '%s\n' "$EPOCHREALTIME" >&9
}
[[ -z $BENCH_BELAY ]] || eval "$(belay init zsh)"
eval "$BENCH_AFTER"
precmd_functions+=(bench_note)
