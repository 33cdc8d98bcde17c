/** What a code of a failure means: what `belay` says beside the message itself, and docs/messages.md. */
export interface Meaning {
  /** The exit statuses that it comes with. */
  readonly exit: string;
  readonly happened: string;
  /** What was not changed, as a sentence of its own. */
  readonly unchanged: string;
  /** What to do next; said where the message itself has no better hint. */
  readonly next: string;
}

const NOTHING = 'Nothing was changed.';

const meaning = (exit: string, happened: string, next: string, unchanged = NOTHING): Meaning => ({
  exit,
  happened,
  unchanged,
  next,
});

/** Every code, in the order of the page. */
export const MESSAGES: Readonly<Record<string, Meaning>> = {
  at_prompt: meaning(
    '3',
    '`belay turn begin` was typed in a shell in which each line is a turn already.',
    'Use it in a script; what is typed is saved as it is.',
  ),
  busy: meaning('1, 3', 'The store is being written, or another restore is running.', 'Run it again in a moment.'),
  cannot_merge: meaning(
    '3',
    "An agent's configuration cannot be changed safely.",
    'Mend that file, or add the lines by hand: `--print` shows them.',
  ),
  changed_meanwhile: meaning(
    '3',
    'Something has changed since the preview of a restore (`belay ui`).',
    'Look at what it would do now, then agree to that.',
  ),
  compacted: meaning(
    '3',
    'The session goes on as another one already.',
    '`belay resume` with the id that the message names.',
  ),
  configuration: meaning(
    '1, 3',
    'The configuration is broken, so nothing is deleted on its strength, nor written into it.',
    '`belay config check` shows the place.',
  ),
  disk_full: meaning(
    '1',
    'No room is left on the disk.',
    'Make room (`belay checkpoints prune`, `belay free`) and run it again.',
    'What was saved before is whole; a restore that stopped half way is put right by the next command.',
  ),
  failed: meaning(
    '1',
    'Something unforeseen, or the system refused.',
    '`belay doctor`; `belay logs` has the whole of it.',
    'What was saved before is as it was.',
  ),
  git_moved: meaning(
    '3',
    'A branch was moved since, by something else.',
    'Look first (`git reflog`); `--force` moves it back all the same.',
  ),
  git_refused: meaning(
    '1',
    'A worktree could not be made: git has said why.',
    'As git says.',
    'No worktree and no branch was made.',
  ),
  install_busy: meaning(
    '1',
    "Another process kept the checkout's install state locked.",
    'Run it again in a moment.',
    'The environment is as it was.',
  ),
  later_turn: meaning('3', 'A later turn has changed one of the paths.', '`--all` puts everything back all the same.'),
  line_masked: meaning(
    '3',
    'A secret in the line was masked, so it cannot be run again.',
    '`belay undo` takes it back; then type it.',
    'Nothing was changed, nothing was run.',
  ),
  line_not_text: meaning(
    '3',
    'The line, or the name of its folder, has bytes that are no text: it cannot be run as it was.',
    '`belay undo` takes it back; then type it.',
    'Nothing was changed, nothing was run.',
  ),
  line_unknown: meaning(
    '3',
    'The line was hidden from history, or its shell is not known.',
    '`belay undo` takes it back; then type it.',
    'Nothing was changed, nothing was run.',
  ),
  nested_repository: meaning(
    '3',
    'A repository inside the project, never captured, would be reached.',
    'Name other paths, or restore in that repository.',
  ),
  no_archive: meaning('4', 'There is no archived worktree of that name.', '`belay worktree restore` lists them.'),
  no_bash: meaning('1', 'bash is not in PATH.', 'Install it, or run the command itself.', 'Nothing was run.'),
  no_checkpoint: meaning('4', 'There is no such checkpoint, turn or restore.', '`belay list` shows what there is.'),
  no_content: meaning(
    '1',
    'What is recorded is not in the store.',
    '`belay checkpoints verify` says what can still be brought back.',
    'What is lost was not written over anything.',
  ),
  no_editor: meaning(
    '1',
    'The editor cannot be started, or ended with a failure.',
    'Set `VISUAL` or `EDITOR`.',
    'The configuration is as the editor left it.',
  ),
  no_file: meaning('4', 'The file is not there.', 'Name one that is.'),
  no_folder: meaning('1, 3, 4', 'The folder was deleted, or is none.', 'Name another one with `-C DIR`.'),
  no_home: meaning('1', 'Neither `BELAY_HOME` nor `HOME` is set.', 'Set one of them.'),
  no_index: meaning(
    '1',
    'Sessions cannot be searched: SQLite is not there or was made for another node, the disk is full, or with a home and a cache on a network the folder in `/var/tmp` is somebody else’s.',
    '`belay sessions list`, `show` and `export` work without; an archive for this platform has it.',
    'The record of the sessions is as it was.',
  ),
  no_install: meaning(
    '4',
    'The checkout has no environment.',
    '`belay installs prepare` makes it.',
    'Nothing was run.',
  ),
  no_match: meaning('3', 'Nothing that is recorded matches the paths.', '`belay show N` lists what there is.'),
  no_page: meaning('1', 'The files of the page of `belay ui` are not installed.', 'Install belay again.'),
  no_path: meaning('4', 'No checkpoint and no capture knows such a path.', '`belay list` shows what there is.'),
  no_profile: meaning('4', 'There is no such profile.', '`belay profile` lists them.'),
  no_project: meaning(
    '3',
    'The folder is the home folder, or what that lies in: no project.',
    'Go to the folder that is meant, or name it with `-C DIR`.',
  ),
  no_remote: meaning('4', 'There is no such remote, address or path.', '`git remote -v` lists the remotes.'),
  no_repository: meaning('1', 'The folder is in no git repository.', 'Go into one, or name it with `-C DIR`.'),
  no_session: meaning(
    '4',
    'There is no such session, several are meant, or no checkpoint belongs to it.',
    '`belay sessions list` has them.',
  ),
  no_store: meaning('1', 'Nothing was ever saved here.', '`belay doctor` says whether lines are saved.'),
  no_such_scope: meaning('3', 'The agent has no hooks of a project.', 'Install it without `--project`.'),
  no_terminal: meaning('3', 'There is no terminal to edit on.', 'Edit the file that the message names.'),
  no_tool: meaning('1', 'The diff tool cannot be started.', 'Set `BELAY_DIFF` to the name of one.'),
  no_worktree: meaning('4', 'The repository has no such worktree.', '`belay worktree list` has them.'),
  not_an_export: meaning(
    '3',
    'The file is no export of sessions.',
    'Name one that `belay sessions export` wrote.',
    'Nothing was taken in.',
  ),
  not_answered: meaning(
    '3',
    'A question, and nobody there to answer it.',
    'With `--yes` it is done without a question.',
  ),
  not_captured: meaning(
    '1',
    'The project could not be captured.',
    'The message has the reason; `belay doctor` and `belay config get checkpoints` say more.',
    'No checkpoint was made; earlier ones are as they were.',
  ),
  not_confirmed: meaning('3', 'The answer was no.', 'Run it again and answer `y`, where it is meant after all.'),
  not_filed: meaning(
    '3',
    'The newest line could not be filed, so undo would reach an older one.',
    '`belay doctor` tells why; `--force` takes the one before back.',
  ),
  not_granted: meaning('3', 'This caller may not restore, or not that.', 'A person can, at a prompt.'),
  not_imported: meaning(
    '1',
    'The file or folder is none that can be taken over.',
    'The message has the reason; name what `belay checkpoints export` wrote.',
    'Nothing was imported.',
  ),
  not_loaded: meaning('1', 'This shell has not loaded belay.', 'Type the line that the message gives.'),
  not_ours: meaning(
    '3',
    'The folder has what belay did not make.',
    'Uninstall without `--purge`; delete the folder of a profile by hand.',
    'Nothing was deleted.',
  ),
  not_run: meaning('1', 'The command cannot be started.', 'The message has the reason.', 'Nothing was run.'),
  not_running: meaning(
    '4',
    'No such session runs in the background.',
    '`belay sessions list` has those that have ended.',
  ),
  not_saved: meaning(
    '3',
    'The newest line could not be saved (`hold.skip`, over limits, belay-snap failed or was killed), so undo would reach an older one.',
    '`belay undo --force` takes the one before back; its checkpoint is in `belay list`.',
  ),
  not_told: meaning(
    '1',
    'Standard output cannot be written: a full disk, or a closed descriptor.',
    'Send it elsewhere, or make room; `belay list` says what was done.',
    'What the command did is done, and was not told.',
  ),
  nothing_done: meaning(
    '3',
    'Nothing was done in the session yet, so there is nothing to compress.',
    'Run it again when something was.',
  ),
  off: meaning('3', 'belay is switched off.', '`belay on`, or `enabled: true` in the configuration.'),
  other_folder: meaning(
    '3',
    'The checkpoint is of an earlier folder of this name.',
    '`belay rollback N --to DIR` brings it back elsewhere.',
  ),
  port_taken: meaning('3', 'The port for `belay ui` cannot be had.', 'Another one: `--port N`, or none.'),
  profile_in_use: meaning(
    '3',
    'The profile is the one that one is in.',
    'Delete it from another one.',
    'Nothing was deleted.',
  ),
  profile_there: meaning('3', 'There is a profile of that name.', 'Choose another name.'),
  remote_failed: meaning(
    '1',
    'git could not talk to the remote, or it refused.',
    'The message has what git said; run it again.',
    'What has arrived stays; nothing here was changed.',
  ),
  remote_session: meaning('3', "The session's paths are another machine's.", 'Run belay there.'),
  setup_failed: meaning(
    '1',
    'The setup command failed.',
    'Mend `--setup` or `installs.setup`.',
    'The environment before still counts.',
  ),
  setup_not_done: meaning(
    '1',
    'The start-up files could not be set up.',
    'install.sh has said why; `belay doctor` gives the line for each shell.',
    'What install.sh did not name is as it was.',
  ),
  store_broken: meaning(
    '1',
    'The store cannot be read.',
    '`belay checkpoints verify --repair` mends what can be mended.',
    'Your files were not touched.',
  ),
  store_failed: meaning(
    '1',
    'git did not do in the store what was asked of it.',
    '`belay logs` has what git said; `belay doctor`.',
    'What was saved before is as it was.',
  ),
  store_newer: meaning(
    '3',
    'A newer belay has written there, or its `format` is damaged: this one would misread it.',
    'Install the newer belay again; or keep both apart with `BELAY_HOME=DIR`.',
  ),
  store_not_ours: meaning(
    '3',
    'The store belongs to another user (`sudo -E`), or is closed to this one.',
    'Run it as that user, or set `BELAY_HOME`.',
  ),
  turn_active: meaning(
    '3',
    'An agent, or the line itself, is still at work there.',
    'Wait until it has ended, or use `--force`.',
  ),
  usage: meaning('2', 'The words are wrong.', 'The usage comes with it.'),
  worktree_exists: meaning('3', "Something has the new worktree's place.", 'Choose another name.'),
  worktree_kept: meaning(
    '3',
    'Something would be lost, or somebody is at work in it: the message says which.',
    'Commit, push, or finish that.',
  ),
  would_overwrite: meaning(
    '3',
    'Files would be overwritten that cannot be saved first, or the file for an export is there already.',
    'Move them away, or name another file.',
  ),
};
