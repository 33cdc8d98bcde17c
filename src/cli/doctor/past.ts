import { type Bytes, toText } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { readEnd } from '../../saving/end.ts';
import { basesOf } from '../../saving/place.ts';
import { damagedTurns, isOrphan, pendingTurns } from '../../turns/pending.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

/** How far back an error is still news. */
const RECENT_MS = 24 * 60 * 60 * 1000;
const SHOWN = 5;

/** What went wrong lately, from `logs/belay.log`. */
export function checkLog(home: Bytes, now: number): readonly Finding[] {
  const file = join(home, 'logs/belay.log');
  const lines = (readBytesIfAny(file)?.toString('utf8') ?? '').split('\n').filter((line) => line !== '');
  const recent = lines.filter((line) => {
    if (/^\S+ \d+ (?:info|debug) /.test(line)) return false;
    const time = Date.parse(line.slice(0, line.indexOf(' ')));
    return Number.isNaN(time) || now - time < RECENT_MS;
  });
  if (recent.length === 0) return [fine('log', 'no errors in the last 24 hours')];
  const last = recent.slice(-SHOWN).map((line) => `\n${line.length > 300 ? `${line.slice(0, 300)} …` : line}`);
  const count = recent.length === 1 ? 'one error' : `${recent.length} errors`;
  return [note('log', `${count} in the last 24 hours, newest last:${last.join('')}`, 'belay logs')];
}

/** Turns that are over and were not settled, although every reader tries to: `settleAll` has just run. */
export function checkPending(home: Bytes): readonly Finding[] {
  const stuck = basesOf(home)
    .flatMap((base) => pendingTurns(base))
    .filter(({ folder, turn }) => isOrphan(turn) || readEnd(folder)?.running === false);
  const damaged = basesOf(home).flatMap((base) => damagedTurns(base));
  if (damaged.length > 0)
    return [
      wrong(
        'pending',
        `a turn cannot be told any more (its turn.json is damaged); what it holds is kept:${damaged.map((folder) => `\n${toText(folder)}`).join('')}`,
        'belay checkpoints verify --repair',
      ),
    ];
  if (stuck.length === 0) return [fine('pending', 'every turn that is over has been settled')];
  const named = stuck.slice(0, SHOWN).map(({ folder, turn }) => `\n${toText(turn.line)} (${toText(folder)})`);
  return [
    wrong(
      'pending',
      `${stuck.length === 1 ? 'one turn is' : `${stuck.length} turns are`} over and cannot be settled; what they hold is safe:${named.join('')}`,
      'the log says why; then: belay list',
    ),
  ];
}
