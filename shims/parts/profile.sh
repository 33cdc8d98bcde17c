# shellcheck shell=sh
# shellcheck disable=SC2154 # home.sh sets it
# Read by bin/belay, after home.sh: whether there is a profile of the name in BELAY_PROFILE.

belay_profile() {
  case $BELAY_PROFILE in
    '' | *[!A-Za-z0-9_-]* | [-_]*)
      printf "belay: '%s' is no name of a profile\nusage: belay -p NAME COMMAND\n" "$BELAY_PROFILE" >&2
      return 2
      ;;
    default) return 0 ;;
  esac
  belay_base
  [ ! -d "$base/profiles/$BELAY_PROFILE" ] || return 0
  printf 'belay: there is no profile %s\nbelay profile create %s makes it.\n' "$BELAY_PROFILE" "$BELAY_PROFILE" >&2
  return 4
}
