# shellcheck shell=bash
# shellcheck disable=SC2154 # variables cross from file to file
# The whole text of a bash that is not interactive, planned at once: `-c TEXT`, a script, its input where that is a file.
#
# A turn that begins here ends when this shell does. An EXIT trap would be the user's to see and to replace, and is not
# run after `exec`: a process outside waits for the shell's end.

__belay_plan_text() {
  # shellcheck source=/dev/null
  . "$__belay_root/shims/parts/plain.bash"
  # shellcheck source=/dev/null
  . "$__belay_root/shims/parts/harmless.bash"
  # shellcheck source=/dev/null
  . "$__belay_root/shims/parts/git-reads.sh"
  \builtin local __belay_folder __belay_name __belay_script=''
  __belay_begin_of_text "$1"
  if __belay_harmless "$__belay_text" >/dev/null; then
    __belay_leave
  else
    # shellcheck source=/dev/null
    . "$__belay_root/shims/parts/request.bash"
    __belay_whole_text "${@:1:$#-1}"
    __belay_save_text "${@:1:$#-1}"
  fi
  for __belay_name in __belay_plan_text __belay_begin_of_text __belay_whole_text __belay_save_text __belay_end_with_shell \
    __belay_harmless __belay_plain_text __belay_plain_command __belay_plain_words __belay_is_builtin __belay_told_builtin __belay_known_command __belay_plain_commands __belay_blur __belay_text_harmless __belay_is_assignment __belay_double_quoted __belay_expansion __belay_redirection \
    __belay_word_ends __belay_command_ends __belay_command_harmless __belay_arguments_harmless __belay_of_system __belay_only_names __belay_git_reads \
    __belay_hand_over __belay_snap __belay_request __belay_names __belay_variable \
    __belay_new_session __belay_find_folder __belay_is_whole __belay_own_folder; do
    \builtin unset -f "$__belay_name"
  done
  \builtin unset -v __belay_own __belay_usual __belay_git_usual __belay_plain __belay_builtins __belay_sets
}

# Enough of it to see that it is harmless. Without a text or a script `$0` is what bash was called.
__belay_begin_of_text() {
  \builtin local -a __belay_called
  if [[ -n ${BASH_EXECUTION_STRING+x} ]]; then
    __belay_text=$BASH_EXECUTION_STRING
    \builtin return
  fi
  \builtin mapfile -n 1 -d '' __belay_called </proc/self/cmdline
  if [[ $1 != "${__belay_called[0]-}" ]]; then
    __belay_script=1
    IFS='' \builtin read -r -d '' -n 4000 __belay_text <"$1"
  elif [[ -f /proc/self/fd/0 ]]; then
    IFS='' \builtin read -r -d '' -n 4000 __belay_text </proc/self/fd/0
  else
    __belay_text='eval'
  fi
}

# A script is planned by its name. What comes through a pipe nobody can know.
__belay_whole_text() {
  if [[ -n ${BASH_EXECUTION_STRING+x} ]]; then
    __belay_text=$BASH_EXECUTION_STRING
  elif [[ -n $__belay_script ]]; then
    \builtin printf -v __belay_text ' %q' "$@"
    __belay_text=bash$__belay_text
  elif [[ -f /proc/self/fd/0 ]]; then
    __belay_text=$(</proc/self/fd/0)
  else
    # shellcheck disable=SC2016
    __belay_text='eval "$__belay_unseen"'
  fi
}

__belay_save_text() {
  \builtin local __belay_from=within
  if [[ -z ${BELAY_SESSION-} || -z ${BELAY_TURN-} ]]; then
    __belay_new_session
    BELAY_TURN=1 __belay_from=cli
  fi
  __belay_find_folder
  if ! __belay_is_whole; then
    (__belay_hand_over "$__belay_from" "$__belay_text" 0 '' "$@")
    [[ $? != 3 ]] || \builtin exit 3
    [[ $__belay_from == within || ! -e $__belay_folder/turns/$BELAY_TURN ]] || __belay_end_with_shell
  fi
  if __belay_is_whole; then
    __belay_leave
    [[ $__belay_from == within ]] || \builtin unset -v BELAY_SESSION BELAY_TURN
  else
    \builtin export BELAY_SESSION BELAY_TURN
  fi
}

# Ends the turn when this shell's process is gone. What waits for that is no child of this shell.
__belay_end_with_shell() {
  (
    /bin/bash -p "$__belay_root/shims/parts/outlive.bash" "$__belay_root" "$$" "$BELAY_SESSION" "$BELAY_TURN" &
  ) </dev/null >/dev/null 2>&1
}
