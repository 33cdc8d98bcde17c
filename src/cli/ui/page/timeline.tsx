import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TimelineRow } from '../documents.ts';
import { Badges, isAgent, Kind } from './badges.tsx';
import { Said } from './text.tsx';
import { indexAt, place, seen } from './windowed.ts';
import { clock, day, nameOf, whose } from './words.ts';

/** As style/timeline.css has them. */
const ROW_HEIGHT = 68;
const DAY_HEIGHT = 36;
const AROUND = 600;

type Item = { readonly day: string } | { readonly row: TimelineRow; readonly index: number };

interface Props {
  readonly rows: readonly TimelineRow[];
  readonly chosen: string | undefined;
  readonly rootOf: (key: string) => string;
  readonly onChoose: (row: TimelineRow) => void;
}

/** Every turn, newest first. However many there are, the page has as many rows as fit the window. */
export function Timeline({ rows, chosen, rootOf, onChoose }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 900 });
  const { placed, height } = useMemo(() => place(withDays(rows), heightOf), [rows]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    const one = placed.find(({ item }) => 'row' in item && item.row.id === chosen);
    if (element === null || one === undefined) return;
    // The day's name stands over the first rows.
    if (one.top - DAY_HEIGHT < element.scrollTop) element.scrollTop = Math.max(0, one.top - DAY_HEIGHT);
    else if (one.top + one.height > element.scrollTop + element.clientHeight)
      element.scrollTop = one.top + one.height - element.clientHeight;
  }, [chosen, placed]);

  const first = placed[indexAt(placed, view.top)]?.item;
  const now = new Date();
  const today = first === undefined ? '' : 'day' in first ? first.day : day(new Date(first.row.time), now);
  return (
    <div class="timeline">
      <div
        class="rows"
        ref={box}
        role="listbox"
        aria-label="Checkpoints, newest first"
        tabIndex={0}
        {...(chosen === undefined ? {} : { 'aria-activedescendant': `row-${chosen}` })}
      >
        <div class="day floating" aria-hidden="true">
          {today}
        </div>
        <div class="height" style={{ height: `${height}px` }} role="presentation">
          {seen(placed, view.top, view.top + view.height, AROUND).map(({ top, item }) =>
            'day' in item ? (
              <div key={`${top}`} class="day" role="presentation" style={{ transform: `translateY(${top}px)` }}>
                {item.day}
              </div>
            ) : (
              <Row
                key={item.row.id}
                row={item.row}
                top={top}
                index={item.index}
                total={rows.length}
                isChosen={item.row.id === chosen}
                root={rootOf(item.row.key)}
                onChoose={onChoose}
              />
            ),
          )}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: TimelineRow;
  readonly top: number;
  readonly index: number;
  readonly total: number;
  readonly isChosen: boolean;
  readonly root: string;
  readonly onChoose: (row: TimelineRow) => void;
}

function Row({ row, top, index, total, isChosen, root, onChoose }: RowProps): JSX.Element {
  const { n, time, stats, source } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the chosen one
    <div
      id={`row-${row.id}`}
      class={`row ${row.state}${isChosen ? ' chosen' : ''}`}
      role="option"
      aria-selected={isChosen}
      aria-setsize={total}
      aria-posinset={index + 1}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onChoose(row)}
    >
      <Kind row={row} />
      <div class="what">
        <div class={isAgent(row) ? 'line asked' : 'line'}>
          <Said text={titleOf(row)} />
        </div>
        <div class="about">
          <span class="project" title={root}>
            <Said text={nameOf(root)} />
          </span>
          <span class="number">#{n}</span>
          <span class="who">{whose(source)}</span>
          <Badges row={row} />
        </div>
      </div>
      <div class="side">
        <time dateTime={time}>{clock(new Date(time))}</time>
        <Counts stats={stats} />
      </div>
    </div>
  );
}

/** What people would call it: the line that was typed. */
export const titleOf = ({ kind, line, label, reason }: TimelineRow): string =>
  kind === 'manual' ? (label ?? 'Checkpoint by hand') : line.trim() || reason;

export function Counts({ stats: { files, insertions, deletions } }: Pick<TimelineRow, 'stats'>): JSX.Element {
  if (files === 0) return <span class="counts none">—</span>;
  return (
    <span class="counts">
      <span class="files">{files === 1 ? '1 file' : `${files.toLocaleString('en')} files`}</span>
      {insertions > 0 && <span class="plus">+{insertions.toLocaleString('en')}</span>}
      {deletions > 0 && <span class="minus">−{deletions.toLocaleString('en')}</span>}
    </span>
  );
}

const heightOf = (item: Item): number => ('day' in item ? DAY_HEIGHT : ROW_HEIGHT);

function withDays(rows: readonly TimelineRow[]): Item[] {
  const out: Item[] = [];
  const now = new Date();
  let last = '';
  rows.forEach((row, index) => {
    const name = day(new Date(row.time), now);
    if (name !== last) out.push({ day: name });
    last = name;
    out.push({ row, index });
  });
  return out;
}
