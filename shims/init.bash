# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# belay for an interactive bash: `eval "$(belay init bash)"`.
#
# PS0 is expanded after a line is read and before its first redirection is opened; a DEBUG trap comes too late for
# `{ …; } > file`. Its one subshell reads the line from the history and asks the prefilter; only a line that may
# destroy something starts a process.

# ── belay on, belay off ──────────────────────────────────────────────────────────────────────────────────────────

# What runs from this line on is in no record: `belay undo` says so before it takes an older one back.
__belay_note_off() {
  [[ -z $__belay_folder || ! -d $__belay_folder ]] || \builtin printf '%s\n' "${BELAY_TURN-}" 2>/dev/null >|"$__belay_folder/off" || \builtin :
}

function belay {
  [[ -z ${__belay_here-} ]] || __belay_come_back
  # Not `$*`: IFS may be anything.
  case $#:${1-}:${2-} in
    1:on:)
      if [[ ! -x $__belay_root/bin/belay ]]; then
        \builtin printf 'belay: it is not installed any more: nothing is saved in this shell\n' >&2
        \builtin return 1
      fi
      [[ -n ${__belay_here[$$]-} ]] || __belay_note_off
      [[ -z ${__belay_here-} ]] || __belay_start
      __belay_here[$$]=1 __belay_prompt_of[$$]=__belay_prompted
      \builtin unset -v BELAY_DISABLE
      [[ ! -t 2 ]] || \builtin echo 'belay saves again in this shell.' >&2
      ;;
    1:off:)
      __belay_note_off
      __belay_here[$$]='' __belay_prompt_of[$$]=''
      \builtin export __belay_exports=private
      \builtin export BELAY_DISABLE=1
      [[ ! -t 2 ]] || \builtin echo 'belay saves nothing in this shell, until: belay on' >&2
      ;;
    1:new: | 1:reset: | 1:clear:)
      [[ $1 != clear ]] || \command clear
      __belay_new_session
      __belay_adopt "$BELAY_SESSION" 0
      ;;
    1:resume: | *:resume:[!-]*)
      \builtin local __belay_does
      __belay_does=$(BELAY_LOADED="bash:$$:" "$__belay_root/bin/belay" resume --for bash "${@:2}") && \builtin eval "$__belay_does"
      ;;
    *)
      # BELAY_LOADED tells `belay doctor` which shell asks, and what is amiss in it.
      \builtin local __belay_amiss=''
      __belay_name_session
      [[ ${1-} != doctor ]] || __belay_look_amiss
      __belay_hook_again
      if [[ -x $__belay_root/bin/belay ]]; then
        BELAY_LOADED="bash:$$:$__belay_amiss" "$__belay_root/bin/belay" "$@"
      else
        \command belay "$@"
      fi
      ;;
  esac
}

# Hooks that somebody took, and programs whose remembered place is past the wrappers.
__belay_look_amiss() {
  \builtin local __belay_name __belay_shims="$__belay_root/shims/bin"
  [[ -n ${__belay_here[$$]-} ]] || __belay_amiss+='off '
  __belay_amiss+=$__belay_fixed
  [[ $__belay_fixed != *readonly=* ]] || \builtin return 0
  [[ ${PS0-} == *"$__belay_ps0"* || :$BASHOPTS: != *:promptvars:* ]] || __belay_amiss+='PS0 '
  [[ -z $__belay_told || :$BASHOPTS: == *:promptvars:* ]] || __belay_amiss+='promptvars '
  [[ ${PROMPT_COMMAND[*]-} == *__belay_prompt* ]] || __belay_amiss+='PROMPT_COMMAND '
  [[ :$PATH: == *":$__belay_shims:"* ]] || \builtin return 0
  for __belay_name in "${!BASH_CMDS[@]}"; do
    [[ ! -e $__belay_shims/$__belay_name || ${BASH_CMDS[$__belay_name]} == "$__belay_shims/$__belay_name" ]] || __belay_amiss+="hash=$__belay_name "
  done
}

# ── Start ────────────────────────────────────────────────────────────────────────────────────────────────────────
# No `return` at this level: it would leave the start-up file that evaluates this.

if [[ $- == *i* ]]; then
  # Without PS0 (BELAY_NO_PS0: where something else needs it; or it is readonly) a DEBUG trap is what there is.
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)) || [[ -n ${BELAY_NO_PS0-} || ${PS0+${PS0@a}} == *r* && ${PS0-} != *"$__belay_ps0"* ]]; then
    # shellcheck source=/dev/null
    \builtin . "$__belay_root/shims/init-debug.bash"
  fi
  # One that outlived an uninstall is neither on nor `off`: it begins anew.
  [[ -n ${__belay_here[$$]+x} && -n ${__belay_here[$$]}${BELAY_DISABLE-} ]] || __belay_start
  [[ -z ${__belay_here[$$]-} ]] || __belay_prompt_of[$$]=__belay_prompted # one that an older belay has begun has none
  if __belay_hook_prompt; then __belay_hook; fi
fi
\builtin eval "$__belay_old"
\builtin unset -v __belay_old
