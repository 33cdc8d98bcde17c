import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../../platform/bytes.ts';
import { isInside } from '../../platform/paths.ts';
import { fileNamed } from '../find.ts';
import { journalNames, readJournal } from '../journal.ts';
import { mayGoOn } from '../living.ts';
import { type Story, storyOf } from '../story.ts';
import type { RowFilter, SessionRow } from './rows.ts';

/** Of a file system's clock, ms. */
const TICK = 20;

/** The rows that the index would give, from the journals themselves: for where there is no SQLite. Reads no more of them than it shows. */
export function walkedRows(home: Bytes, { source, cwd, since, limit }: RowFilter): SessionRow[] {
  const files = journalNames(home)
    .map((name) => ({
      name,
      at: fs.statSync(toBuffer(fileNamed(home, name)), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at);
  let rows: SessionRow[] = [];
  for (const { name, at } of files) {
    // What was written before the oldest of them spoke has nothing newer to say. Its time is that of a clock that ticks more slowly.
    const oldest = rows[limit - 1]?.last;
    if (limit === 0 || (oldest !== undefined && at < oldest - TICK)) break;
    const story = storyOf(eventsIn(fileNamed(home, name)));
    if (story.events === 0 || (since !== undefined && story.last < since)) continue;
    const row = rowOf(name, story);
    if (source !== undefined && row.source !== source) continue;
    if (cwd !== undefined && (row.cwd === null || !isInside(row.cwd, cwd))) continue;
    rows = [...rows, row].sort((a, b) => b.last - a.last || (a.name < b.name ? 1 : -1)).slice(0, limit);
  }
  return rows;
}

function* eventsIn(file: Bytes) {
  for (const { event } of readJournal(file)) yield event;
}

function rowOf(name: Bytes, story: Story): SessionRow {
  const { beginning, turns } = story;
  const first = turns.map(({ label, commands }) => label ?? commands[0]?.line).find((text) => text !== undefined);
  const text = (bytes: Bytes | undefined): string | null => (bytes === undefined ? null : toText(bytes));
  return {
    session: beginning === undefined ? toText(name) : toText(beginning.id),
    name: toText(name),
    source: text(story.source),
    shell: text(beginning?.shell),
    title: text(story.title),
    preview: first === undefined ? null : toText(first).slice(0, 200),
    cwd: text(beginning?.cwd),
    started: story.started,
    last: story.last,
    ended: story.ended ? 1 : 0,
    open: isOpen(story) ? 1 : 0,
    turns: turns.length,
    commands: turns.reduce((sum, { commands }) => sum + commands.length, 0),
    files: turns.reduce((sum, { checkpoints }) => sum + checkpoints.reduce((all, { files }) => all + files, 0), 0),
    handed: story.handedTo ?? null,
    compacted: story.compactedInto ?? null,
  };
}

const isOpen = ({ ended, process: { pid, start, host }, last }: Story): boolean =>
  mayGoOn({ ended, pid, start, host, last });
