# shellcheck shell=bash
# shellcheck disable=SC2034 # variables cross from file to file
# Outlives a process, and then ends its turn: ROOT PID SESSION TURN. An EXIT trap in the user's shell would be theirs to
# see and to replace, and is not run after `exec`. It starts nothing while it waits, and takes no other process for that
# one: a process id is used again.

trap '' HUP
cd / || exit 0
# Whoever ends the whole group (timeout, kill -- -PGID, a build server) means the program: this one says when that ended.
if [[ -z ${5-} ]] && command -v setsid >/dev/null; then exec setsid /bin/bash -p "${BASH_SOURCE[0]}" "$1" "$2" "$3" "$4" alone; fi
trap '' INT QUIT TERM
__belay_root=$1
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/request.bash"

# Sets REPLY to when the process began; empty when it is gone.
birth() {
  local -a stat
  REPLY=''
  if [[ -e /proc/self/stat ]]; then
    { read -r REPLY <"/proc/$1/stat"; } 2>/dev/null || return 0
    # The name in parentheses may hold blanks.
    # shellcheck disable=SC2206
    stat=(${REPLY##*) })
    REPLY=${stat[19]}
    [[ ${stat[0]} != Z ]] || REPLY=''
  elif kill -0 "$1" 2>/dev/null; then
    REPLY=1
  fi
}

# A blink; bash before 4.1 has no descriptor that nothing is ever read from.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 401)); then
  exec {clock}<> <(:)
  wait_a_blink() { read -r -t 0.05 -u "$clock"; }
else
  wait_a_blink() { sleep 0.2; }
fi
birth "$2"
born=$REPLY
while [[ -n $REPLY && $REPLY == "$born" ]]; do
  wait_a_blink
  birth "$2"
done
ended=${EPOCHREALTIME-now}
[[ -z ${clock-} ]] || exec {clock}<&-
trap - INT QUIT TERM
__belay_snap end "$3" "$4" "${ended/,/.}"
