# The record of a session, `sessions/<id>.jsonl`: one JSON event a line, appended by the shell itself. What may hold a
# secret, what a setting may forbid, and what one write may not take whole is left to belay-snap, which masks it.
# A command substitution costs fish as much as all else here: answers come in variables.

# Sets __belay_journal; fails where there is no folder of ours for it yet.
function __belay_find_journal
    set -l key "$BELAY_PROFILE:$BELAY_HOME:$XDG_DATA_HOME:$XDG_CONFIG_HOME:$HOME:$BELAY_SESSION"
    test "$key" = "$__belay_journal_key"; and test -f "$__belay_journal"; and return
    set -l folder $HOME/.local/share/belay
    string match -q '/*' -- $XDG_DATA_HOME; and set folder $XDG_DATA_HOME/belay
    string match -q '/*' -- $BELAY_HOME; and set folder $BELAY_HOME
    if string match -qr '^[A-Za-z0-9]' -- $BELAY_PROFILE; and not string match -qr '^default$|[^A-Za-z0-9_-]' -- $BELAY_PROFILE
        set folder (string replace -r '/profiles/[^/]+$' '' -- $folder)/profiles/$BELAY_PROFILE
    end
    set -g __belay_journal_key ''
    test -O $folder -a -d $folder/sessions -a -O $folder/sessions -a ! -L $folder/sessions
    and string match -qr '^[A-Za-z0-9_-]+$' -- $BELAY_SESSION
    and set -g __belay_journal $folder/sessions/$BELAY_SESSION.jsonl
    and __belay_find_config
    and set -g __belay_journal_key $key
end

# Sets __belay_config, where the configuration lies.
function __belay_find_config
    set -g __belay_config $HOME/.config/belay
    string match -q '/*' -- $XDG_CONFIG_HOME; and set __belay_config $XDG_CONFIG_HOME/belay
    test -z "$BELAY_PROFILE" -o "$BELAY_PROFILE" = default; or set __belay_config (string replace -r '/sessions/[^/]*$' '' -- $__belay_journal)
    return 0
end

# Fails where the configuration may have a word to say about what is recorded.
function __belay_may_record
    for file in $__belay_config/config.yaml $__belay_config/config.json
        test -e $file -o -L $file; or continue
        test -f $file; and not string match -qr 'record|enabled' <$file; or return 1
    end
end

# Whether maskSecrets (src/platform/secrets.ts) might change the line. It may say so once too often, never too seldom.
set -g __belay_secrets '(?is)token|secret|pass|key|cred|auth|cookie|jwt|_pwd|://.*@|-u.*[:%]|-login.*[:%]|mysql|mariadb|redis-cli|openssl|vault|az.*-p|zip.*-p|7z|ldap|obscure|put-parameter|mongo|cqlsh|beeline|sqlcmd|tsql|twine|ncftp|lftp|rdesktop|useradd|usermod|ipmitool|mosquitto_|snmp|security|vercel.*env|kinit|cryptsetup|doas|newusers|curl.*-b|send |sudo.*-.*s.*<<|\\|.*sudo.*-.*s|login.*-p|\\|.*login|login.*<<|read.*-.*s.*<<|(?<![a-z0-9])(?:pw|su|wg|age|bcp|cf|net(?![a-z0-9]).*user)(?![a-z0-9])|(?:_pw|rar|pin)(?![a-z0-9])|akia|asia|gh[pousr]_|github_pat_|glpat-|xox[abpors]-|npm_|eyj|aiza|[spr]k[-_][a-z0-9_-]{16}'
function __belay_may_be_secret --argument-names line
    if string match -qr '["\'\\\\]' -- $line
        set line (string replace -ra '["\'\\\\]' '' -- $line | string collect)
    end
    string match -qr -- $__belay_secrets $line
end

# The text as the inside of a JSON string, in __belay_reply; fails where it has control characters that are not spelt here.
function __belay_json --argument-names text
    set -g __belay_reply $text
    string match -qr '["\\\\\x00-\x1f\x7f]' -- $text; or return 0
    if not string match -qr '[\x00-\x1f\x7f]' -- $text
        set -g __belay_reply (string replace -ra '(["\\\\])' '\\\\$1' -- $text)
        return
    end
    set -g __belay_reply (string replace -a \\ \\\\ -- $text | string replace -a '"' '\\"' | string replace -a \t '\\t' | string join '\\n')
    not string match -qr '[\x00-\x1f\x7f]' -- $__belay_reply
