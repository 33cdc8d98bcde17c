#!/bin/sh
# Makes the project that `belay demo` plays with, in the folder given: a commit, an edit that was never committed,
# a file with Windows line ends and an ignored .env that nobody else may read.
set -eu
cd "$1"
mkdir -p src/img
printf 'export const price = 3;\n' >src/price.js
printf 'import { price } from "./price.js";\n' >src/main.js
head -c 200000 /dev/urandom >src/img/logo.png
printf 'first line\r\nsecond line\r\n' >notes.txt
printf '.env\n' >.gitignore
printf '#!/bin/sh\necho deployed\n' >deploy.sh
chmod 755 deploy.sh
git init -q
git add -A
git -c user.name=demo -c user.email=demo@localhost -c commit.gpgSign=false commit -q -m 'First version'
printf 'TOKEN=nobody-else-has-this\n' >.env
chmod 600 .env
printf 'export const price = 4; // an hour of work, never committed\n' >src/price.js
