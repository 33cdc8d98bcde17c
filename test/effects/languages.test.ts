import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { awkDeeds } from '../../src/effects/languages/awk.ts';
import type { Deed } from '../../src/effects/languages/deed.ts';
import { edDeeds } from '../../src/effects/languages/ed.ts';
import { exDeeds } from '../../src/effects/languages/ex.ts';
import { javascriptDeeds } from '../../src/effects/languages/javascript.ts';
import { perlDeeds } from '../../src/effects/languages/perl.ts';
import { phpDeeds } from '../../src/effects/languages/php.ts';
import { pythonDeeds } from '../../src/effects/languages/python.ts';
import { rubyDeeds } from '../../src/effects/languages/ruby.ts';
import { sedDeeds } from '../../src/effects/languages/sed.ts';
import type { Arg } from '../../src/shell/types.ts';

const WAY: Record<string, string> = {
  'write-in-place': '>',
  append: '>>',
  delete: 'rm',
  replace: '=',
  move: 'mv',
  metadata: 'mode',
};

const name = (path: string | Arg): string =>
  typeof path === 'string' ? path : path.kind === 'known' ? path.text : `${path.prefix}?${path.suffix}`;

/** `rm a; > b; $ rm x` */
function said(deeds: readonly Deed[]): string {
  return deeds
    .map((deed) => {
      if (deed.kind === 'file') return `${WAY[deed.way]}${deed.recursive ? ' -r' : ''} ${name(deed.path)}`;
      if (deed.kind === 'shell') return `$ ${deed.text}`;
      if (deed.kind === 'run') return `run ${deed.argv.map(name).join(' ')}`;
      return deed.kind;
    })
    .join('; ');
}

function table(
  title: string,
  deedsOf: (text: string) => Deed[],
  rows: readonly (readonly [program: string, said: string])[],
): void {
  test(title, () => {
    for (const [program, expected] of rows) assert.is(said(deedsOf(program)), expected, program);
  });
}

table('sed: w, W, s///w write, e runs, and text, labels and patterns do not', sedDeeds, [
  ['w f', '> f'],
  ['s/row/col/w notes.txt', '> notes.txt'],
  ['s/[/]/x/w out', '> out'],
  ['1e rm notes.txt', '$ rm notes.txt'],
  ['e', 'unknown'],
  ['s/a/b/e', 'unknown'],
  ['a w f', ''],
  ['a\\\nw f\\\nw g\nw h', '> h'],
  ['/w x/p', ''],
  ['$!{N;w z\n}', '> z'],
  ['s,w a,w b,gw q', '> q'],
  ['y/w/e/;W k', '> k'],
  ['1,/a/I w t\nw u', '> t; > u'],
  ['b w;:w', ''],
  ['# w f\np', ''],
  ['w /dev/stdout', ''],
  ['\\,x,s/a\\/w b/c/;2,+3d;1~2p;q5', ''],
  ['r f\nw g', '> g'],
]);

const AWK = {
  variables: new Map([['d', 'dir']]),
  env: (key: string) => (key === 'HOME' ? '/h' : undefined),
  files: ['in'],
};
table('awk: a redirected print writes, a comparison does not', (text) => awkDeeds(text, AWK), [
  ['$1 > 5', ''],
  ['{print > "f"}', '> f'],
  ['{print >> "f"}', '>> f'],
  ['{print (a>b)}', ''],
  ['BEGIN{system("rm notes.txt")}', '$ rm notes.txt'],
  ['{print $1 > "o/" $1 ".txt"}', '> o/?.txt'],
  ['BEGIN{f="k";print "x" > f}', '> k'],
  ['{print | "sort > y"}', '$ sort > y'],
  ['{"date" | getline d}', '$ date'],
  ['/a>b/{print $2/3 > "z"}', '> z'],
  ['{print > FILENAME ".bak"}', '> in.bak'],
  ['{ if ($1 > 3) print $1,\n "x" > d"/y"; else print }', '> dir/y'],
  ['{printf "%s\\n", $1 > ENVIRON["HOME"]"/z"}', '> /h/z'],
  ['function f(x){return x>3} {print f($1)} # print > "q"', ''],
  ['{print > "/dev/stderr"}', ''],
]);

