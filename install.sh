#!/bin/sh
# Installs belay from this checkout or archive, or takes it out again. May be run any number of times.
set -eu
unset CDPATH

# shellcheck disable=SC2016  # the back quotes are text
usage='usage: ./install.sh [--prefix DIR] [--no-rc] [--no-demo] [--disabled] [--setup] [--uninstall]

  --prefix DIR   install under DIR instead of ~/.local (or, with --uninstall, take it out of there)
  --no-rc        leave the start-up files of the shells alone
  --no-demo      do not run `belay demo` and `belay doctor` afterwards
  --disabled     install with `enabled: false`: nothing is saved until that is changed
  --setup        leave the files where they are (npm has put them there): only the start-up files
  --uninstall    take the files and the lines out again; what was saved stays'

begin='# >>> belay >>>'
end='# <<< belay <<<'
made='# this file was made by the install.sh of belay'
joined='# the line above had no end of line'

# Said with each failure, for as long as it is so.
untouched='Nothing was installed.'
die() {
  printf 'install.sh: %s\n' "$1" >&2
  [ -z "$untouched" ] || printf '%s\n' "$untouched" >&2
  exit 1
}

wrong() {
  printf 'install.sh: %s\n%s\n' "$1" "$usage" >&2
  exit 2
}

# ── What is asked ────────────────────────────────────────────────────────────────────────────────────────────────

case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
here=$(cd "$here" && pwd) || die "cannot enter the folder of $0"
newline='
'
prefix=
rc=yes
demo=yes
disabled=no
uninstall=no
setup=no
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -gt 1 ] || wrong '--prefix wants a folder'
      prefix=$2
      shift
      ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --no-rc) rc=no ;;
    --no-demo) demo=no ;;
    --disabled) disabled=yes ;;
    --setup) setup=yes ;;
    --uninstall) uninstall=yes ;;
    -h | --help)
      printf '%s\n' "$usage"
      exit 0
      ;;
    *) wrong "unknown option $1" ;;
  esac
  shift
done

if [ -z "${HOME-}" ] && { [ -z "$prefix" ] || [ "$rc" = yes ] || [ "$disabled" = yes ]; }; then
  die 'HOME is not set: give --prefix DIR and --no-rc'
fi
# A checkout is built first. An archive and what npm has installed were built before they were packed. A copy of this file lies in
# PREFIX/lib/belay: from there it takes itself out.
kind=checkout
if [ ! -e "$here/package-lock.json" ]; then
  case $here in
    */lib/belay) kind=installed ;;
    */node_modules/belay-sh) kind=npm setup=yes ;;
    *) kind=archive ;;
  esac
fi
if [ "$kind" = npm ] && [ -n "$prefix" ]; then wrong 'npm chose the folder: --prefix is not for here'; fi
if [ -z "$prefix" ]; then
  if [ "$kind" = installed ]; then prefix=${here%/lib/belay}; else prefix=$HOME/.local; fi
fi
case $prefix in
  *"$newline"*) die 'the prefix has a line break in its name' ;;
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
[ "$prefix" = / ] || prefix=${prefix%/}
lib=${prefix%/}/lib/belay
bin=${prefix%/}/bin
man=${prefix%/}/share/man
if [ "$setup" = yes ] && [ "$kind" != installed ]; then
  lib=$here
  bin=$here/bin
  # Of a global package npm has put links there.
  case $here in */lib/node_modules/belay-sh) [ ! -e "${here%/lib/node_modules/belay-sh}/bin/belay" ] || bin=${here%/lib/node_modules/belay-sh}/bin ;; esac
fi
config_home=${XDG_CONFIG_HOME:-${HOME-}/.config}

