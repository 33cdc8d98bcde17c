import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import remarkGfm from 'remark-gfm';
import remarkMan from 'remark-man';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { commands } from '../../src/cli/commands.ts';
import { settings } from '../../src/cli/config/settings.ts';
import { helpOf, overview } from '../../src/cli/help.ts';

/**
 * The manual pages, made from what the commands, the settings and the documents say themselves: dist/man/man1/belay.1,
 * man5/belay-config.5, man7/belay-hooks.7.
 */
export async function manualPages(root: string, dist: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const pages = [
    { name: 'belay', section: 1, text: await ofCommands() },
    { name: 'belay-config', section: 5, text: ofSettings() },
    { name: 'belay-hooks', section: 7, text: ofHooks(root) },
  ];
  for (const { name, section, text } of pages) {
    const folder = join(dist, `man/man${section}`);
    mkdirSync(folder, { recursive: true });
    // A date of its own would make two builds of one source differ.
    const settings = { name, section, version: `belay ${version}`, manual: 'belay', date: new Date(0) };
    const page = await unified().use(remarkParse).use(remarkGfm).use(remarkMan, settings).process(text);
    writeFileSync(join(folder, `${name}.${section}`), String(page));
  }
}

const SEE = '## See also\n\n`belay`(1), `belay-config`(5), `belay-hooks`(7)\n';

const asItStands = (text: string): string => `\`\`\`\n${text.trimEnd()}\n\`\`\`\n`;

async function ofCommands(): Promise<string> {
  const parts = [];
  for (const [name, { load }] of Object.entries(commands))
    parts.push(`### ${name}\n\n${asItStands(helpOf(name, await load()))}`);
  return [
    '# belay(1) -- brings back what shell commands destroyed\n',
    `## Synopsis\n\n\`belay\` *command* [*options*]\n\n## Description\n\n${asItStands(overview())}`,
    `## Commands\n\n${parts.join('\n')}`,
    '## Exit status\n',
    '- `0`: done\n- `1`: it failed, or something could not be brought back\n- `2`: wrong usage\n- `3`: refused, nothing was changed\n- `4`: there is no such thing\n',
    '## Environment\n',
    '- `BELAY_HOME`: where checkpoints are kept; else `$XDG_DATA_HOME/belay`, else `~/.local/share/belay`\n- `BELAY_DISABLE`: set to 1, nothing is saved\n- `PAGER`, `BELAY_PAGER`, `BELAY_DIFF`, `NO_COLOR`: as elsewhere\n',
    SEE,
  ].join('\n');
}

function ofSettings(): string {
  const rows = settings.map(({ name, byDefault, choices, meaning }) => {
    const values = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
    return `### ${name}\n\n${meaning}${values} Default: \`${JSON.stringify(byDefault)}\`.\n`;
  });
  return [
    '# belay-config(5) -- the configuration of belay\n',
    '## Description\n\n`~/.config/belay/config.yaml` (or `config.json`; `$XDG_CONFIG_HOME` counts), data only. `belay config check` says what is wrong in it, `belay config set` writes it.\n',
    `## Settings\n\n${rows.join('\n')}`,
    SEE,
  ].join('\n');
}

/** A document without its own title: links to other documents mean nothing in a manual page. */
function ofHooks(root: string): string {
  const document = readFileSync(join(root, 'docs/agents.md'), 'utf8');
  const text = document.replace(/^# .*\n/, '').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return `# belay-hooks(7) -- how agents and git tell belay what happens\n\n## Agents\n\n${text.replace(/^## /gm, '### ')}\n${SEE}`;
}
