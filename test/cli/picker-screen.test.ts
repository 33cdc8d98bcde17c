import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { widthOf } from '../../src/cli/style.ts';
import { builtBelay } from '../built.ts';
import { has } from '../pty/programs.ts';
import { project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { Screen } from './screen.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const [node, main] = builtBelay();

const env = (): Record<string, string> => {
  const wanted = ['BELAY_HOME', 'HOME', 'XDG_RUNTIME_DIR', 'BELAY_SESSION', 'BELAY_TURN'];
  return Object.fromEntries(wanted.map((name) => [name, process.env[name] ?? '']));
};

/** `belay` in a folder with three checkpoints, on a terminal of its own. */
function scene(columns: number, rows: number): { screen: Screen; root: string } {
  const root = project(at, { notes: 'one\ntwo\n', 'src/main': 'main\n', deploy: 'deploy\n' });
  turn(at.home, root, 'rm -r src', () => fs.rmSync(join(root, 'src'), { recursive: true }));
  turn(at.home, root, 'sed -i s/one/ONE/ notes', () => put(root, { notes: 'ONE\ntwo\n' }));
  turn(at.home, root, 'rm deploy', () => fs.rmSync(join(root, 'deploy')));
  const screen = new Screen(at.top, env(), columns, rows, root);
  screen.type(`belay() { '${node}' '${main}' "$@"; }; clear`);
  return { screen, root };
}

if (has('tmux')) {
  test('arrow keys choose, the difference of the chosen one is shown, Enter asks with a summary, y restores', async () => {
    const { screen, root } = scene(100, 30);
    try {
      screen.type('belay rollback -i');
      await screen.shows(/> +3 .*rm deploy/);
      await screen.shows(/^-deploy$/m);
      assert.equal(screen.terminal, { cursor: false, other: true });
      screen.keys('Down');
      await screen.shows(/> +2 .*sed -i/);
      await screen.shows(/^\+ONE$/m);
      screen.keys('Up');
      await screen.shows(/> +3 /);
      screen.keys('Down', 'Enter');
      const asked = await screen.shows(/Restore this\?/);
      assert.match(asked, /replace +notes/);
      assert.match(asked, /restore +deploy/);
      assert.equal(screen.terminal, { cursor: true, other: false });
      assert.is(fs.readFileSync(join(root, 'notes'), 'utf8'), 'ONE\ntwo\n');
      screen.type('y');
      await screen.shows(/Restored checkpoint 2[\s\S]*ready\$\s*$/);
      assert.is(fs.readFileSync(join(root, 'notes'), 'utf8'), 'one\ntwo\n');
      assert.is(fs.readFileSync(join(root, 'deploy'), 'utf8'), 'deploy\n');
      assert.not(fs.existsSync(join(root, 'src')));
    } finally {
      screen.close();
    }
  });

  test('an answer other than yes changes nothing', async () => {
    const { screen, root } = scene(100, 30);
    try {
      screen.type('belay rollback -i; echo "exit $?"');
      await screen.shows(/> +3 /);
      screen.keys('Enter');
      await screen.shows(/Restore this\?/);
      screen.type('');
      await screen.shows(/nothing was changed[\s\S]*exit 3/);
      assert.not(fs.existsSync(join(root, 'deploy')));
    } finally {
      screen.close();
    }
  });

  for (const key of ['q', 'Escape', 'C-c'])
    test(`${key} leaves, nothing is changed, and the terminal is as it was`, async () => {
      const { screen, root } = scene(80, 24);
      try {
        screen.type('stty -g > before; belay rollback -i; echo "exit $?"; stty -g > after');
        await screen.shows(/> +3 /);
        screen.keys(key);
        // What is typed before the shell is there stands in front of its prompt.
        await screen.shows(/(?:^|ready\$ )exit 0$/m);
        await screen.shows(/ready\$\s*$/);
        assert.equal(screen.terminal, { cursor: true, other: false });
        screen.type('echo typed is shown');
        await screen.shows(/^typed is shown$/m);
        assert.is(fs.readFileSync(join(root, 'after'), 'utf8'), fs.readFileSync(join(root, 'before'), 'utf8'));
        assert.not(fs.existsSync(join(root, 'deploy')));
      } finally {
        screen.close();
      }
    });

  test('a picker that is killed politely gives the terminal back', async () => {
    const { screen } = scene(80, 24);
    try {
      screen.type('belay rollback -i & p=$!; fg; echo "exit $?"');
      await screen.shows(/> +3 /);
      const pid = fs
        .readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .find(isPicker);
      process.kill(Number(pid), 'SIGTERM');
      await screen.shows(/^exit 143$/m);
      assert.equal(screen.terminal, { cursor: true, other: false });
    } finally {
      screen.close();
    }
  });

  test('a slash filters, a question mark helps, and Escape clears the filter before it leaves', async () => {
    const { screen } = scene(100, 24);
    try {
      screen.type('belay rollback -i');
      await screen.shows(/> +3 /);
      screen.keys('?');
      await screen.shows(/ctrl-c +leave, nothing is changed/);
      screen.keys('x');
      await screen.shows(/> +3 /);
      screen.keys('/', 's', 'e', 'd');
      const filtered = await screen.shows(/^\/sed[\s\S]*> +2 .*sed -i/m);
      assert.not.match(filtered, /rm deploy/);
      screen.keys('Escape');
      await screen.shows(/> +3 .*rm deploy/);
      screen.keys('Escape');
      await screen.shows(/ready\$\s*$/);
    } finally {
      screen.close();
    }
  });

  test('forty columns are enough, and a resize draws anew', async () => {
    const { screen } = scene(40, 12);
    try {
      screen.type('belay rollback -i');
      await screen.shows(/> +3 .*…/);
      await screen.shows(/checkpoint 3|deploy/);
      for (const line of screen.lines) assert.ok(widthOf(line) <= 40, line);
      screen.keys('Down', 'Down');
      await screen.shows(/> +1 /);
      screen.resize(100, 30);
      await screen.shows(/> +1 .*rm -r src/);
      await screen.shows(/^-main$/m);
      screen.resize(30, 8);
      await screen.shows(/> +1 /);
      assert.ok(screen.lines.length <= 9);
      screen.keys('q');
      await screen.shows(/ready\$\s*$/);
    } finally {
      screen.close();
    }
  });

  test('a dumb terminal gets the list', async () => {
    const { screen } = scene(120, 30);
    try {
      screen.type('TERM=dumb BELAY_PAGER=cat belay rollback -i; echo "exit $?"');
      await screen.shows(/3 checkpoints[\s\S]*rm deploy[\s\S]*exit 0/);
      assert.equal(screen.terminal, { cursor: true, other: false });
    } finally {
      screen.close();
    }
  });
}

test('a pipe gets the list', () => {
  const root = project(at, { a: '1' });
  turn(at.home, root, 'rm a', () => fs.rmSync(join(root, 'a')));
  const done = spawnBelay(root, ['rollback', '-i']);
  assert.is(done.status, 0);
  assert.match(done.stdout, /1 checkpoint\n/);
  assert.not.match(done.stdout, /\x1b/);
});

/** The belay process that was started with this file's home. */
function isPicker(pid: string): boolean {
  try {
    const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const own = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`BELAY_HOME=${at.home}`);
    return own && words.includes(main) && words.includes('rollback');
  } catch {
    return false; // ended, or not ours
  }
}

test.run();