# As a person knows it, whose home folder is ~.
short() {
  case $1 in
    "${HOME:-/}"/*) printf '~%s' "${1#"$HOME"}" ;;
    *) printf '%s' "$1" ;;
  esac
}

# ── The start-up files of the shells ─────────────────────────────────────────────────────────────────────────────

# zsh itself is asked where its files lie: a ~/.zshenv may have moved them.
zsh_home=
if [ "$rc" = yes ] && command -v zsh >/dev/null 2>&1; then
  # shellcheck disable=SC2016  # zsh expands it
  zsh_home=$(zsh -c 'print -r -- ${ZDOTDIR:-$HOME}' </dev/null 2>/dev/null | tail -n 1)
fi
case $zsh_home in /*) ;; *) zsh_home=${ZDOTDIR:-${HOME-}} ;; esac

rc_file() {
  case $1 in
    bash) printf '%s\n' "$HOME/.bashrc" ;;
    zsh) printf '%s\n' "$zsh_home/.zshrc" ;;
    fish) printf '%s\n' "$config_home/fish/config.fish" ;;
  esac
}

# A login bash (ssh, a console, tmux, `bash -l`) reads the first of these that it can read, and .bashrc only where that
# file says so. Prints the file that has to get the line too; nothing where a login bash comes to .bashrc.
login_file() {
  for name in .bash_profile .bash_login .profile; do
    [ -r "$HOME/$name" ] || continue
    # Our own block is no answer: the file may have lost its way to .bashrc since.
    rc_without "$HOME/$name" | LC_ALL=C grep -q '^[^#]*/\.bashrc' || printf '%s\n' "$HOME/$name"
    return 0
  done
  printf '%s\n' "$HOME/.bash_profile"
}

# In single quotes only ' itself needs care; in fish \ as well.
quoted() {
  if [ "$1" = fish ]; then
    printf "'%s'" "$(printf '%s\n' "$2" | sed "s/[\\\\']/\\\\&/g")"
  else
    printf "'%s'" "$(printf '%s\n' "$2" | sed "s/'/'\\\\''/g")"
  fi
}

# The name alone where it leads here, else the whole path. npm's folder need not be in the PATH of a login shell.
init_line() {
  if [ "$kind" != npm ] && [ "$(command -v belay 2>/dev/null)" = "$bin/belay" ]; then
    program=belay
  else
    program=$bin/belay
    case $program in *[!A-Za-z0-9_/.+-]*) program=$(quoted "$1" "$program") ;; esac
  fi
  # shellcheck disable=SC2016  # the shell that starts expands it
  case $1 in
    fish) printf '%s init fish | source\n' "$program" ;;
    # Other shells read .profile too, and a login bash need not be interactive.
    login) printf 'case ${BASH_VERSION:+$-} in *i*) eval "$(%s init bash)" ;; esac\n' "$program" ;;
    *) printf 'eval "$(%s init %s)"\n' "$program" "$1" ;;
  esac
}

# Whole blocks only: a begin without an end, or twice, is somebody's edit and not ours to guess at.
rc_state() {
  [ -f "$1" ] || { echo absent && return; }
  LC_ALL=C awk -v begin="$begin" -v end="$end" '
    $0 == begin { begins++; if (open) bad = 1; open = 1 }
    $0 == end { ends++; if (!open) bad = 1; open = 0 }
    END { print (bad || open || begins > 1) ? "broken" : begins ? "there" : "none" }' "$1"
}

rc_inside() {
  LC_ALL=C awk -v begin="$begin" -v end="$end" '
    $0 == end { inside = 0 }
    inside { print }
    $0 == begin { inside = 1 }' "$1"
}

rc_without() {
  LC_ALL=C awk -v begin="$begin" -v end="$end" '
    $0 == begin { inside = 1 }
    !inside { print }
    $0 == end { inside = 0 }' "$1"
}

# Written through a link, and never over a file whose new text is not safely beside it.
rc_take_out() {
  file=$1
  gone=
  aside=$file.belay-$$
  (umask 077 && rc_without "$file" >"$aside") || return 1
  inside=$(rc_inside "$file")
  if [ ! -s "$aside" ] && [ "${inside#*"$made"}" != "$inside" ]; then
    rm -f "$aside" "$file"
    gone=yes
    return
  fi
  last=$(tail -n 1 "$file")
  if [ "$last" = "$end" ] && [ "${inside#*"$joined"}" != "$inside" ]; then
    text=$(cat "$aside")
    printf '%s' "$text" >"$aside"
  fi
  cat "$aside" >"$file" || die "$file could not be written whole: its text is in $aside"
  rm -f "$aside"
}

