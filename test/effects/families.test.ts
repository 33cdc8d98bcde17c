/** What lines of programs that need not be installed here lose: nothing is run, only planned. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { planLine } from '../../src/effects/plan.ts';
import { fromText } from '../../src/platform/bytes.ts';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'belay-families-')));
test.after(() => fs.rmSync(root, { recursive: true, force: true }));

for (const [name, text] of Object.entries({
  'a.txt': 'a',
  'b.txt': 'b',
  'conf.yml': 'a: 1',
  'src/x.js': 'x',
  'src/y.js': 'y',
  'dist/x': 'x',
  'node_modules/p/i.js': 'x',
  'package.json':
    '{"name":"app","version":"1.0.0","scripts":{"clean":"rimraf dist && del-cli \'src/*.js\'","all":"run-s clean","x":"cross-env A=1 shx rm a.txt"}}',
  'package-lock.json': '{}',
  'Cargo.toml': '',
  'target/x': 'x',
  'pom.xml': '',
  'build/x': 'x',
  'build.gradle': '',
  'main.go': 'x',
  'p.o': 'o',
  'venv/bin/python': '',
  'venv/lib/python3.11/site-packages/yaml/x.py': 'x',
  'venv/lib/python3.11/site-packages/PyYAML-6.0.dist-info/RECORD':
    'yaml/x.py,,\nPyYAML-6.0.dist-info/RECORD,,\n../../../bin/y,,\n',
  'venv/bin/y': 'y',
  'dummy.hg/.hg/x': 'x',
  'dummy.hg/f': 'f',
  'dummy.gh/.git/x': 'x',
  'a.7z': '7z',
  'app.db': 'x',
  'app.db-wal': 'x',
  'log.conf': '/var/log/x/*.log {\n daily\n}\n',
})) {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), text);
}

/** `rm! a.txt` is a loss, `rm a.txt` is none; `? src` may be anything below src; `opaque make`. */
function said(line: string): string {
  const plan = planLine({
    text: fromText(line),
    shell: 'bash',
    cwd: fromText(root),
    variables: new Map(
      Object.entries({ PATH: '/usr/bin:/bin', HOME: '/home/u', USER: 'u', PWD: root, VIRTUAL_ENV: `${root}/venv` }),
    ),
    aliases: new Map(),
    functions: new Map(),
    options: new Set(),
  });
  const short = (at: string): string => (at === root ? '.' : at.replace(`${root}/`, ''));
  const word: Record<string, string> = {
    delete: 'rm',
    replace: '=',
    'write-in-place': '>',
    append: '>>',
    move: 'mv',
    create: 'new',
    metadata: 'mode',
  };
  const effects = plan.effects.map((effect) =>
    effect.certainty === 'unknown'
      ? `? ${short(effect.path)}`
      : `${word[effect.way]}${effect.destructive ? '!' : ''} ${short(effect.path)}`,
  );
  const opaque = plan.captures.filter((capture) => capture.why === 'opaque').map((capture) => `opaque ${capture.verb}`);
  return [...new Set([...effects, ...opaque])].join('; ');
}

function table(title: string, rows: readonly (readonly [line: string, said: string])[]): void {
  test(title, () => {
    for (const [line, expected] of rows) assert.is(said(line), expected, line);
  });
}

