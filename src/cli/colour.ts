/** `--color`, once for the whole call. */
let choice: 'always' | 'never' | 'auto' = 'auto';

export function chooseColour(given: 'always' | 'never' | 'auto'): void {
  choice = given;
}

/** Colours on a terminal only, and never with NO_COLOR; `--color` outranks both. */
export function wantsColour(stream: { readonly isTTY?: boolean }): boolean {
  const terminal = stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return choice === 'auto' ? terminal : choice === 'always';
}
