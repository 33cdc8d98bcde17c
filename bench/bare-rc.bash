# shellcheck shell=bash
# The bash that others are compared with: it notes when each prompt comes.
exec 9>>"$BENCH_STAMPS"
cd "$BENCH_CWD" || exit 1
PS1='' HISTFILE=
# shellcheck disable=SC2016 # expanded at each prompt
PROMPT_COMMAND=('printf "%s\n" "$EPOCHREALTIME" >&9')
