# shellcheck shell=bash
# shellcheck disable=SC2034 # into the environment
# The second half of env.bash, sourced with `$0`, the arguments and `$_` (last, so that it stays what it is): a text
# that may need a look, or starts programs.

__belay_env() {
  \builtin local -
  \builtin set +eufxv
  if [[ -z ${BELAY_DISABLE-}${BELAY_SAVING-} ]]; then
    \builtin local __belay_root="${BASH_SOURCE[0]%/shims/parts/env-text.bash}" __belay_text="${BASH_EXECUTION_STRING-}"
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

__belay_env "$@"
