# A line was entered; the prompt is back. What every line needs comes first: fish counts the lines before a function each time it is called.

function __belay_preexec --on-event fish_preexec --argument-names line
    set -l before $status
    test "$__belay_on:$__belay_pid:$BELAY_SESSION" = "1:$fish_pid:$__belay_session"; or __belay_is_on; or return
    # The next turn is mostly one with another last digit, or with another before a last one that is 0 again. belay's own lines are never
    # turns, and what is kept out of the history is kept out of the record.
    if string match -qr '^(?:\d*(\d)(?<__belay_low>\d)\d* (?<__belay_high>\d*)\1|(?<__belay_zero>0)\d*(\d)(?<__belay_tens>\d)\d* (?<__belay_hundreds>\d*)\5(?=9:)9):(?! |belay(?: |\z))[^\n]+\z' -- "0123456789 $__belay_turn:$line"
        set -g __belay_turn "$__belay_high$__belay_low$__belay_hundreds$__belay_tens$__belay_zero"
        set -gx BELAY_TURN $__belay_turn
        set -q fish_private_mode; or __belay_record $line; or set -f __belay_later 1
    else
        set -g __belay_turn (builtin math $__belay_turn + 1)
        set -gx BELAY_TURN $__belay_turn
        string match -q '*'\n -- $line; and set line (string collect -- $line)
        test -n "$line"; or return
        string match -qr '^(?: |belay( |$))' -- $line; or set -q fish_private_mode; or __belay_record $line; or set -f __belay_later 1
    end
    if __belay_harmless $line
        set -q __belay_later; or string match -q '*set*' -- $line; and __belay_after_harmless $line $__belay_later
        return
    end
    set -q __belay_later; and __belay_is_gone; and begin
        __belay_rest
        return
    end
    __belay_note_exports $line 1
    # One plain command is saved before the runtime's compiler pays; a tree is not, and what `mv` names may be one.
    string match -qr '^(?!.* -[^ ]*[rR])(?:(?:rm|rmdir|unlink|cp|ln|sed|truncate|shred|echo|printf|cat|:) |>)[^;&|\n]{0,4000}$' -- $line
    and set -lx BUN_JSC_useJIT 0
    __belay_request $line $before "$__belay_later" | __belay_snap hold >/dev/null
    set -l said $pipestatus[2]
    builtin contains -- $said 0 3; or __belay_failed $said
end

function __belay_postexec --on-event fish_postexec
    set -l before $status
    test "$__belay_on:$__belay_pid:$BELAY_SESSION" = "1:$fish_pid:$__belay_session"; or __belay_is_on; or return
    test "$__belay_journal_session" = "$BELAY_SESSION" -a -n "$__belay_began" -a -f "$__belay_journal"; or __belay_has_begun
    and begin
        builtin echo '{"e":"done","t":'$__belay_began'000,"turn":"'$__belay_turn'","exit":'$before',"ms":'$CMD_DURATION'}' >>$__belay_journal
        or __belay_cannot_write
    end
    test -e $__belay_folder/turns/$__belay_turn -o -s $__belay_folder/notice -o -s $__belay_folder/next -o ! -e $__belay_root/shims -o ! -e "$__belay_folder"
    or not builtin contains -- "$__belay_exports" '' private "$PATH:$VIRTUAL_ENV:$CONDA_PREFIX:$DIRENV_DIFF:$__MISE_DIFF"
    and __belay_after_line
end

# Nothing but `set` may change what is exported, of what is harmless. `later`: the record is left to belay-snap, unless belay is gone.
function __belay_after_harmless --argument-names line later
    string match -q '*set*' -- $line; and __belay_note_exports $line
    test -n "$later"; or return
    if __belay_is_gone
        __belay_rest
    else
        __belay_record_later $line
    end
end

# belay is on in this very shell, whose session somebody has erased or set to another: it knows its own all the same.
function __belay_is_on
    set -q __belay_gone; and __belay_come_back
    test "$__belay_on:$__belay_pid" = 1:$fish_pid; and set -gx BELAY_SESSION $__belay_session
end

# There is something to be done for which nobody shall wait, or to be told, or belay is gone.
function __belay_after_line
    test -n "$__belay_folder"; or return
    __belay_look_exports
    set -l does $__belay_keeps $BELAY_SESSION $__belay_turn
    test -e $__belay_folder/turns/$__belay_turn; and set does end $BELAY_SESSION $__belay_turn now $__belay_keeps
    set -q does[3]; and __belay_behind $does
    test -s $__belay_folder/notice; and __belay_notice
    test -s $__belay_folder/next; and __belay_go_on
    __belay_is_gone; and __belay_rest
end