end

# What cannot be written fish itself complains of, on the terminal, whatever its output is redirected to: for the next twenty turns
# belay-snap writes, which is silent.
function __belay_is_full
    set -q __belay_full; or return
    test (builtin math $__belay_turn - $__belay_full) -lt 20; or set -e __belay_full
    set -q __belay_full
end

# Records the line. Fails where it is left to belay-snap. What time it is a file knows that is written now, to the second.
function __belay_record --argument-names line
    string match -qr '^.{0,600}$' -- $line; or string match -qr '(?s)^.{0,600}$' -- $line; and test -n "$__belay_folder"; or return 1
    # The call of a function costs fish more than what most of these do.
    set -q __belay_full; and __belay_is_full; and return 1
    test "$BELAY_PROFILE:$BELAY_HOME:$XDG_DATA_HOME:$XDG_CONFIG_HOME:$HOME:$BELAY_SESSION" = "$__belay_journal_key" -a -f "$__belay_journal"
    or __belay_find_journal; or return 1
    test -e $__belay_config -o -L $__belay_config; and not __belay_may_record; and return 1
    if string match -qr '["\'\\\\]' -- $line
        __belay_may_be_secret $line; and return 1
    else
        string match -qr -- $__belay_secrets $line; and return 1
    end
    if test "$PWD" != "$__belay_cwd"
        __belay_json $PWD; or return 1
        set -g __belay_cwd $PWD
        set -g __belay_cwd_json $__belay_reply
    end
    set -l folder $__belay_cwd_json
    set -g __belay_reply $line
    string match -qr '["\\\\\x00-\x1f\x7f]' -- $line; and not __belay_json $line; and return 1
    test -d $__belay_folder; and builtin printf '' >$__belay_folder/clock; and set -g __belay_began (builtin path mtime -- $__belay_folder/clock)000; or return 1
    set -l command '{"e":"command","t":'$__belay_began',"turn":"'$__belay_turn'","line":"'$__belay_reply'","cwd":"'$folder'"}'
    if test -f $__belay_journal
        builtin echo -- $command >>$__belay_journal; or begin
            set -g __belay_full $__belay_turn
            return 1
        end
        return
    end
    set -l stat
    test -r /proc/$fish_pid/stat; and read stat </proc/$fish_pid/stat
    set -l fields (string replace -r '.*\\) ' '' -- $stat | string split ' ')
    set -l host (string replace -ra '[^A-Za-z0-9._-]' '' -- $hostname)
    set -l before (umask)
    set -l uid
    set -q EUID; and set uid ',"uid":'$EUID
    umask 077
    builtin printf '%s\n' '{"e":"session","v":1,"t":'$__belay_began',"id":"'$BELAY_SESSION'","source":"cli","shell":"fish","cwd":"'$folder'","host":"'"$host"'"'"$uid"',"pid":'$fish_pid',"start":"'"$fields[20]"'"}' $command >>$__belay_journal
    set -l wrote $status
    # Whoever looks at many sessions learns of a new one there.
    test $wrote = 0; and builtin echo $BELAY_SESSION >>(string replace -r '[^/]*$' touched -- $__belay_journal)
    umask $before
    test $wrote = 0
end 2>/dev/null

# The same by belay-snap, which nobody waits for.
function __belay_record_later --argument-names line
    set -l program $__belay_root/bin/belay-snap
    set -q BELAY_SNAP; and set program $BELAY_SNAP
    builtin printf '%s\0' shell=fish session=$BELAY_SESSION turn=$BELAY_TURN "line=$line" source=cli pid=$fish_pid "cwd=$PWD" \
        | command sh -c 'cd /; exec 3<&0; "$@" <&3 3<&- >/dev/null 2>&1 &' sh $program record >/dev/null 2>&1
end

# The line that the journal has last is over, with this status, after so many milliseconds.
function __belay_record_end --argument-names code took
    string match -q -- "*:$BELAY_SESSION" $__belay_journal_key; or __belay_find_journal; or return
    test -f $__belay_journal -a -n "$__belay_began"; and not set -q __belay_full; or return
    builtin echo '{"e":"done","t":'$__belay_began',"turn":"'$__belay_turn'","exit":'$code',"ms":'$took'}' >>$__belay_journal
    or set -g __belay_full $__belay_turn
end
