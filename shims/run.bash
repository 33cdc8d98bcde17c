#!/bin/bash -p
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# belay run [-w [--rm]] [-C DIR] [-c [NAME] | -r ID] [--source S] [--sandbox] [--background] [--checkpoints|--no-checkpoints] [--] [CMD…]: any program protected, in a session and a turn
# of its own. This process becomes the program (`exec`), so that its status, signals, terminal and process id are its
# own; whoever waits outside ends the turn. Without CMD, and for a bare interactive shell: a protected shell.

__belay_root=$(cd -P "${BASH_SOURCE[0]%/*}/.." && pwd)
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/plain.bash"
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/harmless.bash"
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/git-reads.sh"
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/request.bash"
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/text.bash"
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/record.bash"
# shellcheck source=/dev/null
. "$__belay_root/shims/parts/environment.bash"

# Everything else about `run` (help, worktrees, the background) is told and done by node.
by_node() {
  exec -- "$__belay_root/bin/belay" run --by-node "$@"
}

# BELAY_PARENT is `<session>:<the one it was started from>`, whose undo takes its turns back, too.
__run_parent=${BELAY_SESSION-} __run_batch=${BELAY_BATCH-}
unset -v BELAY_BATCH
__run_words=("$@")
__run_source=run __run_sandbox='' __run_background='' __run_resumed='' __run_handed='' __run_folder='' __run_turns=0
while (($# > 0)); do
  case $1 in
    --source=*)
      set -- --source "${1#*=}" "${@:2}"
      continue
      ;;
    --source)
      # The words with which shims say how a text came are no names of sources.
      [[ ${2-} =~ ^[A-Za-z0-9_.-]+$ && $2 != @(prompt|hidden|within|wrapper) ]] || by_node "${__run_words[@]}"
      __run_source=$2
      shift
      ;;
    -C)
      [[ -n ${2-} ]] || by_node "${__run_words[@]}"
      cd -- "$2" 2>/dev/null || by_node "${__run_words[@]}"
      __run_folder=$PWD
      shift
      ;;
    -c | --continue)
      __run_resumed=last
      # A name stands before the `--`.
      if [[ ${2--} != -* ]]; then
        __run_resumed=$2
        shift
      fi
      ;;
    -r | --resume)
      [[ -n ${2-} ]] || by_node "${__run_words[@]}"
      __run_resumed=$2
      shift
      ;;
    --checkpoints)
      unset -v BELAY_DISABLE
      export BELAY_ENABLE=1
      ;;
    --no-checkpoints) export BELAY_DISABLE=1 ;;
    --sandbox) __run_sandbox=1 ;;
    --background) __run_background=1 __run_source=batch ;;
    # The folder has been changed to: what is left of the words says the rest.
    -w | --worktree | --worktree=* | --rm) by_node --source "$__run_source" ${__run_sandbox:+--sandbox} ${__run_background:+--background} ${__run_resumed:+-r "$__run_resumed"} "$@" ;;
    --)
      shift
      break
      ;;
    -*) by_node "${__run_words[@]}" ;;
    *) break ;;
  esac
  shift
done

