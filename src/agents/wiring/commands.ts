import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { OWN_MARK, type Piece } from './wiring.ts';

const CAME_BACK =
  'Say in one or two sentences what came back, or why it was refused. Read changed files anew before you edit them.';

/** The slash commands that belay brings: name, its words, what a person reads in the list, the line behind it, and what to make of it. */
const COMMANDS = [
  {
    name: 'undo',
    words: '[N]',
    about: "Take back the newest turn's changes to files (belay)",
    line: 'undo --yes',
    tell: CAME_BACK,
  },
  {
    name: 'rollback',
    words: '[N] [PATH...]',
    about: 'Files back to before a checkpoint; without a number: the list (belay)',
    line: 'rollback --yes',
    tell: CAME_BACK,
  },
  {
    name: 'diff',
    words: '[N] [PATH...]',
    about: 'What differs now from before a checkpoint (belay)',
    line: 'diff',
    tell: 'Say in one or two sentences what differs. Nothing was changed.',
  },
] as const;

type Command = (typeof COMMANDS)[number];

/** In the words of one agent: `text` makes the file of one command. */
const files = (folder: Bytes, extension: string, text: (command: Command) => string): Piece[] =>
  COMMANDS.map((command) => ({ kind: 'own', file: join(folder, `${command.name}.${extension}`), text: text(command) }));

/** Markdown whose lines `!`…`` are run before the agent reads them (Claude Code, opencode). */
export const markdownCommands = (folder: Bytes, agent: string, belay: string): Piece[] =>
  files(
    folder,
    'md',
    ({ about, line, tell, words }) => `---
description: ${about}
argument-hint: "${words}"
allowed-tools: Bash(${belay}:*)
---

!\`${belay} ${line} $ARGUMENTS\`

${tell}

<!-- ${OWN_MARK} ${agent} takes this file out -->
`,
  );

/** Markdown that the agent reads, and runs the line itself (Codex, Cursor). */
export const spokenCommands = (folder: Bytes, agent: string, belay: string): Piece[] =>
  files(
    folder,
    'md',
    ({ about, line, tell }) => `${about}.

Run exactly this, with the arguments that were given, and nothing else: \`${belay} ${line} $ARGUMENTS\`

${tell}

<!-- ${OWN_MARK} ${agent} takes this file out -->
`,
  );

/** Gemini CLI: TOML, `!{…}` is run first. */
export const tomlCommands = (folder: Bytes, agent: string, belay: string): Piece[] =>
  files(
    folder,
    'toml',
    ({ about, line, tell }) => `# ${OWN_MARK} ${agent} takes this file out
description = "${about}"
prompt = """
!{${belay} ${line} {{args}}}

${tell}
"""
`,
  );