table('formatters: files are rewritten, folders are unknown, checks are harmless', [
  ['prettier --write a.txt', '>! a.txt'],
  ['prettier --write src', '? src'],
  ['prettier --check src', ''],
  ["prettier -w 'src/*.js'", '>! src/x.js; >! src/y.js'],
  ['eslint --fix src/x.js', '>! src/x.js'],
  ['eslint src/x.js', ''],
  ['black a.txt', '>! a.txt'],
  ['black --check a.txt', ''],
  ['ruff check --fix src', '? src'],
  ['ruff check src', ''],
  ['ruff format', '? .'],
  ['isort -c a.txt', ''],
  ['gofmt -w main.go', '>! main.go'],
  ['gofmt -l main.go', ''],
  ['clang-format -i -style=file a.txt', '>! a.txt'],
  ['clang-format --sort-includes a.txt', ''],
  ['shfmt -i 2 -w a.txt', '>! a.txt'],
  ['terraform fmt', '? .'],
  ['terraform fmt -check', ''],
  ['sqlfluff lint a.txt', ''],
  ['sqlfluff fix a.txt', '>! a.txt'],
  ['autoflake a.txt', ''],
  ['autoflake -i a.txt', '>! a.txt'],
  ['pyupgrade a.txt', '>! a.txt'],
  ['indent a.txt', '>! a.txt'],
  ['uncrustify -c x --no-backup a.txt', '>! a.txt'],
  ['prettier -c src', ''],
  ['nixfmt --check a.txt', ''],
  ['sd foo bar a.txt', '>! a.txt'],
  ['sd -p foo bar a.txt', ''],
  ['biome check --write src', '? src'],
  ['npx prettier --write a.txt', '>! a.txt; opaque prettier'.replace('; opaque prettier', '')],
]);

table('converters: the output is overwritten', [
  ['dos2unix a.txt', '=! a.txt'],
  ['dos2unix -n a.txt b.txt', '=! b.txt'],
  ['yq -i .a=1 conf.yml', '=! conf.yml'],
  ['yq .a conf.yml', ''],
  ['ffmpeg -i x.mp4 -c copy -y a.txt', '>! a.txt'],
  ['ffmpeg -n -i x.mp4 a.txt', ''],
  ['ffmpeg -i a.txt', ''],
  ['convert b.txt -resize 5% a.txt', '>! a.txt'],
  ['convert a.txt info:-', ''],
  ['pandoc b.txt -o a.txt', '>! a.txt'],
  ['gpg -o a.txt -d b.txt', '>! a.txt'],
  ['openssl req -new -keyout a.txt -out b.txt', '>! a.txt; >! b.txt'],
  ['pdftk b.txt cat output a.txt', '>! a.txt'],
  ['uudecode -o a.txt b.txt', '>! a.txt'],
]);

table('package managers: what they delete, and what scripts of package.json lose', [
  ['npm ci', '= package-lock.json; rm! node_modules; opaque npm'],
  ['npm ci --ignore-scripts', '= package-lock.json; rm! node_modules'],
  ['npm prune', '= package-lock.json; rm! node_modules'],
  ['npm run clean', 'rm! dist; rm! src/x.js; rm! src/y.js'],
  ['yarn clean', 'rm! dist; rm! src/x.js; rm! src/y.js'],
  ['pnpm run all', 'rm! dist; rm! src/x.js; rm! src/y.js'],
  ['cd src && npm run x', 'rm! a.txt'],
  ['npm run clean --dry-run', 'rm! dist; rm! src/x.js; rm! src/y.js'],
  ['npm run clean --help', ''],
  ['yarn clean --version', 'rm! dist; rm! src/x.js; rm! src/y.js'],
  ['npm ls', ''],
  ['npm pack', 'new app-1.0.0.tgz; = package.json'],
  ['npm pack --dry-run', '= package.json'],
  ['npm shrinkwrap', 'mv! package-lock.json; new npm-shrinkwrap.json'],
  ['npm run', ''],
  ['rimraf dist', 'rm! dist'],
  ['npx rimraf "src/*.js"', 'rm! src/x.js; rm! src/y.js'],
  ['concurrently "rm a.txt" npm:clean', 'rm! a.txt; rm! dist; rm! src/x.js; rm! src/y.js'],
  ['npx some-tool', 'opaque some-tool'],
  ['cargo clean', 'rm! target'],
  ['cargo build', 'opaque cargo'],
  ['cargo fmt', '? .'],
  ['mvn clean', 'rm! target'],
  ['mvn clean install', 'rm! target; opaque mvn'],
  ['gradle clean', 'rm! build'],
  ['go clean', 'rm! p.o'],
  ['go build -o a.txt', '=! a.txt'],
  [
    'pip uninstall -y pyyaml',
    'rm! venv/lib/python3.11/site-packages/PyYAML-6.0.dist-info; rm! venv/lib/python3.11/site-packages/yaml; rm! venv/bin/y',
  ],
  ['cmake -E remove_directory dist', 'rm! dist'],
  ['python3 -m some_module', 'opaque some_module'],
]);

