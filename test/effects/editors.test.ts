import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { patchedFiles } from '../../src/effects/languages/diff.ts';
import { differential } from './differential.ts';

differential('ed', [
  { line: "printf ',p\\nq\\n' | ed -s data.csv", needs: 'ed', destructive: false },
  { line: "printf '1d\\nw\\nq\\n' | ed -s data.csv", needs: 'ed', named: true },
  { line: "ed -s data.csv <<'EOF'\n1d\nw b.txt\n!rm a.txt\nq\nEOF", named: true },
  { line: "ed -s link <<'EOF'\na\nw notes.txt\n.\nwq\nEOF", named: true },
]);

differential('ex and vim', [
  { line: "ex -sc '%d|x' data.csv", needs: 'ex', named: true },
  { line: "vim -es -c '1d' -c 'wq' data.csv", needs: 'vim', named: true },
  { line: "ex -sc 'q!' data.csv", needs: 'ex', destructive: false },
  { line: "vim -u NONE -es +1d '+w! b.txt' +q! data.csv", needs: 'vim', named: true },
  { line: "printf '1d\\nx\\n' | ex -s data.csv", needs: 'ex', named: true },
  { line: "vim -u NONE -es -c 'argdo %s/a/b/e | w' -c qa a.txt b.txt", needs: 'vim', named: true },
  { line: "vim -u NONE -es -c '%!rm notes.txt' -c 'q!' a.txt", needs: 'vim', named: true },
  { line: 'vim -u NONE -es -c "call delete(\'notes.txt\')" -c q', needs: 'vim', named: true },
  { line: 'vim -u NONE -es -c 1d -c wq link', needs: 'vim', named: true },
]);

const HERE =
  "printf -- '--- a/a.txt\\n+++ b/a.txt\\n@@ -1 +1 @@\\n-a one\\n+a two\\n--- a/src/util.c\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-util\\n--- /dev/null\\n+++ b/new.txt\\n@@ -0,0 +1 @@\\n+new\\n' > p.patch";
differential('patch', [
  { line: 'patch -p1 < p.patch', setup: HERE, named: true },
  { line: 'patch -p1 -i p.patch', setup: HERE, named: true },
  { line: 'cat p.patch | patch -p1', needs: 'patch', setup: HERE },
  { line: 'patch a.txt p.patch', setup: HERE.replace(/--- a\/src.*new\\n/, ''), named: true },
  { line: 'patch -o notes.txt a.txt < p.patch', setup: HERE.replace(/--- a\/src.*new\\n/, ''), named: true },
  { line: 'patch -p1 --dry-run < p.patch', setup: HERE, destructive: false },
  { line: 'patch -b -p1 < p.patch', setup: HERE, named: true },
  { line: 'patch -d sub -p1 < p.patch', setup: `${HERE}; cp a.txt sub/a.txt; cp -r src sub`, named: true },
  { line: 'patch -p1 < p.patch', setup: `${HERE}; echo other > a.txt; echo old > a.txt.rej`, named: true },
  {
    line: "patch data.csv <<'EOF'\n--- data.csv\n+++ data.csv\n@@ -1,3 +1,3 @@\n-row3,1\n+row3,9\n row1,2\n row2,3\nEOF",
    named: true,
  },
]);

test('patch: names are those of the headers, not of lines that look like them', () => {
  const exists = (name: string): boolean => ['a.txt', 'dir/b c.txt', 'dir'].includes(name);
  const rows: readonly (readonly [text: string, strip: number | undefined, names: readonly string[]])[] = [
    ['--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,1 @@\n--- x\n y\n', 1, ['a.txt']],
    ['--- a.txt\t2024-01-01\n+++ a.txt\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n', undefined, ['a.txt']],
    ['--- x/dir/b c.txt\n+++ y/dir/b c.txt\n@@ -1 +1 @@\n-a\n+b\n', 1, ['dir/b c.txt']],
    ['--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+b\n', 1, ['new']],
    ['diff --git a/a.txt b/z\nrename from a.txt\nrename to z\n', 1, ['a.txt', 'z']],
    ['Index: a.txt\n===\n--- a.txt (rev)\n+++ a.txt (working)\n@@ -1 +1 @@\n-a\n+b\n', 0, ['a.txt']],
    ['--- "a/dir/b\\040c.txt"\n+++ "b/dir/b\\040c.txt"\n', 1, ['dir/b c.txt']],
  ];
  for (const [text, strip, names] of rows)
    assert.equal(
      patchedFiles(text, strip, exists).filter((name) => !name.includes('(')),
      names,
      text,
    );
});

test.run();
