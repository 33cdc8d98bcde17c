# shellcheck shell=sh
# shellcheck disable=SC2034 # who reads this file uses it
# Read by bin/belay, before what else of parts it reads: where belay keeps what it keeps (src/platform/profile.ts says the same).

# belay's folder without a profile, in base. What was started within one has its folder as BELAY_HOME.
belay_base() {
  base=${XDG_DATA_HOME-}
  case $base in /*) ;; *) base=${HOME-}/.local/share ;; esac
  base=$base/belay
  case ${BELAY_HOME-} in /*) base=$BELAY_HOME ;; esac
  home=$base
  case /${base##*/profiles/} in /*/* | "/$base") ;; *) base=${base%/profiles/*} ;; esac
}

# belay's folder, in home: that of the profile that BELAY_PROFILE names.
belay_home() {
  belay_base
  case ${BELAY_PROFILE:-default} in
    default | *[!A-Za-z0-9_-]* | [-_]*) ;;
    *) home=$base/profiles/$BELAY_PROFILE ;;
  esac
}
