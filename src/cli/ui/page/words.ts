/** How this page says numbers and times. */

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export { bytes } from '../../quantity.ts';

const two = (n: number): string => String(n).padStart(2, '0');

export function clock(time: Date): string {
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

export const moment = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock(time)}:${two(time.getSeconds())}`;

const dayNumber = (time: Date): number => Math.floor((time.getTime() - time.getTimezoneOffset() * 60_000) / 86_400_000);

/** `Today`, `Yesterday`, `Monday, 3 March 2025`. */
export function day(time: Date, now: Date): string {
  const away = dayNumber(now) - dayNumber(time);
  if (away === 0) return 'Today';
  if (away === 1) return 'Yesterday';
  return time.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

export function span(seconds: number): string {
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return count(Math.floor(seconds / 86_400), 'day ago', 'days ago');
}

/** The last part of a path, which is what people call it. */
export const nameOf = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) || path;

/** Who ran it, of `claude:bash`, `bash`, `cli`. */
export function whose(source: string): string {
  const [who = '', how] = source.split(':');
  return how === undefined ? who : `${who} (${how})`;
}
