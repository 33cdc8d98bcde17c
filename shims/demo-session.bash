# shellcheck shell=bash disable=SC2188
# What `belay demo` types, line by line, at the prompt of a real bash. `## ` is told to the person who watches; `#= ` says
# how the project's files must be then, byte for byte: `whole` as in the beginning, `hurt` not so, `hurt again` not so on purpose.

## One wrong argument: the sources, and an .env that git does not know.
rm -rf src .env
#= hurt
ls -A
belay undo
#= whole

## A reflex: an hour of work that was never committed. Then a redirection too many.
git checkout -- .
>notes.txt
#= hurt
belay list
belay rollback @2
#= whole

## The restore itself can be taken back, and that too.
belay redo
#= hurt again
belay rollback last
#= whole
