# Completion of belay for fish: the line that loads belay brings it along, `belay completion fish` prints it alone. belay itself
# knows what fits; where it knows nothing, file names do.

function __belay_words
    set -l found (belay completion --words (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end

complete -c belay -e
complete -c belay -k -f -a '(__belay_words)'
