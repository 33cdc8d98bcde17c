/** Help as it is written in the sources: prose, rows of two columns (`  --all   what it does`), and lines that stand as they are. */
export type Piece =
  | { readonly is: 'prose'; readonly text: string }
  | { readonly is: 'row'; readonly head: string; readonly text: string }
  | { readonly is: 'line'; readonly text: string };

const ROW = /^( +\S+(?: \S+)*? {2,})(\S.*)$/;
const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Lines that belong together as one piece: those of a paragraph, and what hangs below the second column of a row. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const line of text.split('\n')) {
    const last = pieces.at(-1);
    const [, head, said] = ROW.exec(line) ?? [];
    if (head !== undefined && said !== undefined) pieces.push({ is: 'row', head, text: said });
    else if (line === '' || (indentOf(line) > 0 && last?.is !== 'row')) pieces.push({ is: 'line', text: line });
    else if (last?.is === (indentOf(line) > 0 ? 'row' : 'prose'))
      pieces.splice(-1, 1, { ...last, text: `${last.text} ${line.trim()}` });
    else pieces.push({ is: 'prose', text: line });
  }
  return pieces;
}

/** The same text with no line wider than `width`, as far as its words allow. */
export const fold = (text: string, width = 80): string =>
  piecesOf(text)
    .map((piece) => {
      if (piece.is === 'line') return piece.text;
      const head = piece.is === 'row' ? piece.head : '';
      return filled(head, piece.text, width, head.length);
    })
    .join('\n');

/** The forms of a command below `usage:`. What is in brackets is never torn. */
export const usageOf = (forms: readonly string[], width = 80): string =>
  forms
    .map((form, i) => filled(i === 0 ? 'usage: ' : '       ', form, width, 13, /(?:\[(?:[^[\]]|\[[^\]]*\])*\]|\S)+/g))
    .join('\n');

/**
 * Lines as a terminal of so many columns has room for: each is broken between words, never within what is in back quotes, and goes on
 * `hang` columns further in. What is too long for a line of its own stays whole.
 */
export const wrapped = (text: string, width: number, hang = 0): string =>
  text
    .split('\n')
    .map((line) => {
      const head = ' '.repeat(indentOf(line));
      return filled(head, line.trimStart(), width, head.length + hang, /`[^`]*`\S*|\S+/g);
    })
    .join('\n');

/** The same for a stream: whole lines where it is no terminal. */
export const forTerminal = (text: string, stream: { readonly isTTY?: boolean; readonly columns?: number }): string =>
  stream.isTTY === true ? wrapped(text, stream.columns || 80) : text;

function filled(head: string, text: string, width: number, hang: number, words = /\S+/g): string {
  if (lengthOf(head + text) <= width) return head + text;
  const lines: string[] = [];
  let line = head;
  let empty = true;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    const gap = text.slice(end, index); // a path may have two blanks
    end = index + word.length;
    if (!empty && lengthOf(line) + gap.length + lengthOf(word) > width) {
      lines.push(line);
      line = ' '.repeat(hang);
      empty = true;
    }
    line += empty ? word : gap + word;
    empty = false;
  }
  return [...lines, line].join('\n');
}

/** Colours take no room. */
const lengthOf = (text: string): number => [...text.replace(/\x1b\[[\d;]*m/g, '')].length;
