import { test } from 'uvu';
import { differential } from './differential.ts';

differential('sed', [
  { line: 'sed -i s/row/col/ data.csv', named: true },
  { line: "sed --in-place=.bak 's/row/col/' data.csv", named: true },
  { line: "sed -ni '1p' data.csv", named: true },
  { line: "sed -in '1p' data.csv", named: true },
  { line: "sed -i'b_*' '1p' sub/a.txt", named: true },
  { line: "sed 's/row/col/' -i data.csv", named: true },
  { line: "sed --in-pl 's/row/col/' data.csv", named: true },
  { line: "sed 's/row/col/w notes.txt' data.csv", named: true },
  { line: "sed -n '1e rm notes.txt' data.csv", named: true },
  { line: "sed -n '$!{w a.txt\n}' data.csv", named: true },
  { line: 'sed -i s/row/col/ link', named: true },
  { line: 'sed -i --follow-symlinks s/row/col/ link', named: true },
  { line: "sed -e 'a\\' -e 'w a.txt' data.csv", destructive: false },
  { line: "sed -n 's/[/]/x/p;y/w/e/;/w a/p' data.csv", destructive: false },
  { line: "printf 'w b.txt\\n' > s.sed; sed -f s.sed data.csv", needs: 'sed', named: true },
  { line: "sed -f - data.csv <<'EOF'\nw b.txt\nEOF", named: true },
  { line: "sed -n 's/row/rm a.txt #/e' data.csv" },
]);

differential('awk', [
  { line: "awk '$1 > 5' data.csv", destructive: false },
  { line: 'awk \'{print > "notes.txt"}\' data.csv', named: true },
  { line: 'awk -F, \'{print $1 > "sub/" $2 ".txt"}\' data.csv' },
  { line: 'awk \'{print >> "notes.txt"}\' data.csv', named: true, destructive: false },
  { line: 'awk \'BEGIN{system("rm notes.txt")}\'', named: true },
  { line: 'awk \'BEGIN{print "rm notes.txt" | "sh"}\'', named: true },
  { line: "awk -v out=b.txt '{print > out}' data.csv", named: true },
  { line: 'awk \'{print > FILENAME ".new"}\' a.txt b.txt', named: true, destructive: false },
  { line: "gawk -i inplace '{print $1}' data.csv", named: true },
  { line: "gawk -F, -i inplace -v INPLACE_SUFFIX=.bak '{print $1}' data.csv link", named: true },
  { line: "gawk -o'b.txt' 'BEGIN{x=1}'", named: true },
  { line: 'awk \'BEGIN{while (("cat a.txt" | getline l) > 0) print l}\'', destructive: false },
]);

differential('perl', [
  { line: "perl -pi -e 's/row/col/' data.csv", named: true },
  { line: "perl -pi.orig -e 's/row/col/' data.csv link", named: true },
  { line: "perl -i -ne 'print unless /row1/' data.csv", named: true },
  { line: "perl -0777 -i.bak -pe 's/row/col/' sub/a.txt", named: true },
  { line: "perl -ne 'print' data.csv", destructive: false },
  { line: "perl -e 'unlink q(notes.txt)'", named: true },
  { line: 'perl -e \'unlink glob("*.txt")\'' },
  { line: 'perl -e \'system("rm -rf src")\'', named: true },
  { line: 'perl -e \'open(F,">data.csv"); print F "x"\'', named: true },
  { line: 'perl -pe \'s/(\\d)/unlink("b.txt")/e\' data.csv', named: true },
  { line: 'perl -e \'chdir "sub"; unlink "a.txt"\'', named: true },
  { line: "perl -e 'rename $ARGV[0], $ARGV[1]' a.txt b.txt" },
  { line: "perl -lane 'print $F[0]' data.csv", destructive: false },
]);

differential('python', [
  { line: 'python3 -c "import os; os.remove(\'notes.txt\')"', named: true },
  { line: "python3 -c \"open('data.csv','w')\"", named: true },
  { line: 'python3 -c "print(open(\'data.csv\').read())"', destructive: false },
  { line: "python3 -c \"import os; os.rename('a.txt','b.txt')\"", named: true },
  { line: "python3 -c \"import shutil; shutil.copy('a.txt','sub')\"", named: true },
  { line: "python3 -c \"import shutil; shutil.move('src','dist')\"", named: true },
  { line: "python3 - a.txt <<'E'\nimport sys\nopen(sys.argv[1],'w')\nE", needs: 'python3', named: true },
  { line: 'python3 s.py a.txt', setup: 'echo \'import sys; open(sys.argv[1],"w")\' > s.py', named: true },
  { line: 'node - a.txt <<< \'require("fs").unlinkSync(process.argv[2])\'', needs: 'node', named: true },
  { line: "perl - a.txt <<< 'unlink @ARGV'", needs: 'perl', named: true },
  { line: "git config alias.x '!rm a.txt' && git x", setup: 'git init -q', needs: 'git', named: true },
  { line: "python3 -c \"import shutil; shutil.copytree('src','dist',dirs_exist_ok=True)\"", named: true },
  { line: "node -e \"require('fs').cpSync('src','dist',{recursive:true})\"", named: true },
  { line: "python3 -c \"import os; [os.remove(f) for f in os.listdir('.') if f.endswith('.txt')]\"" },
  { line: 'python3 -c "import glob,os; [os.remove(f) for f in glob.glob(\'**/*.txt\', recursive=True)]"', named: true },
  {
    line: "python3 - <<'EOF'\nfrom pathlib import Path\nfor p in Path('.').rglob('*.c'): p.unlink()\nEOF",
    named: true,
  },
  { line: "python3 - <<'EOF'\nimport shutil\nshutil.rmtree('src')\nEOF", named: true },
  {
    line: "env FOO=1 nice python3 -c \"import os; os.chdir('sub'); os.remove('a.txt')\"",
    needs: 'python3',
    named: true,
  },
  { line: 'python3 wipe.py', setup: 'printf \'import shutil\\nshutil.rmtree("src")\\n\' > wipe.py', named: true },
  { line: 'python3 -m json.tool j.json notes.txt', setup: "echo '{}' > j.json", named: true },
  { line: 'python3 -c "import sys; open(sys.argv[1],\'w\')" notes.txt', named: true },
  { line: "python3 -c \"import subprocess as s; s.run(['rm','a.txt'])\"", named: true },
]);

differential('node', [
  { line: "node -e \"require('fs').rmSync('src',{recursive:true})\"", named: true },
  { line: 'node -pe "fs.unlinkSync(\'a.txt\')"', named: true },
  { line: "node -e \"require('child_process').execSync('rm b.txt')\"", named: true },
  { line: "node --eval=\"['a','b'].forEach(f=>fs.writeFileSync(f+'.txt',''))\"", named: true },
  { line: 'node -p 1+1', destructive: false },
  { line: "node -e \"process.chdir('sub');fs.unlinkSync('a.txt')\"", named: true },
  { line: "echo \"require('fs').unlinkSync('a.txt')\" | node", needs: 'node', named: true },
]);

test.run();
