# A line was entered; the prompt is back. What every line needs comes first: fish counts the lines before a function each time it is called.

function __belay_preexec --on-event fish_preexec --argument-names line
    set -l before $status
    test "$__belay_on:$__belay_pid:$BELAY_SESSION" = "1:$fish_pid:$__belay_session"; or __belay_is_on; or return
    # The next turn is mostly one with another last digit. belay's own lines are never turns, and what is kept out of the history is kept
    # out of the record.
    if string match -qr '^\d*(\d)(?<__belay_low>\d)\d* (?<__belay_high>\d*)\1:(?! |belay(?: |\z))[^\n]+\z' -- "0123456789 $__belay_turn:$line"
        set -g __belay_turn $__belay_high$__belay_low
        set -gx BELAY_TURN $__belay_turn
        set -q fish_private_mode; or __belay_record $line; or set -f __belay_later 1
    else
        set -g __belay_turn (builtin math $__belay_turn + 1)
        set -gx BELAY_TURN $__belay_turn
        string match -q '*'\n -- $line; and set line (string collect -- $line)
        test -n "$line"; or return
        string match -qr '^(?: |belay( |$))' -- $line; or set -q fish_private_mode; or __belay_record $line; or set -f __belay_later 1
    end
    set -q __belay_later; and __belay_is_gone; and __belay_rest; and return
    if __belay_harmless $line
        # Nothing else that is harmless may change what is exported.
        string match -q '*set*' -- $line; and __belay_note_exports $line
        set -q __belay_later; and __belay_record_later $line
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
    __belay_record_end $before $CMD_DURATION
    test -e $__belay_folder/turns/$__belay_turn -o -s $__belay_folder/notice -o -s $__belay_folder/next -o ! -e $__belay_root/shims -o ! -e "$__belay_folder"
    or not builtin contains -- "$__belay_exports" '' private "$PATH:$VIRTUAL_ENV:$CONDA_PREFIX:$DIRENV_DIFF:$__MISE_DIFF"
    and __belay_after_line
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
