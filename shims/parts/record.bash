# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file
# The record of a session, `sessions/<id>.jsonl`: one JSON event a line, appended by the shell itself. What may hold a
# secret, what a setting may forbid, and what one write may not take whole is left to belay-snap, which masks it.

# belay's folder, in REPLY.
__belay_find_home() {
  REPLY=${XDG_DATA_HOME-}
  [[ $REPLY == /* ]] || REPLY=${HOME-}/.local/share
  REPLY+=/belay
  [[ ${BELAY_HOME-} != /* ]] || REPLY=$BELAY_HOME
  [[ -z ${BELAY_PROFILE-} ]] || __belay_profile_home
}

# The folder of the profile that BELAY_PROFILE names, in REPLY, where belay's is now.
__belay_profile_home() {
  [[ $BELAY_PROFILE != default && $BELAY_PROFILE != *[!A-Za-z0-9_-]* && $BELAY_PROFILE != [-_]* ]] || \builtin return 0
  [[ $REPLY != */profiles/* || ${REPLY##*/profiles/} == */* ]] || REPLY=${REPLY%/profiles/*}
  REPLY+=/profiles/$BELAY_PROFILE
}

# Sets __belay_journal; fails where there is no folder of ours for it yet. One that was there is not looked for again.
__belay_find_journal() {
  [[ ${__belay_journal_key-} == "${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION" && -f $__belay_journal ]] \
    || __belay_find_new_journal
}

__belay_find_new_journal() {
  \builtin local REPLY
  __belay_journal='' __belay_journal_key=''
  __belay_find_home
  [[ -O $REPLY && -d $REPLY/sessions && -O $REPLY/sessions && ! -L $REPLY/sessions && $BELAY_SESSION != *[!A-Za-z0-9_-]* ]] \
    || \builtin return 1
  __belay_journal=$REPLY/sessions/$BELAY_SESSION.jsonl __belay_journal_key=${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION
}

# Fails where the configuration may have a word to say about what is recorded.
__belay_may_record() {
  \builtin local folder=${XDG_CONFIG_HOME-}
  [[ $folder == /* ]] || folder=${HOME-}/.config
  folder+=/belay
  [[ ${BELAY_PROFILE:-default} == default ]] || folder=${__belay_journal%/sessions/*}
  [[ ! -e $folder && ! -L $folder ]] || __belay_configured_to_record "$folder"
}

__belay_configured_to_record() {
  \builtin local file text=''
  for file in "$1/config.yaml" "$1/config.json"; do
    [[ -e $file || -L $file ]] || \builtin continue
    [[ -f $file ]] && IFS='' \builtin read -r -d '' -n 65536 text <"$file"
    [[ ${#text} -lt 65536 && $text != *@(record|enabled)* ]] || \builtin return 1
  done
} 2>/dev/null

# Whether maskSecrets (src/platform/secrets.ts) might change the line $1. It may say so once too often, never too seldom.
# The shortest that is one as a bare word has 15 characters: `xoxb-` and ten more.
__belay_may_be_secret() {
  [[ $1 == *[[:space:]=:\<\|\;\&]* || ${#1} -ge 15 ]] || \builtin return 1
  __belay_text=" $1 "
  [[ $1 != *[A-Z]* ]] || __belay_text=${__belay_text,,}
  [[ $1 != *[\"\'\\]* ]] || __belay_text=${__belay_text//[\"\'\\]/}
  __belay_is_like_secret "$__belay_text"
}

# The same of a line $1 in small letters, without quotes, between blanks.
__belay_is_like_secret() {
  \builtin local w='[a-z0-9_-]'
  case $1 in
    *token* | *secret* | *pass* | *key* | *cred* | *auth* | *cookie* | *jwt* | *_pwd* | *://*@* | *-u*[:%]* | *-login*[:%]*) ;;
    *tsql* | *cqlsh* | *sqlcmd* | *mysql* | *mariadb* | *redis-cli* | *openssl* | *vault* | *az*-p* | *zip*-p* | *7z* | *ldap*) ;;
    *mongo* | *beeline* | *twine* | *[cl]ftp* | *rdesktop* | *user[am][do]d* | *ipmitool* | *obscure* | *put-parameter*) ;;
    *mosquitto_* | *snmp* | *security* | *vercel*env* | *kinit* | *cryptsetup* | *doas* | *newusers* | *curl*-b* | *send\ *) ;;
    *sudo*-*s*\<\<* | *\|*sudo*-*s* | *login*-p* | *\|*login* | *login*\<\<* | *read*-*s*\<\<*) ;;
    *[!a-z0-9]su[!a-z0-9]* | *[!a-z0-9]wg[!a-z0-9]* | *[!a-z0-9]age[!a-z0-9]* | *[!a-z0-9]bcp[!a-z0-9]* | *[!a-z0-9]cf[!a-z0-9]*) ;;
    *[!a-z0-9]pw[!a-z0-9]* | *_pw[!a-z0-9]* | *rar[!a-z0-9]* | *pin[!a-z0-9]* | *[!a-z0-9]net[!a-z0-9]*user*) ;;
    *a[ks]ia* | *gh[pousr]_* | *github_pat_* | *glpat-* | *xox[abpors]-* | *npm_* | *eyj* | *aiza*) ;;
    *[spr]k[-_]$w$w$w$w$w$w$w$w$w$w$w$w$w$w$w$w*) ;;
    *) \builtin return 1 ;;
  esac
}

# The text $1 as the inside of a JSON string, in REPLY; fails where it has control characters that are not spelt here.
__belay_json() {
  REPLY=${1//\\/"\\\\"}
  REPLY=${REPLY//\"/"\\\""}
  if [[ $REPLY == *[[:cntrl:]]* ]]; then
    REPLY=${REPLY//$'\n'/"\\n"}
    REPLY=${REPLY//$'\t'/"\\t"}
    [[ $REPLY != *[[:cntrl:]]* ]]
  fi
}

# The time in REPLY, of whose digits the first thirteen are the milliseconds since 1970.
__belay_clock() {
  \builtin printf -v REPLY '%(%s)T000' -1
}

# Records the line $1 of source $2 in the journal. Fails where it is left to belay-snap. For a subshell, where no variable needs to be
# local: it sets umask, and complains where it cannot. A call costs bash as much as ten commands: it is all in one piece.
__belay_record() {
  ((${#1} < 600 && ${#PWD} < 300)) || \builtin return 1
  [[ ${__belay_journal_key-} == "${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION" && -f $__belay_journal ]] \
    || __belay_find_new_journal || \builtin return 1
  [[ -z ${XDG_CONFIG_HOME-}${BELAY_PROFILE-} && ! -e ${HOME-}/.config/belay && ! -L ${HOME-}/.config/belay ]] \
    || __belay_may_record || \builtin return 1
  ! __belay_may_be_secret "$1" || \builtin return 1
  __belay_text=$1 __belay_cwd=$PWD __belay_head=''
  [[ $1$PWD != *[[:cntrl:]\"\\]* ]] || __belay_json_both || \builtin return 1
  REPLY=${EPOCHREALTIME-}
  [[ -n $REPLY ]] || __belay_clock
  [[ -e $__belay_journal ]] || __belay_session_begins "$2"
  \builtin printf '%s{"e":"command","t":%.13s,"turn":"%s","line":"%s","cwd":"%s"}\n' \
    "$__belay_head" "${REPLY/[.,]/}" "$BELAY_TURN" "$__belay_text" "$__belay_cwd" >>"$__belay_journal" || \builtin return 1
  # Whoever looks at many sessions learns of a new one there.
  [[ -z $__belay_head ]] || \builtin printf '%s\n' "$BELAY_SESSION" >>"${__belay_journal%/*}/touched" || \builtin :
}

# The line and its folder as JSON has them.
__belay_json_both() {
  __belay_json "$__belay_text" || \builtin return 1
  __belay_text=$REPLY
  __belay_json "$__belay_cwd" && __belay_cwd=$REPLY
}

# Sets __belay_head to the session's own event: source $1, in __belay_cwd, at REPLY. Nobody else is to read what is written from now on.
__belay_session_begins() {
  \builtin local IFS=' ' stat=''
  \builtin local -a fields
  \builtin umask 077
  [[ ! -r /proc/$$/stat ]] || IFS='' \builtin read -r stat <"/proc/$$/stat"
  # shellcheck disable=SC2206 # into fields
  fields=(${stat##*) })
  \builtin printf -v __belay_head '{"e":"session","v":1,"t":%.13s,"id":"%s","source":"%s","shell":"bash","cwd":"%s","host":"%s","uid":%s,"pid":%s,"start":"%s"}\n' \
    "${REPLY/[.,]/}" "$BELAY_SESSION" "$1" "$__belay_cwd" "${HOSTNAME//[!A-Za-z0-9._-]/}" "$UID" "$$" "${fields[19]-}"
}

# The same by belay-snap, which nobody waits for. This subshell may have kept a descriptor of what waits for it.
__belay_record_later() {
  (
    \builtin exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&- 10<&- 11<&- 12<&- 13<&- 14<&- 15<&- 16<&-
    \builtin cd / || :
    \builtin printf '%s\0' shell=bash "session=$BELAY_SESSION" "turn=$BELAY_TURN" "line=$1" "source=$2" "pid=$$" "cwd=$3" \
      | __belay_snap record &
  ) </dev/null >/dev/null 2>&1
}

# The line that the journal has last is over, with status $1. Under `ulimit -f` a write that is one too much is the end of the shell that
# makes it, and a trap may be somebody else's: a subshell makes it. Where there is no such limit the prompt writes by itself.
__belay_record_end() {
  \builtin local REPLY="${EPOCHREALTIME-}"
  __belay_find_journal && [[ -f $__belay_journal ]] || \builtin return 0
  [[ -n $REPLY ]] || __belay_clock
  (\builtin trap '' XFSZ && __belay_write_end "$1" "$REPLY")
}

# Status $1, at time $2.
__belay_write_end() {
  \builtin printf '{"e":"done","t":%.13s,"turn":"%s","exit":%s}\n' "${2/[.,]/}" "$__belay_turn" "$1" 2>/dev/null >>"$__belay_journal"
}
