/** What the thread that works and the one that draws share. */
export interface Board {
  /** Whose turn it is (0: nothing drawn yet, 1: it draws, 2: it is asked to end, 3: its line is gone), done, of, bytes of the text. */
  readonly numbers: Int32Array<SharedArrayBuffer>;
  readonly text: Uint8Array<SharedArrayBuffer>;
  readonly columns: number;
  /** Nothing is drawn before, ms. */
  readonly after: number;
}

/**
 * Draws the line of progress until it is asked to end, then takes it away. Runs in a thread that has this function's text alone: it uses
 * nothing from outside of it.
 */
export function drawLine(
  { numbers, text, columns, after }: Board,
  writeSync: (fd: number, text: string) => unknown,
): void {
  const begun = Date.now();
  const write = (line: string): void => {
    try {
      writeSync(2, line);
    } catch {
      // the terminal is gone: it was only a line to look at
    }
  };
  const line = (): string => {
    const said = Buffer.from(text.slice(0, Atomics.load(numbers, 3)))
      .toString('utf8')
      .replace(/[\0-\x1f\x7f]/g, '?');
    const [done, of] = [Atomics.load(numbers, 1), Atomics.load(numbers, 2)];
    const seconds = Math.floor((Date.now() - begun) / 1000);
    const full = of > 0 ? Math.floor(20 * Math.min(1, done / of)) : 0;
    const tail = of > 0 ? ` [${'#'.repeat(full)}${'-'.repeat(20 - full)}] ${done} of ${of}` : ` … ${seconds} s`;
    return `\r\x1b[K${said.slice(0, Math.max(8, columns - tail.length - 1))}${tail}`;
  };
  Atomics.wait(numbers, 0, 0, after);
  if (Atomics.compareExchange(numbers, 0, 0, 1) !== 0) return;
  do write(line());
  while (Atomics.wait(numbers, 0, 1, 100) === 'timed-out');
  write('\r\x1b[K');
  Atomics.store(numbers, 0, 3);
  Atomics.notify(numbers, 0);
}
