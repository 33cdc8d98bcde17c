import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { lookAt, makeFolder, readBytesIfAny } from './files.ts';
import { foreignHome } from './home.ts';
import { join } from './paths.ts';

/** How grave a line is, gravest first. A line without a level (a shell wrote it) is an error. */
export const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

const LARGEST = 1 << 20;
/** How many files are kept beside `belay.log`: `belay.log.1` is the one before. */
export const KEPT = 3;

export const logFile = (home: Bytes): Bytes => join(home, 'logs/belay.log');

let echoes = false;

/** From now on whatever is logged is said on standard error, too. */
export function echoLog(): void {
  echoes = true;
}

/**
 * One line into `logs/belay.log`, which begins anew when it is large. Never throws and makes nothing where there is no home of ours
 * yet: a failure to log must not become a failure of the user's command.
 */
export function log(home: Bytes | undefined, text: string, level: Level = 'error'): void {
  if (echoes) process.stderr.write(`belay: ${level}: ${text.replace(/[\0-\x1f\x7f]+/g, ' | ')}\n`);
  if (home === undefined) return;
  try {
    const look = lookAt(home);
    if (look?.type !== 'folder' && look?.type !== 'link') return;
    if (foreignHome(home) !== undefined) return;
    const file = logFile(home);
    makeFolder(join(home, 'logs'));
    if ((lookAt(file)?.size ?? 0) > LARGEST) rotate(file);
    const line = `${new Date().toISOString()} ${process.pid} ${level} ${text.replace(/[\r\n]+/g, ' | ')}\n`;
    fs.appendFileSync(toBuffer(file), line, { mode: 0o600 });
  } catch {
    // nowhere left to say it
  }
}

/** The same, unless it is among the last things that the log has: what is so at each line is told once. */
export function logOnce(home: Bytes | undefined, text: string): void {
  if (home === undefined) return;
  const said = readBytesIfAny(logFile(home));
  if (said?.subarray(-TAIL).toString('utf8').includes(text) !== true) log(home, text);
}

const TAIL = 2048;

/** Who comes at the same time and finds nothing to rename has lost nothing: both append to the new file. */
function rotate(file: Bytes): void {
  for (let n = KEPT - 1; n >= 1; n--)
    if (lookAt(`${file}.${n}`) !== undefined) fs.renameSync(toBuffer(`${file}.${n}`), toBuffer(`${file}.${n + 1}`));
  fs.renameSync(toBuffer(file), toBuffer(`${file}.1`));
}

/** What went wrong, for the log: the message, and where it arose. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const at = error.stack?.split('\n')[1]?.trim() ?? '';
  return `${error.message} (${at})`;
}

/**
 * Text to be shown once at the session's next prompt. The first failure of a kind is enough: the same text is not repeated. False where
 * it could not be left.
 */
export function leaveNotice(sessionFolder: Bytes | undefined, text: string): boolean {
  if (sessionFolder === undefined) return false;
  try {
    makeFolder(sessionFolder);
    const file = toBuffer(join(sessionFolder, 'notice'));
    const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (!before.includes(text) && before.length < 4096) fs.appendFileSync(file, `${text}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false; // the log has it, if anything can be written at all
  }
}
