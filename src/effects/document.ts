import { harmlessNames } from './harmless.ts';
import { families, namesOf } from './table.ts';

/** docs/effects.md: what belay understands, from the same rows that decide. */
export function effectsDocument(): string {
  const count = families.reduce(
    (sum, family) => sum + family.rows.reduce((names, row) => names + namesOf(row).length, 0),
    0,
  );
  const parts = families.map(({ title, rows }) => {
    const lines = rows.map(
      (row) => `| ${namesOf(row).map(code).join(' ')} | ${cell(row.loses)} | ${cell(row.manual)} |`,
    );
    return `## ${title}\n| program | what it can lose | after |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  return `${HEAD(count)}\n${parts.join('\n')}\n## Harmless by themselves\n${harmlessNames().map(code).join(' ')}\n`;
}

const code = (name: string): string => `\`${name.replaceAll('|', '\\|')}\``;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const HEAD = (count: number): string => `# What belay understands
Written by \`npx tsx scripts/effects.ts\` from the tables in \`src/effects\`; do not edit.

${count} programs have a rule. What a rule can name is held before the line runs, whatever redirections, wrappers and nested shells
stand around it. A program without a rule, by which nothing is known, is *opaque*: the project is captured before it runs. The
right column says which manual the rule follows.
`;
