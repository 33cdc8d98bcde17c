import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import remarkGfm from 'remark-gfm';
import remarkMan from 'remark-man';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Command } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { settings } from '../../src/cli/config/settings.ts';
import { fold, piecesOf, usageOf } from '../../src/cli/fold.ts';
import { formsOf, textOf } from '../../src/cli/help.ts';
import { tablesAsLists } from './table-as-list.ts';

/** What a page of 80 columns has room for where lines stand as they are. */
const WIDTH = 66;

/** Documents that the pages are made from, beside the sources. */
export const MANUAL_SOURCES = ['CHANGELOG.md', 'docs/agents.md', 'docs/worktrees.md'];

/**
 * The manual pages, made from what the commands, the settings and the documents say themselves: dist/man/man1/belay.1,
 * man5/belay-config.5, man7/belay-hooks.7.
 */
export async function manualPages(root: string, dist: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const date = dateOfRelease(root);
  const pages = [
    { name: 'belay', section: 1, text: await ofCommands() },
    { name: 'belay-config', section: 5, text: ofSettings() },
    { name: 'belay-hooks', section: 7, text: ofHooks(root) },
  ];
  for (const { name, section, text } of pages) {
    const folder = join(dist, `man/man${section}`);
    mkdirSync(folder, { recursive: true });
    const settings = { name, section, version: `belay ${version}`, manual: 'belay', date };
    const whole = `${text}\n${seeAlso(`${name}(${section})`)}`;
    const page = await unified().use(remarkParse).use(remarkGfm).use(remarkMan, settings).process(whole);
    writeFileSync(join(folder, `${name}.${section}`), tidied(String(page), date));
  }
}

/** The newest release's, as the change log has it: two builds of one source are the same bytes. */
function dateOfRelease(root: string): Date {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined && /^\d+$/.test(given)) return new Date(Number(given) * 1000);
  const [, day] = /^## \S+ \((\d{4}-\d\d-\d\d)\)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  if (day === undefined) throw new Error('CHANGELOG.md: its newest release has no date');
  return new Date(`${day}T12:00:00Z`);
}

