import type { Bytes } from '../platform/bytes.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { fold, usageOf } from './fold.ts';
import { shown } from './paths.ts';

/** `belay --help`. `manual`: the line that shows the manual in this shell. */
export function overview(manual = 'man belay'): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return fold(`belay saves what a shell command is about to destroy, and brings it back.

usage: belay COMMAND [OPTIONS]

${rows.join('\n')}

Every command takes --json, -C DIR, -q (says nothing where all went well), -v (names everything, and says what goes into the log), --color WHEN and -h. What \`run\` and \`init\` print is for programs as it is: they take no --json, -q, -v and --color.

\`belay COMMAND -h\` says more, and so does \`${manual}\`.
`);
}

/** man(1) looks beside the folders of PATH, and below where it is told to. */
export function manualLine(install: Bytes, env: ReadonlyMap<Bytes, Bytes>): string {
  const prefix = /^(.*)\/lib\/belay$/.exec(install)?.[1];
  const found = prefix === undefined || (env.get('PATH') ?? '').split(':').includes(`${prefix}/bin`);
  return found ? 'man belay' : `man -M ${shown(`${prefix}/share/man`)} belay`;
}

/** What `--yes` does, wherever a usage has it. */
const YES = `--yes  answers what it asks with yes; where nobody is there to answer, a question without it changes nothing (exit 3)`;

/** `belay COMMAND -h`. */
export const helpOf = (name: Bytes, command: Command): string =>
  `${usageOf(formsOf(name, command))}\n\n${fold(textOf(command))}\n`;

export const formsOf = (name: Bytes, command: Command): readonly string[] =>
  command.usage.length > 0 ? command.usage : [`belay ${name}`];

/** All that is said of a command below its usage. */
export function textOf(command: Command): string {
  const help = command.help ? ['', command.help.replace(/^\n+|\s+$/g, '')] : [];
  const asks = command.usage.some((line) => line.includes('--yes')) ? ['', `  ${YES}`] : [];
  return [`${command.summary}.`, ...help, ...asks].join('\n');
}
