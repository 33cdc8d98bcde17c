#!/bin/sh
# shims/parts/native.sh FOLDER: puts the compiled wrapper (native/wrapper.c) in the place of FOLDER/shims/bin's scripts, which go to
# FOLDER/shims/script. Where it was not compiled, or does not run on this machine, all stays as it is.
set -eu
shims=$1/shims
compiled=$1/dist/wrapper
[ -x "$compiled" ] && [ ! -e "$shims/script" ] || exit 0

new=$shims/.bin-$$
trap 'rm -rf "$new"' EXIT
cp -R "$shims/bin" "$shims/script"
mkdir "$new"
: >"$new/.belay"
for script in "$shims"/script/*; do
  ln "$compiled" "$new/${script##*/}" 2>/dev/null || cp "$compiled" "$new/${script##*/}"
done
mv "$shims/bin" "$shims/.scripts-$$"
mv "$new" "$shims/bin"
rm -rf "$shims/.scripts-$$"

# Compiled for another machine, every program would fail.
if ! said=$(echo runs | BELAY_DISABLE=1 PATH="$shims/bin:$PATH" "$shims/bin/tee" 2>/dev/null) || [ "$said" != runs ]; then
  rm -rf "${shims:?}/bin"
  mv "$shims/script" "$shims/bin"
fi
