import type { Bytes } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import { seenThrough, seenWhole } from '../world.ts';
import type { Answer, Entry } from './expression.ts';

/** What the tests are told about the moment: whether times and sizes are still those of now when find runs. */
export interface Moment {
  /** Nothing in the line has changed anything before, and it runs when the line does. */
  readonly isNow: boolean;
  readonly follows: boolean;
  /** Absolute path of a word of the command. */
  readonly absolute: (path: Bytes) => Bytes | undefined;
}

/** A line may take its time before it comes to `find`: what would change its answer within this is left open. */
const HOUR = 3600;

/** `+N`, `-N`, `N` (find(1), *Numeric arguments*). */
function compared(text: Bytes, value: number): boolean | undefined {
  const found = /^([+-]?)(\d+)$/.exec(text);
  if (!found) return undefined;
  const wanted = Number(found[2]);
  return found[1] === '+' ? value > wanted : found[1] === '-' ? value < wanted : value === wanted;
}

const BLOCKS: Record<string, number> = { b: 512, c: 1, w: 2, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function size(text: Bytes): ((look: Look) => Answer) | undefined {
  const found = /^([+-]?\d+)([bcwkMG]?)$/.exec(text);
  if (!found) return undefined;
  const unit = BLOCKS[found[2] || 'b'] ?? 512;
  return (look) => compared(found[1] ?? '', Math.ceil(look.size / unit)) ?? 'maybe';
}

/** Whole units of age, the rest dropped; `maybe` where an hour more gives another answer. */
function age(text: Bytes, unit: number, time: 'mtime' | 'ctime'): (look: Look) => Answer {
  return (look) => {
    const seconds = Date.now() / 1000 - Number(look[time]) / 1e9;
    const now = compared(text, Math.floor(seconds / unit));
    return now === undefined || now !== compared(text, Math.floor((seconds + HOUR) / unit)) ? 'maybe' : now;
  };
}

function mode(text: Bytes): ((look: Look) => Answer) | undefined {
  const found = /^([-/]?)([0-7]{1,4})$/.exec(text);
  if (!found) return undefined;
  const bits = Number.parseInt(found[2] ?? '', 8);
  if (found[1] === '-') return (look) => (look.mode & bits) === bits;
  if (found[1] === '/') return (look) => bits === 0 || (look.mode & bits) !== 0;
  return (look) => look.mode === bits;
}

function newer(file: Bytes, moment: Moment): ((look: Look) => Answer) | undefined {
  const path = moment.absolute(file);
  const other = path === undefined ? undefined : moment.follows ? seenThrough(path) : seenWhole(path);
  if (other === undefined || other === 'hidden') return undefined;
  return (look) => BigInt(look.mtime) > BigInt(other.mtime);
}

/** A test that a look at the entry decides; undefined where there is none of that name. */
export function lookTest(
  name: Bytes,
  value: Bytes | undefined,
  moment: Moment,
): ((entry: Entry) => Answer) | undefined {
  const judge = value === undefined ? undefined : judgeOf(name, value, moment);
  if (judge === undefined) return undefined;
  if (!moment.isNow) return () => 'maybe';
  return (entry) => {
    const look = moment.follows ? (seenThrough(entry.path) ?? seenWhole(entry.path)) : seenWhole(entry.path);
    return look === 'hidden' || look === undefined ? 'maybe' : judge(look);
  };
}

function judgeOf(name: Bytes, value: Bytes, moment: Moment): ((look: Look) => Answer) | undefined {
  switch (name) {
    case '-size':
      return size(value);
    case '-mtime':
      return age(value, 86_400, 'mtime');
    case '-mmin':
      return age(value, 60, 'mtime');
    case '-ctime':
      return age(value, 86_400, 'ctime');
    case '-cmin':
      return age(value, 60, 'ctime');
    case '-perm':
      return mode(value);
    case '-newer':
      return newer(value, moment);
    case '-uid':
      return (look) => compared(value, look.uid) ?? 'maybe';
    case '-links':
      return (look) => compared(value, look.nlink) ?? 'maybe';
    case '-inum':
      return (look) => (/^\d+$/.test(value) ? look.ino === value : 'maybe');
    default:
      return undefined;
  }
}

/** `-empty`: a folder that is full now may be empty when find comes back out of it. */
export function isEmpty(entry: Entry): Answer {
  if (entry.type === 'folder') return 'maybe';
  if (entry.type !== 'file') return false;
  const look = seenWhole(entry.path);
  return look === 'hidden' || look === undefined ? 'maybe' : look.size === 0;
}
