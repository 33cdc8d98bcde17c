# The record of a session, `sessions/<id>.jsonl`: one JSON event a line, appended by the shell itself. What may hold a
# secret, what a setting may forbid, and what one write may not take whole is left to belay-snap, which masks it.
# A command substitution costs fish as much as all else here: answers come in variables.

# Records the line. Fails where it is left to belay-snap.
function __belay_record --argument-names line
    test "$BELAY_PROFILE:$BELAY_HOME:$XDG_DATA_HOME:$XDG_CONFIG_HOME:$HOME:$BELAY_SESSION" = "$__belay_journal_key" -a "$PWD" = "$__belay_cwd" -a -f "$__belay_journal" -a -d "$__belay_folder" -a ! -e "$__belay_config" -a ! -L "$__belay_config"
    or __belay_has_journal; or return 1
    if string match -qr '^[^"\'\\\\\x00-\x1f\x7f]{0,600}\z' -- $line
        string match -qr -- $__belay_secrets $line; and return 1
    else
        string match -qr '(?s)^.{601}' -- $line; or __belay_may_be_secret $line; and return 1
        __belay_json $line; or return 1
        set line $__belay_reply
    end
    read -g __belay_up <$__belay_uptime
    and string match -qr '^(?<__belay_hundreds>\d*)(?<__belay_up>\d\d)\.' -- $__belay_up
    and test "$__belay_hundreds" = "$__belay_known_hundreds"
    and set -g __belay_up 1$__belay_up
    and set -g __belay_began $__belay_seconds[$__belay_up]
    or __belay_ask_clock; or return 1
    set -q __belay_begins; and begin
        __belay_begin_journal; or return 1
    end
    builtin echo '{"e":"command","t":'$__belay_began'000,"turn":"'$__belay_turn'","line":"'$line'","cwd":"'$__belay_cwd_json'"}' >>$__belay_journal
    or __belay_cannot_write
end

# What time it is a file knows that is opened now, to the second. To ask it costs a third of a record, so it is asked once in a hundred seconds
# of the machine's uptime, and what its other seconds are called is in a table, from 100 on, for a number does not begin with 0. Neither clock
# tells of fractions: the table is up to two seconds late, and never early. Where there is no uptime, the file is asked each time.
set -g __belay_uptime /dev/null
test -r /proc/uptime; and set -g __belay_uptime /proc/uptime
set -g __belay_known_hundreds none
function __belay_ask_clock
    set -g __belay_known_hundreds none
    set -l hundreds none
    set -l up
    test -d "$__belay_folder"; or return 1
    read up <$__belay_uptime; and string match -qr '^(?<hundreds>\d*)(?<up>\d\d)\.' -- $up
    builtin path mtime -- $__belay_folder/clock 2>$__belay_folder/clock | read -g __belay_began; or return 1
    test "$hundreds" != none; and string match -qr '^\d\d$' -- $up; or return 0
    set -l first (builtin math $__belay_began - 1 - $up)
    set -l century (string sub -e -2 -- $first)
    set -l at (builtin math (string sub -s -2 -- $first) + 1)
    set -l digits
    for ten in 0 1 2 3 4 5 6 7 8 9
        set -a digits $ten{0,1,2,3,4,5,6,7,8,9}
    end
    set -l late
    test $at = 1; or set late (builtin math $century + 1)$digits[1..(builtin math $at - 1)]
    set -g __belay_seconds $digits[1..99] $century$digits[$at..100] $late
    set -g __belay_known_hundreds $hundreds
    set up 1$up
    set -g __belay_began $__belay_seconds[$up]
end

# Whether there is a journal to say in that a line is over.
function __belay_has_begun
    test -n "$__belay_began"; and not set -q __belay_full; and __belay_find_journal; and test -f $__belay_journal
end

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
    and set -g __belay_journal_session $BELAY_SESSION
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

