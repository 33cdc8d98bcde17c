# Builds, in $BOX, the repositories that every git line is tried on. Run by bash -e with HOME=$BOX/home.
#   proj          a work tree with staged, unstaged, untracked and ignored work, a submodule, a stash of two entries
#   wt            a linked worktree of it, dirty
#   origin.git    its bare remote, one commit ahead;  lib: the submodule's source;  bare.git: a bare clone
umask 022
mkdir -p "$BOX/home" "$BOX/lib" "$BOX/proj" "$BOX/plain"
cat > "$HOME/.gitconfig" <<'C'
[user]
	name = n
	email = n@x
[init]
	defaultBranch = main
[advice]
	detachedHead = false
	skippedCherryPicks = false
[protocol "file"]
	allow = always
[core]
	pager = cat
	editor = true
[alias]
	undo = reset --hard
	wipe = "!git clean -fdx && rm -f notes.txt"
	co = checkout
	again = undo
	loop = loop
C
export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'
cd "$BOX/lib"; git init -q; echo lib > lib.c; echo '*.o' > .gitignore; git add .; git commit -qm l1; echo lib2 > lib.c; git commit -qam l2

cd "$BOX/proj"; git init -q
printf 'build/\nlogs/\n.env\n*.o\n' > .gitignore
mkdir -p src/old sub deep/er
echo 'a one' > a.txt; echo 'b one' > b.txt; echo 'c one' > c.txt; echo 'd one' > 'd e.txt'; seq 20 > lines.txt
echo main > src/main.c; echo util > src/util.c; echo x > src/old/x.c; echo t > sub/tracked.txt; echo d > deep/er/f.txt
echo run > run.sh; ln -s a.txt link; ln -s sub linkdir; echo odd > "$(printf 'odd\377\n"name')"; echo gone > gone.txt
git add .; git commit -qm c0
git submodule --quiet add ../lib vendor/lib 2>/dev/null; git -C vendor/lib checkout -q HEAD~1; git add vendor/lib; git commit -qm sm
echo 'a two' > a.txt; git rm -q gone.txt; git commit -qam c1
git tag v1 HEAD~1; git tag -a -m note v2

on() { git checkout -q --no-recurse-submodules -b "$1" "${2:-main}"; }
on side HEAD~1; echo s > side.txt; git add side.txt; git commit -qm side
on conflict main~1; echo 'a conflict' > a.txt; git commit -qam confl; echo 'c conflict' > c.txt; git commit -qam confl2
on edits main; echo 'c edited' > c.txt; sed -i 's/^3$/three/' lines.txt; git commit -qam edits
on withenv main; echo TRACKED=1 > .env; mkdir build; echo new > build/out.o; git add -f .env build; git commit -qm env
on untracked main; echo theirs > notes.txt; git add notes.txt; git commit -qm notes
on dirs main; git rm -q b.txt; mkdir b.txt; echo in > b.txt/in; git rm -rq sub; echo sub > sub; git add .; git commit -qm dirs
on logsfile main; echo file > logs; git add -f logs; git commit -qm logs
on links main; git rm -rq deep; ln -s src deep; git add deep; chmod +x run.sh; git commit -qam links
on renames main; git mv c.txt renamed.txt; git mv src/util.c src/util2.c; git commit -qm renames
on moved main; git -C vendor/lib checkout -q main; git add vendor/lib; git commit -qm newer-lib; git -C vendor/lib checkout -q HEAD~1
git branch merged main~1
git checkout -q main
git clone -q --bare . "$BOX/origin.git"; git clone -q --bare . "$BOX/bare.git"
git remote add origin ../origin.git; git fetch -q
git branch -q -u origin/main; git branch -q -D side edits; git checkout -q -b tmp; echo 'c remote' > c.txt; echo up > up.txt; git add .; git commit -qm remote
git push -q origin tmp:main; git push -q origin tmp:newer 2>/dev/null; git checkout -q main; git branch -qD tmp
git update-ref refs/remotes/origin/main main; git fetch -q; git update-ref -d refs/remotes/origin/newer; git branch -q edits origin/edits; git branch -q side origin/side
git notes add -m n1 HEAD
git worktree add -q "$BOX/wt" -b wtb main 2>/dev/null
echo stashed > c.txt; git stash -q; echo 'a stashed' > a.txt; echo su > stashed-untracked; git stash -q -u
rm -f .git/hooks/*.sample "$BOX"/*.git/hooks/*.sample

# local work: unstaged, staged, both, deleted, mode
echo 'main // local' > src/main.c; echo 'a local' > a.txt
echo 'b staged' > b.txt; git add b.txt; echo staged > staged.txt; git add staged.txt
echo 'x staged' > src/old/x.c; git add src/old/x.c; echo 'x again' > src/old/x.c
rm src/util.c; chmod +x run.sh; rm linkdir; ln -s src linkdir
# untracked, ignored
echo notes > notes.txt; : > empty.txt; mkdir empty; echo sn > sub/notes.txt; mkdir -p new/deep; echo n > new/n; echo nd > new/deep/n; echo star > '*.txt'; echo sp > 'a b'
git init -q nested; echo n > nested/n
mkdir -p build logs; echo SECRET > .env; echo o > build/out.o; echo l > logs/1.log; echo o > src/main.o
# patches
printf -- '--- a/c.txt\n+++ b/c.txt\n@@ -1 +1 @@\n-c one\n+c patched\n' > c.patch
printf -- '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a local\n+a patched\n' > a.patch
printf -- '--- /dev/null\n+++ b/made/by.txt\n@@ -0,0 +1 @@\n+made\n' > new.patch
git format-patch -q -1 --stdout edits > edits.mbox
# the submodule and the linked worktree are dirty too
echo 'lib local' > vendor/lib/lib.c; echo u > vendor/lib/u.txt; echo o > vendor/lib/x.o
echo 'wt edit' > "$BOX/wt/a.txt"; echo un > "$BOX/wt/un.txt"; echo ig > "$BOX/wt/.env"
