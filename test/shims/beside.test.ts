import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';
import { has } from '../pty/programs.ts';
import { PROMPT, type Terminal } from '../pty/terminal.ts';
import { at } from './given.ts';
import { shells } from './prefilters.ts';
import { type Room, root } from './recorder.ts';

/** What else lives in start-up files, and what may be gone from under belay, on a real terminal of each shell. */
const test = suite('beside other tools, and without what belay needs');

/** Output, status and the one line that may destroy: as without the other tool. */
async function sound(terminal: Terminal, place: Room): Promise<void> {
  await terminal.type('true');
  place.lines();
  assert.is((await terminal.type('echo "a b"')).text, 'a b\n');
  assert.equal(await terminal.type('rm -f x y'), { text: '', status: 0 });
  assert.is((await terminal.type("sh -c 'exit 3'")).status, 3);
  assert.is((await terminal.type('false')).status, 1);
  assert.equal(
    place.lines().filter((line) => line.includes('rm')),
    ['rm -f x y'],
  );
}

/** The shape of their hooks as they install them, without what they show. */
const TOOLS: Readonly<Record<string, string>> = {
  'starship (PS0 and a PROMPT_COMMAND that evaluates the one before)': `
    starship_preexec_ps0() { printf 1; }
    starship_precmd() { local s=$?; (exit $s); eval "\${STARSHIP_PROMPT_COMMAND-}"; return $s; }
    STARSHIP_PROMPT_COMMAND=\${PROMPT_COMMAND-} PROMPT_COMMAND=starship_precmd
    PS0='\${STARSHIP_START_TIME:$((STARSHIP_START_TIME="$(starship_preexec_ps0)",STARSHIP_PREEXEC_READY=0,0)):0}'"\${PS0-}"`,
  'bash-preexec (a DEBUG trap, installed at the first prompt, in a PROMPT_COMMAND of lines)': `
    __bp_precmd() { __bp_last=$? ; __bp_ready=1; return $__bp_last; }
    __bp_preexec() { local s=$?; [[ -z \${COMP_LINE-} && -n \${__bp_ready-} ]] || return $s; __bp_ready=; HISTTIMEFORMAT= history 1 >/dev/null; return $s; }
    __bp_install() { trap '__bp_preexec "$_"' DEBUG; PROMPT_COMMAND="__bp_precmd"$'\\n'"\${PROMPT_COMMAND//__bp_install/:}"$'\\n'":"; __bp_precmd; }
    HISTCONTROL=\${HISTCONTROL-}
    PROMPT_COMMAND="\${PROMPT_COMMAND:+$PROMPT_COMMAND$'\\n'}__bp_install"`,
  'VS Code (a DEBUG trap, the old PROMPT_COMMAND kept as an array)': `
    __vsc_original=("\${PROMPT_COMMAND[@]}") __vsc_in=1
    __vsc_preexec() { [ "$__vsc_in" = 0 ] || return 0; __vsc_in=1; }
    trap '__vsc_preexec "$_"' DEBUG
    __vsc_restore() { return "$1"; }
    __vsc_prompt() { local s=$?; local c; for c in "\${__vsc_original[@]}"; do __vsc_restore "$s"; eval "\${c:-}"; done; __vsc_in=0; return "$s"; }
    PROMPT_COMMAND=__vsc_prompt`,
  'oh-my-posh (PS1 from a program, PROMPT_COMMAND put in front)': `
    _omp_hook() { local ret=$?; _omp_status=$ret; return $ret; }
    PROMPT_COMMAND="_omp_hook; \${PROMPT_COMMAND-}"`,
  'PROMPT_COMMAND as an array, added to in front and behind': 'PROMPT_COMMAND=(true "${PROMPT_COMMAND[@]}" "__m=1")',
};

if (shells.includes('bash'))
  for (const [tool, rc] of Object.entries(TOOLS)) {
    test(`bash: ${tool}, loaded before belay`, () => at('bash', `${rc}\n{belay}`, sound));
    test(`bash: ${tool}, loaded after belay`, () => at('bash', `{belay}\n${rc}`, sound));
  }

/** As Debian packages them, where they are installed. What they show comes behind the tests' own prompt. */
const PACKAGED: readonly (readonly ['bash' | 'zsh', string, (file: string) => string])[] = [
  ['bash', '/usr/share/liquidprompt/liquidprompt', (file) => `LP_PS1_PREFIX=$PS1; . ${file}`],
  [
    'bash',
    '/usr/share/powerline/bindings/bash/powerline.sh',
    (file) => `. ${file}; __first() { local s=$?; PS1='${PROMPT}'"$PS1"; return $s; }; PROMPT_COMMAND+=$'\\n'__first`,
  ],
  ['zsh', '/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh', (file) => `. ${file}`],
  ['zsh', '/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh', (file) => `. ${file}`],
];

for (const [shell, file, rc] of PACKAGED)
  if (shells.includes(shell) && existsSync(file))
    test(`${shell}: ${file}, loaded before and after belay`, async () => {
      await at(shell, `${rc(file)}\n{belay}`, sound);
      await at(shell, `{belay}\n${rc(file)}`, sound);
    });

