const TABLE = /^\|.*\|\n\|[ :|-]+\|\n(?:\|.*\|\n)+/gm;

/** A page of 80 columns has no room for wide tables: each row becomes a point that names its columns. */
export const tablesAsLists = (markdown: string): string =>
  markdown.replace(TABLE, (table) => {
    const [head = [], , ...rows] = table.trimEnd().split('\n').map(cellsOf);
    return rows.map((cells) => `- ${pointOf(head, cells)}\n`).join('');
  });

function pointOf(head: readonly string[], [name = '', ...cells]: readonly string[]): string {
  const said = cells.flatMap((cell, i) => {
    const column = head[i + 1] ?? '';
    return cell === '' ? [] : [column === '' ? cell : `*${column}*: ${cell}`];
  });
  return `${name.includes('`') ? name : `**${name}**`}: ${said.join('; ')}`;
}

const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
