import { randomHex } from '../platform/random.ts';

/** `YYYYMMDD_HHMMSS_<hex>`, local time; 6 hex digits, 8 for remote sources. */
export function newSessionId(now: Date, remote = false): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return `${day}_${time}_${randomHex(remote ? 4 : 3)}`;
}

/** Whether a session or turn id may become the name of a folder. Agents' ids are any text: see `folderName`. */
const isPlain = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id);

/** The id as one folder name: as it is where that is harmless, else its bytes in hex after `=`. */
export const folderName = (id: string): string =>
  isPlain(id) ? id : `=${Buffer.from(id, 'utf8').toString('hex').slice(0, 200)}`;
