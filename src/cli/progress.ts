/** One line on a terminal, written over and over; an empty one takes it away. Nothing where nobody looks, or a program reads. */
export function progress({ json }: { readonly json: boolean }, doing: string): void {
  if (!process.stderr.isTTY || json) return;
  process.stderr.write(`\r\x1b[K${doing === '' ? '' : `${doing} …`}`);
}