# The program is looked up as the caller would find it, but never as a wrapper of belay's.
find_program() {
  local rest=$PATH: entry
  case $1 in */*)
    REPLY=$1
    return
    ;;
  esac
  while [[ -n $rest ]]; do
    entry=${rest%%:*} rest=${rest#*:}
    [[ ! -e ${entry:-.}/.belay && -f ${entry:-.}/$1 && -x ${entry:-.}/$1 ]] || continue
    REPLY=${entry:-.}/$1
    return
  done
  return 1
}

become() {
  if ! find_program "$1"; then
    echo "belay run: $1: command not found" >&2
    exit 127
  fi
  [[ -z $__run_sandbox ]] || enter_sandbox "$1" "$REPLY" "${@:2}"
  exec -a "$1" -- "$REPLY" "${@:2}"
}

# A mount namespace in which /bin/sh is the guard; root needs no user namespace for it.
enter_sandbox() {
  local -a unshare=(unshare --mount)
  # Mounts are listed with blanks as \040, where the guard looks for itself.
  [[ $__belay_root != *[[:space:]\\]* ]] || unshare=(false)
  if ((EUID != 0)); then
    unshare+=(--user --map-current-user --keep-caps)
    export BELAY_SANDBOX_KEPT=1
  fi
  if ! "${unshare[@]}" true 2>/dev/null; then
    echo 'belay run --sandbox: this kernel allows no mount namespace here; nothing was run. Without --sandbox: belay run -- CMD' >&2
    exit 125
  fi
  exec "${unshare[@]}" /bin/bash -p "$__belay_root/shims/sandbox/enter.bash" "$__belay_root" "$@"
}

# Records of what has ended in the background go when something else begins: those whose process is gone, or is another.
forget_ended() {
  local file pid start stat
  local -a fields
  [[ -r /proc/self/stat ]] || return 0
  for file in "$1"/*; do
    { read -r pid start _ <"$file"; } 2>/dev/null || continue
    stat=''
    [[ ! $pid =~ ^[1-9][0-9]*$ ]] || { read -r stat <"/proc/$pid/stat"; } 2>/dev/null
    # shellcheck disable=SC2206
    fields=(${stat##*) })
    [[ -n $start && ${fields[19]-} == "$start" && ${fields[0]-} != Z ]] || rm -f -- "$file"
  done
}

# The same command once more, with no terminal and a process group of its own; its session is said at once. `belay stop` knows it
# by process id and start time together.
in_background() {
  local home stat
  __belay_find_home
  home=$__belay_reply
  (($# > 0)) || by_node --background
  if ! command -v setsid >/dev/null; then
    echo 'belay run --background: setsid (util-linux) is not in PATH; nothing was run' >&2
    exit 1
  fi
  __belay_new_session
  # Ours alone; the command runs under the caller's own mask.
  (umask 077 && mkdir -p -- "$home/logs" "$home/background" && : >"$home/logs/$BELAY_SESSION.log") || exit 1
  BELAY_BATCH=$BELAY_SESSION BELAY_PARENT=$BELAY_SESSION:$__run_parent setsid /bin/bash -p "$__belay_root/shims/run.bash" --source "$__run_source" ${__run_sandbox:+--sandbox} -- "$@" \
    </dev/null >>"$home/logs/$BELAY_SESSION.log" 2>&1 &
  read -r stat <"/proc/$!/stat" || stat=''
  stat=${stat##*) }
  # shellcheck disable=SC2086 # into fields
  set -- $stat
  forget_ended "$home/background"
  # Whole at once: nobody takes a half for one that has ended.
  (umask 077 && printf '%s %s %s\n' "$!" "${20-}" "$__run_parent" >"$home/background/.$BELAY_SESSION") \
    && mv -- "$home/background/.$BELAY_SESSION" "$home/background/$BELAY_SESSION"
  printf '%s\n' "$BELAY_SESSION"
  exit 0
}

# The variables of a session that is gone on in, as NAME=VALUE. This script's own are none of the program's.
go_on_with() {
  local __belay_entry __belay_name
  for __belay_entry; do
    __belay_name=${__belay_entry%%=*}
    [[ -n ${!__belay_name+x} && ${!__belay_name@a} != *x* ]] || export "${__belay_entry?}"
  done
}

# A shell of one's own: its start-up files are read as ever, and belay after them.
interactive_shell() {
  export BELAY_SESSION BELAY_PARENT BELAY_TURN="$__run_turns" BELAY_RESUME_TURN="$__run_turns" BELAY_ADOPT="${__run_resumed:+environment}"
  BELAY_ADOPT=${BELAY_ADOPT:-1}
  case ${1##*/} in
    bash) become "$1" --rcfile "$__belay_root/shims/rc/bash" "${@:2}" ;;
    zsh)
      export BELAY_ZDOTDIR="${ZDOTDIR-}" ZDOTDIR="$__belay_root/shims/rc/zsh"
      become "$@"
      ;;
    fish) become "$1" -C "\"$__belay_root/bin/belay\" init fish | source" "${@:2}" ;;
    *)
      layers
      become "$@"
      ;;
  esac
}

