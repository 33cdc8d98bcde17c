import type { Bytes } from '../platform/bytes.ts';

/** `bash -c WORD`, as the shims write down what a program was started with: quoted by printf's `%q`. */
const GIVEN_TEXT = /^(?:\S*\/)?(?:ba|da|k|z|fi)?sh(?: -[a-z]+)* -[a-z]*c (.+)$/s;

/** The line as a person would say it: of a shell that was given its text, that text alone. */
export function spoken(line: Bytes): Bytes {
  const word = GIVEN_TEXT.exec(line)?.[1];
  return (word === undefined ? undefined : unquoted(word)) || line;
}

const PIECE = /\\(.)|'([^']*)'|\$'((?:[^'\\]|\\.)*)'|"([^"$`\\]*)"|([^\s\\'"$`;&|<>()]+)/sy;

/** What a quoted word means; undefined where it is more than one word, or is expanded further. */
function unquoted(word: Bytes): Bytes | undefined {
  let out = '';
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < word.length) {
    const piece = PIECE.exec(word);
    if (piece === null) return undefined;
    const [, escaped, single, ansi, double, plain] = piece;
    out += escaped ?? single ?? double ?? plain ?? ansiText(ansi ?? '');
  }
  return out;
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  E: '\x1b',
  e: '\x1b',
  a: '\x07',
  b: '\b',
};

const ansiText = (text: Bytes): Bytes =>
  text.replace(/\\(?:([0-7]{1,3})|(.))/gs, (_, octal: string | undefined, letter: string | undefined) =>
    octal === undefined
      ? (LETTERS[letter ?? ''] ?? letter ?? '')
      : String.fromCharCode(Number.parseInt(octal, 8) & 255),
  );