test('bash: an editor that accepts lines itself, as ble.sh does: PS0 expanded by hand, the line evaluated', () =>
  at(
    'bash',
    `{belay}
__ble_accept() {
  local line=$READLINE_LINE; READLINE_LINE= READLINE_POINT=0
  history -s -- "$line"; printf '%s' "\${PS0@P}"; eval -- "$line"; eval -- "$PROMPT_COMMAND"
}
bind -x '"\\C-xa": __ble_accept'`,
    async (terminal, place) => {
      place.lines();
      terminal.send('rm -f x; echo the-\\line\x18a');
      await terminal.shows('the-line');
      const lines = place.lines();
      assert.ok(
        lines.includes('rm -f x; echo the-\\line') || lines.includes('eval "$__belay_unseen"'),
        lines.join('|'),
      );
    },
  ));

for (const shell of shells) {
  if (has('direnv'))
    for (const order of ['before', 'after'] as const)
      test(`${shell}: direnv, loaded ${order} belay`, () => {
        const hook = shell === 'fish' ? 'direnv hook fish | source' : `eval "$(direnv hook ${shell})"`;
        return at(shell, order === 'before' ? `${hook}\n{belay}` : `{belay}\n${hook}`, async (terminal, place) => {
          mkdirSync(join(place.folder, 'work/in'));
          writeFileSync(join(place.folder, 'work/in/.envrc'), 'export FROM_DIRENV=loaded\n');
          await terminal.type('direnv allow in');
          await terminal.type('cd in');
          assert.is((await terminal.type('echo $FROM_DIRENV')).text.split('\n')[0], 'loaded');
          await terminal.type('cd ..');
          await sound(terminal, place);
        });
      });

  test(`${shell}: belay is moved away while the shell runs: it is said, and every line runs`, () =>
    at(
      shell,
      '{belay}',
      async (terminal, place) => {
        const move = shell === 'fish' ? 'set -g __belay_root' : '__belay_root=';
        const here = join(place.folder, 'belay-here');
        await terminal.type(`${move}${shell === 'fish' ? ' ' : ''}${here}`);
        renameSync(here, `${here}-gone`);
        const said = [];
        for (const name of ['a', 'b', 'c']) said.push((await terminal.type(`touch ${name}; echo on`)).text);
        for (const text of said) assert.match(text, /^on\n(?:belay: belay-snap failed \(status 127\)[^\n]*\n)?$/);
        assert.is(said.join('').match(/belay: /g)?.length, 3);
        for (const name of ['a', 'b', 'c']) assert.ok(existsSync(join(place.folder, 'work', name)));
        assert.not.match((await terminal.type('ls')).text, /belay/);
      },
      {
        prepare: (place) => {
          cpSync(join(root, 'shims'), join(place.folder, 'belay-here/shims'), { recursive: true });
          cpSync(join(root, 'bin'), join(place.folder, 'belay-here/bin'), { recursive: true });
          delete place.env['BELAY_SNAP'];
        },
      },
    ));

  test(`${shell}: node is missing: every line runs, and it is said`, () =>
    at(
      shell,
      '{belay}',
      async (terminal, place) => {
        const here = join(place.folder, 'belay-here');
        await terminal.type(shell === 'fish' ? `set -g __belay_root ${here}` : `__belay_root=${here}`);
        await terminal.type(shell === 'fish' ? 'set -gx PATH /usr/bin /bin' : 'PATH=/usr/bin:/bin; hash -r');
        const said = [];
        for (const name of ['a', 'b', 'c']) said.push((await terminal.type(`touch ${name}; echo on`)).text);
        assert.is(said.join('').match(/^on$/gm)?.length, 3);
        assert.is(said.join('').match(/belay: belay-snap failed/g)?.length ?? 0, 3);
      },
      {
        prepare: (place) => {
          for (const name of ['shims', 'bin'])
            cpSync(join(root, name), join(place.folder, 'belay-here', name), { recursive: true });
          delete place.env['BELAY_SNAP'];
        },
      },
    ));

  test(`${shell}: the store cannot be written: every line runs, and it is said of each that destroys`, () =>
    at(
      shell,
      '{belay}',
      async (terminal) => {
        const said = [];
        for (const name of ['a', 'b', 'c']) said.push((await terminal.type(`touch ${name}; rm ${name}; echo on`)).text);
        const text = said.join('');
        assert.is(text.match(/^on$/gm)?.length, 3, text);
        assert.is(text.match(/^belay: the last line was not saved/gm)?.length, 3, text);
      },
      {
        prepare: (place) => {
          writeFileSync(join(place.folder, 'file'), '');
          place.env['BELAY_HOME'] = join(place.folder, 'file/belay');
          const snap = join(place.folder, 'snap');
          writeFileSync(
            snap,
            `#!/bin/sh\nexec ${builtSnap()
              .map((word) => `'${word}'`)
              .join(' ')} "$@"\n`,
          );
          place.env['BELAY_SNAP'] = snap;
        },
      },
    ));
}

test.run();
