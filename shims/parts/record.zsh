# The record of a session, `sessions/<id>.jsonl`: one JSON event a line, appended by the shell itself. What may hold a
# secret, what a setting may forbid, and what one write may not take whole is left to belay-snap, which masks it.

# Sets __belay_journal; fails where there is no folder of ours for it yet. One that was there is not looked for again.
__belay_find_journal() {
  [[ ${__belay_journal_key-} != "${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION" || ! -f $__belay_journal ]] || return 0
  builtin emulate -L zsh
  typeset -g __belay_journal='' __belay_journal_key=''
  local folder=${XDG_DATA_HOME-}
  [[ $folder == /* ]] || folder=${HOME-}/.local/share
  folder+=/belay
  [[ ${BELAY_HOME-} != /* ]] || folder=$BELAY_HOME
  if [[ ${BELAY_PROFILE:-default} != (default|*[^A-Za-z0-9_-]*|[-_]*) ]]; then
    [[ $folder != */profiles/* || ${folder##*/profiles/} == */* ]] || folder=${folder%/profiles/*}
    folder+=/profiles/$BELAY_PROFILE
  fi
  [[ -O $folder && -d $folder/sessions && -O $folder/sessions && ! -L $folder/sessions && $BELAY_SESSION != *[^A-Za-z0-9_-]* ]] \
    || return 1
  __belay_journal=$folder/sessions/$BELAY_SESSION.jsonl
  __belay_journal_key="${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION"
}

# Fails where the configuration may have a word to say about what is recorded. (As __belay_json, under its caller's options.)
__belay_may_record() {
  local folder=${XDG_CONFIG_HOME-} file text
  [[ $folder == /* ]] || folder=${HOME-}/.config
  folder+=/belay
  [[ ${BELAY_PROFILE:-default} == default ]] || folder=${__belay_journal%/sessions/*}
  [[ -e $folder || -L $folder ]] || return 0
  for file in $folder/config.{yaml,json}; do
    [[ -e $file || -L $file ]] || continue
    text=''
    { [[ -f $file ]] && builtin read -r -d '' text <$file } 2>/dev/null
    [[ ${#text} -lt 65536 && $text != *(record|enabled)* ]] || return 1
  done
}

# Whether maskSecrets (src/platform/secrets.ts) might change the line $1. It may say so once too often, never too seldom.
__belay_may_be_secret() {
  builtin emulate -L zsh
  builtin setopt extendedglob
  __belay_is_like_secret "$1"
}

# The same, under its caller's options.
__belay_is_like_secret() {
  local line=" ${(L)1//[\"\'\\]/} "
  [[ $line == *(token|secret|pass|key|cred|auth|cookie|jwt|_pwd|://*@|-u*[:%]|-login*[:%])* ]] && return 0
  [[ $line == *(mysql|mariadb|redis-cli|openssl|vault|az*-p|zip*-p|7z|ldap|obscure|put-parameter)* ]] && return 0
  [[ $line == *(mongo|cqlsh|beeline|sqlcmd|tsql|twine|ncftp|lftp|rdesktop|useradd|usermod|ipmitool)* ]] && return 0
  [[ $line == *(mosquitto_|snmp|security|vercel*env|kinit|cryptsetup|doas|newusers|curl*-b|send\ )* ]] && return 0
  [[ $line == *(sudo*-*s*\<\<|\|*sudo*-*s|login*-p|\|*login|login*\<\<|read*-*s*\<\<)* ]] && return 0
  [[ $line == *([^a-z0-9](pw|su|wg|age|bcp|cf|net[^a-z0-9]*user*)|_pw|rar|pin)[^a-z0-9]* ]] && return 0
  [[ $line == *(akia|asia|gh[pousr]_|github_pat_|glpat-|xox[abpors]-|npm_|eyj|aiza)* || $line == *[spr]k[-_][a-z0-9_-](#c16,)* ]]
}

# The text $1 as the inside of a JSON string, in REPLY; fails where it has control characters that are not spelt here.
__belay_json() {
  REPLY=${${1//\\/\\\\}//\"/\\\"}
  if [[ $REPLY == *[[:cntrl:]]* ]]; then
    REPLY=${${REPLY//$'\n'/\\n}//$'\t'/\\t}
    [[ $REPLY != *[[:cntrl:]]* ]]
  fi
}

# Records the line $1. Fails where it is left to belay-snap.
__belay_record() {
  builtin emulate -L zsh
  builtin setopt extendedglob
  builtin trap '' XFSZ # under `ulimit -f` a write that is one too much is the end of the shell that makes it
  local REPLY line=$1 cwd=$PWD head='' stat=''
  local -a fields
  (( ${#1} < 600 && ${#PWD} < 300 )) && __belay_find_journal && __belay_may_record && ! __belay_is_like_secret "$1" \
    || return 1
  if [[ $line$cwd == *[[:cntrl:]\"\\]* ]]; then
    __belay_json "$line" || return 1
    line=$REPLY
    __belay_json "$cwd" || return 1
    cwd=$REPLY
  fi
  REPLY=${${EPOCHREALTIME/./}[1,13]}
  {
    if [[ ! -e $__belay_journal ]]; then
      ( builtin umask 077; builtin : >>$__belay_journal ) || return 1
      [[ ! -r /proc/$$/stat ]] || builtin read -r stat </proc/$$/stat
      fields=(${=stat##*\) })
      builtin printf -v head '{"e":"session","v":1,"t":%s,"id":"%s","source":"cli","shell":"zsh","cwd":"%s","host":"%s","uid":%s,"pid":%s,"start":"%s"}\n' \
        "$REPLY" "$BELAY_SESSION" "$cwd" "${HOST//[^A-Za-z0-9._-]/}" "$UID" "$$" "${fields[20]-}"
    fi
    builtin printf '%s{"e":"command","t":%s,"turn":"%s","line":"%s","cwd":"%s"}\n' \
      "$head" "$REPLY" "$BELAY_TURN" "$line" "$cwd" >>$__belay_journal || return 1
    # Whoever looks at many sessions learns of a new one there.
    [[ -z $head ]] || ( builtin umask 077; builtin print -r -- $BELAY_SESSION >>${__belay_journal:h}/touched ) || builtin :
  } 2>/dev/null
}

# The same by belay-snap, which nobody waits for.
__belay_record_later() {
  (
    builtin cd -q / || builtin :
    builtin printf '%s\0' shell=zsh "session=$BELAY_SESSION" "turn=$BELAY_TURN" "line=$1" source=cli "pid=$$" "cwd=$2" | __belay_snap record &
  ) </dev/null >/dev/null 2>&1
}

# The line that the journal has last is over, with status $1.
__belay_record_end() {
  builtin trap '' XFSZ
  __belay_find_journal && [[ -f $__belay_journal ]] || return 0
  { builtin printf '{"e":"done","t":%s,"turn":"%s","exit":%s}\n' "${${EPOCHREALTIME/./}[1,13]}" $__belay_turn $1 >>$__belay_journal } 2>/dev/null
}
