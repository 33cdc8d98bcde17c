import pc from 'picocolors';
import stringWidth from 'string-width';

/** `--color`, once for the whole call. */
let choice: 'always' | 'never' | 'auto' = 'auto';

export function chooseColour(given: 'always' | 'never' | 'auto'): void {
  choice = given;
}

/** Colours on a terminal only, and never with NO_COLOR; `--color` outranks both. */
export function styleFor(stream: { readonly isTTY?: boolean }): ReturnType<typeof pc.createColors> {
  const terminal = stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return pc.createColors(choice === 'auto' ? terminal : choice === 'always');
}

/** Cells that a text takes on a terminal: wide characters take two. */
export const widthOf = (text: string): number => stringWidth(text);

export const padRight = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

export const padLeft = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text;

/** At most `width` cells, the last one an ellipsis where something was cut. */
export function cut(text: string, width: number): string {
  // A character takes a cell at least, but for combining ones: what is far longer is not measured whole.
  if (text.length <= width * 16 && widthOf(text) <= width) return text;
  let out = '';
  let used = 0;
  for (const char of text) {
    const cells = widthOf(char);
    if (used + cells > width - 1) break;
    out += char;
    used += cells;
  }
  return `${out}…`;
}

/** `12 files`, `1 file`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** `3.4 MB`. */
export function bytes(n: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let value = n;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return unit === 0 ? count(n, 'byte') : `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** What a record's captures tell is as old as the first of them: said wherever the record is. */
export const asOfNote = ({ asOf }: { readonly asOf?: number }): string =>
  asOf === undefined ? '' : ` (what the line does not name: as of the prompt at ${localTime(asOf).slice(11)})`;

/** `2025-01-31 14:02:31`, local time. */
export function localTime(ms: number): string {
  const time = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${clock}`;
}