# Puts the line into the file: FILE LINE.
rc_put() {
  file=$1
  line=$2
  known=$(short "$file")
  state=$(rc_state "$file")
  if [ "$state" = broken ]; then
    echo "  $known: has a belay block that somebody changed; left alone. The line is: $line"
    return
  fi
  if [ "$state" = there ]; then
    if [ "$(rc_inside "$file" | grep -v -e '^# ' -e '\.profile$')" = "$line" ]; then
      echo "  $known: has the line already"
      return
    fi
  fi
  mkdir -p "${file%/*}" 2>/dev/null || true
  if ! { [ -w "$file" ] || { [ ! -e "$file" ] && [ -w "${file%/*}" ]; }; }; then
    echo "  $known: cannot be written. The line is: $line"
    return
  fi
  [ "$state" != there ] || rc_take_out "$file"
  note=
  if [ ! -e "$file" ]; then
    note=$made$newline
    # bash passes over a .profile beside it, which somebody may make later.
    # shellcheck disable=SC2088  # the shell that starts expands it
    case $file in */.bash_profile) note="${note}[ ! -r ~/.profile ] || . ~/.profile$newline" ;; esac
  elif [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then
    note=$joined$newline
    printf '\n' >>"$file"
  fi
  printf '%s\n%s%s\n%s\n' "$begin" "$note" "$line" "$end" >>"$file"
  case $line in
    case*) echo "  $known: added the same, for login shells" ;;
    *) echo "  $known: added $line" ;;
  esac
}

# ── Configuration ────────────────────────────────────────────────────────────────────────────────────────────────

config=$config_home/belay/config.yaml

# Only the plain form of YAML is edited by this script; anything else is its owner's to change.
config_is_plain() {
  [ ! -f "$config_home/belay/config.json" ] || return 1
  [ ! -f "$config" ] || ! LC_ALL=C grep -q '^checkpoints:[[:space:]]*[^#[:space:]]' "$config"
}

config_off() {
  mkdir -p "$config_home/belay"
  if [ ! -f "$config" ]; then
    printf 'checkpoints:\n  enabled: false\n' >"$config"
    return
  fi
  aside=$config.belay-$$
  LC_ALL=C awk '
    BEGIN { pad = "  " }
    /^[^[:space:]#]/ {
      if (inside && !done) { print pad "enabled: false"; done = 1 }
      inside = /^checkpoints:/
      print
      next
    }
    inside && !seen && match($0, /^[[:space:]]+[^#[:space:]]/) { pad = substr($0, 1, RLENGTH - 1); seen = 1 }
    inside && !done && index($0, pad "enabled:") == 1 { sub(/enabled:.*/, "enabled: false"); done = 1 }
    { print }
    END {
      if (done) exit
      if (!inside) print "checkpoints:"
      print (inside ? pad : "  ") "enabled: false"
    }' "$config" >"$aside"
  cat "$aside" >"$config" && rm -f "$aside"
}

# ── Taking it out ────────────────────────────────────────────────────────────────────────────────────────────────

ours() { [ -L "$1" ] && [ "$(readlink "$1")" = "$2" ]; }

pages='man1/belay.1 man5/belay-config.5 man7/belay-hooks.7'

# Nothing but marks of shells that run lies there. Those in /tmp are the user's, whatever HOME is at the moment.
forget_markers() {
  [ -z "${XDG_RUNTIME_DIR-}" ] || rm -rf "$XDG_RUNTIME_DIR/belay" 2>/dev/null || true
  own=$(eval "printf '%s' ~$(id -un)")
  if [ "$own/.local" = "$prefix" ] && [ "$own" = "$HOME" ]; then rm -rf "/tmp/belay-$(id -u)" 2>/dev/null || true; fi
}

# What an installation that was killed (kill -9, a power loss) has left in the place where it laid out the next one. (One that runs in
# another container has no process here, and has just written there.)
forget_killed() {
  for left in "$prefix/lib/.belay-new-"* "$prefix/lib/.belay-old-"*; do
    if [ -d "$left" ] && ! kill -0 "${left##*-}" 2>/dev/null && [ -n "$(find "$left" -prune -mmin +10)" ]; then rm -rf "$left"; fi
  done
}

if [ "$uninstall" = yes ]; then
  untouched=
  found=
  if [ "$rc" = yes ]; then
    for file in "$HOME/.bashrc" "$HOME/.bash_profile" "$HOME/.bash_login" "$HOME/.profile" "$(rc_file zsh)" "$(rc_file fish)"; do
      case $(rc_state "$file") in
        there)
          rc_take_out "$file"
          found=yes
          if [ -n "$gone" ]; then
            case $file in */fish/config.fish) rmdir "${file%/*}" 2>/dev/null || true ;; esac
            echo "  $(short "$file"): taken away (it had nothing but the line)"
          else
            echo "  $(short "$file"): line taken out"
          fi
          ;;
        broken) echo "  $(short "$file"): has a belay block that somebody changed; left alone" ;;
      esac
    done
  fi
  saved=${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}
  # Their hooks would start what is no longer there.
  if [ -x "$lib/bin/belay" ] && [ -n "$(find "$saved/agents" -maxdepth 1 -name '*.json' 2>/dev/null)" ]; then
    "$lib/bin/belay" agent remove --all </dev/null || {
      echo "Agents still call belay: what was put into them is named in $saved/agents. Before they are taken out by hand, install"
      echo 'again and try: belay agent remove --all'
    }
  fi
  # Where nothing was ever saved, nothing stays.
  rm -f "$saved/introduce" 2>/dev/null || true
  rmdir "$saved" 2>/dev/null || true
  # Files that npm has put there are npm's to take away.
  [ "$setup" = no ] || pages=
  for name in belay belay-snap; do
    if ours "$bin/$name" "../lib/belay/bin/$name"; then rm -f "$bin/$name" && found=yes; fi
  done
  for page in $pages; do
    if ours "$man/$page" "../../../lib/belay/dist/man/$page"; then rm -f "$man/$page" && found=yes; fi
  done
  if [ "$setup" = yes ]; then
    found=yes
    forget_markers
  elif [ -f "$lib/bin/belay" ]; then
    folders=$(cat "$lib/made-folders" 2>/dev/null || true)
    rm -rf "$lib" && found=yes
    # Only folders that install.sh made, and only empty ones.
    printf '%s\n' "$folders" | while IFS= read -r folder; do
      [ -z "$folder" ] || rmdir "$folder" 2>/dev/null || true
    done
    forget_markers
  fi
  forget_killed
  if [ -z "$found" ]; then
    echo "belay is not installed in $prefix: nothing was changed."
    exit 0
  fi
  # For shells that run already: they need not say that belay is missing.
  [ ! -d "$saved" ] || true >"$saved/uninstalled" || true
  case $kind in
    npm) printf '%s\n' 'belay is taken out of the start-up files and of every agent.' 'What is left is the package: npm uninstall -g belay-sh' ;;
    *)
      if [ "$setup" = yes ]; then echo "belay is taken out of the start-up files and of every agent; its files in $lib stay."; else
        printf '%s\n' "belay is taken out of $(short "$prefix")." 'Shells that run already save nothing from now on.'
      fi
      ;;
  esac
  # `belay uninstall --purge` says itself what becomes of it.
  [ ! -d "$saved" ] || [ -n "${BELAY_PURGE-}" ] || echo "What it saved stays in $(short "$saved")."
  [ ! -f "$config" ] || echo "Your settings stay in $(short "$config")."
  exit 0
