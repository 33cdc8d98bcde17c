/** Numbers as belay says them, in a terminal and on its page. */

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
