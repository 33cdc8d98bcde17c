#!/bin/sh
# Installs the programs that the tests run for real: other shells, and commands whose effects belay knows.
# Only as root and only with apt-get; elsewhere it says what the tests will have to skip. Quick when all is there.
set -eu

# program:package, where the two differ
needs='zsh fish rsync busybox zip unzip ed patch shellcheck shfmt strace tmux git python3 file less make
gawk vim ts:moreutils perl script:bsdutils setpriv:util-linux ps:procps chromium'

missing_programs=
missing_packages=
for need in $needs; do
  program=${need%%:*}
  command -v "$program" >/dev/null 2>&1 && continue
  missing_programs="$missing_programs $program"
  missing_packages="$missing_packages ${need#*:}"
done
[ -n "$missing_programs" ] || exit 0

if [ "$(id -u)" != 0 ]; then
  echo "test-needs: not root, so tests that need these are skipped:$missing_programs"
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "test-needs: no apt-get here, so tests that need these are skipped:$missing_programs"
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Mirrors are sometimes away for a moment; a second process may hold the lock.
retried() {
  for wait in 2 5 10 0; do
    "$@" >"$log" 2>&1 </dev/null && return 0
    [ "$wait" = 0 ] || sleep "$wait"
  done
  return 1
}

echo "test-needs: installing$missing_packages"
retried apt-get -o DPkg::Lock::Timeout=60 update || true
# shellcheck disable=SC2086  # a list of package names
if retried apt-get -o DPkg::Lock::Timeout=60 install -y --no-install-recommends $missing_packages; then exit 0; fi

# One package that this release has not must not keep the others out.
for package in $missing_packages; do
  apt-get -o DPkg::Lock::Timeout=60 install -y --no-install-recommends "$package" >"$log" 2>&1 </dev/null && continue
  echo "test-needs: $package could not be installed; what needs it is skipped"
  tail -n 2 "$log"
done
