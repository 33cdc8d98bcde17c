# shellcheck shell=sh
# Read by an interactive POSIX shell through ENV. Such a shell tells nobody what it is about to run, so the wrappers in PATH are
# all there is; start-up files may have put others in front of them. bash called as sh can do better.

if [ -n "${BELAY_ENV-}" ] && [ "${BELAY_ENV-}" != "${ENV-}" ] && [ -r "$BELAY_ENV" ]; then
  # shellcheck source=/dev/null
  . "$BELAY_ENV"
fi
__belay_root=${ENV%/shims/env.sh}
if [ -n "${BASH_VERSION-}" ]; then
  eval "$("$__belay_root/bin/belay" init bash)"
elif [ -d "$__belay_root/shims/bin" ]; then
  PATH=$("$__belay_root/bin/belay" init sh --path)
  export PATH
  unset __belay_root
fi
