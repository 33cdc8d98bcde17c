# shellcheck shell=sh
# Which arguments make git only read: the one table for the prompts of bash and zsh and for the wrapper. A row permits one
# argument beside its subcommand; every argument has to be permitted, for what deletes may stand anywhere among them. git
# lets no alias hide a subcommand of its own. fish has the same rows as a regular expression.

# Read by bash, zsh and POSIX shells; joins nothing, so that no IFS matters; calls nothing that a person may have a function
# of (`[`). 0: these arguments of git destroy nothing.
__belay_git_reads() {
  # shellcheck disable=SC3043 # POSIX has no local; every sh that wrappers meet has
  local __belay_git __belay_entry
  while :; do
    case ${1-} in
      --no-pager | -P | --no-optional-locks) shift ;;
      -C)
        case $# in 1) return 1 ;; esac
        shift 2
        ;;
      *) break ;;
    esac
  done
  case $# in 0) return 0 ;; esac
  __belay_git=$1
  shift
  case $__belay_git in
    status | log | show | diff | rev-parse | rev-list | ls-files | ls-tree | blame | shortlog | describe | cat-file | \
      merge-base | name-rev | for-each-ref | show-ref | show-branch | var | version | --version | help | --help | \
      whatchanged | grep | count-objects | diff-tree | diff-index | diff-files | cherry | check-ignore | check-attr | \
      branch | tag | remote) ;;
    stash | worktree | config) case $# in 0) return 1 ;; esac ;;
    *) return 1 ;;
  esac
  for __belay_entry; do
    case "$__belay_git $__belay_entry" in
      # A file to write to, a program to run. git takes any beginning of a long option that is no other's.
      *' --o'[up]* | *' --ext'* | 'grep -'[!-]*O* | *' -O'*) return 1 ;;
      'branch -a' | 'branch -r' | 'branch -v' | 'branch -vv' | 'branch -av' | 'branch -avv' | 'branch -rv' | \
        'branch -rvv' | 'branch --all' | 'branch --remotes' | 'branch --verbose' | 'branch --list' | \
        'branch --show-current' | 'remote -v' | 'remote --verbose') ;;
      'tag -l' | 'tag --list' | 'remote show' | 'remote get-url' | 'stash list' | 'stash show' | 'worktree list' | \
        'config -l' | 'config --list' | 'config --get' | 'config --get-all' | 'config --get-regexp')
        __belay_git="reading $__belay_git"
        ;;
      'reading '*' -'*) return 1 ;;
      'branch '* | 'tag '* | 'remote '* | 'stash '* | 'worktree '* | 'config '*) return 1 ;;
    esac
  done
}
