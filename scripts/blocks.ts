/**
 * What a document shows to be typed. Each fence says what it is: ```console is typed and its output compared, ```sh is
 * typed and has to succeed, ```bash, ```zsh and ```fish are scripts of that shell that have to, ```text and ```json are nobody's commands. What cannot be run here says why on the line before:
 *
 *   <!-- not run: it needs an agent -->        <!-- run: git init -q ../other -->   (typed, not shown)
 */
export interface Block {
  readonly is: 'console' | 'sh' | 'bash' | 'zsh' | 'fish' | 'setup' | 'other';
  /** The word after the fence. */
  readonly language: string;
  readonly text: string;
  /** Where it stands: from the first character of its first line to the end of its last one, and the number of that first line. */
  readonly from: number;
  readonly to: number;
  readonly line: number;
  /** Why nobody runs it. */
  readonly notRun?: string;
}

const TYPED = ['console', 'sh', 'bash', 'zsh', 'fish'] as const;
const MARK = /^<!-- (not run|run): (.+) -->$/;

export function blocksOf(document: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = document.split('\n');
  let at = 0;
  let why: string | undefined;
  let open: { readonly language: string; readonly from: number; readonly line: number; text: string } | undefined;
  for (const [i, line] of lines.entries()) {
    const [, kind, said = ''] = MARK.exec(line) ?? [];
    const fence = /^\s*```(.*)$/.exec(line);
    if (open !== undefined) {
      if (fence === null) open.text += `${line}\n`;
      else {
        const is = TYPED.find((name) => name === open?.language) ?? 'other';
        blocks.push({ is, ...open, to: at + line.length, ...(why === undefined ? {} : { notRun: why }) });
        open = undefined;
        why = undefined;
      }
    } else if (fence !== null) open = { language: fence[1] ?? '', from: at, line: i + 1, text: '' };
    else if (kind === 'run')
      blocks.push({ is: 'setup', language: '', text: `${said}\n`, from: at, to: at + line.length, line: i + 1 });
    else why = kind === undefined ? undefined : said;
    at += line.length + 1;
  }
  if (open !== undefined) throw new Error(`line ${open.line}: this block has no end`);
  return blocks;
}

/** The lines of a block that are typed: a line that ends with a backslash goes on in the next. */
export const linesOf = ({ is, text }: Block): readonly string[] =>
  is === 'console'
    ? text.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))
    : text
        .replaceAll('\\\n', '')
        .split('\n')
        .filter((line) => !/^\s*(#|$)/.test(line));
