# shellcheck shell=bash
# belay for a bash that is not interactive: read through BASH_ENV before `bash -c TEXT` or a script opens its first
# redirection. Nothing is printed, and nothing of this stays behind. Every bash on the machine pays for this file: what is
# more than one builtin of plain words goes on in parts/env-text.bash.

# The user's own BASH_ENV; bash expands its value. (What `bash -x` prints of these lines goes nowhere.)
{
  [[ -z ${BELAY_BASH_ENV-} || ${BELAY_BASH_ENV-} == "${BASH_SOURCE[0]}" ]] || \builtin eval ". \"$BELAY_BASH_ENV\"" 2>&9
} 9>&2 2>/dev/null

{
  # Before 4.4 it cannot be read, let alone run: the wrappers in PATH are what there is then.
  # shellcheck source=/dev/null
  case ${BASH_EXECUTION_STRING-}$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)) in
    *1) ;;
    *[!A-Za-z0-9_./:,=+@%\ -]*) . "${BASH_SOURCE[0]%/*}/parts/env-text.bash" "$0" "$@" "$_" ;;
    :0 | true0 | pwd0 | 'echo '* | 'printf '* | 'cd '* | 'test '*)
      ! \builtin declare -F -- "${BASH_EXECUTION_STRING%% *}" >/dev/null \
        || . "${BASH_SOURCE[0]%/*}/parts/env-text.bash" "$0" "$@" "$_"
      ;;
    *) . "${BASH_SOURCE[0]%/*}/parts/env-text.bash" "$0" "$@" "$_" ;;
  esac
} 2>/dev/null
