# Whether a line can destroy nothing, told without a program. What is not understood is not harmless: belay-snap then reads the line properly.
# fish compiles a regular expression each time it is used, for as long as it is: a short one takes the line apart, names are looked up.
# A command substitution costs as much as ten other commands: what is found comes in variables that the groups of an expression are named for.

# 0 only if the line can destroy nothing. Names behind it are aliases of which the line has the text already.
function __belay_harmless --argument-names line
    string match -qar -- $__belay_command $line
    and test -n "$__belay_ends[-1]"; or return 1
    for name in $__belay_names
        builtin functions -q -- $name; and not test $name = belay
        and not builtin functions --details -- $name | string match -q -- "$__fish_data_dir/*"
        and not builtin contains -- $name $argv[2..]
        and begin
            __belay_harmless_alias $name $argv
            return
        end
        string match -q -- "* $name *" $__belay_any; or __belay_harmless_with $name $__belay_args; or return 1
        builtin -q -- $name; or set -f programs 1
    end
    not set -q programs; or test "$PATH" = "$__belay_path" -a -z "$__belay_before"; or __belay_of_system $__belay_names
end

# Commands that destroy nothing, whatever their arguments.
set -g __belay_any ' [ : apropos b2sum base64 basename bg cal cat cd cdh cksum clear cmp column comm count cut df diff dir dirname dirs disown du echo egrep exit expand expr false fg fgrep fmt fold free getent grep groups head help hexdump id jobs join jq kill killall last ls lsblk lscpu lsof math md5sum nextd nl nproc numfmt od paste pgrep pidof pkill popd pr prevd printenv printf ps pushd pwd random readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat strings sum tac tail test times tr true tty type ulimit umask uname uptime vdir w wait wc whatis whereis which who whoami '

# The expressions below are made of these.
set -g __belay_word '(?:[A-Za-z0-9_./:,@%+~*?=^\[\]-]|\'(?:[^\'\\\\]|\\\\.)*\'|"(?:[^"\\\\$]|\$[A-Za-z_]\w*+(?!\[))*"|\$[A-Za-z_]\w*)+'
set -g __belay_plain '[A-Za-z0-9_./:,@%+-]+'
set -g __belay_nowhere '(?: *(?:\d?>>? ?/dev/null|\d?>&\d)(?= |;|\\||&|$))'

# One command of a line after another, between them `;`, `|`, `&&`, `||`: its name and what follows. The last one's last sign shows that
# nothing of the line is left over.
set -g __belay_command "(?s)(?:^|\G *(?:;|\|\|?|&&)) *(?<__belay_names>[a-z0-9_]++|\[|:)(?<__belay_args>(?: +$__belay_word|$__belay_nowhere)*)(?: *;? *\z(?<=(?<__belay_ends>.)))?"

# Global, for those who are asked next; else each function had its own.
set -g __belay_names
set -g __belay_args
set -g __belay_ends

# The same of a line with the text of an alias in it, which is a function of one line: its command and $argv. What another function
# does is not known. fish's own (ls, cd, …) are as harmless as what they wrap.
function __belay_harmless_alias --argument-names name line
    set -l body (builtin functions --no-details -- $name | string match -r '^\s+\S.*' | string replace -r '^\s+(?:command )?(.*) \$argv$' '$1')
    test (builtin count $body) = 1; and string match -qr '^[A-Za-z0-9_./=,: -]+$' -- $body; or return 1
    __belay_harmless (string replace -ra -- "(^ *|[;|&] *)$name(?= |;|\||&|\$)" "\${1}$body" $line | string collect) $argv[3..] $name
end

