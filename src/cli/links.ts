import { hostname } from 'node:os';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { wantsColour } from './colour.ts';

/**
 * A path that a terminal lets one click (OSC 8), where the terminal is known to know that; else the text as it is. Unknown terminals may
 * print the sequence, so nothing is guessed.
 */
export function linked(path: Bytes, text: string, stream: { readonly isTTY?: boolean }): string {
  return isLinkable(stream, process.env)
    ? `\x1b]8;;file://${hostname()}${quoted(path)}\x1b\\${text}\x1b]8;;\x1b\\`
    : text;
}

const quoted = (path: Bytes): string =>
  [...toBuffer(path)]
    .map((byte) =>
      /[A-Za-z0-9/._~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
    )
    .join('');

/** By what terminals say of themselves; within tmux and screen nobody knows what is outside. */
export function isLinkable(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const { TERM = '', TERM_PROGRAM = '', VTE_VERSION = '', KONSOLE_VERSION, WT_SESSION, FORCE_HYPERLINK } = env;
  if (stream.isTTY !== true || !wantsColour(stream)) return false;
  if (FORCE_HYPERLINK !== undefined && FORCE_HYPERLINK !== '') return FORCE_HYPERLINK !== '0';
  if (/^(?:screen|tmux|linux|dumb)/.test(TERM) || env['TMUX'] !== undefined) return false;
  return (
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper'].includes(TERM_PROGRAM) ||
    Number(VTE_VERSION) >= 5000 ||
    /^(?:xterm-kitty|foot|alacritty|xterm-ghostty)/.test(TERM) ||
    KONSOLE_VERSION !== undefined ||
    WT_SESSION !== undefined
  );
}