table('python: what it deletes, moves, writes and runs', (text) => pythonDeeds(text, ['-c', 'A']), [
  ["import os; os.remove('notes.txt')", 'rm notes.txt'],
  ["import shutil\nshutil.rmtree('build')", 'rm -r build'],
  ["open('data.csv','w')", '> data.csv'],
  [
    "import logging; logging.FileHandler('l','w'); logging.FileHandler('m'); logging.FileHandler('n', mode='w')",
    '> l; >> m; > n',
  ],
  ["import logging; logging.basicConfig(filename='l', filemode='w')", '> l'],
  ["import os; os.open('f', os.O_WRONLY | os.O_TRUNC); os.open('g', os.O_RDONLY)", '> f'],
  ["import zipfile; zipfile.ZipFile('a.zip').extractall('d')", 'run unzip -o a.zip -d d'],
  ["import zipfile\nwith zipfile.ZipFile('a.zip') as z: z.extractall()", 'run unzip -o a.zip -d .'],
  ["import tarfile; t = tarfile.open('a.tgz'); t.extractall(path='d')", 'run tar -xf a.tgz -C d'],
  ["print(open('data.csv').read())", ''],
  ["print('rm -rf build')", ''],
  [
    "print('it\\'s\\n'); import os; os.rename('a', 'b'); open('c', 'a').write(\"\\t\\x41\"); os.remove('d')",
    '= b; mv a; >> c; rm d',
  ],
  ["print('no end); import os; os.remove('d')", 'opaque'],
  ["open('.env','w').write('X=1')", '> .env'],
  ["with open('f','a') as f: f.write('x')", '>> f'],
  ["import os; os.rename('m.txt','notes.md')", '= notes.md; mv m.txt'],
  ["import os; [os.remove(f) for f in os.listdir('.') if f.endswith('.log')]", 'rm ?'],
  ["from os import remove as r\nfor f in ['a','b']: r(f)", 'rm a; rm b'],
  [
    "from pathlib import Path; Path('x').unlink(); (Path('d')/'y').write_text('a'); Path('a').rename('b')",
    'rm x; > d/y; = b; mv a',
  ],
  [
    "import subprocess; subprocess.run(['rm','-rf','b'],check=True); subprocess.call('rm x',shell=True)",
    'run rm -rf b; $ rm x',
  ],
  ["import glob,os\nfor f in glob.glob('logs/*.log'):\n  os.unlink(f)", 'rm logs/?.log'],
  ["import os; d='out'; os.remove(os.path.join(d,'x'+'.txt')); os.remove(f'{d}/y')", 'rm out/x.txt; rm out/y'],
  ["import os; list(map(os.remove,['a']))", 'unknown'],
  ['import os, sys; os.remove(sys.argv[1])', 'rm A'],
  ["exec(open('x').read())", 'opaque'],
  ['import setup', 'opaque'],
  ["# os.remove('x')\nprint('''os.remove('y')''')", ''],
]);

table('javascript: what it deletes, moves, writes and runs', (text) => javascriptDeeds(text, ['node', 'A']), [
  ["require('fs').rmSync('build',{recursive:true})", 'rm -r build'],
  ["fs.unlinkSync('a'+'.txt')", 'rm a.txt'],
  ["const {rmSync:r}=require('fs'); r('x')", 'rm x'],
  ["require('child_process').execSync('rm -rf build')", '$ rm -rf build'],
  ["['a','b'].forEach(f=>fs.unlinkSync(f))", 'rm a; rm b'],
  [`for (const f of ['a','b']) fs.unlinkSync(\`\${f}.txt\`)`, 'rm a.txt; rm b.txt'],
  ["import fs from 'node:fs'; await fs.promises.rm('x',{recursive:true})", 'rm -r x'],
  ["fs.writeFileSync('p.json',JSON.stringify({a:1}))", '> p.json'],
  ["fs.appendFileSync('l','x')", '>> l'],
  ['console.log(1+1)', ''],
  ["require('./x')", 'opaque'],
  ["const p=require('path'); fs.truncateSync(p.join('a','b'))", '> a/b'],
  ["require('child_process').spawnSync('rm',['-rf','build'])", 'run rm -rf build'],
  ["fs.renameSync('a','b')", '= b; mv a'],
  ['process.argv.slice(1).map(f=>fs.unlinkSync(f))', 'rm A'],
]);

table('perl: what it deletes, moves, writes and runs', (text) => perlDeeds(text, ['A']), [
  ['unlink "a.txt", "b.txt"', 'rm a.txt; rm b.txt'],
  ['unlink q(notes.txt)', 'rm notes.txt'],
  ['system("rm -rf build")', '$ rm -rf build'],
  ['system "rm", "-rf", "build"', 'run rm -rf build'],
  ['`rm x`; qx{rm y}', '$ rm x; $ rm y'],
  ['open my $f, ">", "out.txt"; print $f "x"', '> out.txt'],
  ['open(F,">data.csv")', '> data.csv'],
  ['open F, ">>log"', '>> log'],
  ['open(F,"<data.csv")', ''],
  ['for my $f (qw(a b)) { unlink $f }', 'rm a; rm b'],
  ['unlink for @ARGV', 'rm A'],
  ['unlink glob("*.log"), <*.tmp>', 'rm ?.log; rm ?.tmp'],
  ['rename "a","b"', '= b; mv a'],
  ['s/unlink "a"/b/; print if /system("x")/', ''],
  ['use File::Path; rmtree("build")', 'rm -r build'],
  ['my $d="x"; unlink "$d/y"', 'rm x/y'],
  ['open(my $p,"|-","rm x")', '$ rm x'],
  ['use Local::Thing;', 'opaque'],
]);

