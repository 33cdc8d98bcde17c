# belay for an interactive fish: `belay init fish | source`.
#
# fish_preexec is sent after a line is read and before its first redirection is opened, also for lines that are kept out
# of the history. fish runs functions in its own process: only a line that may destroy something starts one. It cannot
# be told to drop the line: `on_unsaved: refuse` can only warn here.

# ── Session ──────────────────────────────────────────────────────────────────────────────────────────────────────

function __belay_start
    if set -q BELAY_ADOPT; and set -q BELAY_SESSION
        test $BELAY_ADOPT = environment; and __belay_take_environment
        set -e BELAY_ADOPT # `belay run` has begun the session
    else
        set -gx BELAY_SESSION (command date +%Y%m%d_%H%M%S_)(builtin printf '%06x' (builtin random 0 16777215))
    end
    set -q BELAY_RESUME_TURN; or set -l BELAY_RESUME_TURN 0
    __belay_adopt $BELAY_SESSION $BELAY_RESUME_TURN
    set -e BELAY_RESUME_TURN
    set -g __belay_shown ''
    set -g __belay_pid $fish_pid
    set -g __belay_on 1
    __belay_sweep
end

# This shell is in that session from now on, after that turn of it. The line that says so is still one of the session before.
function __belay_adopt --argument-names session turn
    if set -q __belay_session; and test -n "$__belay_folder" -a -e "$__belay_folder/turns/$__belay_turn"
        __belay_behind end $__belay_session $__belay_turn now
    end
    set -gx BELAY_SESSION $session
    set -gx BELAY_TURN $turn
    set -l base /tmp/belay-(command id -u)
    if set -q XDG_RUNTIME_DIR; and string match -q '/*' -- $XDG_RUNTIME_DIR; and test -O $XDG_RUNTIME_DIR -a ! -L $XDG_RUNTIME_DIR
        set base $XDG_RUNTIME_DIR/belay
    end
    set -g __belay_folder $base/$BELAY_SESSION
    command mkdir -p -m 700 -- $base $__belay_folder 2>/dev/null
    test -O $base -a ! -L $base -a -w $__belay_folder -a ! -L $__belay_folder; or set -g __belay_folder ''
    set -g __belay_turn $turn
    set -g __belay_session $session
    test "$__belay_exports" = private; or set -g __belay_exports
end

# The session has become long, and was compressed: it goes on as the one that is named there.
function __belay_go_on
    set -l next
    read next <$__belay_folder/next
    string match -qr '^[A-Za-z0-9_-]+$' -- $next; and __belay_adopt $next 0
end

# belay's own folder.
function __belay_home
    if test -n "$BELAY_HOME"
        builtin echo $BELAY_HOME
    else if test -n "$XDG_DATA_HOME"
        builtin echo $XDG_DATA_HOME/belay
    else
        builtin echo $HOME/.local/share/belay
    end
end

# Dependency environments of deleted checkouts go in the background, where there are any and the time has come.
function __belay_sweep
    set -l home (__belay_home | string collect)
    test -d $home/installs; or return 0
    set -l due
    test -r $home/worktrees/next-sweep; and read due <$home/worktrees/next-sweep
    string match -qr '^[0-9]+$' -- $due; and test (command date +%s) -lt $due; and return 0
    __belay_behind sweep
end

# belay-snap does that while nobody waits: no job of this shell, and nothing of its terminal, for another shell starts it and leaves;
# nothing of its folder either, which may be gone.
function __belay_behind
    set -l program $__belay_root/bin/belay-snap
    set -q BELAY_SNAP; and set program $BELAY_SNAP
    command sh -c 'cd / && "$@" &' sh $program $argv </dev/null >/dev/null 2>&1
end

# ── A line is saved ──────────────────────────────────────────────────────────────────────────────────────────────

function __belay_snap
    set -l program $__belay_root/dist/belay-snap
    set -q BELAY_SNAP; and set program $BELAY_SNAP
    # The launcher knows what to do where /proc is there and nothing is mounted on it: the compiled one's runtime ends in a panic.
    test -x $program; and test -e /proc/self -o ! -d /proc; or set program $__belay_root/bin/belay-snap
    test -x $program; or command sleep 0.05 # install.sh may be putting a newer one in its place
    test -x $program; or return 127
    # Not what is meant for the user's own programs that run on the same runtimes.
    set -l without
    for name in BASH_ENV ENV NODE_OPTIONS NODE_V8_COVERAGE BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_CONNECT_TO BUN_INSPECT_NOTIFY
        set -qx $name; and set -a without -u $name
    end
    set -lx BELAY_THEIR_BASH_ENV "$BASH_ENV" # what shells in the line would read first
    set -lx BELAY_THEIR_ENV "$ENV"
    set -lx BELAY_SAVING 1 # nothing that it starts is saved in turn
    # ^C does not drop the line, so it must not end the saving either; nor may ^Z stop it, nor a limit (`ulimit -f`) kill it.
    # Nor must it be steered by what lies in the folder, which may be gone: sh complains of that where nobody reads it.
    set -l deaf /bin/sh -c 'trap "" INT TSTP XFSZ; cd /; PWD=$1 OLDPWD=$2; shift 2; [ "$OLDPWD" ] || unset OLDPWD; exec "$@" 2>&9 9>&-' sh $PWD "$OLDPWD"
    if set -q without[1]
        command env $without $deaf $program $argv 9>&2 2>/dev/null
    else
        command $deaf $program $argv 9>&2 2>/dev/null
    end
