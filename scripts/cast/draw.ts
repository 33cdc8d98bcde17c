import { createRequire } from 'node:module';
import type { IBufferCell, Terminal as XTerminal } from '@xterm/headless';
import type { Cast } from './asciicast.ts';

// CommonJS that names its exports in a way that an import does not see.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as typeof import('@xterm/headless');

const [CELL, LINE, EDGE, BAR] = [8.4, 19, 18, 34];
const [BACK, TEXT, DIM] = ['#161b1d', '#dfe5e3', '#8b9896'];
/** The eight colours of a terminal, plain and bright. */
const COLOURS = [
  '#3b4446',
  '#f2877b',
  '#7fd6a3',
  '#efc678',
  '#86b6f6',
  '#d7a1e4',
  '#6cd0c8',
  '#dfe5e3',
  '#8b9896',
  '#ff9d90',
  '#8fe6b3',
  '#ffd88a',
  '#9cc4ff',
  '#e7b5f2',
  '#7fe3da',
  '#ffffff',
];

interface Frame {
  readonly at: number;
  /** What each row shows, as SVG; '' where it is empty. */
  readonly rows: readonly string[];
  readonly cursor: readonly [x: number, y: number];
}

/**
 * A recording as one SVG that plays by itself: every different row of the terminal once, the frames as a strip of such rows, and a strip
 * that jumps from frame to frame by CSS. No script, nothing from outside; who wants less motion sees the end.
 */
export async function draw(cast: Cast): Promise<string> {
  const frames = await framesOf(cast);
  const names = new Map<string, string>();
  for (const { rows } of frames)
    for (const row of rows) if (row !== '' && !names.has(row)) names.set(row, `r${names.size}`);
  const [width, height] = [Math.ceil(cast.width * CELL) + 2 * EDGE, cast.height * LINE + EDGE + BAR];
  const end = cast.events.at(-1)?.at ?? 1;
  const part = (at: number): string => `${Number(((100 * at) / end).toFixed(3))}%`;
  const steps = frames.map(({ at }, i) => `${i === 0 ? '0%' : part(at)}{transform:translateX(${-i * width}px)}`);
  const strip = frames.map(({ rows, cursor: [x, y] }, i) => {
    const uses = rows.map((row, j) => (row === '' ? '' : `<use href="#${names.get(row)}" y="${j * LINE}"/>`)).join('');
    return `<g transform="translate(${i * width})">${uses}<rect class="c" x="${n(x * CELL)}" y="${y * LINE + 3}"/></g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${quoted(cast.title)}">`,
    `<title>${quoted(cast.title)}</title>`,
    `<style>text{font:14px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:${TEXT};white-space:pre}.b{font-weight:700}.d{fill:${DIM}}.c{width:${CELL}px;height:16px;fill:${TEXT};opacity:.55}`,
    `.strip{animation:play ${n(end)}s steps(1,end) infinite}@keyframes play{${steps.join('')}}`,
    `@media (prefers-reduced-motion:reduce){.strip{animation:none;transform:translateX(${-(frames.length - 1) * width}px)}}</style>`,
    `<defs>${[...names].map(([row, name]) => `<g id="${name}">${row}</g>`).join('')}</defs>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${BACK}"/>`,
    ...['#f2877b', '#efc678', '#7fd6a3'].map(
      (fill, i) => `<circle cx="${EDGE + 6 + i * 20}" cy="18" r="6" fill="${fill}"/>`,
    ),
    `<svg x="${EDGE}" y="${BAR}" width="${width - EDGE}" height="${cast.height * LINE}"><g class="strip">${strip.join('')}</g></svg>`,
    '</svg>\n',
  ].join('\n');
}

/** What the terminal shows after each event; events after which it shows the same are one. */
async function framesOf({ width, height, events }: Cast): Promise<readonly Frame[]> {
  const terminal = new Terminal({ cols: width, rows: height, allowProposedApi: true, scrollback: 0 });
  const frames: Frame[] = [];
  let last = '';
  for (const { at, text } of events) {
    await new Promise<void>((done) => terminal.write(text, done));
    const { cursorX, cursorY } = terminal.buffer.active;
    const rows = Array.from({ length: height }, (_, y) => rowOf(terminal, y));
    const now = JSON.stringify([rows, cursorX, cursorY]);
    if (now !== last) frames.push({ at, rows, cursor: [cursorX, cursorY] });
    last = now;
  }
  terminal.dispose();
  return frames;
}

/** One row: stretches of one look each, set to the very width of their cells whatever the font. */
function rowOf(terminal: XTerminal, y: number): string {
  const line = terminal.buffer.active.getLine(y);
  if (line === undefined) return '';
  const parts: { x: number; look: string; text: string; cells: number }[] = [];
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const [look, text] = [lookOf(cell), cell.getChars() || ' '];
    const open = parts.at(-1);
    if (open?.look === look) {
      open.text += text;
      open.cells += cell.getWidth();
    } else parts.push({ x, look, text, cells: cell.getWidth() });
  }
  return parts
    .map((part) => ({ ...part, text: part.text.trimEnd() }))
    .filter(({ text }) => text !== '')
    .map(({ x, look, text }) => {
      const begin = text.length - text.trimStart().length;
      const shown = text.slice(begin);
      return `<text x="${n((x + begin) * CELL)}" y="15" textLength="${n(shown.length * CELL)}"${look}>${quoted(shown)}</text>`;
    })
    .join('');
}

function lookOf(cell: IBufferCell): string {
  const names = [...(cell.isBold() ? ['b'] : []), ...(cell.isDim() ? ['d'] : [])];
  const fill = cell.isFgPalette() ? (COLOURS[cell.getFgColor()] ?? TEXT) : undefined;
  return `${names.length > 0 ? ` class="${names.join(' ')}"` : ''}${fill === undefined ? '' : ` style="fill:${fill}"`}`;
}

const n = (value: number): string => String(Number(value.toFixed(2)));

const quoted = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
