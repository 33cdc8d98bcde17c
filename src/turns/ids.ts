import { randomHex } from '../platform/random.ts';

/** `YYYYMMDD_HHMMSS_<hex>`, local time; 6 hex digits, 8 for remote sources. */
export function newSessionId(now: Date, remote = false): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return `${day}_${time}_${randomHex(remote ? 4 : 3)}`;
}

/** Whether a session or turn id may become the name of a folder. Agents' ids are any text; a dot is belay's own (`7.done`, `7.gone`). */
const isPlain = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id);

/** Of a longer id so many bytes are spelt out, and all of them hashed: two ids never share a folder. */
const SPELT = 80;

/** The id as one folder name: as it is where that is harmless, else its bytes in hex after `=`. */
export function folderName(id: string): string {
  if (isPlain(id)) return id;
  const bytes = Buffer.from(id, 'utf8');
  if (bytes.length <= SPELT) return `=${bytes.toString('hex')}`;
  return `=${bytes.toString('hex', 0, SPELT)}-${hash64(bytes)}`;
}

/** FNV-1a: loading node's crypto takes longer than a whole hold. */
function hash64(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
