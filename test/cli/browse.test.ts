import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { appendEvents } from '../../src/turns/journal.ts';
import type { JournalEvent } from '../../src/turns/journal-events.ts';
import { builtBelay } from '../built.ts';
import { has } from '../pty/programs.ts';
import { project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { Screen } from './screen.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const [node, main] = builtBelay();

const env = (): Record<string, string> => {
  const wanted = ['BELAY_HOME', 'HOME', 'XDG_RUNTIME_DIR'];
  return Object.fromEntries(wanted.map((name) => [name, process.env[name] ?? '']));
};

const OLD = '20250101_000000_abcdef';
const NEW = '20250102_000000_abcdef';

/** Two sessions: one that changed a project in two turns, and one after it that only looked around. */
function given(): string {
  const root = project(at, { notes: 'one\ntwo\n', deploy: 'deploy\n' });
  const began = Date.now() - 3_600_000;
  const lines: JournalEvent[] = [];
  const changed = (line: string, act: () => void): void => {
    const n = turn(at.home, root, line, act, OLD);
    const t = began + n;
    lines.push({ e: 'command', t, turn: String(n), line, cwd: root });
    lines.push({ e: 'checkpoint', t, turn: String(n), n, key: '', root, verbs: [], files: 1, paths: [], bytes: 1 });
  };
  changed('sed -i s/one/ONE/ notes', () => put(root, { notes: 'ONE\ntwo\n' }));
  changed('rm deploy', () => fs.rmSync(join(root, 'deploy')));
  const title = (text: string): JournalEvent => ({ e: 'title', t: began, title: text, by: 'person' });
  const session = (id: string): JournalEvent => ({ e: 'session', v: 1, t: began, id, source: 'cli', cwd: root });
  appendEvents(at.home, OLD, [session(OLD), ...lines, title('Refactor auth')]);
  const look: JournalEvent = { e: 'command', t: Date.now(), turn: '1', line: 'ls', cwd: root };
  appendEvents(at.home, NEW, [session(NEW), look, title('Look around')]);
  return root;
}

const root = given();

if (has('tmux'))
  test('sessions browse: a session, its turns, what each changed, and back to before one', async () => {
    const screen = new Screen(at.top, env(), 100, 30, at.top);
    try {
      screen.type(`belay() { '${node}' '${main}' "$@"; }; clear`);
      screen.type('belay sessions browse');
      await screen.shows(/> .*Look around/);
      await screen.shows(/\$ ls/);
      // Letters of it in their order are enough; and what was typed in it finds it, too.
      screen.keys('/');
      screen.keys(...'rfctr');
      await screen.shows(/> .*Refactor auth/);
      assert.not.match(screen.lines.join('\n'), /Look around/);
      await screen.shows(/\$ sed -i s\/one\/ONE\/ notes/);
      // So is a line that is not shown; words of both go together.
      screen.keys(...Array(5).fill('BSpace'), ...'depl auth');
      await screen.shows(/^\/depl auth[\s\S]*> .*Refactor auth/m);
      assert.not.match(screen.lines.join('\n'), /Look around/);
      screen.keys(...Array(9).fill('BSpace'), ...'rfctr');
      await screen.shows(/> .*Refactor auth/);
      screen.keys('Enter');
      await screen.shows(/> +2 .*checkpoint 2 +rm deploy/);
      await screen.shows(/^-deploy$/m);
      screen.keys('Down');
      await screen.shows(/> +1 .*sed -i/);
      await screen.shows(/^\+ONE$/m);
      screen.keys('Escape');
      await screen.shows(/^\/rfctr[\s\S]*> .*Refactor auth/m);
      screen.keys('Escape', 'Enter');
      await screen.shows(/> +1 .*ls/);
      await screen.shows(/It changed nothing/);
      screen.keys('Enter');
      await screen.shows(/> +1 .*ls/);
      screen.keys('?');
      await screen.shows(/escape +back to the sessions/);
      screen.keys('x', 'Escape', 'Down', 'Enter');
      await screen.shows(/> +2 .*rm deploy/);
      screen.keys('Down', 'Enter');
      const asked = await screen.shows(/Restore this\?/);
      assert.match(asked, /replace +.*notes/);
      assert.match(asked, /restore +.*deploy/);
      assert.equal(screen.terminal, { cursor: true, other: false });
      screen.type('n');
      await screen.shows(/> +1 .*sed -i/);
      screen.keys('Enter');
      await screen.shows(/Restore this\?/);
      screen.type('y');
      await screen.shows(/Restored checkpoint 1[\s\S]*ready\$\s*$/);
      assert.is(fs.readFileSync(join(root, 'notes'), 'utf8'), 'one\ntwo\n');
      assert.is(fs.readFileSync(join(root, 'deploy'), 'utf8'), 'deploy\n');
      screen.type('clear; belay sessions browse last; echo "exit $?"');
      await screen.shows(/> +\d+ /);
      screen.keys('q');
      await screen.shows(/^exit 0$/m);
      screen.type('clear; TERM=dumb BELAY_PAGER=cat belay sessions browse; echo "exit $?"');
      await screen.shows(/Look around[\s\S]*exit 0/);
      assert.equal(screen.terminal, { cursor: true, other: false });
    } finally {
      screen.close();
    }
  });

test('sessions browse: a pipe gets the list, and of one session its turns', () => {
  const done = spawnBelay(root, ['sessions', 'browse']);
  assert.is(done.status, 0, done.stderr);
  for (const title of [/Look around\n/, /Refactor auth\n/]) assert.match(done.stdout, title);
  assert.match(spawnBelay(root, ['sessions', 'browse', OLD]).stdout, /\$ rm deploy/);
  assert.not.match(done.stdout, /\x1b/);
});

test.run();
