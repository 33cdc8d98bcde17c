/** One thing that `belay doctor` looked at. */
export type Finding =
  | { readonly check: string; readonly level: 'fine'; readonly text: string }
  /** Worth knowing; nothing is lost by it. */
  | { readonly check: string; readonly level: 'note'; readonly text: string; readonly mend?: string }
  /** Something is not saved, or will not be, until it is mended. */
  | { readonly check: string; readonly level: 'wrong'; readonly text: string; readonly mend: string };

export const fine = (check: string, text: string): Finding => ({ check, level: 'fine', text });

export const note = (check: string, text: string, mend?: string): Finding => ({
  check,
  level: 'note',
  text,
  ...(mend === undefined ? {} : { mend }),
});

export const wrong = (check: string, text: string, mend: string): Finding => ({ check, level: 'wrong', text, mend });