fi

# ── What it needs, before anything is touched ────────────────────────────────────────────────────────────────────

[ "$kind" != installed ] || [ "$setup" = yes ] \
  || die 'this is an installed copy: run the install.sh of a checkout or an archive (or --setup, --uninstall)'
command -v node >/dev/null 2>&1 || die 'node is missing: belay needs Node 20 or newer in PATH'
version=$(node -p process.versions.node 2>/dev/null) || die 'node does not run: belay needs Node 20 or newer in PATH'
case ${version%%.*} in
  '' | *[!0-9]*) die "node calls itself version $version: belay needs Node 20 or newer" ;;
esac
[ "${version%%.*}" -ge 20 ] || die "node $version is too old: belay needs Node 20 or newer"
[ "$kind" != checkout ] || [ "$setup" = yes ] || command -v npm >/dev/null 2>&1 \
  || die 'npm is missing: it comes with Node and builds belay'
command -v git >/dev/null 2>&1 || die 'git is missing: belay keeps what it saves in a git store of its own'
git --version >/dev/null 2>&1 || die 'git does not run: belay keeps what it saves in a git store of its own'
for name in belay belay-snap; do
  if [ "$setup" = no ] && { [ -e "$bin/$name" ] || [ -L "$bin/$name" ]; }; then
    ours "$bin/$name" "../lib/belay/bin/$name" || die "$bin/$name is something else already: take it away, or choose another --prefix"
  fi
done
if [ "$disabled" = yes ] && ! config_is_plain; then
  die "$config_home/belay has a configuration of its own: put enabled: false under checkpoints: there, then install"
fi
if [ -e "$lib" ] && [ ! -f "$lib/bin/belay" ]; then
  die "$lib is something else already: take it away, or choose another --prefix"
fi

# ── Build, in the checkout ───────────────────────────────────────────────────────────────────────────────────────

