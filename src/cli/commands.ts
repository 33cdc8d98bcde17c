import type { Command } from './command.ts';

interface Row {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command, in the order in which help lists them. A file is only read when its command is called. */
export const commands: Readonly<Record<string, Row>> = {
  list: {
    summary: 'checkpoints of this project, newest first',
    load: async () => (await import('./list.ts')).list,
  },
  undo: {
    summary: "takes back this session's newest turn",
    load: async () => (await import('./undo.ts')).undo,
  },
  redo: {
    summary: 'takes the newest undo or rollback back',
    load: async () => (await import('./redo.ts')).redo,
  },
  rollback: {
    summary: 'back to before a checkpoint',
    load: async () => (await import('./rollback.ts')).rollback,
  },
  explain: {
    summary: 'what a command line would destroy; runs nothing',
    load: async () => (await import('./explain.ts')).explain,
  },
  diff: {
    summary: 'what differs now from before a checkpoint',
    load: async () => (await import('./diff.ts')).diff,
  },
  show: {
    summary: 'what the turn of a checkpoint changed',
    load: async () => (await import('./show.ts')).show,
  },
  ui: {
    summary: 'a page in your browser: timeline, differences, restore',
    load: async () => (await import('./ui.ts')).ui,
  },
  retry: {
    summary: "undo, then this session's newest line again",
    load: async () => (await import('./retry.ts')).retry,
  },
  checkpoint: {
    summary: 'a checkpoint by hand',
    load: async () => (await import('./checkpoint.ts')).checkpoint,
  },
  checkpoints: {
    summary: 'the store: status, prune, clear, verify, export, import',
    load: async () => (await import('./checkpoints.ts')).checkpoints,
  },
  sync: {
    summary: 'checkpoints of this project to and from a git remote',
    load: async () => (await import('./sync.ts')).sync,
  },
  free: {
    summary: 'give back the space of deleted files',
    load: async () => (await import('./free.ts')).free,
  },
  forget: {
    summary: 'erase a path from every checkpoint',
    load: async () => (await import('./forget.ts')).forget,
  },
  worktree: {
    summary: 'worktrees: list, add, remove, prune, restore',
    load: async () => (await import('./worktree.ts')).worktree,
  },
  installs: {
    summary: 'dependency environments, one a checkout: list, prepare, exec',
    load: async () => (await import('./installs.ts')).installs,
  },
  gc: {
    summary: 'give back the install states of deleted checkouts',
    load: async () => (await import('./gc.ts')).gc,
  },
  run: {
    summary: 'run a command, an agent or a shell protected',
    load: async () => (await import('./run.ts')).run,
  },
  agent: {
    summary: 'hooks of agents: Claude Code, Codex, Gemini CLI, opencode, Cursor, Hermes',
    load: async () => (await import('./agent.ts')).agent,
  },
  mcp: {
    summary: 'a Model Context Protocol server: list, diff, show, undo, rollback',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  turn: {
    summary: 'begins and ends a turn, for scripts and agents without hooks',
    load: async () => (await import('./turn.ts')).turn,
  },
  hook: {
    summary: "an agent's hook: one event as JSON on stdin",
    load: async () => (await import('./hook.ts')).hook,
  },
  stop: {
    summary: 'end what `belay run --background` started',
    load: async () => (await import('./stop.ts')).stop,
  },
  sessions: {
    summary: 'what was run: list, show, search, brief, export, import, stats, …',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  title: {
    summary: 'the title of this session, or another one for it',
    load: async () => (await import('./session-title.ts')).title,
  },
  resume: {
    summary: 'go on in an earlier session, in this shell',
    load: async () => (await import('./resume.ts')).resume,
  },
  new: {
    summary: 'begin a new session in this shell',
    load: async () => (await import('./switch.ts')).fresh,
  },
  reset: {
    summary: 'the same as new',
    load: async () => (await import('./switch.ts')).reset,
  },
  clear: {
    summary: 'clear the screen, and begin a new session',
    load: async () => (await import('./switch.ts')).clear,
  },
  compact: {
    summary: 'a session goes on as a new one that begins with its summary',
    load: async () => (await import('./sessions/compact.ts')).compactHere,
  },
  handoff: {
    summary: 'hands a session to another source, which goes on in it',
    load: async () => (await import('./handoff.ts')).handoff,
  },
  init: {
    summary: 'the line for a start-up file: eval "$(belay init bash)"',
    load: async () => (await import('./init.ts')).init,
  },
  setup: {
    summary: 'the line that loads belay, into the start-up files',
    load: async () => (await import('./setup.ts')).setup,
  },
  prompt: {
    summary: 'a segment for prompts: whether the line before can be undone',
    load: async () => (await import('./prompt.ts')).prompt,
  },
  on: {
    summary: 'save again in this shell',
    load: async () => (await import('./switch.ts')).on,
  },
  off: {
    summary: 'save nothing in this shell',
    load: async () => (await import('./switch.ts')).off,
  },
  config: {
    summary: 'the configuration: get, set, unset, edit, check, path, schema',
    load: async () => (await import('./config.ts')).config,
  },
  logs: {
    summary: 'what went wrong in the background, newest last',
    load: async () => (await import('./logs.ts')).logs,
  },
  profile: {
    summary: 'stores, sessions and settings apart: list, create, delete',
    load: async () => (await import('./profile.ts')).profile,
  },
  doctor: {
    summary: 'what keeps belay from saving, and the line that mends it',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  demo: {
    summary: 'destroy and bring back, in a throwaway folder, at a real prompt',
    load: async () => (await import('./demo.ts')).demo,
  },
  completion: {
    summary: 'the code that lets TAB finish the words of belay in a shell',
    load: async () => (await import('./completion.ts')).completion,
  },
  uninstall: {
    summary: 'take the files and the start-up lines out again',
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
};
