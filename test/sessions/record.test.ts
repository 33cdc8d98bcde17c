import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fromText } from '../../src/platform/bytes.ts';
import { maskSecrets } from '../../src/platform/secrets.ts';
import { readJournal } from '../../src/sessions/journal.ts';
import { type Story, storyOf } from '../../src/sessions/story.ts';
import { FORMS } from '../platform/secret-forms.ts';
import { LINES } from '../platform/secret-lines.ts';
import { at } from '../shims/given.ts';
import { shells } from '../shims/prefilters.ts';
import { type Room, root } from '../shims/recorder.ts';

const test = suite('the record of a shell');

const folderOf = (place: Room): string => join(place.folder, 'belay/sessions');

/** As belay-snap makes it for the first line of all. */
function prepare(place: Room): void {
  fs.mkdirSync(folderOf(place), { recursive: true, mode: 0o700 });
}

function storyIn(place: Room): Story {
  const [name, ...rest] = fs.readdirSync(folderOf(place)).filter((one) => one.endsWith('.jsonl'));
  assert.equal(rest, []);
  const file = join(folderOf(place), name ?? '');
  assert.is(fs.statSync(file).mode & 0o777, 0o600);
  return storyOf([...readJournal(file)].map(({ event }) => event));
}

for (const shell of shells) {
  const enter = shell === 'bash' ? '{belay}\nHISTCONTROL=ignorespace' : '{belay}\n';
  const rc = shell === 'zsh' ? '{belay}\nsetopt hist_ignore_space' : enter;

  test(`${shell} records each line with its folder, status and time, and starts no program for it`, () =>
    at(
      shell,
      rc,
      async (terminal, place) => {
        await terminal.type('cd /tmp');
        await terminal.type('echo "a \\ b" \'ü\' >/dev/null');
        await terminal.type('false');
        await terminal.type(' echo hidden');
        await terminal.type('belay');
        assert.is(place.recordings(), 0);
        const { beginning, turns, source } = storyIn(place);
        assert.equal([beginning?.shell, source], [shell, 'cli']);
        assert.match(beginning?.id ?? '', /^\d{8}_\d{6}_[0-9a-f]{6}$/);
        assert.ok(Number(beginning?.start) > 0 && Number(beginning?.pid) > 1);
        assert.equal(
          turns.flatMap(({ turn, commands }) => commands.map(({ line, cwd, exit }) => [turn, line, cwd, exit])),
          [
            ['1', 'cd /tmp', join(place.folder, 'work'), 0],
            ['2', fromText('echo "a \\ b" \'ü\' >/dev/null'), '/tmp', 0],
            ['3', 'false', '/tmp', 1],
          ],
        );
        assert.ok(turns.every(({ commands }) => commands.every(({ ms }) => ms !== undefined && ms >= 0)));
      },
      { prepare },
    ));

  test(`${shell} leaves to belay-snap what may hold a secret, what is long, and all where a setting speaks of records`, () =>
    at(
      shell,
      '{belay}',
      async (terminal, place) => {
        const until = async (): Promise<void> => {
          for (const end = Date.now() + 20_000; place.recordings() === 0; ) {
            assert.ok(Date.now() < end, 'nobody recorded the line');
            await new Promise((done) => setTimeout(done, 20));
          }
        };
        await terminal.type('true my_token=abc');
        await until();
        // Nor does it stay where the shell has read it from.
        const left = spawnSync('grep', ['-rl', 'my_token', join(place.folder, 'run')], { encoding: 'utf8' });
        assert.is(left.stdout, '');
        await terminal.type(`true ${'x'.repeat(700)}`);
        await until();
        fs.mkdirSync(join(place.folder, 'home/.config/belay'), { recursive: true });
        fs.writeFileSync(join(place.folder, 'home/.config/belay/config.yaml'), 'sessions: {record: off}\n');
        await terminal.type('true');
        await until();
        assert.equal(fs.readdirSync(folderOf(place)), []);
        // What may destroy is handed over anyway.
        await terminal.type('rm -f my_token=abc');
        const hold = place.asked().find(({ args }) => args[0] === 'hold');
        assert.ok(hold?.fields.some(([key, value]) => key === 'record' && value === '1'));
      },
      { prepare },
    ));
}

/** With a journal that is there: whatever a prompt does not take a closer look at is written into it. */
const RECORD_OF_ZSH = `zmodload zsh/datetime; unset XDG_CONFIG_HOME BELAY_PROFILE; HOME=/nonexistent BELAY_SESSION=s __belay_session=s
  typeset -i __belay_turn=1 __belay_part=0; export BELAY_TURN=1
  emulate zsh -o extended_glob -o local_traps -c ". '${root}/shims/parts/record.zsh'; . '${root}/shims/parts/harmless.zsh'"
  __belay_find_journal() { false; }; record() { __belay_harmless '' prompt "$1"; [[ -z $__belay_later ]]; }
  __belay_cwd=$PWD __belay_journal=$(mktemp) __belay_journal_key=":\${BELAY_HOME-}:\${XDG_DATA_HOME-}:/nonexistent:s"; trap 'rm -f $__belay_journal' EXIT`;

