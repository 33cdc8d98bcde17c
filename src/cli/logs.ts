import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { readBytesIfAny } from '../platform/files.ts';
import { belayHome, environment } from '../platform/home.ts';
import { KEPT, LEVELS, type Level, logFile } from '../platform/log.ts';
import { type Answer, type Call, type Command, failed, wrongUsage } from './command.ts';

/** `belay logs [-f]`. */
export const logs: Command = {
  summary: 'what went wrong in the background, newest last',
  usage: ['belay logs [-f] [-n LINES] [--level error|warn|info|debug]'],
  help: `
The log is logs/belay.log in belay's folder; the files before it are read, too. Without -n the newest 50 lines are shown, with --level
those that are as grave as that or graver (without it everything but debug). -f goes on with what is written from now on; Ctrl-C ends it.`,
  words: 0,
  options: {
    follow: { type: 'boolean', short: 'f' },
    lines: { type: 'string', short: 'n' },
    level: { type: 'string' },
  },
  run: async (call) => {
    const home = belayHome(environment());
    if (home === undefined) throw failed('no_home', 'neither BELAY_HOME nor HOME says where the log is kept');
    const [level, most] = [levelOf(call), linesOf(call)];
    const file = logFile(home);
    const at = fs.existsSync(toBuffer(file)) ? fs.statSync(toBuffer(file)).size : 0;
    const told = entriesIn(allText(file)).filter((entry) => isAsGrave(entry, level));
    const shown = most === 0 ? [] : told.slice(-most);
    const follow = call.values['follow'] === true;
    if (!follow) return answer(file, shown);
    if (call.json) throw wrongUsage('--follow has no end, and --json is one document');
    process.stdout.write(shown.map(written).join(''));
    return followed(file, at, level);
  },
};

interface Entry {
  readonly time: string;
  readonly pid: number | undefined;
  readonly level: Level;
  readonly text: string;
}

function levelOf(call: Call): Level {
  const given = call.values['level'];
  if (typeof given !== 'string') return 'info';
  const level = LEVELS.find((one) => one === given);
  if (level === undefined) throw wrongUsage(`--level is ${LEVELS.join(', ')}, not '${toText(given)}'`);
  return level;
}

function linesOf(call: Call): number {
  const given = call.values['lines'];
  if (typeof given !== 'string') return 50;
  if (!/^\d+$/.test(given)) throw wrongUsage(`-n wants a number, not '${toText(given)}'`);
  return Number(given);
}

/** The files before it first. */
const allText = (file: Bytes): string =>
  [...Array(KEPT + 1).keys()]
    .reverse()
    .map((n) => readBytesIfAny(n === 0 ? file : `${file}.${n}`)?.toString('utf8') ?? '')
    .join('');

/** `TIME [PID LEVEL] TEXT`: what a shell writes has neither process nor level. */
const LINE = /^(\d{4}-\S+)(?: (\d+)(?: (error|warn|info|debug)(?= ))?)? (.*)$/;

const entriesIn = (text: string): Entry[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, time = '', pid, level, rest] = LINE.exec(line) ?? [];
      return {
        time,
        pid: pid === undefined ? undefined : Number(pid),
        level: (level ?? 'error') as Level,
        text: rest ?? line,
      };
    });

const isAsGrave = ({ level }: Entry, least: Level): boolean => LEVELS.indexOf(level) <= LEVELS.indexOf(least);

const written = ({ time, level, text }: Entry): string =>
  `${time === '' ? '' : `${time} `}${level.padEnd(5)} ${text}\n`;

const answer = (file: Bytes, entries: readonly Entry[]): Answer => ({
  json: { file: toText(file), lines: entries.map(({ pid, ...rest }) => ({ ...rest, pid: pid ?? null })) },
  text: entries.length === 0 ? 'Nothing is in the log.\n' : entries.map(written).join(''),
  page: true,
});

/** How often the log is looked at, ms. */
const BEAT = 200;

/** Tells what comes, whole lines only, also where the file begins anew; ends with whoever reads. */
async function followed(file: Bytes, from: number, level: Level): Promise<number> {
  let at = from;
  let inode = inodeOf(file);
  let rest = '';
  for (;;) {
    await new Promise((done) => setTimeout(done, BEAT));
    const now = inodeOf(file);
    if (now !== inode) {
      if (inode !== undefined) rest = tell(`${rest}${readFrom(`${file}.1`, at).toString('utf8')}`, level);
      [at, inode] = [0, now];
    }
    const bytes = readFrom(file, at);
    at += bytes.length;
    rest = tell(rest + bytes.toString('utf8'), level);
  }
}

/** Returns what stands behind the last whole line. */
function tell(text: string, level: Level): string {
  const end = text.lastIndexOf('\n') + 1;
  process.stdout.write(
    entriesIn(text.slice(0, end))
      .filter((entry) => isAsGrave(entry, level))
      .map(written)
      .join(''),
  );
  return text.slice(end);
}

const inodeOf = (file: Bytes): number | undefined => fs.statSync(toBuffer(file), { throwIfNoEntry: false })?.ino;

const readFrom = (file: Bytes, at: number): Buffer => readBytesIfAny(file)?.subarray(at) ?? Buffer.alloc(0);
