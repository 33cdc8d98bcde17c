# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables cross from file to file
# The record of a session, `sessions/<id>.jsonl`: one JSON event a line, appended by the shell itself. What may hold a
# secret, what a setting may forbid, and what one write may not take whole is left to belay-snap, which masks it.

# belay's folder, in __belay_reply.
__belay_find_home() {
  __belay_reply=${XDG_DATA_HOME-}
  [[ $__belay_reply == /* ]] || __belay_reply=${HOME-}/.local/share
  __belay_reply+=/belay
  [[ ${BELAY_HOME-} != /* ]] || __belay_reply=$BELAY_HOME
  [[ -z ${BELAY_PROFILE-} ]] || __belay_profile_home
}

# The folder of the profile that BELAY_PROFILE names, in __belay_reply, where belay's is now.
__belay_profile_home() {
  [[ $BELAY_PROFILE != default && $BELAY_PROFILE != *[!A-Za-z0-9_-]* && $BELAY_PROFILE != [-_]* ]] || \builtin return 0
  [[ $__belay_reply != */profiles/* || ${__belay_reply##*/profiles/} == */* ]] || __belay_reply=${__belay_reply%/profiles/*}
  __belay_reply+=/profiles/$BELAY_PROFILE
}

# Sets __belay_journal; fails where there is no folder of ours for it yet. One that was there is not looked for again.
__belay_find_journal() {
  [[ ${__belay_journal_key-} == "${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION" && -f $__belay_journal ]] \
    || __belay_find_new_journal
}

__belay_find_new_journal() {
  \builtin local __belay_reply
  __belay_journal='' __belay_journal_key=''
  __belay_find_home
  [[ -O $__belay_reply && -d $__belay_reply/sessions && -O $__belay_reply/sessions && ! -L $__belay_reply/sessions && $BELAY_SESSION != *[!A-Za-z0-9_-]* ]] \
    || \builtin return 1
  __belay_kept=1 __belay_journal=$__belay_reply/sessions/$BELAY_SESSION.jsonl __belay_journal_key=${BELAY_PROFILE-}:${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION
}

# Fails where the configuration may have a word to say about what is recorded.
__belay_may_record() {
  \builtin local __belay_config=${XDG_CONFIG_HOME-}
  [[ $__belay_config == /* ]] || __belay_config=${HOME-}/.config
  __belay_config+=/belay
  [[ ${BELAY_PROFILE:-default} == default ]] || __belay_config=${__belay_journal%/sessions/*}
  [[ ! -e $__belay_config && ! -L $__belay_config ]] || __belay_configured_to_record "$__belay_config"
}

__belay_configured_to_record() {
  \builtin local __belay_file __belay_text=''
  for __belay_file in "$1/config.yaml" "$1/config.json"; do
    [[ -e $__belay_file || -L $__belay_file ]] || \builtin continue
    [[ -f $__belay_file ]] && IFS='' \builtin read -r -d '' -n 65536 __belay_text <"$__belay_file"
    [[ ${#__belay_text} -lt 65536 && $__belay_text != *@(record|enabled)* ]] || \builtin return 1
  done
} 2>/dev/null

# Whether maskSecrets (src/platform/secrets.ts) might change the line $1. It may say so once too often, never too seldom.
# The shortest that is one as a bare word has 15 characters: `xoxb-` and ten more. A few letters of each row of the table come first: most
# lines have none of these, and a pattern costs bash more than the search for it. Sets __belay_small: for a subshell.
__belay_may_be_secret() {
  case $1 in *[[:space:]=:\<\|\;\&]* | ???????????????*) ;; *) \builtin return 1 ;; esac
  __belay_small=" $1 "
  case $1 in *[A-Z\"\'\\]*) __belay_blend ;; esac
  case $__belay_small in
    *-u* | *7z* | *:*@* | *\<\<* | *a[guz]* | *a[dkst][_bis]* | *b[ce][ep]* | *c[fu]* | *c[eq]l* | *e[cnrty][aejmsu]* | *gh[orsu]* | *k[ei][ny]* | \
      *l[dfp][at]* | *n[egm][opt]* | *o[_alx]* | *o[gk][ei]* | *p[_w]* | *pat[!a-z0-9]* | *eerdp* | *p[ikmt][-_ns]* | *r[aek][-_dr]* | *s[-kqu]* | *s[ceikq][-_aclnu]* | \
      *w[dgitu]* | *z[ai]*)
      __belay_is_like_secret "$__belay_small"
      ;;
    *) \builtin return 1 ;;
  esac
}

# Small letters, without quotes.
__belay_blend() {
  case $__belay_small in *[A-Z]*) __belay_small=${__belay_small,,} ;; esac
  case $__belay_small in *[\"\'\\]*) __belay_small=${__belay_small//[\"\'\\]/} ;; esac
}

# The same of a line $1 in small letters, without quotes, between blanks.
__belay_is_like_secret() {
  \builtin local __belay_w='[a-z0-9_-]'
  case $1 in
    *token* | *secret* | *pass* | *key* | *cred* | *auth* | *cookie* | *jwt* | *_pwd* | *:*@* | *-u*[:%]* | *-login*[:%]*) ;;
    *tsql* | *cqlsh* | *sqlcmd* | *mysql* | *mariadb* | *redis-cli* | *openssl* | *vault* | *az*-p* | *zip*-p* | *7z* | *ldap*) ;;
    *mongo* | *beeline* | *twine* | *[cl]ftp* | *rdesktop* | *freerdp* | *user[am][do]d* | *ipmitool* | *obscure* | *put-parameter*) ;;
    *mosquitto_* | *snmp* | *security* | *vercel*env* | *kinit* | *cryptsetup* | *doas* | *newusers* | *curl*-b* | *send\ *) ;;
    *sudo*-*s*\<\<* | *\|*sudo*-*s* | *login*-p* | *\|*login* | *login*\<\<* | *read*-*s*\<\<*) ;;
    *[!a-z0-9]su[!a-z0-9]* | *[!a-z0-9]wg[!a-z0-9]* | *[!a-z0-9]age[!a-z0-9]* | *[!a-z0-9]bcp[!a-z0-9]* | *[!a-z0-9]cf[!a-z0-9]*) ;;
    *[!a-z0-9]pw[!a-z0-9]* | *_pw[!a-z0-9]* | *rar[!a-z0-9]* | *pin[!a-z0-9]* | *[!a-z0-9]pat[!a-z0-9]* | *[!a-z0-9]net[!a-z0-9]*user*) ;;
    *a[ks]ia* | *gh[pousr]_* | *github_pat_* | *glpat-* | *xox[abpors]-* | *npm_* | *eyj* | *aiza*) ;;
    *[spr]k[-_]$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w$__belay_w*) ;;
    *) \builtin return 1 ;;
  esac
}

# The line and its folder as the insides of JSON strings, in __belay_text and __belay_cwd; fails where they have control characters that are
# not spelt here.
__belay_json_both() {
  case $__belay_text in *\\*) __belay_text=${__belay_text//\\/"\\\\"} ;; esac
  case $__belay_text in *\"*) __belay_text=${__belay_text//\"/"\\\""} ;; esac
  case $__belay_text in
    *[[:cntrl:]]*)
      __belay_text=${__belay_text//$'\n'/"\\n"} __belay_text=${__belay_text//$'\t'/"\\t"}
      [[ $__belay_text != *[[:cntrl:]]* ]] || \builtin return 1
      ;;
  esac
  case $__belay_cwd in
    *[[:cntrl:]\"\\]*)
      __belay_cwd=${__belay_cwd//\\/"\\\\"} __belay_cwd=${__belay_cwd//\"/"\\\""}
      __belay_cwd=${__belay_cwd//$'\n'/"\\n"} __belay_cwd=${__belay_cwd//$'\t'/"\\t"}
      [[ $__belay_cwd != *[[:cntrl:]]* ]]
      ;;
  esac
}

# The time in __belay_reply, of whose digits the first thirteen are the milliseconds since 1970.
__belay_clock() {
  \builtin printf -v __belay_reply '%(%s)T000' -1
}

# Records the line $1 of source $2 in the journal. Fails where it is left to belay-snap. For a subshell, where no variable needs to be
# local: it sets umask, and complains where it cannot. A call costs bash as much as ten commands, whose every word is copied for it: what
# most lines need is in one piece, and what few need elsewhere.
__belay_record() {
  __belay_text=$1 __belay_cwd=$PWD __belay_reply=${EPOCHREALTIME-}
  if [[ ${__belay_journal_key-}:${XDG_CONFIG_HOME-}${BELAY_PROFILE-} == ":${BELAY_HOME-}:${XDG_DATA_HOME-}:${HOME-}:$BELAY_SESSION:" &&
    ${#1}+${#PWD} -lt 600 && -n $__belay_reply && -f $__belay_journal && ! -e ${HOME-}/.config/belay && ! -L ${HOME-}/.config/belay ]]; then
    case $1 in *[[:space:]=:\<\|\;\&]* | ???????????????*) ! __belay_may_be_secret "$1" || \builtin return 1 ;; esac
    case $1$PWD in *[[:cntrl:]\"\\]*) __belay_json_both || \builtin return 1 ;; esac
    \builtin printf '{"e":"command","t":%.13s,"turn":"%s","line":"%s","cwd":"%s"}\n' \
      "${__belay_reply/[.,]/}" "$BELAY_TURN" "$__belay_text" "$__belay_cwd" >>"$__belay_journal"
  else
    __belay_record_with_care "$@"
  fi
}

# The same where it is to be found out where the journal lies, what a setting says about it, and whether the line is a long one.
__belay_record_with_care() {
  __belay_find_journal && __belay_may_record && ((${#1} < 600 && ${#PWD} < 300)) || \builtin return 1
  case $1 in *[[:space:]=:\<\|\;\&]* | ???????????????*) ! __belay_may_be_secret "$1" || \builtin return 1 ;; esac
  case $1$PWD in *[[:cntrl:]\"\\]*) __belay_json_both || \builtin return 1 ;; esac
  __belay_record_first "$2"
}

# The first of a session, or where no variable tells the time. Whoever looks at many sessions learns of a new one there.
__belay_record_first() {
  __belay_head=''
  [[ -n $__belay_reply ]] || __belay_clock
  [[ -e $__belay_journal ]] || __belay_session_begins "$1"
  \builtin printf '%s{"e":"command","t":%.13s,"turn":"%s","line":"%s","cwd":"%s"}\n' \
    "$__belay_head" "${__belay_reply/[.,]/}" "$BELAY_TURN" "$__belay_text" "$__belay_cwd" >>"$__belay_journal" || \builtin return 1
  [[ -z $__belay_head ]] || \builtin printf '%s\n' "$BELAY_SESSION" >>"${__belay_journal%/*}/touched" || \builtin :
}

# Sets __belay_head to the session's own event: source $1, in __belay_cwd, at __belay_reply. Nobody else is to read what is written from now on.
__belay_session_begins() {
  \builtin local IFS=' ' __belay_stat=''
  \builtin local -a __belay_fields
  \builtin umask 077
  [[ ! -r /proc/$$/stat ]] || IFS='' \builtin read -r __belay_stat <"/proc/$$/stat"
  # shellcheck disable=SC2206 # into fields
  __belay_fields=(${__belay_stat##*) })
  \builtin printf -v __belay_head '{"e":"session","v":1,"t":%.13s,"id":"%s","source":"%s","shell":"bash","cwd":"%s","host":"%s","uid":%s,"pid":%s,"start":"%s"}\n' \
    "${__belay_reply/[.,]/}" "$BELAY_SESSION" "$1" "$__belay_cwd" "${HOSTNAME//[!A-Za-z0-9._-]/}" "$UID" "$$" "${__belay_fields[19]-}"
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
  \builtin local __belay_reply="${EPOCHREALTIME-}"
  __belay_find_journal && [[ -f $__belay_journal ]] || \builtin return 0
  [[ -n $__belay_reply ]] || __belay_clock
  case ${__belay_free-} in
    1) __belay_write_end "$1" "$__belay_reply" ;;
    *) (\builtin trap '' XFSZ && __belay_write_end "$1" "$__belay_reply") ;;
  esac
}

# Status $1, at time $2.
__belay_write_end() {
  \builtin printf '{"e":"done","t":%.13s,"turn":"%s","exit":%s}\n' "${2/[.,]/}" "$__belay_turn" "$1" 2>/dev/null >>"$__belay_journal"
}
