# The record of a session, `sessions/<id>.jsonl`: one JSON event a line, appended by the shell itself. What may hold a
# secret, what a setting may forbid, and what one write may not take whole is left to belay-snap, which masks it.

typeset -g __belay_journal='' __belay_journal_key='' __belay_cwd='' __belay_cwd_json='' __belay_look='' __belay_line='' __belay_text=''
typeset -g __belay_records=1 # for a bench, which wants to know what the rest costs
typeset -gi __belay_now

# Sets __belay_journal; fails where there is no folder of ours for it yet.
__belay_find_journal() {
  __belay_journal='' __belay_journal_key=''
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

# Fails where the configuration may have a word to say about what is recorded.
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

# Whether maskSecrets (src/platform/secrets.ts) might change a line of which $1 is the text in small letters, without quotes and between blanks.
# It may say so once too often, never too seldom.
__belay_is_like_secret() {
  case $1 in
    (*token*|*secret*|*pass*|*key*|*cred*|*auth*|*cookie*|*jwt*|*_pwd*|*:*@*|*-u*[:%]*|*-login*[:%]*) return 0 ;;
    (*mysql*|*mariadb*|*redis-cli*|*openssl*|*vault*|*az*-p*|*zip*-p*|*7z*|*ldap*|*obscure*|*put-parameter*) return 0 ;;
    (*mongo*|*cqlsh*|*beeline*|*sqlcmd*|*tsql*|*twine*|*ncftp*|*lftp*|*rdesktop*|*freerdp*|*useradd*|*usermod*|*ipmitool*) return 0 ;;
    (*mosquitto_*|*snmp*|*security*|*vercel*env*|*kinit*|*cryptsetup*|*doas*|*newusers*|*curl*-b*|*send\ *) return 0 ;;
    (*sudo*-*s*\<\<*|*\|*sudo*-*s*|*login*-p*|*\|*login*|*login*\<\<*|*read*-*s*\<\<*) return 0 ;;
    (*akia*|*asia*|*gh[pousr]_*|*github_pat_*|*glpat-*|*xox[abpors]-*|*npm_*|*eyj*|*aiza*) return 0 ;;
  esac
  [[ $1 == *([^a-z0-9](pw|pat|su|wg|age|bcp|cf|net[^a-z0-9]*user*)|_pw|rar|pin)[^a-z0-9]* || $1 == *[spr]k[-_][a-z0-9_-](#c16,)* ]]
}

# The text $1 as the inside of a JSON string, in REPLY; fails where it has control characters that are not spelt here.
__belay_json() {
  REPLY=${${1//\\/\\\\}//\"/\\\"}
  if [[ $REPLY == *[[:cntrl:]]* ]]; then
    REPLY=${${REPLY//$'\n'/\\n}//$'\t'/\\t}
    [[ $REPLY != *[[:cntrl:]]* ]]
  fi
}

# Records the line $1, where anything is not as it was at the line before (harmless.zsh), or it may be a secret. Fails where it is left to
# belay-snap.
__belay_record_closely() {
  local REPLY head=''
  (( ${#1} < 600 && ${#PWD} < 300 )) || return 1
  if [[ $__belay_journal_key != "${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION" || ! -f $__belay_journal ]]; then
    __belay_find_journal || return 1
  fi
  if ! __belay_may_record || __belay_is_like_secret "$__belay_text"; then
    __belay_line='' __belay_text='' # nobody who lists variables is to see it
    return 1
  fi
  if [[ $PWD != $__belay_cwd ]]; then
    __belay_json "$PWD" || return 1
    __belay_cwd=$PWD __belay_cwd_json=$REPLY
  fi
  __belay_json "$1" || return 1
  __belay_line=$REPLY
  builtin trap '' XFSZ
  (( __belay_now = EPOCHREALTIME * 1000 ))
  {
    [[ -e $__belay_journal ]] || __belay_begin_journal || return 1
    builtin print -r -- "$head{\"e\":\"command\",\"t\":$__belay_now,\"turn\":\"$__belay_turn\",\"line\":\"$__belay_line\",\"cwd\":\"$__belay_cwd_json\"}" \
      >>$__belay_journal || return 1
    # Whoever looks at many sessions learns of a new one there.
    [[ -z $head ]] || ( builtin umask 077; builtin print -r -- $BELAY_SESSION >>${__belay_journal:h}/touched ) || builtin :
  } 2>/dev/null
}

# Makes the journal, and the session's own event in its caller's `head`.
__belay_begin_journal() {
  local stat='' nl=$'\n'
  local -a fields
  ( builtin umask 077; builtin : >>$__belay_journal ) || return 1
  [[ ! -r /proc/$$/stat ]] || builtin read -r stat </proc/$$/stat
  fields=(${=stat##*\) })
  head="{\"e\":\"session\",\"v\":1,\"t\":$__belay_now,\"id\":\"$BELAY_SESSION\",\"source\":\"cli\",\"shell\":\"zsh\",\"cwd\":\"$__belay_cwd_json\","
  head+="\"host\":\"${HOST//[^A-Za-z0-9._-]/}\",\"uid\":$UID,\"pid\":$$,\"start\":\"${fields[20]-}\"}$nl"
}

# The same by belay-snap, which nobody waits for.
__belay_record_later() {
  (
    builtin cd -q / || builtin :
    builtin printf '%s\0' shell=zsh "session=$BELAY_SESSION" "turn=$BELAY_TURN" "line=$1" source=cli "pid=$$" "cwd=$2" | __belay_snap record &
  ) </dev/null >/dev/null 2>&1
}
