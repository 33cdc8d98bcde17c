# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file
# What request.bash asks of bash and a bash before 4.4 has not (macOS' own is 3.2), in words that it has: associative arrays,
# `${x@a}`, `local -n`, `lastpipe`, `printf '%(…)T'`. Read after request.bash, with extglob on.

__belay_new_session() {
  BELAY_SESSION=$(\command date +%Y%m%d_%H%M%S)_$(\builtin printf '%06x' "$(((RANDOM << 9 ^ RANDOM ^ $$ << 4) & 0xffffff))")
}

__belay_hand_over() {
  \builtin local __belay_options
  __belay_options=$(\builtin shopt -s)
  __belay_options="${SHELLOPTS//:/ } ${__belay_options//[$'\t\n']/ }" # `on` is one more name
  \builtin trap '' TSTP
  {
    __belay_request "$@" | {
      __belay_pwd=${PWD-} __belay_oldpwd=${OLDPWD-}
      \builtin cd -P . && \builtin cd / && PWD=$__belay_pwd OLDPWD=$__belay_oldpwd
      __belay_snap hold 2>&9
    }
  } 9>&2 2>/dev/null
}

# Variables, aliases and functions named in the text, and in the bodies of those aliases and functions.
__belay_names() {
  \builtin local __belay_name __belay_more __belay_words __belay_seen=' ' __belay_rounds __belay_body
  __belay_more="$__belay_text CDPATH GLOBIGNORE HISTFILE HOME PWD OLDPWD command_not_found_handle"
  \builtin set -f
  for ((__belay_rounds = 0; __belay_rounds < 8; __belay_rounds++)); do
    __belay_words=${__belay_more//[!A-Za-z0-9_.:+@-]/ } __belay_more=''
    for __belay_name in $__belay_words; do
      [[ $__belay_seen != *" $__belay_name "* ]] || \builtin continue
      __belay_seen+="$__belay_name "
      if __belay_body=$(\builtin alias -- "$__belay_name"); then
        # alias name='text': quoted as the shell reads it.
        __belay_body=${__belay_body#*=}
        \builtin eval "__belay_body=$__belay_body"
        \builtin printf '%s\0' "alias=$__belay_name=$__belay_body"
        __belay_more+=" $__belay_body"
      fi
      if __belay_body=$(\builtin declare -f -- "$__belay_name"); then
        \builtin printf '%s\0' "func=$__belay_name=$__belay_body"
        __belay_more+=" $__belay_body"
      fi
      __belay_body=$(\builtin type -t -- "$__belay_name")
      # `hash -p /bin/rm ls`
      if [[ $__belay_body == file && $__belay_name != */* ]]; then
        __belay_body=$(\builtin hash -t -- "$__belay_name") \
          && [[ $__belay_body != */"$__belay_name" ]] && \builtin printf '%s\0' "hash=$__belay_name=$__belay_body"
      fi
      __belay_variable
    done
    [[ -n $__belay_more ]] || \builtin break
  done
}

# The variable or array named $__belay_name.
__belay_variable() {
  __belay_name=${__belay_name%%[!A-Za-z0-9_]*}
  case $__belay_name in
    '' | [0-9]* | __belay_* | _ | IFS | RANDOM | SECONDS | LINENO | BASHPID | BASH_* | FUNCNAME | HISTCMD) \builtin return ;;
  esac
  \builtin local __belay_whole="${__belay_name}[@]" __belay_shown __belay_key
  [[ -z ${!__belay_name+x} ]] || \builtin printf '%s\0' "var=$__belay_name=${!__belay_name}"
  __belay_shown=$(\builtin declare -p "$__belay_name") || \builtin return
  [[ $__belay_shown == 'declare -'*([!\ ])[aA]* ]] || \builtin return
  \builtin eval "for __belay_key in \"\${!$__belay_whole}\"; do
    \\builtin printf '%s\\0' \"arr=\${__belay_name}[\$__belay_key]=\${${__belay_name}[\$__belay_key]}\"
  done"
}