# Whether commands of this name destroy nothing with these arguments, those of each command of the line.
function __belay_harmless_with --argument-names name args
    set -q argv[3]; and begin
        __belay_harmless_each $name
        return
    end
    switch $name
        case git
            __belay_git_reads $args
        case belay
            not string match -qr '^ +(?:run|retry)\b' -- $args
        case command
            string match -qr "^ +-[vsq](?: +$__belay_plain)*$__belay_nowhere*\z" -- $args
        case date env hostname history
            string match -qr "^$__belay_nowhere*\z" -- $args
        case less more sort tree man
            string match -qr "^(?: +(?!-\S*[oOPRH]|--[clop]|\+)$__belay_plain)*$__belay_nowhere*\z" -- $args
        case set
            # Not what says where programs and functions lie.
            string match -qr "^(?: +(?!PATH|_*(?:fish|belay)_)[A-Za-z_]\w*(?: +(?!-)$__belay_word)*)?$__belay_nowhere*\z" -- $args
        case string
            not string match -qr '\?P?<' -- $args # it sets a variable of this name
        case '*'
            return 1
    end
end

# Whether these arguments make git only read: the rows of parts/git-reads.sh.
function __belay_git_reads --argument-names args
    string match -qr '(?s)^ +(?<__belay_verb>[a-z][a-z0-9-]*+)(?<__belay_args_of_verb>.*)' -- $args
    or string match -qr "(?s)^(?: +(?:--no-pager|-P|--no-optional-locks|-C +$__belay_plain))*(?: +(?<__belay_verb>[a-z0-9-]++)(?<__belay_args_of_verb>.*)|$__belay_nowhere*\z)" -- $args
    or return
    string match -q -- "* $__belay_verb *" ' status log show diff rev-parse rev-list ls-files ls-tree blame shortlog describe cat-file merge-base name-rev for-each-ref show-ref show-branch var version --version help --help whatchanged grep count-objects diff-tree diff-index diff-files cherry check-ignore check-attr '
    and begin
        test -z "$__belay_args_of_verb"; or string match -qr "^(?: +(?!--o[up]|--ext|-[^- ]*O)$__belay_plain)*$__belay_nowhere*\z" -- $__belay_args_of_verb
        return
    end
    switch "$__belay_verb"
        case ''
            return 0
        case branch
            string match -qr "^(?: +(?:-a|-r|-v|-vv|-av|-avv|-rv|-rvv|--all|--remotes|--verbose|--list|--show-current))*$__belay_nowhere*\z" -- $__belay_args_of_verb
        case tag
            string match -qr "^(?: +(?:-l|--list)(?: +(?!-)$__belay_plain)*)?$__belay_nowhere*\z" -- $__belay_args_of_verb
        case remote
            string match -qr "^(?:(?: +(?:-v|--verbose))*| +(?:show|get-url)(?: +(?!-)$__belay_plain)*)$__belay_nowhere*\z" -- $__belay_args_of_verb
        case stash worktree config
            string match -qr "^(?:stash +(?:list|show)|worktree +list|config +(?:-l|--list|--get|--get-all|--get-regexp))(?: +(?!-)$__belay_plain)*$__belay_nowhere*\z" -- $__belay_verb$__belay_args_of_verb
        case '*'
            return 1
    end
end

function __belay_harmless_each --argument-names name
    builtin contains -- $name $__belay_names[1..16]; and not set -q __belay_names[17]; or return 1
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
        test "$__belay_names[$i]" = $name; or continue
        __belay_harmless_with $name $__belay_args[$i]; or return 1
    end
    return 0
end

# 0: no folder that comes before the system's in PATH has a program of one of these names, which would be another one.
function __belay_of_system
    if test "$PATH" != "$__belay_path"
        set -g __belay_path "$PATH"
        set -g __belay_before
        for entry in $PATH
            string match -qr '^(/usr(/local)?)?/s?bin/?$' -- $entry; and break
            test $entry = $__belay_root/shims/bin; or set -a __belay_before $entry
        end
    end
    set -q __belay_before[1]; or return 0
    for name in $argv
        test $name = belay; and continue
        builtin -q -- $name; and continue
        for entry in $__belay_before
            test -x $entry/$name -a ! -d $entry/$name; and return 1
        end
    end
    return 0
end
