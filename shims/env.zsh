# belay for a zsh that is not interactive: read from .zshenv before `zsh -c TEXT` or a script opens its first redirection.
# Nothing is printed, and nothing of this stays behind.

() {
  emulate -L zsh
  [[ -z ${BELAY_DISABLE-}${BELAY_SAVING-} ]] || return 0
  local __belay_root=${${(%):-%x}:h:h} __belay_text name own=''
  local -A before=("${(@kv)functions}")
  builtin emulate zsh -o extended_glob -o local_options -o local_traps -o no_aliases -c '
    for name in git-reads.sh harmless.zsh request.zsh session.zsh; do builtin . $__belay_root/shims/parts/$name; done
  '
  if [[ -n ${ZSH_EXECUTION_STRING+x} ]]; then
    __belay_text=$ZSH_EXECUTION_STRING
  elif [[ -n ${ZSH_SCRIPT-} ]]; then
    __belay_text="zsh ${(q)ZSH_SCRIPT} ${(j: :)${(q)@}}"
  elif [[ -f /proc/self/fd/0 ]]; then
    __belay_text=$(</proc/self/fd/0)
  else
    __belay_text='eval "$__belay_unseen"'
  fi
  if __belay_harmless $__belay_text; then
    __belay_leave
  else
    if [[ -z ${BELAY_SESSION-} || -z ${BELAY_TURN-} ]]; then
      __belay_new_session
      export BELAY_SESSION BELAY_TURN=1
      own=1
    fi
    __belay_find_folder
    if ! __belay_is_whole; then
      local __belay_part=${own:-0} __belay_interactive=0 __belay_later=$own
      ( __belay_hand_over prompt "$__belay_text" 0 '' '' "$__belay_text" zsh "$@" ) </dev/null 2>/dev/null
      [[ $? != 3 ]] || exit 3
      if [[ -n $own && -e $__belay_folder/turns/$BELAY_TURN ]]; then
        ( /bin/bash -p $__belay_root/shims/parts/outlive.bash $__belay_root $$ $BELAY_SESSION $BELAY_TURN & ) </dev/null >/dev/null 2>&1
      fi
    fi
    if __belay_is_whole; then
      __belay_leave
      [[ -z $own ]] || unset BELAY_SESSION BELAY_TURN
    else
      # A zsh started from here has its text planned too.
      [[ -z ${ZDOTDIR+x} ]] || export BELAY_ZDOTDIR=$ZDOTDIR
      export ZDOTDIR=$__belay_root/shims/rc/zsh
    fi
  fi
  for name in ${(k)functions[(I)__belay_*]}; do
    [[ -n ${before[$name]+x} ]] || unfunction $name 2>/dev/null
  done
  unset __belay_folder __belay_kinds __belay_sets __belay_root
} "$@"
