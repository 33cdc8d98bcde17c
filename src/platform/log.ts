import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { lookAt, makeFolder } from './files.ts';
import { foreignHome } from './home.ts';
import { join } from './paths.ts';

const LARGEST = 1 << 20;

/**
 * One line into `logs/belay.log`; the file before is kept as `belay.log.1`. Never throws and makes nothing where there is no
 * home of ours yet: a failure to log must not become a failure of the user's command.
 */
export function log(home: Bytes | undefined, text: string): void {
  if (home === undefined) return;
  try {
    const look = lookAt(home);
    if (look?.type !== 'folder' && look?.type !== 'link') return;
    if (foreignHome(home) !== undefined) return;
    const file = join(home, 'logs/belay.log');
    makeFolder(join(home, 'logs'));
    if ((lookAt(file)?.size ?? 0) > LARGEST) fs.renameSync(toBuffer(file), toBuffer(`${file}.1`));
    const line = `${new Date().toISOString()} ${process.pid} ${text.replace(/[\r\n]+/g, ' | ')}\n`;
    fs.appendFileSync(toBuffer(file), line, { mode: 0o600 });
  } catch {
    // nowhere left to say it
  }
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
