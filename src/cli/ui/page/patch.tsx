import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Beside, type Hunk, hunksOf, type Line, underneath } from './difference.ts';
import { LONGEST_LINE, languageOf, type Piece, withDifference } from './pieces.ts';
import { marked } from './text.tsx';
import { useWide } from './wide.ts';
import { count } from './words.ts';

/** So many lines are shown at once. */
const MOST_ROWS = 600;
/** A longer text is shown without colours. */
const LONGEST_COLOURED = 200_000;

type Colours = ReadonlyMap<Line, readonly Piece[]>;

/** The lines of one file that differ: beside each other where there is room, else one under the other. */
export function Patch({ patch, path }: { readonly patch: string; readonly path: string }): JSX.Element {
  const [isWhole, showWhole] = useState(false);
  const isWide = useWide('(min-width: 75rem)');
  const hunks = useMemo(() => hunksOf(patch), [patch]);
  const all = useMemo(() => hunks.reduce((sum, { rows }) => sum + rows.length, 0), [hunks]);
  const some = useMemo(() => (isWhole ? hunks : first(hunks, MOST_ROWS)), [hunks, isWhole]);
  const colours = useColours(some, patch.length <= LONGEST_COLOURED ? languageOf(path) : undefined);
  return (
    <div class="patch">
      <table class={isWide ? 'beside' : 'underneath'}>
        {isWide ? (
          <colgroup>
            <col class="no" />
            <col />
            <col class="no" />
            <col />
          </colgroup>
        ) : (
          <colgroup>
            <col class="no" />
            <col class="no" />
            <col />
          </colgroup>
        )}
        {some.map(({ head, rows }, i) => (
          <tbody key={i}>
            {(i > 0 || head !== '') && (
              <tr class="head">
                <td colSpan={isWide ? 4 : 3}>{head === '' ? '⋯' : marked(`⋯ ${head}`)}</td>
              </tr>
            )}
            {isWide
              ? rows.map((row) => <BesideRow key={keyOf(row)} row={row} colours={colours} />)
              : underneath(rows).map((line) => <UnderRow key={`${line.is}${line.no}`} line={line} colours={colours} />)}
          </tbody>
        ))}
      </table>
      {all > MOST_ROWS && !isWhole && (
        <button type="button" class="more" onClick={() => showWhole(true)}>
          Show all {count(all, 'line')}
        </button>
      )}
    </div>
  );
}

const keyOf = ({ old, now }: Beside): string => `${old?.no ?? ''}|${now?.no ?? ''}`;

function BesideRow({ row: { old, now }, colours }: { readonly row: Beside; readonly colours: Colours }): JSX.Element {
  return (
    <tr>
      <LineNumber line={old} />
      <Side line={old} colours={colours} />
      <LineNumber line={now} />
      <Side line={now} colours={colours} />
    </tr>
  );
}

const LineNumber = ({ line }: { readonly line: Line | undefined }): JSX.Element => (
  <td class={`no ${line?.is ?? 'nothing'}`}>{line?.no}</td>
);

function Side({ line, colours }: { readonly line: Line | undefined; readonly colours: Colours }): JSX.Element {
  return <td class={`text ${line?.is ?? 'nothing'}`}>{line && <Text line={line} colours={colours} />}</td>;
}

function UnderRow({ line, colours }: { readonly line: Line; readonly colours: Colours }): JSX.Element {
  return (
    <tr>
      <td class={`no ${line.is}`}>{line.is === 'new' ? '' : line.no}</td>
      <td class={`no ${line.is}`}>{line.is === 'new' ? line.no : ''}</td>
      <td class={`text ${line.is}`}>
        <Text line={line} colours={colours} />
      </td>
    </tr>
  );
}

const SIGN = { same: ' ', old: '−', new: '+' } as const;

function Text({ line, colours }: { readonly line: Line; readonly colours: Colours }): JSX.Element {
  const { text, is, differs, open } = line;
  const shown = text.slice(0, LONGEST_LINE);
  const pieces = withDifference(colours.get(line) ?? [{ text: shown, kind: '' }], differs);
  return (
    <>
      <span class="sign">{SIGN[is]}</span>
      <bdo dir="ltr">{pieces.map(pieceOf)}</bdo>
      {text.length > shown.length && <Aside>{count(text.length - shown.length, 'character')} more in this line</Aside>}
      {open && <Aside>no line end</Aside>}
    </>
  );
}

const Aside = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <span class="aside"> {children}</span>
);

function pieceOf({ text, kind, differs }: Piece, i: number): JSX.Element {
  const names = `${kind === '' ? '' : `c-${kind.replaceAll('.', ' ')}`}${differs ? ' differs' : ''}`;
  return (
    <span key={i} class={names}>
      {marked(text)}
    </span>
  );
}

/** The first rows, and whole hunks only as far as those go. */
function first(hunks: readonly Hunk[], most: number): readonly Hunk[] {
  const out: Hunk[] = [];
  let left = most;
  for (const { head, rows } of hunks) {
    if (left <= 0) break;
    out.push({ head, rows: rows.slice(0, left) });
    left -= rows.length;
  }
  return out;
}

const NONE: Colours = new Map();

/** Each side of a hunk is read as one text, so that what goes over several lines has its colour in each. */
function useColours(hunks: readonly Hunk[], language: string | undefined): Colours {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (language === undefined) return undefined;
    let isOver = false;
    void import('./colours.ts').then(({ coloured }) => {
      if (isOver) return;
      const colours = new Map<Line, readonly Piece[]>();
      for (const { rows } of hunks)
        for (const side of ['old', 'now'] as const) {
          const lines = rows.flatMap((row) => row[side] ?? []);
          const pieces = coloured(lines.map(({ text }) => text.slice(0, LONGEST_LINE)).join('\n'), language);
          for (const [i, line] of lines.entries()) colours.set(line, pieces[i] ?? []);
        }
      setFound(colours);
    });
    return () => {
      isOver = true;
    };
  }, [hunks, language]);
  return found;
}
