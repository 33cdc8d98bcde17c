import type { JSX } from 'preact';
import type { TimelineRow } from '../documents.ts';
import { count } from './words.ts';

/** One sign a kind: told apart by form, not by colour alone. */
export function Kind({ row }: { readonly row: TimelineRow }): JSX.Element {
  const { kind, reason } = row;
  const what = kind === 'manual' ? 'by hand' : kind === 'safety' ? 'restore' : isAgent(row) ? 'agent' : 'line';
  const title = { 'by hand': 'A checkpoint by hand', restore: 'A restore', agent: 'A turn of an agent', line: reason }[
    what
  ];
  return (
    <span class={`kind of-${what.replace(' ', '-')}`} title={title}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <path d={SIGNS[what]} />
      </svg>
      <span class="unseen">{what}</span>
    </span>
  );
}

const SIGNS = {
  // A prompt, a flag, an arrow that turns back, a spark.
  line: 'M3 4l4 4-4 4M8.500 12.500H13',
  'by hand': 'M4 14V2.500h8l-2 3 2 3H4',
  restore: 'M3 3v4h4M3.400 7A5.200 5.200 0 1 1 4 10.500',
  agent: 'M8 1.500l1.600 4.900 4.900 1.600-4.900 1.600L8 14.500 6.400 9.600 1.500 8l4.900-1.600z',
} as const;

const SHELLS = new Set(['bash', 'zsh', 'fish', 'sh', 'cli', 'cron', 'script', 'shell']);

/** A turn of an agent: what it was asked, in a person's words. */
export const isAgent = ({ source }: TimelineRow): boolean => !SHELLS.has(source.split(':')[0] ?? '');

/** What must not be overlooked of a checkpoint. */
export function Badges({ row }: { readonly row: TimelineRow }): JSX.Element {
  const { state, left_out_count: left, nested_not_captured: nested } = row;
  return (
    <>
      {state === 'undone' && <span class="badge">undone</span>}
      {state === 'earlier-folder' && <span class="badge">earlier folder</span>}
      {state === 'imported' && <span class="badge">imported</span>}
      {left > 0 && <span class="badge warn">{left.toLocaleString('en')} left out</span>}
      {nested.length > 0 && (
        <span class="badge warn">{count(nested.length, 'nested repository', 'nested repositories')}</span>
      )}
    </>
  );
}
