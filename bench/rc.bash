# shellcheck shell=bash
# The bash that is measured, with belay where BENCH_BELAY says so; belay's part of the prompt is over when it is noted.
exec 9>>"$BENCH_STAMPS"
cd "$BENCH_CWD" || exit 1
PS1='' HISTFILE=
# Prompt, a person's pause, the next line: what is settled meanwhile is nobody's waiting.
bench_note() {
  printf '%s ' "$EPOCHREALTIME" >&9
  [[ -z $BENCH_PAUSE ]] || sleep "$BENCH_PAUSE"
  [[ -z $BENCH_BETWEEN ]] || eval "$BENCH_BETWEEN"
  printf '%s\n' "$EPOCHREALTIME" >&9
}
[[ -z $BENCH_BELAY ]] || eval "$(belay init bash)"
eval "$BENCH_AFTER"
PROMPT_COMMAND+=(bench_note)