build() {
  kept=node_modules/.package-lock.json
  if [ ! -f "$kept" ] || [ -n "$(find package-lock.json -newer "$kept")" ]; then
    # SQLite is compiled where nothing compiled fits; its build would download node's headers, which may lie beside node.
    beside=$(node -p 'path.dirname(path.dirname(process.execPath))')
    if [ -z "${npm_config_nodedir-}" ] && [ -f "$beside/include/node/node.h" ]; then export npm_config_nodedir="$beside"; fi
    echo 'Installing what the build needs (npm ci; some minutes where SQLite has to be compiled) …'
    if ! said=$(npm ci --no-audit --no-fund --loglevel=error --include=dev --include=optional --foreground-scripts </dev/null 2>&1); then
      printf '%s\n' "$said" >&2
      die 'npm ci failed (see above)'
    fi
    # npm is silent about an optional package that could not be compiled: what its script said is kept for the build to tell.
    said=$(printf '%s\n' "$said" | awk '/^gyp ERR! stack +at /{exit} sub(/^gyp ERR! stack /,"")')
    [ -z "$said" ] || printf '%s\n' "$said" >node_modules/.not-compiled
  fi
  echo 'Building …'
  node --import tsx scripts/build.ts --if-stale </dev/null || die 'the build failed (see above)'
}

cd "$here"
if [ "$kind" = checkout ] && [ "$setup" = no ]; then build; fi
for file in dist/belay.bundle.cjs dist/belay-snap.bundle.cjs dist/belay-snap.rest.*.cjs; do
  [ -f "$file" ] || die 'the build is not whole'
done

# ── Lay out aside, then change places ────────────────────────────────────────────────────────────────────────────