test('no shell writes a line by itself that the table of secrets would change', () => {
  const lines = [...new Set([...LINES.map(([typed]) => typed), ...FORMS, ...EVASIONS])].filter(
    (line) => maskSecrets(line) !== line,
  );
  assert.ok(lines.length > 60);
  const scripts = {
    debug: `. '${root}/shims/parts/record.bash'; eval "$(sed -n '/^__belay_may_be_secret/,/^}/p' '${root}/shims/init-debug.bash')"; cd /; for line; do if __belay_may_be_secret "$line"; then echo S; else echo "$line"; fi; done`,
    bash: `. '${root}/shims/parts/record.bash'; for line; do if __belay_may_be_secret "$line"; then echo S; else echo "$line"; fi; done`,
    zsh: `${RECORD_OF_ZSH}; for line; do record "$line" || echo S; done; cat $__belay_journal`,
    fish: `source '${root}/shims/parts/record.fish'; for line in $argv; if __belay_may_be_secret $line; echo S; else; echo $line; end; end`,
  };
  for (const kind of [...shells, 'debug'] as const) {
    const shell = kind === 'debug' ? 'bash' : kind;
    const args = {
      debug: ['-c', scripts.debug, 'bash'],
      bash: ['-c', scripts.bash, 'bash'],
      zsh: ['-fc', scripts.zsh, 'zsh'],
      fish: ['-N', '-c', scripts.fish, '--'],
    };
    const done = spawnSync(shell, [...args[kind], ...lines], { encoding: 'utf8', timeout: 60_000 });
    assert.equal(
      done.stdout
        .trim()
        .split('\n')
        .filter((said) => said !== 'S'),
      [],
      `${kind} ${done.stderr}`,
    );
  }
});

/** One text for each alternative of the shells' table. */
const PARTS = `token secret pass key cred auth cookie jwt _pwd ://a@ a:b@ -ua: -ua% -login:
  mysql mariadb redis-cli openssl vault az-p zip-p 7z ldap obscure put-parameter mongo cqlsh beeline sqlcmd tsql twine ncftp lftp rdesktop
  useradd usermod ipmitool mosquitto_ snmp security vercelenv kinit cryptsetup doas newusers curl-b send sudo-s<< |sudo-s login-p |login
  login<< read-s<< freerdp pw pat su wg age bcp cf net_user _pw rar pin akia asia ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxa- npm_ eyj aiza
  sk-0123456789abcdef pk_0123456789abcdef rk-0123456789abcdef`.split(/\s+/);

if (shells.includes('zsh'))
  test('zsh: what it looks at first leaves nothing of its table out', () => {
    const script = `${RECORD_OF_ZSH}
      for part; do
        __belay_is_like_secret " $part " || print -r -- "no part: $part"
        ! record "ls $part x" || print -r -- $part
      done; cat $__belay_journal; record 'ls -la src' && cat $__belay_journal`;
    const { stdout } = spawnSync('zsh', ['-fc', script, 'zsh', ...PARTS], { encoding: 'utf8', timeout: 60_000 });
    assert.match(stdout, /^[^\n]*"line":"ls -la src"[^\n]*\n$/);
  });

test('a bash without PS0 writes plain words by itself, in words that bash 3.2 has', () => {
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `__belay_root='${root}'; . '${root}/shims/parts/record.bash'; . '${root}/shims/init-debug.bash'; cd /
      for line in 'rm a.txt' 'rm A.txt' 'my pass'; do __belay_may_be_secret "$line"; echo $?; done
      declare -f __belay_record __belay_may_be_secret __belay_is_like_secret __belay_clock`,
    ],
    { encoding: 'utf8', timeout: 60_000 },
  );
  assert.match(stdout, /^1\n0\n0\n/, stderr);
  assert.match(stdout, '__belay_is_like_secret ()');
  assert.not.match(stdout, /,,|\^\^|@[A-Za-z]\}|%\(|local -n/); // `${x,,}` is a bad substitution there: nothing would be saved
});

/** Names cut by quotes, every shape of a token, every option of a program. */
const EVASIONS = [
  'mysql -phunter',
  'vault login hunter',
  'redis-cli -a hunter',
  'useradd -p hunter bob',
  'login --to"ken" abc',
  "s'shpass' -p x ssh h",
  'set -x PW abc',
  'PW=abc make',
  'export pwd_key=abc',
  'x --pw abc',
  'mysqldump -pabc db',
  'mariadb -pabc',
  'zip -P abc x.zip y',
  'unzip -Pabc x.zip',
  '7z a -pabc x',
  '7za a -pabc x',
  'ssh-keygen -N abc -f x',
  'ldapsearch -w abc',
  'ldapmodify -w abc',
  'ldapadd -w abc',
  'curl --proxy-user a:b h',
  'x --login a:b',
  'x -U a%b',
  'psql postgres://u:p@h/db',
  'wget http://TOKENX@h',
  'echo AKIAABCDEFGHIJKLMNOP',
  'echo ASIAABCDEFGHIJKLMNOP',
  'echo github_pat_abcdefghijklmnopqrstuvwxyz',
  'echo glpat-abcdefghijklmnop',
  'echo sk-abcdefghijklmnop1234',
  'echo rk_abcdefghijklmnop1234',
  'echo pk-abcdefghijklmnop1234',
  'echo xoxb-abcdefghij',
  'xoxb-abcdefghij',
  `echo npm_${'a'.repeat(32)}`,
  'echo eyJabcdefghi.abcdefghij.abc',
  `echo AIza${'a'.repeat(32)}`,
  'curl -H "Cookie: a=b" h',
  'curl -H "X-Api-Token: a" h',
  'curl -H "Private-Token: a" h',
  `echo '-----BEGIN RSA PRIVATE KEY-----abc'`,
  `curl -d '{"client_secret": "x"}' h`,
  'openssl enc -k pass:abc',
  'true \\\n && export TOKEN=abc',
];

test.run();
