import type { Bytes } from '../platform/bytes.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';

/** `belay --help`. */
export function overview(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return [
    'belay saves what a shell command is about to destroy, and brings it back.',
    '',
    'usage: belay COMMAND [OPTIONS]',
    '',
    ...rows,
    '',
    'Every command takes --json, -C DIR, -q (says nothing where all went well), --color WHEN and -h; `belay COMMAND -h`',
    'says more. What `run` and `init` print is for programs as it is: they take no --json, -q and --color.',
    '',
  ].join('\n');
}

const YES = '`--yes` answers what it asks with yes; where nobody is there to answer it else changes nothing.';

/** `belay COMMAND -h`. */
export function helpOf(name: Bytes, command: Command): string {
  const [first, ...rest] = command.usage;
  const usage = [`usage: ${first ?? `belay ${name}`}`, ...rest.map((line) => `       ${line}`)];
  const asks = command.usage.some((line) => line.includes('--yes')) ? ['', YES] : [];
  const help = command.help ? ['', command.help.replace(/^\n+|\s+$/g, '')] : [];
  return `${[...usage, '', `${command.summary}.`, ...help, ...asks].join('\n')}\n`;
}
