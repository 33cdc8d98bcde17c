import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/platform/config.ts';
import { log } from '../../src/platform/log.ts';
import { baseHome, belayHome, profileHome } from '../../src/platform/profile.ts';
import { shells } from '../shims/prefilters.ts';
import { belay, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const work = join(at.home, 'profiles/work');
const config = join(at.top, 'person/.config/belay');
const WORK = { BELAY_PROFILE: 'work' };

interface Listed {
  readonly profiles: { readonly name: string; readonly folder: string; readonly current: boolean }[];
}
const listed = async (): Promise<string[]> =>
  (await belay<Listed>(at.top, 'profile')).json.profiles.map(({ name, current }) => (current ? `${name}*` : name));

test('a profile is made closed to others, with the settings of now, and listed', async () => {
  fs.mkdirSync(config, { recursive: true });
  fs.writeFileSync(join(config, 'config.yaml'), 'checkpoints: { on_unsaved: refuse }\n');
  assert.is((await belay(at.top, 'profile', 'create', 'work')).exit, 0);
  assert.is(fs.statSync(work).mode & 0o777, 0o700);
  assert.match(fs.readFileSync(join(work, 'config.yaml'), 'utf8'), /refuse/);
  assert.equal(await listed(), ['default*', 'work']);
  assert.is((await belay(at.top, 'profile', 'create', 'work')).code, 'profile_there');
  for (const name of ['../up', 'default', '.x', 'a/b', 'a b'])
    assert.is((await belay(at.top, 'profile', 'create', name)).exit, 2, name);
});

test('what is started in a profile keeps and reads everything there: checkpoints, and its own settings', async () => {
  const project = join(at.top, 'project');
  fs.mkdirSync(join(project, '.git'), { recursive: true });
  fs.writeFileSync(join(project, 'a'), 'a');
  const made = spawnBelay(project, ['checkpoint', '-m', 'in work'], WORK);
  assert.is(made.status, 0, made.stderr);
  assert.ok(fs.existsSync(join(work, 'checkpoints/store')));
  assert.not.ok(fs.existsSync(join(at.home, 'checkpoints/store')));
  assert.match(spawnBelay(project, ['list'], WORK).stdout, /in work/);
  assert.not.match((await belay(project, 'list')).text, /in work/);
  const env = new Map([
    ['BELAY_HOME', work],
    ['BELAY_PROFILE', 'work'],
    ['HOME', join(at.top, 'person')],
  ]);
  fs.writeFileSync(join(work, 'config.yaml'), 'checkpoints: { on_unsaved: ask }\n');
  assert.is((await loadConfig(env)).config.checkpoints.on_unsaved, 'ask');
  assert.is((await loadConfig(new Map([...env, ['BELAY_PROFILE', '']]))).config.checkpoints.on_unsaved, 'refuse');
  assert.match(spawnBelay(project, ['list'], { BELAY_PROFILE: '../x' }).stderr, /no name of a profile/);
});

test('-p NAME is heeded before the command and behind it, as far as the words are belay’s own', () => {
  const belay = (...words: readonly string[]) => spawnSync(join(root, 'bin/belay'), words, { encoding: 'utf8' });
  for (const words of [
    '-p nosuch list',
    '-C / -p nosuch list',
    '--json --color never -p nosuch list',
    'list -p nosuch',
    'sessions list --source cli --profile=nosuch',
    'run -C / -r x -p nosuch -- true',
    'run --source x -c name -p nosuch true',
  ]) {
    const done = belay(...words.split(' '));
    assert.equal([done.status, done.stderr.split('\n')[0]], [4, 'belay: there is no profile nosuch'], words);
  }
  for (const words of ['run --no-checkpoints -- echo -p nosuch', 'run --no-checkpoints echo -p nosuch'])
    assert.is(belay(...words.split(' ')).stdout, '-p nosuch\n');
  for (const words of ['explain mkdir -p nosuch', 'installs exec mkdir -p nosuch'])
    assert.not.match(belay(...words.split(' ')).stderr, 'no profile', words);
});

test('every shell finds the folder of a profile that belay itself finds', () => {
  const cases = ['', 'default', 'work', 'a-b_c', '../x', '-x', 'a b'].flatMap((profile) =>
    ['/h', '/h/profiles/other', '/h/profiles/x/profiles/y', '/profiles/x/y', ''].map((home) => ({ profile, home })),
  );
  for (const { profile, home } of cases) {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: '/person',
      BELAY_HOME: home,
      BELAY_PROFILE: profile,
      BELAY_SESSION: 'x',
    };
    const map = new Map(Object.entries(env));
    const base = baseHome(map) ?? '';
    const named = /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(profile) && profile !== 'default';
    const expected = named ? profileHome(base, profile) : belayHome(map);
    for (const [shell, script] of [
      ['bash', `. '${root}/shims/parts/record.bash'; __belay_find_home; printf %s "$__belay_reply"`],
      ['sh', `. '${root}/shims/parts/home.sh'; belay_home; printf %s "$home"`],
    ] as const) {
      const done = spawnSync(shell, ['-c', script], { env, encoding: 'utf8' });
      assert.is(done.stdout, expected, `${shell}: ${profile} in ${home} ${done.stderr}`);
    }
  }
  // The folders have to be there for the others to say so.
  const home = join(at.top, 'other');
  fs.mkdirSync(join(home, 'profiles/work/sessions'), { recursive: true });
  fs.mkdirSync(join(home, 'sessions'), { recursive: true });
  const scripts = {
    bash: ['-c', `. '${root}/shims/parts/record.bash'; __belay_find_journal; echo "$__belay_journal"`],
    zsh: [
      '-fc',
      `emulate zsh -o extended_glob -c ". '${root}/shims/parts/record.zsh'"; __belay_find_journal; echo "$__belay_journal"`,
    ],
    fish: ['-N', '-c', `source '${root}/shims/parts/record.fish'; __belay_find_journal; echo "$__belay_journal"`],
  };
  for (const shell of shells)
    for (const [profile, folder] of [
      ['', home],
      ['default', home],
      ['work', join(home, 'profiles/work')],
      ['a b', home],
    ] as const)
      for (const given of profile === 'work' ? [home, join(home, 'profiles/work')] : [home]) {
        const env = { ...process.env, BELAY_HOME: given, BELAY_PROFILE: profile, BELAY_SESSION: 'x' };
        const done = spawnSync(shell, scripts[shell], { env, encoding: 'utf8' });
        assert.is(done.stdout.trim(), join(folder, 'sessions/x.jsonl'), `${shell} ${profile} ${done.stderr}`);
      }
});

