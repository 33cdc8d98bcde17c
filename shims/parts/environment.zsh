# What a shell exports goes with its session, for whoever goes on in it (`belay resume`, `belay run -c`). belay-snap keeps it in the
# background, masked by its tables, after a line that may have changed it; every other line costs a comparison.

# Whether the line $1 may change what this shell exports; $2: it is not harmless, so it may call what does.
__belay_may_export() {
  [[ $1 == *(export|declare|typeset|readonly|unset|source|eval|set\ )* || " $1" == *[[:blank:]\;\&\|\(\{][A-Za-z_][A-Za-z0-9_]#(+|)=* ]] && return
  [[ -n $2 ]] || return 1
  local word
  for word in ${(z)1}; do
    [[ $word != . && -z ${functions[$word]+x} && -z ${aliases[$word]+x} ]] || return 0
  done
  return 1
}

# Whether the line $1 asks for what nobody is to see, itself or in a function it names ($2: it may name one).
__belay_asks_unseen() {
  local word text=$1
  for word in ${(z)2:+$1}; do text+=" ${functions[$word]-}"; done
  [[ $text == *(read*-*s|stty*-echo)* ]] || return 1
  [[ " $text" == *[^A-Za-z0-9_./-](read[[:blank:]]((\"[^\"]#\"|\'[^\']#\'|[^\;\&\|\"\'])#[[:blank:]]|)-[A-Za-z0-9]#s|stty[[:blank:]][^\;\&\|]#-echo)* ]]
}

# The line $1 is about to run; $2: it is not harmless. What a line sets that is hidden from the history ($3), or reads unseen, nobody can tell
# apart later: from then on nothing is taken, here and in the shells that this one starts.
__belay_note_exports() {
  if __belay_asks_unseen "$1" "$2" || { [[ $3 == hidden ]] && __belay_may_export "$1" "$2" }; then
    builtin export __belay_exports=private
  elif [[ $__belay_exports != private ]] && __belay_may_export "$1" "$2"; then
    __belay_exports=due
  fi
}

# Sets __belay_keeps to `environment` where what is exported is to be kept: a line said so, or what tools set beside a line is other than it
# was. The first time it waits for a process that ends a turn anyway ($1): a harmless line starts none.
__belay_look_exports() {
  local now="$PATH:${VIRTUAL_ENV-}:${CONDA_PREFIX-}:${DIRENV_DIFF-}:${__MISE_DIFF-}"
  typeset -g __belay_keeps=''
  [[ $__belay_exports == (private|$now) || -z $__belay_exports$1 ]] || __belay_exports=$now __belay_keeps=environment
}

# By a process that nobody waits for, where none that ends the turn has been told to.
__belay_keep_environment() {
  [[ -z $__belay_keeps ]] || ( builtin cd -q /; __belay_snap environment $BELAY_SESSION $__belay_turn & ) </dev/null >/dev/null 2>&1
}

# This shell goes on in a session: after its own start-up files it has that one's variables.
__belay_take_environment() {
  local __belay_does
  __belay_does=$($__belay_root/bin/belay resume --environment --for zsh -- $BELAY_SESSION) && builtin eval "$__belay_does"
}
