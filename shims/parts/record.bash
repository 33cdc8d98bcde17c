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
__belay_may_be_secret() {
  \builtin local line="$1"
  [[ $line != *[A-Z]* ]] || line=${line,,}
  [[ $line != *[\"\'\\]* ]] || line=${line//[\"\'\\]/}
  __belay_is_like_secret " $line "
}

# The same of a line $1 in small letters, without quotes, between blanks.
__belay_is_like_secret() {
  \builtin local w='[a-z0-9_-]' n='[!a-z0-9]'
  case $1 in
    *token* | *secret* | *pass* | *key* | *cred* | *auth* | *cookie* | *jwt* | *_pwd* | *://*@* | *-u*[:%]* | *-login*[:%]*) ;;
    *mysql* | *mariadb* | *redis-cli* | *openssl* | *vault* | *az*-p* | *zip*-p* | *7z* | *ldap* | *obscure* | *put-parameter*) ;;
    *mongo* | *cqlsh* | *beeline* | *sqlcmd* | *tsql* | *twine* | *ncftp* | *lftp* | *rdesktop* | *useradd* | *usermod* | *ipmitool*) ;;
    *mosquitto_* | *snmp* | *security* | *vercel*env* | *kinit* | *cryptsetup* | *doas* | *newusers* | *curl*-b* | *send\ *) ;;
    *sudo*-*s*\<\<* | *\|*sudo*-*s* | *login*-p* | *\|*login* | *login*\<\<* | *read*-*s*\<\<*) ;;
    *${n}pw${n}* | *_pw${n}* | *${n}su${n}* | *${n}wg${n}* | *${n}age${n}* | *${n}bcp${n}* | *rar${n}* | *pin${n}*) ;;
    *${n}net${n}*user* | *${n}cf${n}*) ;;
    *akia* | *asia* | *gh[pousr]_* | *github_pat_* | *glpat-* | *xox[abpors]-* | *npm_* | *eyj* | *aiza*) ;;
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

# Milliseconds since 1970, in REPLY.
__belay_clock() {
  REPLY=${EPOCHREALTIME-}
  REPLY=${REPLY/[.,]/}
  REPLY=${REPLY:0:13}
  [[ -n $REPLY ]] || \builtin printf -v REPLY '%(%s)T000' -1
}

# Records the line $1 of source $2 in the journal. Fails where it is left to belay-snap. For a subshell: it sets umask.
__belay_record() {
  \builtin local REPLY line="$1" cwd="$PWD" head='' stat=''
  ((${#1} < 600 && ${#PWD} < 300)) && __belay_find_journal && __belay_may_record && ! __belay_may_be_secret "$1" \
    || \builtin return 1
  if [[ $line$cwd == *[[:cntrl:]\"\\]* ]]; then
    __belay_json "$line" || \builtin return 1
    line=$REPLY
    __belay_json "$cwd" || \builtin return 1
    cwd=$REPLY
  fi
  __belay_clock
  [[ -e $__belay_journal ]] || __belay_session_begins "$2"
  \builtin printf '%s{"e":"command","t":%s,"turn":"%s","line":"%s","cwd":"%s"}\n' \
    "$head" "$REPLY" "$BELAY_TURN" "$line" "$cwd" >>"$__belay_journal" || \builtin return 1
  # Whoever looks at many sessions learns of a new one there.
  [[ -z $head ]] || \builtin printf '%s\n' "$BELAY_SESSION" >>"${__belay_journal%/*}/touched" || \builtin :
} 2>/dev/null

# Sets head to the session's own event: source $1, in cwd, at REPLY. Nobody else is to read what is written from now on.
__belay_session_begins() {
  \builtin local IFS=' '
  \builtin local -a fields
  \builtin umask 077
  [[ ! -r /proc/$$/stat ]] || IFS='' \builtin read -r stat <"/proc/$$/stat"
  # shellcheck disable=SC2206 # into fields
  fields=(${stat##*) })
  \builtin printf -v head '{"e":"session","v":1,"t":%s,"id":"%s","source":"%s","shell":"bash","cwd":"%s","host":"%s","uid":%s,"pid":%s,"start":"%s"}\n' \
    "$REPLY" "$BELAY_SESSION" "$1" "$cwd" "${HOSTNAME//[!A-Za-z0-9._-]/}" "$UID" "$$" "${fields[19]-}"
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
# makes it: a trap keeps it from that, which where somebody has one of his own is set in a subshell.
__belay_record_end() {
  \builtin local REPLY
  __belay_find_journal && [[ -f $__belay_journal ]] || \builtin return 0
  __belay_clock
  if [[ -n $__belay_folder ]] && \builtin trap -p XFSZ >|"$__belay_folder/trap" && [[ ! -s $__belay_folder/trap ]]; then
    \builtin trap '' XFSZ
    __belay_write_end "$1"
    \builtin trap - XFSZ
  else
    (\builtin trap '' XFSZ && __belay_write_end "$1")
  fi
} 2>/dev/null

__belay_write_end() {
  \builtin printf '{"e":"done","t":%s,"turn":"%s","exit":%s}\n' "$REPLY" "$__belay_turn" "$1" >>"$__belay_journal"
}
