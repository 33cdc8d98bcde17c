# shellcheck shell=sh
# shellcheck disable=SC2154 # variables cross from file to file
# For a wrapper whose turn has captured its project: were these operands captured, and not changed since? Then the program
# needs no look of its own. One `du`, which links fewer libraries than `stat` and `find` and looks into folders as well;
# nothing of belay is started. What the capture has is marked by src/saving/captured.ts. When in doubt the answer is no.

# 0: all that these arguments can destroy is in the turn's capture as it is now.
__belay_is_captured() {
  case $__belay_verb in rm | rmdir | unlink | shred | truncate | tee) ;; *) return 1 ;; esac
  __belay_marks=$__belay_folder/captured/$BELAY_TURN __belay_rest='' __belay_entry='' __belay_count=$#
  case ${PWD-}/ in /*) ;; *) return 1 ;; esac
  [ -z "${POSIXLY_CORRECT+set}" ] || return 1 # `rm f -x`: an operand
  [ "$#" -le 64 ] || return 1
  # What is kept of the arguments is put behind them: the operands that are there, as absolute paths.
  while [ "$__belay_count" -gt 0 ]; do
    __belay_count=$((__belay_count - 1)) __belay_path=$1
    shift
    if [ -z "$__belay_rest" ]; then
      case $__belay_path in
        --)
          __belay_rest=operands
          continue
          ;;
        -s | -n | -i)
          # An argument of its own, a number; `rm -i` has none.
          case $__belay_verb in shred | truncate) [ "$__belay_count" -gt 0 ] && shift && __belay_count=$((__belay_count - 1)) || return 1 ;; esac
          continue
          ;;
        --reference* | -r*) if [ "$__belay_verb" = truncate ]; then return 1; else continue; fi ;;
        -?*) continue ;;
      esac
    fi
    case $__belay_path in
      .//*) return 1 ;; # no absolute path
      ./*) __belay_path=${__belay_path#./} ;;
    esac
    case $__belay_path in '') return 1 ;; /*) ;; *) __belay_path=${PWD%/}/$__belay_path ;; esac
    # With a slash behind it a link stands for the folder it leads to (`rm -rf link/` empties that).
    case $__belay_path in */) __belay_path=${__belay_path%/} && [ ! -h "$__belay_path" ] || return 1 ;; esac
    case $__belay_path/ in *//* | */./* | */../*) return 1 ;; esac
    [ "${__belay_path%/*}" = "${__belay_entry:-${__belay_path%/*}}" ] || return 1
    __belay_entry=${__belay_path%/*}
    # Of what cannot be reached by its whole name nobody knows whether it is there.
    [ "${#__belay_path}" -lt 4000 ] && [ -x "$__belay_entry/" ] || return 1
    if [ -h "$__belay_path" ]; then
      case $__belay_verb in rm | unlink) ;; *) return 1 ;; esac
    elif [ -d "$__belay_path" ]; then
      case $__belay_verb in rm | rmdir) ;; *) return 1 ;; esac
      [ -f "$__belay_marks/in$__belay_path/since" ] || return 1
    elif [ ! -e "$__belay_path" ]; then
      case $__belay_verb in rm | rmdir | unlink) continue ;; *) return 1 ;; esac
    fi
    [ ! -e "$__belay_marks/out$__belay_path" ] && __belay_has_no_mount "$__belay_path" || return 1
    set -- "$@" "$__belay_path"
  done
  [ "$#" -gt 0 ] || return 0
  [ -x /usr/bin/du ] && [ -r "$__belay_marks/in$__belay_entry/since" ] || return 1
  read -r __belay_known __belay_count <"$__belay_marks/in$__belay_entry/since" || return 1
  # The folder is still the one that was captured; its own time changes with everything that is removed from it.
  __belay_name_folder "$__belay_entry" && [ "$__belay_rest" = "$__belay_known" ] || return 1
  __belay_path=$(LC_ALL=C /usr/bin/du -sl --time=ctime --time-style=+%s%N -- "$@" 2>/dev/null) || return 1
  # A line each: size, time, name. A name with a line break makes more lines, which cannot take one away.
  while [ -n "$__belay_path" ]; do
    __belay_rest=${__belay_path#*	}
    [ "${__belay_rest%%	*}" -le "$__belay_count" ] 2>/dev/null || return 1
    case $__belay_path in *'
'*) __belay_path=${__belay_path#*
} ;; *) break ;; esac
  done
}

# 0: nothing is mounted on $1 or below it: `du` would ask there, too. The kernel spells some characters of names as numbers.
__belay_has_no_mount() {
  case $1 in *[[:space:]\\#]*) return 1 ;; esac
  while read -r __belay_key __belay_key __belay_key __belay_key __belay_key __belay_known; do
    case $__belay_key/ in "$1"/*) return 1 ;; esac
  done </proc/self/mountinfo
}

# Sets __belay_rest to the folder's inode and mount, which the kernel tells of an open file: no process is needed.
__belay_name_folder() {
  __belay_rest=''
  {
    while read -r __belay_key __belay_path; do
      case $__belay_key in ino: | mnt_id:) __belay_rest=$__belay_rest:$__belay_path ;; esac
    done </proc/self/fdinfo/9
  } 2>/dev/null 9<"$1"
}
