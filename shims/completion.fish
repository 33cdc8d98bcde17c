# Completion of belay for fish: `belay completion fish | source`. belay itself knows what fits; file names beside it.

complete -c belay -k -f -a '(belay completion --words (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c belay -n '__fish_seen_subcommand_from rollback diff show' -F
