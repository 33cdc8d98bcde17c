import fs from 'node:fs';
import { toBuffer } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { indexFile } from '../../sessions/index/open.ts';
import { statsOf } from '../../sessions/index/rows.ts';
import { sessionsFolder } from '../../turns/journal.ts';
import type { Answer } from '../command.ts';
import { bytes, count, padLeft, padRight, styleFor, widthOf } from '../style.ts';
import { type Asked, indexed } from './asked.ts';

/** `belay sessions stats`. */
export async function sessionStats(asked: Asked): Promise<Answer> {
  const stats = await indexed(asked, statsOf);
  const folder = sessionsFolder(asked.home);
  const journals = lookAt(folder) === undefined ? 0 : sizeOf(folder);
  const index = lookAt(indexFile(asked.home, asked.env))?.size ?? 0;
  const style = styleFor(process.stdout);
  const bars = (title: string, rows: readonly { readonly name: string; readonly count: number }[]): string[] => {
    if (rows.length === 0) return [];
    const most = Math.max(...rows.map((row) => row.count));
    const width = Math.min(40, Math.max(...rows.map(({ name }) => widthOf(name))));
    return [
      '',
      style.bold(title),
      ...rows.map(
        (row) =>
          `  ${padRight(row.name, width)}  ${padLeft(String(row.count), String(most).length)}  ${style.cyan('█'.repeat(Math.max(1, Math.round((row.count / most) * 30))))}`,
      ),
    ];
  };
  const text = [
    `${count(stats.sessions, 'session')}, ${count(stats.turns, 'turn')}, ${count(stats.commands, 'command')}, ${count(stats.events, 'event')}`,
    `${bytes(journals)} of records, ${bytes(index)} of index; ${stats.mean_minutes.toFixed(1)} minutes a session; ${bytes(stats.saved_bytes)} of what was there before lines were saved`,
    ...bars('By source', stats.by_source),
    ...bars('Busiest projects (checkpoints)', stats.projects),
    ...bars('Most destructive verbs', stats.verbs),
  ];
  return { json: { ...stats, journal_bytes: journals, index_bytes: index }, text: `${text.join('\n')}\n` };
}

const sizeOf = (folder: string): number =>
  fs
    .readdirSync(toBuffer(folder), { encoding: 'latin1' })
    .reduce((sum, name) => sum + (name.endsWith('.jsonl') ? (lookAt(join(folder, name))?.size ?? 0) : 0), 0);
