# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file, and into the environment
# belay was uninstalled while this shell runs. Element 0 of __belay_here says so, which no process has: `gone` until it is there again, `purged`
# while its program is still there, which is no reason to make its folder anew.

# Its user knows: belay's folder says so, or this shell's markers went with it; or all of what it kept went, and the markers with that.
__belay_is_gone() {
  \builtin local __belay_home="${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}"
  if [[ -e $__belay_root/shims ]]; then
    [[ -n $__belay_kept && -n $__belay_folder && ! -e $__belay_folder && ! -e $__belay_home ]]
  else
    [[ -e $__belay_home/uninstalled || -n $__belay_folder && ! -e $__belay_folder ]]
  fi
}

# Nothing is saved, recorded or told here from now on.
__belay_rest() {
  __belay_here=()
  __belay_here[$$]=''
  __belay_here[0]=gone __belay_prompt_of[$$]=__belay_prompt_gone
  [[ -e $__belay_root/shims ]] || \builtin return 0
  __belay_here[0]=purged
  \builtin printf 'belay: all that was saved is deleted, and nothing is saved in this shell, until: belay on\n' >&2
}

# The prompt of such a shell, `$?` $1.
__belay_prompt_gone() {
  __belay_come_back || \builtin :
  \builtin return "$1"
}

# Where belay is installed again, with what is there now, in a session of its own: what ran meanwhile is older than nothing in it.
__belay_come_back() {
  case ${__belay_here[0]} in
    purged) [[ -e $__belay_root/shims ]] || __belay_here[0]=gone ;;
    *)
      [[ -x $__belay_root/bin/belay && ! -e ${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}/uninstalled ]] || \builtin return 0
      \builtin eval "$("$__belay_root/bin/belay" init bash)"
      [[ -z ${__belay_here[$$]-} ]] \
        || \builtin printf 'belay is installed again and saves in this shell from now on; what ran here without it is in no record.\n' >&2
      ;;
  esac
}
