import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isLinkable, linked } from '../../src/cli/links.ts';
import { builtSnap } from '../built.ts';
import { LOADER } from '../loader.ts';
import { PROMPT, Terminal } from '../pty/terminal.ts';
import { belay, project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

/** What belay says on a terminal: one bash with the belay that is built, and its configuration changed between its lines. */
const at = inOwnHome(fileURLToPath(import.meta.url));
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
builtSnap(); // the shims start what is built

const folder = project(at, { a: '1', b: '2', c: '3', d: '4', 'e/f': '5', 'e/g': '6' });
const file = join(at.top, 'person/.config/belay/config.yaml');
const configure = (text: string): void => {
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};
const rc = join(at.top, 'rc');
fs.writeFileSync(rc, `PS1='${PROMPT}'; eval "$('${root}/bin/belay' init bash)"\n`);
const { BELAY_SESSION: _, BELAY_TURN: __, NO_COLOR: ___, ...rest } = process.env;
const env = { ...rest, TERM: 'xterm', LANG: 'C.UTF-8', HISTFILE: '', PATH: `${root}/bin:${rest['PATH']}` };
const terminal = await Terminal.open(['bash', '--noprofile', '--rcfile', rc, '-i'], {
  cwd: folder,
  env: env as Record<string, string>,
});
const typed = async (line: string): Promise<string> => (await terminal.type(line)).text.trim();

test('notice: the first line after the installation tells what was saved, then each or none, from the next line on', async () => {
  fs.mkdirSync(at.home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(join(at.home, 'introduce'), '');
  const said = (n: string): string => `belay saved ${n}; undo with \`belay undo\``;
  assert.is(await typed('rm a'), said('1 file'));
  assert.is(await typed('rm b'), '');
  configure('notice: always\n');
  assert.is(await typed('rm -r e'), said('2 files'));
  assert.is(await typed('rm c'), said('1 file'));
  assert.is(await typed('rm d'), said('1 file'));
  assert.is(await typed('rm -f nothing'), '');
  configure('notice: never\n');
  assert.is(await typed('echo x > h; rm h'), '');
  fs.rmSync(file);
});

test('every shell tells what was saved each time, however often in the same words: it knows how they begin', () => {
  for (const file of ['parts/prompted.bash', 'parts/line.zsh', 'init.fish'])
    assert.match(fs.readFileSync(join(root, 'shims', file), 'utf8'), /'\^?belay saved (?:'\*|\*'|\|)/, file);
});

test('belay prompt says whether the line before can be undone, without node or any other program', async () => {
  const empty = join(at.top, 'empty');
  fs.mkdirSync(empty);
  await typed(`prompt() { PATH='${empty}' '${root}/bin/belay' prompt; }; PROMPT_COMMAND+=$'\\nprompt'`);
  put(folder, { a: '1' });
  assert.is(await typed('rm a'), '↶');
  assert.is(await typed('true'), '');
  assert.match(await typed('belay off'), /^belay saves nothing in this shell, until: belay on\s+belay off$/);
  assert.is(await typed('belay on'), 'belay saves again in this shell.');
  await typed('prompt() { :; }');
  const made = join(at.home, 'profiles/work/checkpoints/pending/s');
  fs.mkdirSync(made, { recursive: true });
  fs.writeFileSync(join(made, '1.done'), '');
  const of = (profile: string): Promise<string> =>
    typed(`BELAY_PROFILE=${profile} BELAY_SESSION=s BELAY_TURN=1 '${root}/bin/belay' prompt`);
  assert.is(await of('work'), '↶');
  assert.is(await of('default'), '');
  const { PATH } = process.env;
  process.env['PATH'] = empty;
  const done = await belay(folder, 'prompt');
  process.env['PATH'] = PATH;
  assert.match(`${done.exit} ${done.message}`, /^1 sh cannot be started: .*ENOENT/);
});

test('progress: a line once something has taken a second, gone at the end; none for less, nor beside --json', async () => {
  const run = `'${process.execPath}' --import '${LOADER}' '${join(root, 'test/cli/progress-run.ts')}'`;
  assert.match(await typed(`${run} 2500`), /^saving the world \[#{5}-{15}\] 3 of 12(saving .*)*done$/);
  assert.is(await typed(`${run} 50`), 'done');
  assert.is(await typed(`${run} 1500 json`), 'done');
});

test('config edit begins a file that is not there, leaves none behind for nothing, and says which editor failed', async () => {
  assert.match(
    await typed('VISUAL= EDITOR=false belay config edit'),
    /the editor ended with 1: false\n.* EDITOR names it/,
  );
  assert.not.ok(fs.existsSync(file));
  assert.match(
    await typed('EDITOR=nosuch-editor belay config edit'),
    /cannot be started: nosuch-editor\n.* EDITOR names it/,
  );
  const add = join(at.top, 'add');
  fs.writeFileSync(add, '#!/bin/sh\ngrep -q "settings of belay" "$1" && echo "notice: sometimes" >> "$1"\n', {
    mode: 0o755,
  });
  assert.match(
    await typed(`EDITOR=${add} belay config edit`),
    /config\.yaml:\d+:1: notice: expected one of always, first, never/,
  );
  assert.match(fs.readFileSync(file, 'utf8'), /^# yaml-language-server: \$schema=.*config\.schema\.json\n/);
  fs.rmSync(file);
});

test('--verbose tells the log, and lists of paths whole', async () => {
  const other = project(at, Object.fromEntries([...'abcdefg'].map((name) => [`d/${name}`, name])));
  turn(at.home, other, 'rm -r d', () => fs.rmSync(join(other, 'd'), { recursive: true }));
  configure('notice: sometimes\n');
  const done = spawnBelay(other, ['rollback', '1', '-v'], { BELAY_TURN: '99' });
  fs.rmSync(file);
  assert.match(done.stderr, /belay: warn: configuration: notice: expected one of/);
  assert.match(done.stdout, 'd/a, d/b, d/c, d/d, d/e, d/f, d/g');
});

test('paths are links on terminals that are known to know links, and nowhere else', () => {
  const tty = { isTTY: true };
  for (const known of [
    { TERM_PROGRAM: 'WezTerm' },
    { VTE_VERSION: '7200' },
    { TERM: 'xterm-kitty' },
    { WT_SESSION: 'x' },
  ])
    assert.ok(isLinkable(tty, known), JSON.stringify(known));
  for (const other of [
    {},
    { TERM: 'xterm-256color' },
    { TERM_PROGRAM: 'WezTerm', TMUX: 'x' },
    { TERM: 'screen', VTE_VERSION: '7200' },
  ])
    assert.not.ok(isLinkable(tty, other), JSON.stringify(other));
  assert.not.ok(isLinkable({ isTTY: false }, { TERM_PROGRAM: 'WezTerm' }));
  process.env['FORCE_HYPERLINK'] = '1';
  delete process.env['NO_COLOR'];
  process.env['TERM'] = 'xterm';
  assert.match(linked('/a b/\xff', 'x', tty), /^\x1b\]8;;file:\/\/[^/]*\/a%20b\/%FF\x1b\\x\x1b\]8;;\x1b\\$/);
  process.env['NO_COLOR'] = '1';
  assert.is(linked('/a', 'x', tty), 'x');
});

test.after(() => terminal.close());
test.run();
