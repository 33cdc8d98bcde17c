/**
 * Writes docs/effects.md from the tables: what belay knows commands to destroy.
 *
 *   tsx scripts/effects-doc.ts
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { harmlessNames } from '../src/effects/harmless.ts';
import { type Family, families, namesOf } from '../src/effects/table.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const HEAD = `# What belay knows commands to destroy

Generated from the tables in \`src/effects/\` by \`scripts/effects-doc.ts\`; change the tables, not this page.

Before a line runs, it is read as its shell will read it: quotes, variables, globs, loops, functions, aliases, scripts that it
starts. Each command that comes out of that is looked up here. \`belay explain -- 'LINE'\` shows the answer for one line; nothing
runs.

- A **known** program's options are read as it reads them itself: clusters, abbreviations, \`--\`, dry runs, \`--help\`.
- A program that belay does **not know** is not called destructive; \`explain\` names it, and the project is captured before it runs.
- Where a path **cannot be known** before the line runs (\`rm "$X"\`), it is \`?\`, and the project is captured.
- Whatever a **redirection** does (\`>\`, \`>|\`, \`&>\`, \`<>\`) is seen apart from the program, also for the harmless ones below.
- A file that is only **appended to** loses nothing; it is held all the same, so that the line can be undone.
- Content of a **disk** (\`/dev/sda\`) cannot be held: that is said, not saved.
`;

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function table(family: Family): string {
  const rows = family.rows.map((one) =>
    row([
      namesOf(one)
        .map((name) => `\`${name}\``)
        .join(' '),
      one.loses,
      one.manual,
    ]),
  );
  return `## ${family.title}\n\n${row(['program', 'loses', 'manual'])}\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** Lines of at most 120 characters. */
function filled(words: readonly string[]): string {
  const lines = [''];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length + 1 > 120) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

/** The whole page. */
export function effectsPage(): string {
  const harmless = filled(harmlessNames().map((name) => (name.includes('`') ? `\`\` ${name} \`\`` : `\`${name}\``)));
  return `${[
    HEAD,
    ...families.map(table),
    `## Harmless by themselves\n\nThey read, print or change only the shell, whatever their arguments.\n\n${harmless}`,
  ].join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'docs/effects.md'), effectsPage());
