# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# How belay gets to know of lines and prompts of an interactive bash: PS0, PROMPT_COMMAND, and a key where the history hides lines.

# ── Lines that hide from the history ─────────────────────────────────────────────────────────────────────────────

__belay_hides() {
  [[ ${HISTCONTROL-} == *ignore[sb]* || -n ${HISTIGNORE-} || ${HISTSIZE-1} == 0 ]] \
    || [[ :$SHELLOPTS: != *:history:* || :$BASHOPTS: != *:promptvars:* ]]
}

# Enter keeps what was typed, and then accepts it; `$_` is its
# argument, and so stays what it was. Without `promptvars` PS0 is not expanded: Enter is all there is.
__belay_key() {
  \builtin local __belay_status="$?"
  __belay_typed+=$READLINE_LINE$'\n'
  if [[ -n ${__belay_here[$$]-} && :$BASHOPTS: != *:promptvars:* ]]; then
    # The history does not have the line yet.
    (
      \builtin set +e
      __belay_number=$HISTCMD
      __belay_as "$__belay_status" "$1"
      __belay_enter >/dev/null
    ) || \builtin :
    BELAY_TURN=$((__belay_turn += __belay_part++ == 0)) __belay_said=0
  fi
  \builtin return "$__belay_status"
}

# Leaves $1 as `$?`, its last argument as `$_`.
__belay_as() { \builtin return "$1"; }

# A key that somebody has for something of their own stays theirs: under an editor that accepts lines itself (ble.sh) Enter
# would be dead.
__belay_bind() {
  \builtin local __belay_map __belay_key __belay_keys __belay_macros __belay_ours='"\C-x\C-_b\C-x\C-_a"' __belay_does=accept-line
  [[ $1 != on ]] || __belay_does=$__belay_ours
  for __belay_map in emacs vi-insert vi-command; do
    \builtin bind -m "$__belay_map" '"\C-x\C-_a": accept-line'
    # shellcheck disable=SC2016 # expanded when the key is hit
    \builtin bind -m "$__belay_map" -x '"\C-x\C-_b": __belay_key "$_"'
    __belay_keys=$(\builtin bind -m "$__belay_map" -q accept-line) __belay_macros=$(\builtin bind -m "$__belay_map" -s)
    for __belay_key in '\C-m' '\C-j'; do
      [[ $__belay_keys != *"\"$__belay_key\""* && $__belay_macros != *"\"$__belay_key\": $__belay_ours"* ]] \
        || \builtin bind -m "$__belay_map" "\"$__belay_key\": $__belay_does"
    done
  done
  __belay_bound=$1
} 2>/dev/null

# ── Hooks ────────────────────────────────────────────────────────────────────────────────────────────────────────
# Others may set PS0 after us: it is looked at again at every prompt where something of this is another than last time.

__belay_hook() {
  if [[ :$BASHOPTS: != *:promptvars:* ]]; then
    PS0=${PS0//"$__belay_ps0"/} # it would be printed as it stands
  elif [[ ${PS0-} != *"$__belay_ps0"* ]]; then
    PS0=$__belay_ps0${PS0-}
  fi
  if [[ :$SHELLOPTS: != *:emacs:* && :$SHELLOPTS: != *:vi:* || ${TERM-dumb} == dumb ]]; then
    # No line editing, or a terminal that cannot redraw the line: without PS0 nothing shows it.
    if [[ :$BASHOPTS: == *:promptvars:* || -n $__belay_told ]]; then
      [[ :$BASHOPTS: != *:promptvars:* ]] || __belay_told=''
    else
      \builtin printf 'belay: lines typed here are not saved without promptvars: shopt -s promptvars\n' >&2
      __belay_told=1
    fi
  elif __belay_hides; then
    [[ $__belay_bound == on ]] || __belay_bind on
  else
    [[ $__belay_bound != on ]] || __belay_bind off
  fi
  __belay_hidden=${HISTCONTROL-}:${HISTIGNORE-}:${HISTSIZE-1}
  __belay_seen=$SHELLOPTS:$__belay_hidden:${TERM-dumb}
}

# Last in the list, so that other hooks find `$?` and PIPESTATUS as the line left them.
__belay_hook_prompt() {
  [[ ${PROMPT_COMMAND[*]-} != *__belay_prompt* ]] || \builtin return 0
  \builtin local -
  \builtin set +u
  if [[ ${PROMPT_COMMAND[*]@a} == *r* ]]; then
    __belay_fixed='readonly=PROMPT_COMMAND '
    __belay_tell_fixed
    \builtin return 1
  fi
  if [[ -n ${PROMPT_COMMAND[*]+x} && ${PROMPT_COMMAND@a} == *a* ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND+=("$__belay_hooked")
  else
    # shellcheck disable=SC2178,SC2179 # where it is an array, bash before 5.1 runs its first element
    PROMPT_COMMAND+=${PROMPT_COMMAND:+$'\n'}$__belay_hooked
  fi
}

# Somebody set PROMPT_COMMAND anew, and no line has ended since: they end here, as one turn, before belay looks at them.
__belay_hook_again() {
  [[ ${PROMPT_COMMAND[*]-} != *__belay_prompt* && -n ${__belay_here[$$]-} ]] || \builtin return 0
  __belay_end_until "$__belay_turn" ''
  __belay_hook_prompt
}
