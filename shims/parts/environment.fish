# What a shell exports goes with its session, for whoever goes on in it (`belay resume`, `belay run -c`). belay-snap keeps it in the
# background, masked by its tables, after a line that may have changed it; every other line costs a comparison.

# Whether the line may change what this shell exports; `unknown`: it is not harmless, so it may call what does.
function __belay_may_export --argument-names line unknown
    string match -qr '\b(?:set|export|source|eval|read)\b|(?:^|[\s;&|(])[A-Za-z_]\w*=' -- $line; and return
    test -n "$unknown"; or return 1
    for word in (string match -ar '[^\s;&|()]+' -- $line)
        test "$word" = .; and return
        functions -q -- $word; and not string match -q -- "$__fish_data_dir/*" (functions --details -- $word); and return
    end
    return 1
end

# Whether the line asks for what nobody is to see, itself or in a function it names (`unknown`: it may name one).
function __belay_asks_unseen --argument-names line unknown
    set -l text $line
    test -z "$unknown"; or for word in (string match -ar '[^\s;&|()]+' -- $line)
        functions -q -- $word; and not string match -q -- "$__fish_data_dir/*" (functions --details -- $word)
        and set -a text (functions -- $word | string collect)
    end
    string match -qr '(?<![\w./-])(?:read\s(?:"[^"]*"|\'[^\']*\'|[^;&|"\'])*?(?<=\s)(?:-\w*s|--s[il])|stty\s[^;&|]*-echo)' -- $text
end

# The line is about to run. What one sets that is hidden from the history, or reads unseen, nobody can tell apart later: from then on nothing
# is taken, here and in the shells that this one starts.
function __belay_note_exports --argument-names line unknown
    if __belay_asks_unseen $line $unknown
        set -gx __belay_exports private
        return
    end
    __belay_may_export $line $unknown; or return 0
    if string match -q ' *' -- $line; or set -q fish_private_mode
        set -gx __belay_exports private
    else if test "$__belay_exports" != private
        set -g __belay_exports due
    end
end

# Sets __belay_keeps to `environment` where what is exported is to be kept: a line said so, or what tools set beside a line is other than it
# was. The first time it waits for a process that ends a turn anyway: a harmless line starts none.
function __belay_look_exports
    set -l now "$PATH:$VIRTUAL_ENV:$CONDA_PREFIX:$DIRENV_DIFF:$__MISE_DIFF"
    set -g __belay_keeps
    test "$__belay_exports" = private -o "$__belay_exports" = "$now"; and return
    test -z "$__belay_exports" -a ! -e $__belay_folder/turns/$__belay_turn; and return
    set -g __belay_exports $now
    set -g __belay_keeps environment
end

# This shell goes on in a session: after its own start-up files it has that one's variables.
function __belay_take_environment
    set -l does ($__belay_root/bin/belay resume --environment --for fish -- $BELAY_SESSION | string collect)
    and eval $does
end
