# shellcheck shell=bash
# shellcheck disable=SC2034 # into the environment
# belay for a bash that is not interactive: read through BASH_ENV before `bash -c TEXT` or a script opens its first
# redirection. Nothing is printed, and nothing of this stays behind. A text that is plainly harmless goes no further
# than this file: every bash on the machine pays for it.

# The user's own BASH_ENV; bash expands its value. (What `bash -x` prints of these lines goes nowhere.)
{
  [[ -z ${BELAY_BASH_ENV-} || ${BELAY_BASH_ENV-} == "${BASH_SOURCE[0]}" ]] || \builtin eval ". \"$BELAY_BASH_ENV\"" 2>&9
} 9>&2 2>/dev/null

# Called with `$0`, the arguments, and `$_`, which is last so that it stays what it is.
__belay_env() {
  \builtin local -
  \builtin set +eufxv
  if [[ -z ${BELAY_DISABLE-}${BELAY_SAVING-} && ${BASH_SOURCE[0]} == */shims/env.bash ]]; then
    \builtin local __belay_root="${BASH_SOURCE[0]%/shims/env.bash}" __belay_text="${BASH_EXECUTION_STRING-}"
    case $__belay_text in
      *[!A-Za-z0-9_./:,=+@%\ -]*) ;;
      : | true | pwd | 'echo '* | 'printf '* | 'ls' | 'ls '* | 'cat '* | 'cd '* | 'test '* | 'which '* | 'command -v '* | \
        'git status' | 'git rev-parse '* | 'uname'*)
        \builtin declare -F -- "${__belay_text%% *}" >/dev/null || { __belay_leave && __belay_text=''; }
        ;;
    esac
    if [[ -n $__belay_text || -z ${BASH_EXECUTION_STRING+x} ]]; then
      # shellcheck source=/dev/null
      . "$__belay_root/shims/parts/text.bash"
      __belay_plan_text "$@"
    fi
  fi
  \builtin unset -f __belay_env __belay_leave
}

# All that the text runs is known and saved: its programs need no belay, and see the environment as it was before.
__belay_leave() {
  \builtin local path=":$PATH:" name
  path=${path//:"$__belay_root/shims/bin":/:}
  PATH=${path:1:${#path}-2}
  for name in BASH_ENV ZDOTDIR npm_config_script_shell ENV; do
    [[ ${!name-} != "$__belay_root"/* ]] || \builtin unset -v "$name"
  done
  [[ -z ${BELAY_BASH_ENV-} ]] || \builtin export BASH_ENV="$BELAY_BASH_ENV"
  [[ -z ${BELAY_ZDOTDIR-} ]] || \builtin export ZDOTDIR="$BELAY_ZDOTDIR"
  [[ -z ${BELAY_ENV-} ]] || \builtin export ENV="$BELAY_ENV"
  case ${MAKEFILES-} in
    "$__belay_root/shims/guard.mk") \builtin unset -v MAKEFILES ;;
    "$__belay_root/shims/guard.mk "*) MAKEFILES=${MAKEFILES#* } ;;
  esac
  \builtin unset -v BELAY_BASH_ENV BELAY_ZDOTDIR BELAY_ENV
}

{ __belay_env "$0" "$@" "$_"; } 2>/dev/null