end

# NUL-terminated `key=value` fields on belay-snap's standard input.
function __belay_request --argument-names text before later
    set -l cwd (builtin pwd -P 2>/dev/null | string collect)
    test -n "$cwd"; or set cwd $PWD # it is gone
    builtin printf '%s\0' record=$later shell=fish session=$BELAY_SESSION turn=$BELAY_TURN "line=$text" pid=$fish_pid begins=1 interactive=1 \
        "var=status=$before" "cwd=$cwd" positional=fish
    if string match -q ' *' -- $text; or set -q fish_private_mode
        builtin printf '%s\0' hidden=1
    end
    set -q dirstack[1]; and builtin printf '%s\0' "stack="(builtin printf '%s\n' $PWD $dirstack | string collect)
    set -l seen
    set -l more "$text CDPATH HOME PWD fish_command_not_found"
    for round in 1 2 3 4 5 6 7 8
        test -n "$more"; or break
        set -l names (string match -ar '[A-Za-z0-9_.:+@-]+' -- $more | string collect | string split \n)
        set more ''
        for name in $names
            builtin contains -- $name $seen; and continue
            set -a seen $name
            if builtin functions -q -- $name; and not string match -q -- "$__fish_data_dir/*" (builtin functions --details -- $name)
                set -l body (builtin functions --no-details -- $name | string collect)
                builtin printf '%s\0' "func=$name=$body"
                set more "$more $body"
            end
            set -l variable (string replace -r '[^A-Za-z0-9_].*' '' -- $name)
            string match -qr '^([0-9].*|__belay.*|status|pipestatus|history|random|argv|)$' -- $variable; and continue
            set -q -- $variable; or continue
            builtin printf '%s\0' "var=$variable=$$variable"
            set -l index 0
            for value in $$variable
                set index (builtin math $index + 1)
                builtin printf '%s\0' "arr=$variable""[$index]=$value"
            end
        end
    end
end

# The line runs unprotected: said once in the log, and once at the next prompt.
function __belay_failed --argument-names code
    __belay_is_gone; and return
    set -l text "belay: belay-snap failed (status $code): this line ran unprotected; see belay doctor"
    set -l logs (__belay_home | string collect)/logs
    command mkdir -p -m 700 -- $logs 2>/dev/null
    and builtin echo (command date +%Y-%m-%dT%H:%M:%S%z) $text >>$logs/belay.log 2>/dev/null
    test -n "$__belay_folder"; and builtin echo $BELAY_TURN >$__belay_folder/unprotected 2>/dev/null
    test -n "$__belay_folder"; and builtin echo $text >$__belay_folder/notice 2>/dev/null
    and test -s $__belay_folder/notice
    or builtin echo $text >&2
end

# ── The prompt is back ───────────────────────────────────────────────────────────────────────────────────────────

# The same text again and again is one piece of news, but for what was saved or was not: that is one of each line.
function __belay_notice
    set -l text (string collect <$__belay_folder/notice)
    builtin printf '' >$__belay_folder/notice
    test "$text" = "$__belay_shown"; and not string match -qr '^belay saved |(?:was|is) not saved|ran unprotected' -- $text; or builtin echo $text >&2
    set -g __belay_shown $text
end

# ── belay on, belay off ──────────────────────────────────────────────────────────────────────────────────────────

# What runs from this line on is in no record: `belay undo` says so before it takes an older one back.
function __belay_note_off
    test -n "$__belay_folder" -a -d "$__belay_folder"; and builtin echo $BELAY_TURN >$__belay_folder/off 2>/dev/null; or true
end

function belay
    switch "$argv"
        case on
            if not test -x $__belay_root/bin/belay
                builtin echo 'belay: it is not installed any more: nothing is saved in this shell' >&2
                return 1
            end
            test "$__belay_on" = 1; or __belay_note_off
            set -e __belay_gone
            set -g __belay_on 1
            set -q BELAY_DISABLE; and set -e BELAY_DISABLE; or true # its status is no news
            test -t 2; and builtin echo 'belay saves again in this shell.' >&2; or true
        case off
            __belay_note_off
            set -g __belay_on ''
            set -gx __belay_exports private
            set -gx BELAY_DISABLE 1
            test -t 2; and builtin echo 'belay saves nothing in this shell, until: belay on' >&2; or true
        case new reset clear
            test $argv[1] = clear; and command clear
            __belay_adopt (command date +%Y%m%d_%H%M%S_)(builtin printf '%06x' (builtin random 0 16777215)) 0
        case resume 'resume *'
            set -l does (BELAY_LOADED="fish:$fish_pid:" $__belay_root/bin/belay resume --for fish $argv[2..] | string collect)
            and eval $does
        case '*'
            if test -x $__belay_root/bin/belay
                # Tells `belay doctor` which shell asks, and what is amiss in it.
                set -l amiss
                test "$__belay_on" = 1; or set -a amiss off
                builtin functions -q __belay_preexec; or set -a amiss fish_preexec
                builtin functions -q __belay_postexec; or set -a amiss fish_postexec
                BELAY_LOADED="fish:$fish_pid:$amiss" $__belay_root/bin/belay $argv
            else
                command belay $argv
            end
    end
end

# ── Start ────────────────────────────────────────────────────────────────────────────────────────────────────────

# One that outlived an uninstall is neither on nor `off`: it begins anew.
if status is-interactive; and test "$__belay_pid" != $fish_pid -o -z "$__belay_on$BELAY_DISABLE"
    __belay_start
end
