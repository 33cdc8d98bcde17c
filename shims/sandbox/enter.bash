#!/bin/bash -p
# Run in a mount namespace of its own (`belay run --sandbox`): puts the guard over /bin/sh, and becomes the program.
# ROOT, then the program's argv[0], its file, its arguments. Status 125 with a reason where the kernel forbids it.

root=$1
shift
refuse() {
  echo "belay run --sandbox: $1; nothing was run. Without --sandbox: belay run -- CMD" >&2
  exit 125
}
real=$(readlink -f /bin/sh) || refuse 'there is no /bin/sh'
case ${real##*/} in bash) refuse '/bin/sh is bash here, which BASH_ENV reaches not: only dash and its like can be stood in for' ;; esac
mount --bind "$real" "$root/shims/sandbox/real" 2>/dev/null || refuse 'this kernel lets nobody mount in a namespace of its own'
mount --bind "$root/shims/sandbox/sh" "$real" 2>/dev/null || refuse "the guard cannot be mounted over $real"
name=$1 program=$2
shift 2
# In a user namespace the mounts needed rights that the program must not have.
if [[ -n ${BELAY_SANDBOX_KEPT-} ]]; then
  unset -v BELAY_SANDBOX_KEPT
  exec setpriv --inh-caps=-all --ambient-caps=-all -- /bin/bash -pc 'exec -a "$0" -- "$@"' "$name" "$program" "$@"
fi
exec -a "$name" -- "$program" "$@"
