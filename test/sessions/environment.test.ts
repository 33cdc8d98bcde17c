import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environmentFile } from '../../src/sessions/environment/kept.ts';
import { fateOf } from '../../src/sessions/environment/rules.ts';
import { journalFile } from '../../src/turns/journal.ts';
import { builtSnap } from '../built.ts';
import { PROMPT, Terminal } from '../pty/terminal.ts';
import { at, within } from '../shims/given.ts';
import { shells } from '../shims/prefilters.ts';
import { type Room, root } from '../shims/recorder.ts';

builtSnap();
const test = suite('the environment of a session');
const BELAY = join(root, 'bin/belay');

/** belay-snap itself, and a folder of programs as a virtual environment has one. */
function prepare(place: Room): void {
  place.env['BELAY_SNAP'] = join(root, 'bin/belay-snap');
  fs.mkdirSync(join(place.folder, 'belay/sessions'), { recursive: true, mode: 0o700 });
  fs.mkdirSync(join(place.folder, 'venv/bin'), { recursive: true });
  fs.mkdirSync(join(place.folder, 'work/sub'));
  fs.writeFileSync(join(place.folder, 'venv/bin/vpy'), '#!/bin/sh\necho venv\n', { mode: 0o755 });
}

const kept = (place: Room, session: string): string => {
  const file = environmentFile(join(place.folder, 'belay'), session);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

/** The shell does not wait for whoever keeps it. */
async function until(place: Room, session: string, text: string): Promise<void> {
  for (const end = Date.now() + 30_000; !kept(place, session).includes(text); ) {
    assert.ok(Date.now() < end, `not kept: ${text}\n${kept(place, session)}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}

const run = (place: Room, env: Readonly<Record<string, string>>, ...words: string[]) =>
  spawnSync(BELAY, words, { cwd: place.folder, env: { ...place.env, ...env }, encoding: 'utf8', timeout: 60_000 });

const SAY = `printf '%s|' "$MODE" "$PG_URL" "$HUSH" "$PWD"; vpy`;

for (const shell of shells) {
  const enter = shell === 'bash' ? '{belay}\nHISTCONTROL=ignorespace' : '{belay}\n';
  const rc = shell === 'zsh' ? '{belay}\nsetopt hist_ignore_space' : enter;
  const set = (name: string, value: string) =>
    shell === 'fish' ? `set -gx ${name} ${value}` : `export ${name}=${value}`;

  test(`${shell}: who goes on in a session has its variables and its PATH again, without its secrets and what was hidden`, () =>
    at(
      shell,
      rc,
      async (terminal, place) => {
        const session = (await terminal.type('echo "$BELAY_SESSION"')).text.trim();
        const odd = join(place.folder, 'work/a "b" c');
        fs.mkdirSync(odd);
        await terminal.type(set('MODE', `'${odd}'`));
        await terminal.type(set('PG_URL', 'postgres://me:hunter22@db/x'));
        // belay-snap records it in the background, and the folder of what is recorded last is where the session goes on.
        const journal = join(place.folder, 'belay/sessions', `${session}.jsonl`);
        for (const end = Date.now() + 30_000; !fs.readFileSync(journal, 'utf8').includes('PG_URL'); ) {
          assert.ok(Date.now() < end, 'the line with a secret was not recorded');
          await new Promise((done) => setTimeout(done, 30));
        }
        await terminal.type('cd sub');
        const { PATH: path = '' } = place.env;
        const bin = join(place.folder, 'venv/bin');
        await terminal.type(set('PATH', shell === 'fish' ? `${bin} $PATH` : `${bin}:$PATH`));
        await until(place, session, bin);
        const file = environmentFile(join(place.folder, 'belay'), session);
        assert.is(fs.statSync(file).mode & 0o777, 0o600);
        await terminal.type(` ${set('HUSH', 'quiet77')}`);
        await terminal.type(set('LATER', '1'));
        await terminal.type('true');
        const found = spawnSync('grep', ['-rlE', 'hunter22|quiet77|PWD"', join(place.folder, 'belay')]);
        assert.is(found.stdout.toString(), '');

        const done = run(place, { MODE: 'other', PATH: path }, 'run', '-c', '--', 'sh', '-c', SAY);
        assert.is(done.stdout, `${odd}|||${join(place.folder, 'work/sub')}|venv\n`, done.stderr);

        await terminal.type('belay new');
        await terminal.type(set('MODE', 'new'));
        await terminal.type(set('PATH', shell === 'fish' ? `(string split ':' '${path}')` : path));
        if (shell !== 'fish') await terminal.type('IFS=,0');
        await terminal.type(`belay resume ${session}`);
        const again = await terminal.type(shell === 'fish' ? 'echo $MODE; vpy; pwd' : 'echo "$MODE"; vpy; pwd');
        assert.is(again.text, `${odd}\nvenv\n${join(place.folder, 'work/sub')}\n`);

        assert.is(run(place, {}, 'sessions', 'delete', session, '--yes').status, 0);
        assert.not.ok(fs.existsSync(file));
      },
      { prepare },
    ));
}

test(
  'a shell that goes on has the variables of the session after its own start-up files',
  within(async (place) => {
    prepare(place);
    const { BELAY_SNAP: _, ...env } = place.env;
    const started = run(place, { MODE: 'mine' }, 'run', '--', 'true');
    assert.is(started.status, 0, started.stderr);
    const [name = ''] = fs.readdirSync(join(place.folder, 'belay/sessions')).filter((one) => one.endsWith('.jsonl'));
    await until(place, name.slice(0, -6), '"mine"');
    fs.writeFileSync(join(place.folder, 'home/.bashrc'), `PS1='${PROMPT}'; export MODE=start-up\n`);
    const terminal = await Terminal.open([BELAY, 'run', '-c', '--', 'bash'], { cwd: place.folder, env });
    try {
      assert.is((await terminal.type('echo "$MODE"')).text, 'mine\n');
    } finally {
      await terminal.close();
    }
  }),
);

test(
  'no environment comes with an import, and what a file names that belay would not keep is not set',
  within(async (place) => {
    prepare(place);
    assert.is(run(place, { MODE: 'mine' }, 'run', '--', 'true').status, 0);
    const home = join(place.folder, 'belay');
    const [name = ''] = fs.readdirSync(join(home, 'sessions')).filter((one) => one.endsWith('.jsonl'));
    const session = name.slice(0, -6);
    const file = environmentFile(home, session);
    await until(place, session, '"mine"');
    const host = spawnSync('hostname', { encoding: 'utf8' }).stdout.trim();
    const set = { MODE: 'planted', LD_PRELOAD: '/evil.so', BASH_ENV: '/evil', GIT_SSH_COMMAND: '/evil', IFS: 'x' };
    const planted = JSON.stringify({ v: 1, host, left_out: 0, set });
    fs.writeFileSync(file, planted, { mode: 0o600 });
    const say = `env | grep -cE '^(LD_PRELOAD|GIT_SSH_COMMAND)=|evil'; echo "$MODE"`;
    const done = run(place, {}, 'run', '-r', session, '--', 'sh', '-c', say);
    assert.is(done.stdout, '0\nplanted\n', done.stderr);
    await until(place, session, '"PATH"');

    assert.is(run(place, {}, 'sessions', 'export', 'out.jsonl', session).status, 0);
    const text = fs.readFileSync(join(place.folder, 'out.jsonl'), 'utf8');
    assert.not.match(text, /planted|mine/);
    fs.rmSync(journalFile(home, session));
    fs.rmSync(file, { force: true });
    const line = { ...JSON.parse(text), environment: JSON.parse(planted), set };
    fs.writeFileSync(join(place.folder, 'in.jsonl'), `${JSON.stringify(line)}\n`);
    assert.is(run(place, {}, 'sessions', 'import', 'in.jsonl').status, 0);
    assert.not.ok(fs.existsSync(file));
    // Readable for others, or of another machine: not believed.
    fs.writeFileSync(file, planted);
    fs.chmodSync(file, 0o644);
    assert.is(run(place, {}, 'run', '-r', session, '--', 'sh', '-c', 'echo "[$MODE]"').stdout, '[]\n');
  }),
);

test('what is kept: neither secrets, nor what is of the terminal, the login or the machine, nor what makes others run code', () => {
  const fates = {
    kept: [
      ['MODE', 'dev'],
      ['VIRTUAL_ENV', root],
      ['NODE_PATH', `${root}/src:${root}/test:`],
      ['AWS_PROFILE', 'work'],
      ['AWS_REGION', 'eu-west-1'],
      ['LANG', 'en_GB.UTF-8'],
      ['RUST_LOG', 'info,web.server'],
      ['PORT', '8080'],
      ['https_proxy', 'http://proxy:3128'],
      ['PYTHONPATH', 'src'],
      ['EMPTY', ''],
    ],
    'left out': [
      ['API_TOKEN', 'x'],
      ['MYSQL_PWD', 'x'],
      ['DATABASE_URL', 'postgres://u:p@h/d'],
      ['GH', 'ghp_0123456789abcdefghijklmnop'],
      ['NOTHING_SAID', 'aB3dE5gH7jK9mN1pQ3sT5v'],
      ['HEX', '0123456789abcdef0123456789abcdef'],
      ['LONG', 'x-'.repeat(500)],
      ['NOT_THERE', '/bPxRfiCY/EXAMPLEKEY'],
      ...[
        'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        'https://hooks.example/services/T0AB1CD2E/B0AB1CD2E/x',
        'https://me:hunter@host/',
        'https://host/x?sig=abc',
        'Bearer abc',
        'user: me, passwd: hunter',
        '-phunter2',
        '550e8400-e29b-41d4-a716-446655440000',
        'legal winner thank year',
        '123456',
        'me:hunter',
      ].map((value) => ['SAID', value]),
      ...'CREDS MYPW PSK OTP PIN2 MNEMONIC SEED_WORDS LOGINX PRIVATE COOKIE'.split(' ').map((name) => [name, 'abc']),
    ],
    'not its own': [
      ...'PWD OLDPWD SHLVL TERM DISPLAY SSH_AUTH_SOCK XDG_RUNTIME_DIR TMUX BELAY_SESSION LS_COLORS _ HOME LD_PRELOAD'.split(
        ' ',
      ),
      ...'LD_LIBRARY_PATH BASH_ENV ENV IFS PROMPT_COMMAND PS1 GIT_DIR NODE_OPTIONS PYTHONSTARTUP JAVA_TOOL_OPTIONS'.split(
        ' ',
      ),
      ...'DOTNET_STARTUP_HOOKS LUA_INIT_5_3 NULLCMD EXINIT MYVIMRC PSQLRC RUSTC_WRAPPER RSYNC_RSH OPENSSL_CONF'.split(
        ' ',
      ),
      ...'DIRENV_DIFF __MISE_DIFF BASH_FUNC_ls%% ZDOTDIR HISTFILE path status'.split(' '),
    ].map((name) => [name, 'x']),
  };
  for (const [fate, all] of Object.entries(fates))
    for (const [name = '', value = ''] of all) assert.is(fateOf(name, value), fate, name);
});

test.run();