# Whether maskSecrets (src/platform/secrets.ts) might change the line. It may say so once too often, never too seldom. Of long
# words a part must do, and what begins alike stands together: fish reads all of it for each line, and tries one after another.
set -g __belay_secrets '(?is)a(?:uth|[ks]ia|iza|z.*-p)|b(?:eeli|_pat_)|c(?:ooki|red|qls|ftp|url.*-b)|doas|e(?:nssl|yj)|gh[pousr]_|is-cli|ipmit|jwt|k(?:ey|init)|l(?:dap|ftp|pat-|ogin.*(?:-p|<<))|m(?:ariad|ongo|osqu)|n(?:ewus|pm_|et[^a-z0-9].*user)|obscu|p(?:ass|ut-para|in(?![a-z0-9]))|[spr]k[-_][a-z0-9_-]{16}|r(?:d(?:esk|p)|yptset|ar(?![a-z0-9]))|(?:sudo|read).*-.*s.*<<|s(?:ecr|qlc|nmp|ecurity|end )|t(?:oke|wine)|[yt]sql|user[am]|v(?:ault|ercel.*env)|xox.-|zip.*-p|7z|_pw|:.*@|-(?:u|login).*[:%]|\|.*(?:sudo.*-.*s|login)|(?<![a-z0-9])(?:pw|pat|su|wg|age|bcp|cf)(?![a-z0-9])'
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

# Whether there is a record to append to (__belay_begins: or to begin), and nothing forbids it: what is so at most lines is seen by one test before. What cannot be written
# fish itself complains of, on the terminal, whatever its output is redirected to: for the next twenty turns belay-snap writes, which is silent.
function __belay_has_journal
    if set -q __belay_full
        test (builtin math $__belay_turn - $__belay_full) -lt 20; and return 1
        set -e __belay_full
    end
    test -d "$__belay_folder"; and __belay_find_journal; or return 1
    test "$PWD" = "$__belay_cwd"; or __belay_see_cwd; or return 1
    test -f $__belay_journal; or set -g __belay_begins 1
    test -e $__belay_config -o -L $__belay_config; or return 0
    __belay_may_record
end

function __belay_cannot_write
    set -g __belay_full $__belay_turn
    set -g __belay_journal_key ''
    set -g __belay_journal_session ''
    return 1
end

function __belay_see_cwd
    __belay_json $PWD; or return
    set -g __belay_cwd $PWD
    set -g __belay_cwd_json $__belay_reply
end

# The session's first event.
function __belay_begin_journal
    test -f $__belay_journal; and set -e __belay_begins; and return
    set -l stat
    test -r /proc/$fish_pid/stat; and read stat </proc/$fish_pid/stat
    set -l fields (string replace -r '.*\\) ' '' -- $stat | string split ' ')
    set -l host (string replace -ra '[^A-Za-z0-9._-]' '' -- $hostname)
    set -l before (umask)
    set -l uid
    set -q EUID; and set uid ',"uid":'$EUID
    umask 077
    builtin echo '{"e":"session","v":1,"t":'$__belay_began'000,"id":"'$BELAY_SESSION'","source":"cli","shell":"fish","cwd":"'$__belay_cwd_json'","host":"'"$host"'"'"$uid"',"pid":'$fish_pid',"start":"'"$fields[20]"'"}' >>$__belay_journal
    set -l wrote $status
    set -e __belay_begins
    # Whoever looks at many sessions learns of a new one there.
    test $wrote = 0; and builtin echo $BELAY_SESSION >>(string replace -r '[^/]*$' touched -- $__belay_journal)
    umask $before
    test $wrote = 0
end

# The same by belay-snap, which nobody waits for.
function __belay_record_later --argument-names line
    set -l program $__belay_root/bin/belay-snap
    set -q BELAY_SNAP; and set program $BELAY_SNAP
    builtin printf '%s\0' shell=fish session=$BELAY_SESSION turn=$BELAY_TURN "line=$line" source=cli pid=$fish_pid "cwd=$PWD" \
        | command sh -c 'cd /; exec 3<&0; "$@" <&3 3<&- >/dev/null 2>&1 &' sh $program record >/dev/null 2>&1
end
