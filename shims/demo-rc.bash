# shellcheck shell=bash
# What the bash of `belay demo` reads at its start: the line that every user has, and a prompt that a program can
# find, numbered, for it is drawn again while it is typed behind.
PS1='\[\e]belay-demo \#\a\]shop \$ '
unset HISTFILE PROMPT_COMMAND
if [[ -t 0 ]]; then
  stty cols "${BELAY_DEMO_COLUMNS:-120}" rows 50
  bind 'set enable-bracketed-paste off' 2>/dev/null
else
  exec 2>&1 # one stream, so that the prompt comes after what a command printed
fi
eval "$(belay init bash)"
