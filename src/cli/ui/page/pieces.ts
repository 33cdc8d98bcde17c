/** A stretch of a line that is shown in one way. */
export interface Piece {
  readonly text: string;
  /** What highlight.js calls it (`keyword`, `string`, …); '' is nothing in particular. */
  readonly kind: string;
  /** It differs from the line beside it. */
  readonly differs?: true;
}

/** Cuts the pieces of a line so that what differs is pieces of its own. */
export function withDifference(
  pieces: readonly Piece[],
  differs: readonly [number, number] | undefined,
): readonly Piece[] {
  if (differs === undefined || differs[0] >= differs[1]) return pieces;
  const [from, to] = differs;
  const out: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const { text } = piece;
    const [a, b] = [Math.max(0, from - at), Math.min(text.length, to - at)];
    at += text.length;
    if (a >= b) {
      out.push(piece);
      continue;
    }
    if (a > 0) out.push({ ...piece, text: text.slice(0, a) });
    out.push({ ...piece, text: text.slice(a, b), differs: true });
    if (b < text.length) out.push({ ...piece, text: text.slice(b) });
  }
  return out;
}

/** A longer line is cut: a bundle of a megabyte in one line stops no browser. */
export const LONGEST_LINE = 2000;

const BY_NAME: Readonly<Record<string, string>> = {
  Dockerfile: 'dockerfile',
  Containerfile: 'dockerfile',
  Makefile: 'makefile',
  GNUmakefile: 'makefile',
  Gemfile: 'ruby',
  Rakefile: 'ruby',
};

const BY_ENDING: Readonly<Record<string, string>> = {
  bash: 'bash',
  sh: 'bash',
  zsh: 'bash',
  fish: 'bash',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  go: 'go',
  ini: 'ini',
  conf: 'ini',
  cfg: 'ini',
  toml: 'ini',
  env: 'ini',
  java: 'java',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  json: 'json',
  jsonc: 'json',
  kt: 'kotlin',
  kts: 'kotlin',
  lua: 'lua',
  mk: 'makefile',
  md: 'markdown',
  php: 'php',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  rs: 'rust',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

/** By the file's name; undefined where that says nothing. */
export function languageOf(path: string): string | undefined {
  const name = path.split('/').at(-1) ?? '';
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  const ending = (name.startsWith('.env') ? 'env' : name.split('.').at(-1))?.toLowerCase() ?? '';
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
}