# What protects a program that nobody can read: the wrappers in front of PATH, and every shell that it starts.
layers() {
  local entry root=$__belay_root
  # shellcheck source=/dev/null
  . "$root/shims/init.sh"
  while IFS= read -r entry; do
    export "${entry?}"
  done < <(belay_environment)
}

# In the background it gets a session of its own, whose id is said at once.
[[ -z $__run_background || -z $__run_resumed ]] || by_node "${__run_words[@]}"
[[ -z ${BELAY_DISABLE-} || -n $__run_background$__run_resumed ]] || {
  (($# > 0)) || set -- "${SHELL:-bash}"
  become "$@"
}
[[ -z $__run_background ]] || in_background "$@"
# A session that was handed to this source is gone on in: same id, the next turn, its folder.
__belay_find_home
[[ -n $__run_resumed || ! -s $__belay_reply/sessions/handoffs/$__run_source ]] || __run_handed=1
if [[ -n $__run_resumed$__run_handed ]]; then
  mapfile -d '' __run_point < <("$__belay_root/bin/belay" resume --point ${__run_handed:+--handed} --source "$__run_source" --pid "$$" ${__run_resumed:+-- "$__run_resumed"})
  [[ -n ${__run_point[0]-} ]] || exit 4
  BELAY_SESSION=${__run_point[0]} BELAY_TURN=$((__run_point[1] + 1)) __run_turns=${__run_point[1]}
  BELAY_PARENT=$BELAY_SESSION:$__run_parent
  [[ -n $__run_folder || -z ${__run_point[2]-} ]] || cd -- "${__run_point[2]}" || exit 1
  go_on_with "${__run_point[@]:3}"
  if [[ -n $__run_handed ]]; then
    export BELAY_BRIEF="$__belay_reply/sessions/$BELAY_SESSION.brief"
    (umask 077 && "$__belay_root/bin/belay" sessions brief "$BELAY_SESSION" >"$BELAY_BRIEF")
  fi
elif [[ -n $__run_batch ]]; then
  BELAY_SESSION=$__run_batch
else
  __belay_new_session
  # What comes through a gateway has eight digits.
  case $__run_source in
    cli | run | cron | batch | claude | codex | gemini | opencode | cursor | hermes) ;;
    *) printf -v BELAY_SESSION '%s%02x' "$BELAY_SESSION" "$((RANDOM & 255))" ;;
  esac
  BELAY_PARENT=$BELAY_SESSION:$__run_parent
fi
[[ -n $__run_resumed$__run_handed ]] || BELAY_TURN=1
if (($# == 0)); then set -- "${SHELL:-bash}"; fi
if (($# == 1)) && [[ -t 0 && ${1##*/} == @(bash|zsh|fish) ]]; then interactive_shell "$@"; fi

# Nothing is saved, but it is in the session that was asked for.
[[ -z ${BELAY_DISABLE-} ]] || {
  export BELAY_SESSION BELAY_PARENT BELAY_TURN
  become "$@"
}

# What it is given is what the next one goes on with.
__belay_keeps=environment
__belay_keep_environment
printf -v __belay_text ' %q' "$@"
__belay_text=${__belay_text# }
if ! __belay_harmless "$__belay_text" >/dev/null; then
  __belay_find_folder
  (export BELAY_PARENT && __belay_hand_over "$__run_source" "$__belay_text" 0 '' belay)
  case $? in
    0) ;;
    3) exit 3 ;;
    *) echo 'belay run: belay-snap failed: this runs unprotected; see belay doctor' >&2 ;;
  esac
  [[ ! -e $__belay_folder/turns/$BELAY_TURN ]] || __belay_end_with_shell
  if ! __belay_is_whole; then
    export BELAY_SESSION BELAY_PARENT BELAY_TURN
    layers
  fi
else
  (__belay_record "$__belay_text" "$__run_source") || __belay_record_later "$__belay_text" "$__run_source" "$PWD"
fi
become "$@"
