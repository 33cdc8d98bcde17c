import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { giveTitle } from '../../src/sessions/titles.ts';
import { appendEvents } from '../../src/turns/journal.ts';
import { builtSnap } from '../built.ts';
import { PROMPT, Terminal } from '../pty/terminal.ts';
import { project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

/** TAB hit in real shells on a terminal: what is listed, and what is inserted. */
const at = inOwnHome(fileURLToPath(import.meta.url));
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
builtSnap(); // bin/belay starts what is built

const folder = project(at, { 'src/long-name.txt': '1\n', b: '1\n' });
turn(at.home, folder, 'rm -r src', () => fs.rmSync(join(folder, 'src'), { recursive: true }));
turn(at.home, folder, 'echo 2 > b', () => put(folder, { b: '2\n' }));
for (const [session, title] of [
  ['20250102_030405_abcdef', 'Mend the roof'],
  ['night-7', 'Paint the door'],
] as const) {
  appendEvents(at.home, session, [
    { e: 'session', v: 1, t: 1, id: session, source: 'cli', shell: 'bash', cwd: folder, host: 'here', uid: 0 },
  ]);
  giveTitle(at.home, session, title, 'person');
}
for (const args of [
  ['init', '-q'],
  ['commit', '-q', '--allow-empty', '-m', 'x'],
  ['worktree', 'add', '-q', '.worktrees/attic', '-b', 'attic'],
])
  spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { cwd: folder });

/** The shell with belay's completion, and its prompt. */
const START: Readonly<Record<string, (rc: string) => readonly string[]>> = {
  bash: (rc) => {
    fs.writeFileSync(
      rc,
      `PS1='${PROMPT}'; bind 'set show-all-if-ambiguous on' 'set page-completions off' 'set bell-style none' 'set completion-query-items 0'; eval "$(belay completion bash)"\n`,
    );
    return ['bash', '--noprofile', '--rcfile', rc, '-i'];
  },
  zsh: (rc) => {
    fs.mkdirSync(rc);
    fs.writeFileSync(
      join(rc, '.zshrc'),
      `setopt promptsubst; unsetopt promptsp promptcr beep; __n=0; PROMPT='@@$((++__n)):%?@@ '; autoload -U compinit; compinit -u -D; eval "$(belay completion zsh)"\n`,
    );
    return ['env', `ZDOTDIR=${rc}`, 'zsh', '-d', '-i'];
  },
  fish: (rc) => {
    fs.writeFileSync(
      rc,
      "function fish_greeting; end\nset -g __n 0\nfunction __tick --on-event fish_prompt; set -g __n (math $__n + 1); end\nfunction fish_prompt; set -l s $status; printf '@@%s:%s@@ ' $__n $s; end\nbelay completion fish | source\n",
    );
    return ['fish', '-i', '-C', `source '${rc}'`];
  },
};

/** What is typed before TAB, and what is then on the screen. */
const LISTED: readonly (readonly [typed: string, ...shown: RegExp[]])[] = [
  ['belay rollback ', /2\b.*echo 2 > b/, /1\b.*rm -r src/],
  ['belay worktree ', /list\b.*every worktree/, /prune\b.*nothing to lose/],
  ['belay agent install ', /claude\b.*Claude Code/, /cursor\b.*Cursor/],
  ['belay sessions show ', /20250102_030405_abcdef.*Mend the roof/],
  ['belay config set notice ', /always/, /never/],
  ['belay undo --', /--dry-run.*changes nothing/, /--git.*HEAD/],
];

/** What one TAB makes of it. */
const INSERTED: readonly (readonly [typed: string, becomes: RegExp])[] = [
  ['belay rollback 1 src/l', /src\/long-name\.txt/],
  ['belay config get checkpoints.max_sn', /max_snapshots|apshots/],
  ['belay worktree remove a', /attic/],
  ['belay resume Men', /the\\? roof/],
];

for (const [shell, start] of Object.entries(START)) {
  if (spawnSync('sh', ['-c', `command -v ${shell}`]).status !== 0) continue;
  test(`${shell}: TAB lists what there is with what it is, and finishes words`, async () => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    const terminal = await Terminal.open(start(join(at.top, `rc-${shell}`)), {
      cwd: folder,
      env: { ...env, PATH: `${root}/bin:${env['PATH']}`, TERM: 'xterm', LANG: 'C.UTF-8', HISTFILE: '' },
    });
    try {
      for (const [typed, ...shown] of LISTED) {
        // fish's list of choices has keys of its own: it is asked for what it would list.
        const listed = shell === 'fish' ? (await terminal.type(`complete -C '${typed}'`)).text : undefined;
        if (listed === undefined) terminal.send(`${typed}\t`);
        for (const one of shown) listed === undefined ? await terminal.shows(one) : assert.match(listed, one);
        if (listed === undefined) terminal.send('\x15');
      }
      for (const [typed, becomes] of INSERTED) {
        terminal.send(`${typed}\t`);
        await terminal.shows(becomes);
        terminal.send('\x15');
      }
    } finally {
      await terminal.close();
    }
  });
}

test.run();