made_folders=
note_missing() {
  folder=$1
  while [ "$folder" != / ] && [ ! -e "$folder" ]; do
    made_folders=$made_folders$folder$newline
    folder=${folder%/*}
    [ -n "$folder" ] || folder=/
  done
}
# Shells that run already look there at every line: by one process, so that nothing is there for some millionths of a second only. (They
# look twice.) Where the second renaming fails, the first is taken back.
change_places() (
  cd "$prefix/lib" && node -e '
    const fs = require("fs");
    const [fresh, place, old] = process.argv.slice(1);
    const there = fs.existsSync(place);
    if (there) fs.renameSync(place, old);
    try {
      fs.renameSync(fresh, place);
    } catch (error) {
      if (there) fs.renameSync(old, place);
      throw error;
    }
  ' ".belay-new-$$" belay ".belay-old-$$"
)
lay_out() {
  note_missing "$bin"
  for page in $pages; do note_missing "$man/${page%/*}"; done
  [ -e "$prefix/lib" ] || made_folders=$prefix/lib$newline$made_folders
  mkdir -p "$prefix/lib" "$bin" 2>/dev/null || die "$prefix cannot be written: choose another --prefix"
  forget_killed
  new=$prefix/lib/.belay-new-$$
  old=$prefix/lib/.belay-old-$$
  trap 'rm -rf "$new" "$old"' EXIT
  trap 'exit 130' INT TERM HUP
  mkdir "$new" 2>/dev/null || die "$prefix/lib cannot be written: choose another --prefix"
  cp -R bin dist install.sh LICENSE package.json "$new/"
  for folder in shims hooks; do
    if [ -d "$folder" ]; then cp -R "$folder" "$new/"; fi
  done
  sh "$new/shims/parts/native.sh" "$new"
  {
    [ ! -f "$lib/made-folders" ] || cat "$lib/made-folders"
    printf '%s' "$made_folders"
  } >"$new/made-folders"
  change_places 2>/dev/null || die "$lib could not be written"
  for name in belay belay-snap; do ln -sf "../lib/belay/bin/$name" "$bin/$name"; done
  for page in $pages; do
    link=../../../lib/belay/dist/man/$page
    [ ! -e "$man/$page" ] || ours "$man/$page" "$link" || continue
    # A place for manuals that cannot be written is no reason to go without protection.
    if mkdir -p "$man/${page%/*}" 2>/dev/null; then ln -sf "$link" "$man/$page" || true; fi
  done
}

[ "$setup" = yes ] || lay_out
untouched=

# Compiled for another machine, it would be tried at every line.
if [ -x "$lib/dist/belay-snap" ] && [ -w "$lib/dist" ]; then
  status=0
  "$lib/dist/belay-snap" </dev/null >/dev/null 2>&1 || status=$?
  case $status in
    126 | 127 | 132) rm -f "$lib/dist/belay-snap" ;;
  esac
fi

# Whoever may write dist/ keeps V8's code there for everybody (src/platform/start.ts): others would compile at every start for ever. So a
# line is saved and listed in a home that is thrown away; where nothing comes of it, belay starts slower and that is all.
warm() {
  [ -w "$1" ] || return 0
  aside=$(mktemp -d) || return 0
  (
    trap 'rm -rf "$aside"' EXIT
    trap 'exit 130' INT TERM HUP
    of_node() { env -i PATH="$PATH" HOME="$aside" BELAY_HOME="$aside/belay" XDG_RUNTIME_DIR="$aside" node "$@"; }
    mkdir "$aside/work" "$aside/work/.git" && cd "$aside/work" && echo a >a && echo b >b
    session=20260101_000000_abcdef
    printf '%s\0' shell=bash "session=$session" turn=1 'line=rm -f a; mv b c; echo e >e; sed -i s/a/b/ c; git checkout -- .' "cwd=$PWD" interactive=1 \
      | of_node "$1/belay-snap.cjs" hold
    rm a
    of_node "$1/belay-snap.cjs" end "$session" 1 1
    of_node "$1/belay.cjs" list
  ) </dev/null >/dev/null 2>&1 || true
}
if [ "$setup" = yes ]; then warm "$here/dist"; else warm "$lib/dist"; fi

# ── Configuration, shells ────────────────────────────────────────────────────────────────────────────────────────

[ "$disabled" = no ] || config_off
saved=${BELAY_HOME:-${XDG_DATA_HOME:-${HOME-}/.local/share}/belay}
rm -f "$saved/uninstalled"
# The first line that belay saves for this person is to be told (notice: first).
if [ "$rc" = yes ] && [ ! -d "$saved/checkpoints" ]; then
  if (umask 077 && mkdir -p "$saved") 2>/dev/null; then true >"$saved/introduce" || true; fi
fi
known=$(short "$bin")
if [ "$setup" = no ]; then
  echo "belay is installed in $(short "$lib");"
  echo "the commands are $known/belay and $known/belay-snap."
fi
if [ "$(command -v belay 2>/dev/null)" != "$bin/belay" ]; then
  echo "$known is not in PATH: shells that load belay know it all the same,"
  echo 'others have to be told the whole path.'
fi
if [ "$rc" = yes ]; then
  echo 'Start-up files:'
  for shell in bash zsh fish; do
    command -v "$shell" >/dev/null 2>&1 || continue
    rc_put "$(rc_file "$shell")" "$(init_line "$shell")"
    if [ "$shell" = bash ]; then
      login=$(login_file)
      [ -z "$login" ] || rc_put "$login" "$(init_line login)"
    fi
  done
else
  echo 'Start-up files are left alone. The lines are:'
  for shell in bash zsh fish; do
    if command -v "$shell" >/dev/null 2>&1; then echo "  $shell: $(init_line "$shell")"; fi
  done
fi

# ── Show that it works ───────────────────────────────────────────────────────────────────────────────────────────

if [ "$demo" = yes ]; then
  if [ "$disabled" = no ]; then
    echo
    "$bin/belay" demo </dev/null || die 'belay is installed, but its demo failed (see above): do not rely on it'
  fi
  echo
  "$bin/belay" doctor </dev/null || echo 'belay doctor found something to put right (see above).'
fi

echo
# Said by this run, or by an earlier one whose configuration is still there.
if [ "$disabled" = yes ] || [ "$("$bin/belay" config get checkpoints.enabled </dev/null 2>/dev/null)" = false ]; then
  echo "Protection is off (enabled: false in $config): nothing is saved until that line is changed."
  exit 0
fi
if [ "$rc" = yes ]; then
  # What is true, and not what should be: every shell is started, and asked.
  "$bin/belay" doctor --new-shells </dev/null || true
else
  echo 'Protection is on in every shell that runs that line.'
fi
case ${SHELL-} in
  */zsh | */fish) shell=${SHELL##*/} ;;
  *) shell=bash ;;
esac
echo 'In a shell that runs already (or open a new one):'
echo "  $(init_line "$shell")"
echo 'Turn it off:'
echo '  belay off                                     in this shell'
echo '  belay config set checkpoints.enabled false    in all of them'
if [ "$kind" = npm ]; then
  echo '  belay uninstall && npm uninstall -g belay-sh  take it out'
elif [ "$setup" = yes ] && [ "$kind" != installed ]; then
  echo "  $(quoted bash "$lib/install.sh") --setup --uninstall  take it out"
else
  echo '  belay uninstall                               take it out'
fi
