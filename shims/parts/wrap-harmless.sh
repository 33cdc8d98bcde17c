# shellcheck shell=sh
# shellcheck disable=SC2154 # variables cross from file to file
# For the wrappers of programs that often only read: which arguments can destroy nothing.

# 0: these arguments can destroy nothing.
__belay_is_harmless() {
  case $__belay_verb in
    sed)
      # Its scripts write with `w`, run with `e`.
      case ${1-} in -n | -E | -r | -nE | -En | -nr | -rn) shift ;; esac
      case ${1-} in -* | *[wWe]*) return 1 ;; esac
      for __belay_entry; do
        case $__belay_entry in -*) return 1 ;; esac
      done
      ;;
    find)
      for __belay_entry; do
        case $__belay_entry in -delete | -exec* | -ok* | -fprint* | -fls) return 1 ;; esac
      done
      ;;
    git)
      # shellcheck source=/dev/null
      . "$__belay_root/shims/parts/git-reads.sh"
      __belay_git_reads "$@" || return 1
      ;;
    tar)
      case ${1-} in t* | -t* | --list | --help | --version) ;; *) return 1 ;; esac
      # Programs to run: `-I`, `-F`, `--checkpoint-action`, and any beginning of their long names.
      for __belay_entry; do
        case $__belay_entry in t*[IF]* | -[!-]*[IF]* | -[IF]* | --[ciurnt]*) return 1 ;; esac
      done
      ;;
    unzip) case ${1-} in -l* | -p* | -t* | -v* | -Z*) ;; *) return 1 ;; esac ;;
    perl | patch) case ${1-} in --help | --version | -v) ;; *) return 1 ;; esac ;;
    rsync) case ${1-} in --help | --version) ;; *) return 1 ;; esac ;;
    bash)
      # It reads BASH_ENV, which does all this from within.
      [ "${BASH_ENV-}" = "$__belay_root/shims/env.bash" ] || return 1
      for __belay_entry; do
        case $__belay_entry in
          -c | [!-]* | '') break ;;
          -*p* | -o | +o) return 1 ;; # --posix among them
        esac
      done
      ;;
    fish)
      # Typed at by a person.
      [ -t 0 ] || return 1
      for __belay_entry; do
        case $__belay_entry in -i | -l | -P | --login | --interactive | --private | --version | -v) ;; *) return 1 ;; esac
      done
      ;;
    *) return 1 ;;
  esac
}
