import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { planLine } from '../../src/effects/plan.ts';
import { parseRequest } from '../../src/snap/request.ts';
import { builtSnap } from '../built.ts';

/**
 * The compiled belay-snap runs on another JavaScript engine than the sources under test: what looks at the disk must see
 * the same there.
 */
const LINES: readonly string[] = [
  "find . -name '*.log' -exec rm {} +",
  "find . -name '*.log' -exec rm {} ';'",
  "find . -type f -name '*.o' -delete",
  'find sub -type l -delete',
  'find . -newer a -execdir rm -v {} +',
  'find . -type d -name deep -exec rm -rf {} +',
  "find . -name '*.log' | xargs rm",
  'for f in *; do rm "$f"; done',
  'rm */x.o',
  'rm -r su?/deep',
  'shopt -s globstar; rm **/*.o',
  'shopt -s dotglob; rm *',
  'shopt -s extglob; rm !(a|b)',
  'rm {a,b,sub/x.o}',
  'rm $(<names)',
  'cat names | xargs rm',
  'xargs -a names rm',
  'mv a b sub',
  'mv sub other',
  'cp -r other/. sub',
  'cp a link',
  'echo > link',
  'sed -i s/a/b/ *.txt',
  'tar xf box.tar',
  'unzip -o box.zip',
  'rm -rf .git',
  'git checkout -- .',
  'git clean -fdx',
  'git reset --hard',
  'git stash -u',
  'git rm -r sub',
  'cd sub && git checkout -- .',
  'bash script.sh',
  'source script.sh',
  'make clean',
  'python3 -c \'import os; os.remove("a")\'',
  'python3 tool.py',
  'rsync -a --delete other/ sub/',
  'gzip a.txt',
  'split -b 1 a',
  'sort -o a a',
  'truncate -s 0 *.txt',
  'rm -rf ~/proj/sub',
  "rm \u00e9t\u00e9 $'\\xff'",
  'patch < change.patch',
  'dd if=/dev/null of=a',
];

function tree(): { root: string; env: Record<string, string> } {
  const home = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-same-')));
  const root = join(home, 'proj');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8' };
  fs.mkdirSync(join(root, 'sub/deep'), { recursive: true });
  fs.mkdirSync(join(root, 'other'));
  const files: Record<string, string> = {
    '.gitignore': '*.log\n',
    a: '1\n',
    b: '2\n',
    'a.txt': 'a a\n',
    'dbg.log': 'ignored\n',
    names: 'a\nb\n',
    'sub/x.o': 'o',
    'sub/deep/y.o': 'o',
    'other/x.o': 'new',
    été: 'e',
    'script.sh': 'rm a\necho > b\n',
    'tool.py': 'import os\nos.remove("a")\n',
    Makefile: 'clean:\n\trm -f *.o sub/*.o\n',
    'change.patch': '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+one\n',
  };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(join(root, name), text);
  fs.writeFileSync(Buffer.from(`${root}/\xff`, 'latin1'), 'bytes');
  fs.symlinkSync('a', join(root, 'link'));
  fs.symlinkSync('../a', join(root, 'sub/up'));
  const shell = `git init -q && git add -A && git -c user.name=x -c user.email=x@x commit -qm one && tar cf box.tar a sub &&
    python3 -c 'import zipfile; z = zipfile.ZipFile("box.zip", "w"); z.write("a"); z.write("sub/x.o")' && echo changed > b`;
  const made = spawnSync('sh', ['-c', shell], { cwd: root, env, encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  return { root, env };
}

test('the built belay-snap plans each line as the sources do', () => {
  const { root, env } = tree();
  const [program, ...script] = builtSnap() as [string, ...string[]];
  const known = new Map(Object.entries(env));
  for (const line of LINES) {
    const bytes = Buffer.from(line).toString('latin1');
    const input = `shell=bash\0session=20250101_000000_abcdef\0turn=1\0interactive=1\0cwd=${root}\0line=${bytes}\0`;
    const ran = spawnSync(program, [...script, 'plan'], {
      cwd: '/',
      env,
      input: Buffer.from(input, 'latin1'),
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(ran.status, 0, `${line}: ${ran.stderr}`);
    assert.deepEqual(
      JSON.parse(ran.stdout),
      JSON.parse(JSON.stringify(planLine(parseRequest(input, known).line))),
      line,
    );
  }
  fs.rmSync(join(root, '..'), { recursive: true });
});

test.run();