table('terminals within a terminal: what is started in them', [
  ["tmux new-session -d 'rm a.txt'", 'rm! a.txt'],
  ['tmux -L s neww -c src rm x.js', 'rm! src/x.js'],
  ["tmux new -ds x \\; splitw 'rm a.txt'", 'rm! a.txt'],
  ["tmux if-shell true 'run b' \\; ls", ''],
  ['tmux kill-server', ''],
  ['tmux attach -t x', ''],
  ['screen -dmS s rm a.txt', 'rm! a.txt'],
  ['screen -ls', ''],
]);

table('copying between machines: only a local end counts', [
  ['scp h:x a.txt', '>! a.txt'],
  ['scp h:x/a.txt .', '>! a.txt'],
  ['scp a.txt h:', ''],
  ['rsync -a --delete dist/ h:/srv/', ''],
  ['rsync -a --delete h:/srv/ dist/', 'rm! dist'],
  ['aws s3 sync s3://b/p dist --delete', 'rm! dist'],
  ['aws s3 cp s3://b/a.txt .', '>! a.txt'],
  ['aws s3 rm --recursive s3://b/p', ''],
  ['rclone sync r:x dist', 'rm! dist'],
  ['wget -N http://h/a.txt', '>! a.txt'],
  ['wget -nc http://h/a.txt', ''],
  ['wget -nv http://h/a.txt', ''],
  ['wget -c http://h/a.txt', '>> a.txt'],
  ['curl -JO http://h/a.txt', ''],
  ['curl -O http://h/a.txt?x=1', '>! a.txt'],
  ['curl -C - -o a.txt http://h/a', '>> a.txt'],
]);

table('keeping house, databases, disks, other version control', [
  ['crontab -r', 'rm! /var/spool/cron/u'],
  ['crontab -l', ''],
  ["rename 's/a/c/' a.txt", 'new c.txt; mv! a.txt'],
  ["rename -n 's/a/c/' a.txt", ''],
  ['rename a b a.txt', '=! b.txt; mv! a.txt'],
  ['fdupes -rdnN src', '? src'],
  ['fdupes -r src', ''],
  ['trash-put a.txt', 'rm a.txt'],
  ['gio trash a.txt', 'rm a.txt'],
  ['logrotate -f log.conf', '? /var/log/x'],
  ['logrotate -d log.conf', ''],
  ["sqlite3 app.db 'delete from t'", '>! app.db; >! app.db-wal'],
  ["sqlite3 app.db 'select 1'", ''],
  ['redis-cli flushall', ''],
  ['mkfs.ext4 a.txt', '>! a.txt'],
  ['mkfs.ext4 /dev/sdz9', '>! /dev/sdz9'],
  ['mkfs.ext4 -n a.txt', ''],
  ['mkfs.vfat -n NAME a.txt', '>! a.txt'],
  ['sgdisk -n 1:0:0 a.txt', '>! a.txt'],
  ['fdisk -l a.txt', ''],
  ['wipefs a.txt', ''],
  ['wipefs -a a.txt', '>! a.txt'],
  ['cd dummy.hg && hg revert f', '=! dummy.hg/f'],
  ['cd dummy.hg && hg update -C', '? dummy.hg'],
  ['cd dummy.hg && hg status', ''],
  ['cd dummy.gh && gh pr checkout 12', '? dummy.gh'],
  ['gh pr list', ''],
  ['gh issue view 1', ''],
  ['vim a.txt', '>! a.txt'],
  ['vim -R a.txt', ''],
  ['nano a.txt', '>! a.txt'],
  ['7z x a.7z -odist', '? dist'],
  ['7z l a.7z', ''],
]);

test.run();