table('ruby: what it deletes, moves, writes and runs', (text) => rubyDeeds(text), [
  ['File.delete("a")', 'rm a'],
  ['File.delete "a", "b"', 'rm a; rm b'],
  ['require "fileutils"; FileUtils.rm_rf(%w[a b])', 'rm -r a; rm -r b'],
  ['system("rm x"); `rm y`', '$ rm x; $ rm y'],
  ['Dir["*.log"].each { |f| File.delete(f) }', 'rm ?.log'],
  ['File.open("f","w") { |f| f.puts 1 }', '> f'],
  ['%w(a b).each do |f| File.unlink(f) end', 'rm a; rm b'],
  ['gsub(/a/,%q(b))', ''],
]);

table('php: what it deletes, writes and runs', (text) => phpDeeds(text), [
  ['unlink("notes.txt");', 'rm notes.txt'],
  ['$f="a"; unlink("$f.txt");', 'rm a.txt'],
  ['file_put_contents("x","y");', '> x'],
  ['file_put_contents("x","y",FILE_APPEND);', '>> x'],
  ['foreach (glob("*.tmp") as $f) unlink($f);', 'rm ?.tmp'],
  ['array_map("unlink", ["a"]);', 'rm a'],
  ['system("rm x"); `rm y`;', '$ rm x; $ rm y'],
  ['echo 1;', ''],
]);

table('ed: w writes, text between a and a dot does not', (text) => edDeeds(text, 'f'), [
  [',p\nq\n', ''],
  [',s/a/b/\nw\nq\n', '> f'],
  ['a\nw x\n.\nw y\nq', '> y'],
  ['w !sh\n!rm x\nr !date', '$ sh; $ rm x; $ date'],
  ['g/w z/d\nwq', '> f'],
  ['q\nw', ''],
]);

table('ex and vim commands: w, x, wq write, q! does not', (text) => exDeeds(text, ['f', 'g']), [
  ['%d|x', '> f'],
  ['1d\nwq', '> f'],
  ['q!', ''],
  ['%s/a|b/c/|w! out|q', '> out'],
  ['%!rm x', '$ rm x'],
  ['bufdo %s/a/b/ | w', '> f; > g'],
  ['wqa', '> f; > g'],
  ["call delete('x')|q", 'rm x'],
  ['g/x/w >> log', '>> log'],
  ['source x.vim', 'opaque'],
]);

test('no program text makes a reader throw', () => {
  const odd = [
    '',
    '"',
    "'",
    '`',
    '(',
    '[',
    '{',
    '\\',
    '%q(',
    'f"{',
    '/',
    's/',
    '}',
    ',,,',
    'a.b.(c',
    '<',
    'print >',
    '|',
    '=>',
    'import',
    'for',
    '"${',
  ];
  for (const first of odd) {
    for (const second of odd) {
      const text = `${first} x ${second}`;
      for (const read of [sedDeeds, pythonDeeds, javascriptDeeds, perlDeeds, rubyDeeds, phpDeeds]) read(text);
      awkDeeds(text, AWK);
      edDeeds(text, 'f');
      exDeeds(text, ['f']);
    }
  }
});

test('mutated programs never make a reader throw', () => {
  const seeds = [
    "import os, shutil as s\nfor f in ['a', f'{x}']: os.remove(f)\nwith open('f', 'w') as g: s.rmtree(g)",
    "const {rmSync: r} = require('fs'); ['a'].forEach(f => { r(`${f}/x`, {recursive: true}) }); /a[/]b/.test(x)",
    'my @a = qw(a b); open(my $f, ">", "$d/x") or die; s{a}{unlink("b")}e; `rm x`; print <$f>;',
    'Dir["*.log"].each { |f| File.delete(f) }; %w(a b).map do |x| system("rm #{x}") end',
    '{ if ($1 > 3) print $2, "x" > "o/" $1 ".t"; "date" | getline d } /re/ { system("rm " $3) }',
    's/a[/]b/c/w out\n1,/x/{a\\\ntext\n}\ny/abc/xyz/;e rm x',
    'foreach (glob("*.t") as $k => $f) { unlink("$f.x"); file_put_contents("a", "b", FILE_APPEND); }',
  ];
  const readers = [sedDeeds, pythonDeeds, javascriptDeeds, perlDeeds, rubyDeeds, phpDeeds];
  const edit = fc.tuple(fc.constantFrom(...seeds), fc.nat(), fc.nat(30), fc.string({ maxLength: 6 }));
  fc.assert(
    fc.property(edit, ([seed, at, length, text]) => {
      const from = at % seed.length;
      const program = seed.slice(0, from) + text + seed.slice(from + length);
      for (const read of readers) read(program);
      awkDeeds(program, AWK);
      edDeeds(program, 'f');
      exDeeds(program, ['f']);
    }),
    { numRuns: 2_000 },
  );
});

test.run();
