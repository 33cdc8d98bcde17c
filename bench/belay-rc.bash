# shellcheck shell=bash
# The same with belay, whose part of the prompt is over when the prompt is noted.
exec 9>>"$BENCH_STAMPS"
cd "$BENCH_CWD" || exit 1
PS1='' HISTFILE=
eval "$(belay init bash)"
# shellcheck disable=SC2016 # expanded at each prompt
PROMPT_COMMAND+=('printf "%s\n" "$EPOCHREALTIME" >&9')
