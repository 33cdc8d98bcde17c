# The same for fish, which shows prompts on a terminal only: started under script(1). Without its start-up files it takes itself for private,
# and would record nothing.
set -e fish_private_mode
cd $BENCH_CWD
function fish_prompt
end
function fish_greeting
end
test -n "$BENCH_BELAY"; and belay init fish | source
test -n "$BENCH_AFTER"; and eval $BENCH_AFTER
function bench_note --on-event fish_prompt
    printf '%s ' (command date +%s.%N) >>$BENCH_STAMPS
    test -n "$BENCH_PAUSE"; and sleep $BENCH_PAUSE
    test -n "$BENCH_BETWEEN"; and eval $BENCH_BETWEEN
    command date +%s.%N >>$BENCH_STAMPS
end
