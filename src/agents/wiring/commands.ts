import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { OWN_MARK, type Piece } from './wiring.ts';

/** The slash commands that belay brings: name, what a person reads in the list, and the line behind it. */
const COMMANDS = [
  { name: 'undo', about: "Take back the newest turn's changes to files (belay)", line: 'undo --yes' },
  {
    name: 'rollback',
    about: 'Files back to before a checkpoint; without a number: the list (belay)',
    line: 'rollback --yes',
  },
  { name: 'diff', about: 'What differs now from before a checkpoint (belay)', line: 'diff' },
] as const;

type Command = (typeof COMMANDS)[number];

const TELL =
  'Say in one or two sentences what came back, or why it was refused. Read changed files anew before you edit them.';

/** In the words of one agent: `text` makes the file of one command. */
const files = (folder: Bytes, extension: string, text: (command: Command) => string): Piece[] =>
  COMMANDS.map((command) => ({ kind: 'own', file: join(folder, `${command.name}.${extension}`), text: text(command) }));

/** Markdown whose lines `!`…`` are run before the agent reads them (Claude Code, opencode). */
export const markdownCommands = (folder: Bytes, agent: string, belay: string): Piece[] =>
  files(
    folder,
    'md',
    ({ about, line }) => `---
description: ${about}
argument-hint: "[N] [PATH...]"
allowed-tools: Bash(${belay}:*)
---

!\`${belay} ${line} $ARGUMENTS\`

${TELL}

<!-- ${OWN_MARK} ${agent} takes this file out -->
`,
  );

/** Markdown that the agent reads, and runs the line itself (Codex, Cursor). */
export const spokenCommands = (folder: Bytes, agent: string, belay: string): Piece[] =>
  files(
    folder,
    'md',
    ({ about, line }) => `${about}.

Run exactly this, with the arguments that were given, and nothing else: \`${belay} ${line} $ARGUMENTS\`

${TELL}

<!-- ${OWN_MARK} ${agent} takes this file out -->
`,
  );

/** Gemini CLI: TOML, `!{…}` is run first. */
export const tomlCommands = (folder: Bytes, agent: string, belay: string): Piece[] =>
  files(
    folder,
    'toml',
    ({ about, line }) => `# ${OWN_MARK} ${agent} takes this file out
description = "${about}"
prompt = """
!{${belay} ${line} {{args}}}

${TELL}
"""
`,
  );
