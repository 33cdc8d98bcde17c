# belay was uninstalled while this shell runs. __belay_gone is `gone` until it is there again, `purged` while its program is still there (a
# package that npm takes away by a line of its own), which is no reason to make its folder anew.

# Its user knows: belay's folder says so, or this shell's markers went with it; or all of what it kept went.
function __belay_is_gone
    set -l home (__belay_home | string collect)
    if test -e $__belay_root/shims
        test -n "$__belay_folder" -a -n "$__belay_journal" -a ! -e "$__belay_folder" -a ! -e "$home"
    else
        test -e $home/uninstalled; or test -n "$__belay_folder" -a ! -e "$__belay_folder"
    end
end

# Nothing is saved, recorded or told here from now on.
function __belay_rest
    set -g __belay_on ''
    set -g __belay_gone gone
    test -e $__belay_root/shims; and set -g __belay_gone purged
end

# Where it is installed again, with what is there now, in a session of its own: what ran meanwhile is older than nothing in it.
function __belay_come_back
    if test $__belay_gone = purged
        test -e $__belay_root/shims; or set -g __belay_gone gone
        return
    end
    set -l home (__belay_home | string collect)
    test -x $__belay_root/bin/belay -a ! -e $home/uninstalled; or return
    set -e __belay_gone
    $__belay_root/bin/belay init fish | source
    test "$__belay_on" = 1
    and builtin echo 'belay is installed again and saves in this shell from now on; what ran here without it is in no record.' >&2
end
