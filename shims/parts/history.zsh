# Lines that zsh keeps out of its history: whoever hides a line there does not want it in a record either.

# Whether an alias that the line $1 goes through begins with a blank: under hist_ignore_space zsh keeps such a line out of the history.
__belay_has_blank_alias() {
  local text=$1 word more
  local -A seen
  local -i round
  for (( round = 0; round < 8; round++ )); do
    more=''
    for word in ${=text//[\;\&\|\(\)\{\}\`\$]/ }; do
      [[ ${aliases[$word]-} != ' '* && ${galiases[$word]-} != ' '* ]] || return 0
      if [[ -z ${seen[$word]-} ]]; then
        seen[$word]=1
        more+=" ${aliases[$word]-} ${galiases[$word]-}"
      fi
    done
    [[ $more == *[^\ ]* ]] || return 1
    text=$more
  done
}

# Whether zsh takes the line $1, which is entered, into its history and into the file of that. Nothing tells what the person's own hooks have
# answered; so zsh is asked what it would write, in a subshell, where nothing stays of that. What it has written already is in the file's end.
__belay_history_takes() {
  [[ -n $__belay_folder ]] || return 1
  (
    line=$1 kept=$__belay_folder/history theirs=${HISTFILE-}
    [[ ${history[$HISTCMD]//[[:space:]]/} != ${line//[[:space:]]/} ]] || line=$history[$HISTCMD] # hist_reduce_blanks
    builtin trap ': >|$kept' EXIT
    builtin umask 077
    SAVEHIST=1000
    builtin fc -WI $kept && __belay_is_in_history $kept $line && builtin exit
    [[ -r $theirs ]] && zmodload zsh/system && sysopen -r -u file -- $theirs || builtin exit 1
    sysseek -u $file -w end -- -65536
    while sysread -i $file -s 65536 part; do builtin print -rn -- $part; done >|$kept
    __belay_is_in_history $kept $line
  ) >/dev/null 2>&1
}

# Whether the history file $1 has the line $2. (What is read last counts as the line that is being entered.)
__belay_is_in_history() {
  builtin print : >>$1
  builtin fc -p $1 100000 0 && [[ -n ${history[(re)$2]} ]]
}
