/** What is said beside `belay` itself: by the launchers, the shells' hooks, belay-snap and install.sh, which have no `--json`. */
export interface Spoken {
  /** The texts as the sources have them, `…` for what differs from case to case. */
  readonly said: readonly string[];
  readonly unchanged: string;
  readonly next: string;
}

/** Who says it, as the page has it. */
export type Speaker = 'shell' | 'run' | 'install';

export const SPEAKERS: Readonly<Record<Speaker, string>> = {
  shell: 'At a prompt, and by the launchers',
  run: 'By `belay run`, which does not start what it cannot protect as it was told to (exit 125, 126, 127)',
  install: 'By `install.sh`, `belay setup` and `belay uninstall`',
};

const RUNS = 'The line runs as it was typed.';
const NOTHING = 'Nothing was changed.';
const NOTHING_RUN = 'Nothing was run.';
const NOT_INSTALLED = 'Nothing was installed; an earlier installation is as it was.';

/** Every message by its code, in the order of the page. */
export const AROUND: Readonly<Record<Speaker, Readonly<Record<string, Spoken>>>> = {
  shell: {
    line_saved: {
      said: ['belay saved …; undo with `belay undo`'],
      unchanged: RUNS,
      next: '`belay undo`, if it was wrong; `belay config set notice never`, to hear of it no more.',
    },
    line_not_saved: {
      said: [
        'belay: not saved: …',
        'belay: … (on_unsaved: refuse)',
        'belay could not save what this would change (on_unsaved: refuse)',
      ],
      unchanged: `${RUNS} With \`on_unsaved: ask\` or \`refuse\` it does not run.`,
      next: 'The message names what cannot come back, and why: raise that limit (`belay config get checkpoints`), or copy it first.',
    },
    line_asked: {
      said: ['belay: run it all the same? [y/N]'],
      unchanged: 'The line has not begun; with any other answer than `y` it does not run.',
      next: '`y` runs it without being saved; `belay config set checkpoints.on_unsaved warn` asks no more.',
    },
    line_not_cancelled: {
      said: ['belay: fish lets nobody cancel a line: it runs all the same'],
      unchanged: RUNS,
      next: 'Where a line must be cancelled, use bash or zsh.',
    },
    line_unprotected: {
      said: [
        'belay: belay-snap failed (status …): this line ran unprotected; see belay doctor',
        'belay: the last line was not saved (…)',
        'belay: this line is not saved (…)',
      ],
      unchanged: 'The line ran as it was typed; what was saved before is as it was.',
      next: '`belay doctor` names the cause, `belay logs` has the whole of it.',
    },
    lines_not_recorded: {
      said: ['belay: lines are not recorded for now (…): belay doctor'],
      unchanged: 'Lines run and are saved; only the record of the session lacks them.',
      next: '`belay doctor` names the cause.',
    },
    home_foreign: {
      said: ['nothing is saved: …'],
      unchanged: "Lines run; nothing is written in a home that is another user's or a newer belay's.",
      next: 'Said in the log only. Run as that user, or set `BELAY_HOME`.',
    },
    space_taken: {
      said: ['belay: … stay taken until the checkpoint goes…; `belay free` gives them back'],
      unchanged: RUNS,
      next: '`belay free` gives the space back at once; then it cannot be undone.',
    },
    erased_is_held: {
      said: ['belay: a copy of what this line erases is held; `belay forget PATH` erases that, too'],
      unchanged: RUNS,
      next: '`belay forget PATH`, where nothing may stay.',
    },
    no_promptvars: {
      said: ['belay: lines typed here are not saved without promptvars: shopt -s promptvars'],
      unchanged: RUNS,
      next: '`shopt -s promptvars`.',
    },
    switched: {
      said: ['belay saves again in this shell.', 'belay saves nothing in this shell, until: belay on'],
      unchanged: 'Other shells, and what was saved.',
      next: '`belay on`, `belay off`.',
    },
    kept_from_work: {
      said: ['belay: nothing is saved in this shell: … keeps belay from its work; see belay doctor'],
      unchanged: RUNS,
      next: 'A new shell, without what is named: a variable made readonly, a builtin that is not bash’s own.',
    },
    outlived: {
      said: [
        'belay: all that was saved is deleted, and nothing is saved in this shell, until: belay on',
        'belay is installed again and saves in this shell from now on; what ran here without it is in no record.',
        'belay: it is not installed any more: nothing is saved in this shell',
      ],
      unchanged: RUNS,
      next: 'A shell that was open during `belay uninstall` says so; `./install.sh`, or a new shell.',
    },
    no_node: {
      said: [
        'belay: node is not in PATH: nothing is saved until it is (Node 20 or newer)',
        'belay-snap: node is not in PATH: nothing is saved',
      ],
      unchanged: 'Lines run; what was saved is as it was.',
      next: 'Put Node 20 or newer into PATH.',
    },
    no_hook: {
      said: [
        'belay init: it wants the name of the shell that is to load it',
        'belay init: … is no shell and no option of it',
        'belay init: … has no hook for belay; what is started from it is protected under: belay run -- …',
      ],
      unchanged: NOTHING,
      next: 'Name bash, zsh, fish or sh; under another shell: `belay run -- SHELL`.',
    },
    bad_profile: {
      said: ["belay: '…' is no name of a profile", 'belay: there is no profile …'],
      unchanged: NOTHING,
      next: '`belay profile` lists them, `belay profile create NAME` makes one.',
    },
    unknown_request: {
      said: ['belay-snap: unknown command …'],
      unchanged: NOTHING,
      next: 'belay-snap is for the hooks: parts of two versions are mixed. Install belay again.',
    },
  },
  run: {
    run_not_found: {
      said: ['belay run: …: command not found'],
      unchanged: NOTHING_RUN,
      next: 'Name a program that is in PATH.',
    },
    run_no_sandbox: {
      said: [
        'belay run --sandbox: …; nothing was run. Without --sandbox: belay run -- CMD',
        'belay run --sandbox: this kernel allows no mount namespace here; nothing was run. Without --sandbox: belay run -- CMD',
      ],
      unchanged: NOTHING_RUN,
      next: '`belay run -- CMD`: all is protected but redirections of a `/bin/sh` that is called by its whole path.',
    },
    run_no_setsid: {
      said: ['belay run --background: setsid (util-linux) is not in PATH; nothing was run'],
      unchanged: NOTHING_RUN,
      next: 'Install util-linux, or run it without `--background`.',
    },
    run_unprotected: {
      said: ['belay run: belay-snap failed: this runs unprotected; see belay doctor'],
      unchanged: 'The command runs; what was saved before is as it was.',
      next: '`belay doctor` names the cause.',
    },
  },
  install: {
    install_asked: {
      said: [
        '--prefix wants a folder',
        'unknown option …',
        'npm chose the folder: --prefix is not for here',
        'HOME is not set: give --prefix DIR and --no-rc',
        'the prefix has a line break in its name',
        'cannot enter the folder of …',
        'this is an installed copy: run the install.sh of a checkout or an archive (or --setup, --uninstall)',
      ],
      unchanged: NOT_INSTALLED,
      next: 'As it says; `./install.sh --help` has the options.',
    },
    install_needs: {
      said: [
        'node is missing: belay needs Node 20 or newer in PATH',
        'node does not run: belay needs Node 20 or newer in PATH',
        'node calls itself version …: belay needs Node 20 or newer',
        'node … is too old: belay needs Node 20 or newer',
        'npm is missing: it comes with Node and builds belay',
        'git is missing: belay keeps what it saves in a git store of its own',
        'git does not run: belay keeps what it saves in a git store of its own',
      ],
      unchanged: NOT_INSTALLED,
      next: 'Install that program, then run `./install.sh` again.',
    },
    install_place_taken: {
      said: ['… is something else already: take it away, or choose another --prefix'],
      unchanged: NOT_INSTALLED,
      next: 'As it says.',
    },
    install_not_writable: {
      said: ['… cannot be written: choose another --prefix', '… could not be written'],
      unchanged: NOT_INSTALLED,
      next: 'Choose a folder of your own: `--prefix DIR`.',
    },
    install_configured: {
      said: ['… has a configuration of its own: put enabled: false under checkpoints: there, then install'],
      unchanged: NOT_INSTALLED,
      next: 'As it says.',
    },
    install_not_built: {
      said: ['npm ci failed (see above)', 'the build failed (see above)', 'the build is not whole'],
      unchanged: NOT_INSTALLED,
      next: 'What failed is printed above it. `rm -r node_modules dist` and try again; without a network take the archive.',
    },
    install_demo_failed: {
      said: ['belay is installed, but its demo failed (see above): do not rely on it'],
      unchanged: 'belay is installed, and the start-up files have its line.',
      next: '`belay doctor`; `belay uninstall` takes it out again.',
    },
    install_doctor: {
      said: ['belay doctor found something to put right (see above).'],
      unchanged: 'belay is installed.',
      next: 'Each row of `belay doctor` ends with the line that mends it.',
    },
    rc_left_alone: {
      said: [
        '…: cannot be written. The line is: …',
        '…: has a belay block that somebody changed; left alone. The line is: …',
        '…: has a belay block that somebody changed; left alone',
        'Start-up files are left alone. The lines are:',
      ],
      unchanged: 'That start-up file is as it was.',
      next: 'Put the line into it, or take the block out, by hand.',
    },
    rc_not_whole: {
      said: ['… could not be written whole: its text is in …'],
      unchanged: 'The whole text of the start-up file is in the file that is named.',
      next: 'Make room on the disk, then copy that file over it.',
    },
    not_in_path: {
      said: ['… is not in PATH: shells that load belay know it all the same,'],
      unchanged: 'PATH is as it was.',
      next: 'Open a new shell; for others add the folder to PATH.',
    },
    not_installed: {
      said: ['belay is not installed in …: nothing was changed.'],
      unchanged: NOTHING,
      next: '`--prefix DIR`, where it was installed elsewhere.',
    },
    agents_still_call: {
      said: [
        'Agents still call belay: what was put into them is named in …. Before they are taken out by hand, install',
      ],
      unchanged: 'The configuration of those agents is as it was; all else is taken out.',
      next: 'Install again, then `belay agent remove --all`; or take out by hand what those files name.',
    },
  },
};

/** Its part of docs/messages.md. */
export function aroundPage(): string {
  const tables = Object.entries(AROUND).map(([speaker, rows]) => {
    const lines = Object.entries(rows).map(([code, { said, unchanged, next }]) => {
      const texts = said.map((text) => text.replaceAll('`', '').replaceAll('|', '\\|')).join('<br>');
      return `| <a id="${code}"></a>\`${code}\` | ${texts} | ${unchanged} | ${next} |\n`;
    });
    return `## ${SPEAKERS[speaker as Speaker]}

| code | what is said | what was not changed | what to do next |
| --- | --- | --- | --- |
${lines.join('')}`;
  });
  return tables.join('\n');
}
