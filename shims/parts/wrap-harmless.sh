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
      while :; do
        case ${1-} in
          --no-pager | -P | --no-optional-locks) shift ;;
          -C) shift 2 || return 1 ;;
          *) break ;;
        esac
      done
      for __belay_entry; do
        case $__belay_entry in --ou* | --ext* | -O* | -o*) return 1 ;; esac
      done
      case "${1-} ${2-}" in
        'status '* | 'log '* | 'show '* | 'diff '* | 'rev-parse '* | 'rev-list '* | 'ls-files '* | 'ls-tree '* | \
          'ls-remote '* | 'blame '* | 'shortlog '* | 'describe '* | 'cat-file '* | 'merge-base '* | 'name-rev '* | \
          'for-each-ref '* | 'show-ref '* | 'var '* | 'version '* | '--version '* | 'help '* | '--help '* | 'grep '* | \
          'diff-tree '* | 'diff-index '* | 'diff-files '* | 'cherry '* | 'check-ignore '* | 'check-attr '* | \
          'hash-object '* | 'branch ' | 'branch --list' | 'branch --show-current' | 'branch -a' | 'branch -r' | \
          'branch -v' | 'branch -vv' | 'tag ' | 'tag -l' | 'tag --list' | 'remote ' | 'remote -v' | 'remote get-url' | \
          'stash list' | 'stash show' | 'worktree list' | 'config --get' | 'config --get-all' | 'config --list' | \
          'config -l' | ' ') ;;
        *) return 1 ;;
      esac
      ;;
    tar) case ${1-} in t* | -t* | --list | --help | --version) ;; *) return 1 ;; esac ;;
    unzip) case ${1-} in -l* | -p* | -t* | -v* | -Z*) ;; *) return 1 ;; esac ;;
    perl | rsync | patch) case ${1-} in --help | --version | -v) ;; *) return 1 ;; esac ;;
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
