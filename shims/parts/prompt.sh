# shellcheck shell=sh
# shellcheck disable=SC2154 # home.sh sets it
# Read by bin/belay, after home.sh: the segment of a prompt, without node. One word, or nothing.

# `off`: this shell saves nothing. `unsaved`: the line before ran unprotected. `saved`: it was saved, and `belay undo` takes it back.
belay_prompt_state() {
  case ${BELAY_DISABLE-} in '' | 0) ;; *) echo off && return ;; esac
  case ${BELAY_SESSION-} in '' | *[!A-Za-z0-9_-]*) return ;; esac
  case ${BELAY_TURN-} in '' | *[!0-9]*) return ;; esac
  case ${XDG_RUNTIME_DIR-} in /*) run=$XDG_RUNTIME_DIR/belay ;; *) run=/tmp/belay-$(id -u) ;; esac
  if [ -r "$run/$BELAY_SESSION/unprotected" ] && read -r turn <"$run/$BELAY_SESSION/unprotected" && [ "$turn" = "$BELAY_TURN" ]; then
    echo unsaved && return
  fi
  belay_home
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
