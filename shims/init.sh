# shellcheck shell=sh
# shellcheck disable=SC2154 # root comes from bin/belay
# Prints what `belay init SHELL` prints. Read by bin/belay, without node: $root is where belay lies, "$@" what follows `init`.

belay_quoted() {
  rest=$1
  printf "'"
  while :; do
    case $rest in
      *\'*) printf "%s'\\\\''" "${rest%%\'*}" && rest=${rest#*\'} ;;
      *) break ;;
    esac
  done
  printf "%s'" "$rest"
}

# PATH with the wrappers in front, once.
belay_path() {
  rest=$PATH: kept=
  while [ -n "$rest" ]; do
    entry=${rest%%:*} rest=${rest#*:}
    [ "$entry" = "$root/shims/bin" ] || kept=$kept:$entry
  done
  printf '%s%s' "$root/shims/bin" "$kept"
}

# The environment that protects shells which are not interactive, and what they start, one KEY=VALUE a line.
belay_environment() {
  printf 'PATH=%s\n' "$(belay_path)"
  printf 'BASH_ENV=%s\n' "$root/shims/env.bash"
  case ${BASH_ENV-} in
    '' | "$root/shims/env.bash") ;;
    *) printf 'BELAY_BASH_ENV=%s\n' "$BASH_ENV" ;;
  esac
  printf 'ZDOTDIR=%s\n' "$root/shims/rc/zsh"
  case ${ZDOTDIR-} in
    '' | "$root/shims/rc/zsh") ;;
    *) printf 'BELAY_ZDOTDIR=%s\n' "$ZDOTDIR" ;;
  esac
  printf 'npm_config_script_shell=%s\n' "$root/shims/bin/sh"
  printf 'ENV=%s\n' "$root/shims/env.sh"
  case ${ENV-} in
    '' | "$root/shims/env.sh") ;;
    *) printf 'BELAY_ENV=%s\n' "$ENV" ;;
  esac
  # Names in MAKEFILES are divided by blanks.
  case $root in
    *[[:space:]]*) ;;
    *) case " ${MAKEFILES-} " in
      *" $root/shims/guard.mk "*) printf 'MAKEFILES=%s\n' "$MAKEFILES" ;;
      *) printf 'MAKEFILES=%s\n' "$root/shims/guard.mk${MAKEFILES:+ $MAKEFILES}" ;;
    esac ;;
  esac
  # bash that was started without SHLVL and reads a socket takes itself for rshd's, and leaves BASH_ENV alone.
  # shellcheck disable=SC3028 # a variable like any other here
  printf 'SHLVL=%s\n' "${SHLVL:-1}"
}

belay_init() {
  case ${2-} in
    --print-env)
      belay_environment
      return
      ;;
    --path)
      belay_path
      return
      ;;
    '') ;;
    *) set -- ;;
  esac
  case ${1-} in
    bash)
      printf '__belay_root=' && belay_quoted "$root" && echo
      # Before 4.1 the functions below are a syntax error without it; init.bash puts it back.
      # shellcheck disable=SC2016 # the shell that loads it expands it
      printf '%s\n' '__belay_old=; ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) || __belay_old=$(\builtin shopt -p extglob) || \builtin shopt -s extglob'
      # An alias may have the name of a keyword.
      # shellcheck disable=SC2016
      printf '%s\n' '\builtin shopt -q expand_aliases && __belay_old="\builtin shopt -s expand_aliases;$__belay_old"; \builtin shopt -u expand_aliases'
      exec cat "$root/shims/parts/names.bash" "$root/shims/parts/git-reads.sh" "$root/shims/parts/plain.bash" "$root/shims/parts/harmless.bash" "$root/shims/parts/request.bash" \
        "$root/shims/parts/record.bash" "$root/shims/parts/environment.bash" "$root/shims/parts/session.bash" "$root/shims/parts/entered.bash" "$root/shims/parts/gone.bash" \
        "$root/shims/parts/prompted.bash" "$root/shims/parts/sound.bash" "$root/shims/parts/hooks.bash" "$root/shims/completion.bash" "$root/shims/init.bash"
      ;;
    zsh)
      printf '__belay_root=' && belay_quoted "$root" && echo
      # Read as a file of its own: no alias of the person's means anything in it.
      # shellcheck disable=SC2016 # the shell that loads it expands it
      printf '%s\n' '() { \builtin "emulate" "-L" "zsh" "-o" "no_aliases"; \builtin "." "$__belay_root/shims/init.zsh"; }'
      ;;
    fish)
      printf 'set -g __belay_root ' && belay_quoted "$root" && echo
      exec cat "$root/shims/parts/line.fish" "$root/shims/parts/harmless.fish" "$root/shims/parts/record.fish" \
        "$root/shims/parts/environment.fish" "$root/shims/parts/gone.fish" "$root/shims/completion.fish" "$root/shims/init.fish"
      ;;
    sh)
      # A POSIX shell tells nobody what it is about to run: the wrappers in PATH are what there is.
      belay_environment | while IFS= read -r entry; do
        printf '%s=%s; export %s\n' "${entry%%=*}" "$(belay_quoted "${entry#*=}")" "${entry%%=*}"
      done
      ;;
    *)
      case ${1-} in
        '') echo 'belay init: it wants the name of the shell that is to load it' >&2 ;;
        -*) printf 'belay init: %s is no shell and no option of it\n' "$1" >&2 ;;
        *) printf 'belay init: %s has no hook for belay; what is started from it is protected under: belay run -- %s\n' "$1" "$1" >&2 ;;
      esac
      echo 'usage: belay init bash|zsh|fish|sh [--print-env]' >&2
      return 2
      ;;
  esac
}