test('a profile is deleted whole, never the one that one is in, and not without a word', async () => {
  assert.is(spawnBelay(at.top, ['profile', 'delete', 'work', '--yes'], WORK).status, 3);
  assert.is((await belay(at.top, 'profile', 'delete', 'work')).code, 'not_answered');
  assert.is((await belay(at.top, 'profile', 'delete', 'wrok', '--yes')).code, 'no_profile');
  assert.ok(fs.existsSync(work));
  log(at.home, 'what the default profile has stays');
  assert.is((await belay(at.top, 'profile', 'delete', 'work', '--yes')).exit, 0);
  assert.not.ok(fs.existsSync(work));
  assert.ok(fs.existsSync(join(at.home, 'logs/belay.log')));
  assert.equal(await listed(), ['default*']);
});

test('a profile in which only sessions were recorded can be deleted', async () => {
  assert.is((await belay(at.top, 'profile', 'create', 'recorded')).exit, 0);
  const sessions = join(at.home, 'profiles/recorded/sessions');
  fs.mkdirSync(sessions, { recursive: true });
  fs.writeFileSync(join(sessions, '20260101_000000_abcdef.jsonl'), '{}\n');
  assert.is((await belay(at.top, 'profile', 'delete', 'recorded', '--yes')).exit, 0);
  assert.not.ok(fs.existsSync(join(at.home, 'profiles/recorded')));
});

test.run();
