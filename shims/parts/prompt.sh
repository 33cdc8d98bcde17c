# shellcheck shell=sh
# Read by bin/belay: the segment of a prompt, without node. One word, or nothing.

# `off`: this shell saves nothing. `unsaved`: the line before ran unprotected. `saved`: it was saved, and `belay undo` takes it back.
belay_prompt_state() {
  case ${BELAY_DISABLE-} in '' | 0) ;; *) echo off && return ;; esac
  case ${BELAY_SESSION-} in '' | *[!A-Za-z0-9_-]*) return ;; esac
  case ${BELAY_TURN-} in '' | *[!0-9]*) return ;; esac
  run=/tmp/belay-$(id -u)
  case ${XDG_RUNTIME_DIR-} in /*) run=$XDG_RUNTIME_DIR/belay ;; esac
  if [ -r "$run/$BELAY_SESSION/unprotected" ] && read -r turn <"$run/$BELAY_SESSION/unprotected" && [ "$turn" = "$BELAY_TURN" ]; then
    echo unsaved && return
  fi
  home=${XDG_DATA_HOME-}
  case $home in /*) ;; *) home=${HOME-}/.local/share ;; esac
  home=$home/belay
  case ${BELAY_HOME-} in /*) home=$BELAY_HOME ;; esac
  turn=$home/checkpoints/pending/$BELAY_SESSION/$BELAY_TURN
  if [ -e "$turn" ] || [ -e "$turn.done" ]; then echo saved; fi
}

belay_prompt() {
  state=$(belay_prompt_state)
  case $state:${LC_ALL:-${LC_CTYPE:-${LANG-}}} in
    saved:*[Uu][Tt][Ff]*) printf '↶' ;;
    saved:*) printf 'undo' ;;
    off:*) printf 'belay off' ;;
    unsaved:*) printf 'not saved' ;;
  esac
}
