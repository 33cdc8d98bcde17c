import { type Bytes, toText } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { type Finding, fine, note } from './finding.ts';

/** How far back an error is still news. */
const RECENT_MS = 24 * 60 * 60 * 1000;
const SHOWN = 5;

/** What went wrong lately, from `logs/belay.log`. */
export function checkLog(home: Bytes, now: number): readonly Finding[] {
  const file = join(home, 'logs/belay.log');
  const lines = (readBytesIfAny(file)?.toString('utf8') ?? '').split('\n').filter((line) => line !== '');
  const recent = lines.filter((line) => {
    const time = Date.parse(line.slice(0, line.indexOf(' ')));
    return Number.isNaN(time) || now - time < RECENT_MS;
  });
  if (recent.length === 0) return [fine('log', 'no errors in the last 24 hours')];
  const last = recent.slice(-SHOWN).map((line) => `\n${line.length > 300 ? `${line.slice(0, 300)} …` : line}`);
  const count = recent.length === 1 ? 'one error' : `${recent.length} errors`;
  return [note('log', `${count} in the last 24 hours, newest last:${last.join('')}`, `read ${toText(file)}`)];
}
