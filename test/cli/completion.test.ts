import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../src/cli/commands.ts';
import { optionsOf } from '../../src/cli/completion/described.ts';
import { builtSnap } from '../built.ts';
import { project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
builtSnap(); // bin/belay starts what is built

const two = (): string => {
  const folder = project(at, { a: '1\n' });
  turn(at.home, folder, 'echo 2 > a', () => put(folder, { a: '2\n' }));
  turn(at.home, folder, 'rm a', () => fs.rmSync(join(folder, 'a')));
  return folder;
};

const offered = (folder: string, ...words: string[]): string[] =>
  spawnBelay(folder, ['completion', '--words', ...words])
    .stdout.split('\n')
    .filter((line) => line !== '');

test('TAB offers commands, options and checkpoints with their reasons; file names where nothing is known', () => {
  const folder = two();
  assert.is(offered(folder, '').length, Object.keys(commands).length);
  assert.equal(offered(folder, 'und'), ["undo\ttakes back this session's newest turn"]);
  assert.equal(
    offered(folder, 'rollback', '').map((line) => line.replace(/before rm: /, '')),
    ['2\trm a', '1\techo 2 > a'],
  );
  assert.equal(offered(folder, 'undo', '--dry'), ['--dry-run\tsays what it would do, changes nothing']);
  const ofRun =
    '--background --checkpoints --continue --help --no-checkpoints --resume --rm --sandbox --source --worktree -C';
  assert.is(
    offered(folder, 'run', '-')
      .map((line) => line.split('\t')[0])
      .sort()
      .join(' '),
    ofRun,
  );
  assert.equal(offered(folder, 'run', '--rm', '--sand'), ['--sandbox\talso shells started by their absolute path']);
  assert.equal(offered(folder, 'run', '--', 'rm', '--'), []);
  assert.equal(offered(folder, 'init', 'f'), ['fish\tfor fish']);
  assert.equal(offered(folder, 'rollback', '2', ''), ['a\tremoved']);
  assert.equal(offered('/', 'rollback', ''), []);
  const wrong = spawnBelay('/', ['completion', 'csh']);
  assert.equal([wrong.status, /usage: belay completion/.test(wrong.stderr)], [2, true]);
});

test('every option and every part is described by words of its own, and in few', async () => {
  const summaries = new Set(Object.values(commands).map(({ summary }) => summary));
  for (const [name, { load }] of Object.entries(commands)) {
    const { options = {}, summary } = await load();
    for (const { value, what } of optionsOf({ ...(await load()), options })) {
      assert.not(what === '' || what === summary || summaries.has(what), `${name} ${value}: ${what}`);
      assert.ok(what.length <= 100, `${name} ${value}: ${what}`);
    }
  }
});

const has = (shell: string): boolean => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;

function inShell(folder: string, words: readonly string[]): string {
  const [shell = '', ...args] = words;
  const done = spawnSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, PATH: `${root}/bin:${process.env['PATH']}`, TERM: 'dumb' },
  });
  return done.stdout + done.stderr;
}

test('bash: the numbers are what is inserted', () => {
  const code =
    'eval "$(belay completion bash)"; COMP_WORDS=(belay rollback ""); COMP_CWORD=2; __belay_complete; echo "${COMPREPLY[@]}"';
  assert.is(inShell(two(), ['bash', '--norc', '-c', code]), '2 1\n');
});

test('the line that loads belay brings completion along, and leaves one of somebody else alone', () => {
  const folder = two();
  const loaded = 'eval "$(belay init bash)"; complete -p belay';
  assert.match(inShell(folder, ['bash', '--norc', '-c', loaded]), '-F __belay_complete belay');
  assert.match(inShell(folder, ['bash', '--norc', '--posix', '-c', loaded]), '-F __belay_complete belay');
  assert.match(inShell(folder, ['bash', '--norc', '-c', `complete -W x belay; ${loaded}`]), "-W 'x' belay");
  if (has('zsh'))
    for (const line of [
      'autoload -U compinit; compinit -u -D; eval "$(belay init zsh)"; echo $_comps[belay]',
      'eval "$(belay init zsh)"; autoload -U compinit; compinit -u -D; __belay_offer_words; echo $_comps[belay] $precmd_functions',
    ])
      assert.is(inShell(folder, ['zsh', '-f', '-c', line]), '_belay\n');
  if (has('fish'))
    assert.match(
      inShell(folder, ['fish', '--no-config', '-c', 'belay init fish | source; complete -c belay']),
      '__belay_words',
    );
});

if (has('fish'))
  test('fish: the reasons stand beside the numbers', () => {
    const said = inShell(two(), [
      'fish',
      '--no-config',
      '-c',
      "belay completion fish | source; complete -C 'belay rollback '",
    ]);
    assert.match(said, /^2\t.*rm a\n1\t.*echo 2 > a/m);
  });

if (has('zsh'))
  test('zsh: the function is known to compinit', () => {
    const code =
      'autoload -U compinit; compinit -u -D; eval "$(belay completion zsh)"; print $_comps[belay] $+functions[_belay]';
    assert.is(inShell(two(), ['zsh', '-fc', code]), '_belay 1\n');
  });

test.run();
