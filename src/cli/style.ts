import pc from 'picocolors';
import stringWidth from '#string-width';
import { wantsColour } from './colour.ts';

/** The colours of a stream: none where none are wanted. */
export const styleFor = (stream: { readonly isTTY?: boolean }): ReturnType<typeof pc.createColors> =>
  pc.createColors(wantsColour(stream));

/** Cells that a text takes on a terminal: wide characters take two. */
export const widthOf = (text: string): number => (SIMPLE.test(text) ? text.length : stringWidth(text));

/** A cell a character. */
const SIMPLE = /^[\x20-\x7e…·✓✗→]*$/;

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

export { bytes, count } from './quantity.ts';

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

/** `2h ago`; a time that is still to come is now. */
export function ago(ms: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - ms) / 1000));
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`;
  return `${Math.floor(seconds / 86_400)}d ago`;
}