/** As mandoc(1) wants it, too: a whole date, no paragraph that begins where a section has just begun one. */
const tidied = (roff: string, date: Date): string =>
  roff
    .replace(/^(\.TH "[^"]*" "\d") "[^"]*"/, `$1 "${date.toISOString().slice(0, 10)}"`)
    .replace(/^(\.S[HS] .*\n)\.P\n/gm, '$1')
    .replace(/^\.P\n(?=\.RS)/gm, '.sp\n')
    .replace(/^\.RE 0$/gm, '.RE')
    // What is typed is copied from here: its dashes are no hyphens.
    .replace(/\\fB.*?\\fR|^\.nf\n.*?^\.fi$/gms, (typed) => typed.replaceAll('-', '\\-'))
    // A terminal of ASCII (LC_ALL=C) has no such characters, and troff says so in front of the page.
    .replaceAll('…', '...')
    .replaceAll('↶', 'a turned arrow')
    .replace(/\n{2,}/g, '\n');

const seeAlso = (own: string): string => {
  const others = ['belay(1)', 'belay-config(5)', 'belay-hooks(7)', 'git(1)'].filter((page) => page !== own);
  return `## See also\n\n${others.map((page) => page.replace(/^[\w-]+/, '`$&`')).join(', ')}\n`;
};

const asItStands = (text: string): string => `\`\`\`\n${text.trimEnd()}\n\`\`\`\n`;

async function ofCommands(): Promise<string> {
  const parts = [];
  for (const [name, { load }] of Object.entries(commands)) parts.push(ofCommand(name, await load()));
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return [
    '# belay(1) -- brings back what shell commands destroyed\n',
    '## Synopsis\n\n`belay` *command* [*options*]\n',
    '## Description\n\nbelay saves what a shell command is about to destroy, and brings it back.\n',
    asItStands(fold(rows.join('\n'), WIDTH)),
    'Every command takes these options; what `run` and `init` print is for programs as it is, so that they take only `-h`, and `run` `-C`.\n',
    '- `--json`: one document on standard output, and nothing else there\n- `-C DIR`: as if it had been called in DIR\n- `-q`, `--quiet`: says nothing where all went well\n- `-v`, `--verbose`: names everything, and says what goes into the log\n- `--color always|never|auto`: `NO_COLOR` counts, too\n- `-y`, `--yes`: answers what is asked with yes\n- `-h`, `--help`: what the command does\n',
    `## Commands\n\n${parts.join('\n')}`,
    '## Exit status\n',
    '- `0`: done\n- `1`: it failed, or something could not be brought back\n- `2`: wrong usage\n- `3`: refused, nothing was changed\n- `4`: there is no such thing\n',
    '## Environment\n',
    '- `BELAY_HOME`: where checkpoints are kept; else `$XDG_DATA_HOME/belay`, else `~/.local/share/belay`\n- `BELAY_PROFILE`: the profile to work in\n- `BELAY_DISABLE`: set to 1, nothing is saved\n- `PAGER`, `BELAY_PAGER`, `BELAY_DIFF`, `NO_COLOR`, `VISUAL`, `EDITOR`: as elsewhere\n',
    '## Files\n',
    '- `~/.local/share/belay`: everything that was saved\n- `~/.config/belay/config.yaml`: the settings\n',
  ].join('\n');
}

/** Prose is filled by man(1) itself; forms and rows stand as they are. */
function ofCommand(name: string, command: Command): string {
  const parts: string[] = [asItStands(usageOf(formsOf(name, command), WIDTH))];
  let rows: string[] = [];
  const flush = (): void => {
    if (rows.some((row) => row !== '')) parts.push(asItStands(fold(rows.join('\n'), WIDTH).replace(/^\n+/, '')));
    rows = [];
  };
  for (const piece of piecesOf(textOf(command))) {
    if (piece.is === 'prose') {
      flush();
      parts.push(`${literally(piece.text)}\n`);
    } else rows.push(piece.is === 'row' ? `${piece.head}${piece.text}` : piece.text);
  }
  flush();
  return `### ${name}\n\n${parts.join('\n')}`;
}

/** Help is no Markdown, but for what stands in back quotes. */
const literally = (text: string): string =>
  text.replace(/(`[^`]*`)|[\\*_[\]<>#~|&]/g, (found, code?: string) => code ?? `\\${found}`);

function ofSettings(): string {
  const rows = settings.map(({ name, byDefault, choices, meaning }) => {
    const values = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
    const usual = typeof byDefault === 'object' ? JSON.stringify(byDefault, null, 1) : JSON.stringify(byDefault);
    return `### ${name}\n\n${meaning}${values} Default: \`${usual.replace(/\s+/g, ' ')}\`.\n`;
  });
  return [
    '# belay-config(5) -- the configuration of belay\n',
    '## Description\n\n`~/.config/belay/config.yaml` (or `config.json`; `$XDG_CONFIG_HOME` counts), data only. `belay config check` says what is wrong in it, `belay config set` writes it, `belay config schema` prints a JSON Schema for editors. It is read anew by every line. A project may only add `checkpoints.exclude`, in `.belayrc`.\n',
    `## Settings\n\n${rows.join('\n')}`,
  ].join('\n');
}

function ofHooks(root: string): string {
  const agents = asManual(readFileSync(join(root, 'docs/agents.md'), 'utf8').replace(/^# .*\n/, ''));
  const worktrees = readFileSync(join(root, 'docs/worktrees.md'), 'utf8');
  const [, hooks] = /^## Hooks\n(.*?)^## /ms.exec(worktrees) ?? [];
  if (hooks === undefined) throw new Error('docs/worktrees.md: it has no hooks any more');
  return [
    '# belay-hooks(7) -- how agents and git tell belay what happens\n',
    `## Agents\n\n${agents}`,
    `## Hooks of git\n\n${asManual(hooks)}`,
  ].join('\n');
}

/** A part of a document: links mean nothing in a manual page, its headings are one lower, tables too wide. */
const asManual = (text: string): string =>
  tablesAsLists(text)
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/^## /gm, '### ');
